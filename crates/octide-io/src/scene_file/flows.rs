//! Inflows, outflows and open sides.

use super::context::Context;
use super::inside::{check_flow, check_inflow_space};
use super::place::{At, Fault};
use super::scene::need_shape;
use super::sections::choice;
use super::shapes;
use super::table::{Keys, Range, Table};
use super::tree::Node;
use octide_core::geometry::Shape;
use octide_core::scene::{Domain, Heading, Inflow, OpenSides, Outflow, Solid, Span, Timing};

const INFLOW: Keys = Keys { known: &["shape", "velocity", "start", "end"], later: &["motion"] };
const OUTFLOW: Keys = Keys { known: &["shape", "start", "end"], later: &["motion"] };

/// An inflow thinner than this many finest cells is hardly seen.
const THIN: f64 = 2.0;

pub(super) fn inflow(
    node: &Node,
    domain: &Domain,
    solids: &[Solid],
    time: &Timing,
    context: &mut Context<'_>,
) -> Result<Inflow, Fault> {
    let table = Table::open(node, "[[inflow]]", &INFLOW)?;
    let shape_node = need_shape(&table)?;
    let shape = shapes::read(shape_node, context)?;
    let velocity = table.need_vector("velocity", "[1.0, 0.0, 0.0]")?;
    let when = span(&table, "inflow", time, context)?;
    check_flow("inflow", &shape, domain, shape_node.at)?;
    check_inflow_space("inflow", "water", &shape, solids, when.start, domain, shape_node.at)?;
    warn_if_thin("inflow", &shape, domain, shape_node.at, context);
    Ok(Inflow { shape, velocity, when })
}

/// A source that hardly has a cell is odd.
pub(super) fn warn_if_thin(what: &str, shape: &Shape, domain: &Domain, at: At, context: &mut Context<'_>) {
    let Some(extent) = thinnest(shape, domain).filter(|&x| x < THIN * domain.dx()) else { return };
    let cells = extent / domain.dx();
    let warning =
        Fault::new(at, format!("this {what} is {cells:.1} finest cells thin, so that little comes of it"));
    context.warnings.push(
        warning.help("make it at least two finest cells wide along each axis, or raise the resolution"),
    );
}

pub(super) fn outflow(
    node: &Node,
    domain: &Domain,
    time: &Timing,
    context: &mut Context<'_>,
) -> Result<Outflow, Fault> {
    let table = Table::open(node, "[[outflow]]", &OUTFLOW)?;
    let shape_node = need_shape(&table)?;
    let shape = shapes::read(shape_node, context)?;
    let when = span(&table, "outflow", time, context)?;
    check_flow("outflow", &shape, domain, shape_node.at)?;
    Ok(Outflow { shape, when })
}

/// `start` and `end`; the whole run where they are left out.
pub(super) fn span(
    table: &Table<'_>,
    what: &str,
    time: &Timing,
    context: &mut Context<'_>,
) -> Result<Span, Fault> {
    let default = Span::default();
    let start = table.number_or("start", Range::NOT_NEGATIVE, default.start)?;
    let end = table.number_or("end", Range::POSITIVE, default.end)?;
    let run = f64::from(time.frames) / time.fps;
    if let Some(node) = table.get("end").filter(|_| end <= start) {
        return Err(Fault::new(node.at, format!("this {what} ends at {end} s, but begins at {start} s"))
            .help("let `end` come after `start`, or leave it out for the rest of the run"));
    }
    if let Some(node) = table.get("start").filter(|_| start >= run && run > 0.0) {
        context.warnings.push(
            Fault::new(node.at, format!("this {what} begins at {start} s, but the run ends at {run:.3} s"))
                .help("begin earlier, or add frames"),
        );
    }
    Ok(Span { start, end })
}

/// The smallest measure of what lies in the domain.
fn thinnest(shape: &Shape, domain: &Domain) -> Option<f64> {
    let (low, high) = shape.bounds()?;
    Some((high.min(domain.origin + domain.size) - low.max(domain.origin)).min_element())
}

/// The sides that a list names.
pub(super) fn open(node: Option<&Node>) -> Result<OpenSides, Fault> {
    let Some(node) = node else { return Ok(OpenSides::default()) };
    let choices = Heading::ALL.map(|h| (h.name(), h));
    let mut named = Vec::new();
    for item in node.list("open").map_err(|fault| fault.help("for example open = [\"+x\"]"))? {
        let heading = choice(item, "open", &choices)?;
        if named.contains(&heading) {
            return Err(Fault::new(item.at, format!("the side {} is named twice", heading.name()))
                .help("name each open side once"));
        }
        named.push(heading);
    }
    Ok(OpenSides::of(&named))
}

/// A span as lines of a scene file; without an end where it has none.
pub(super) fn span_to_toml(when: Span) -> String {
    let end = if when.end.is_finite() { format!("\nend = {:?}", when.end) } else { String::new() };
    format!("start = {:?}{end}", when.start)
}

/// Open sides as a line of a scene file.
pub(super) fn open_to_toml(open: OpenSides) -> String {
    let names: Vec<String> = open.headings().map(|h| format!("\"{}\"", h.name())).collect();
    format!("open = [{}]", names.join(", "))
}
