//! Reading and writing `[[inflow]]` and `[[outflow]]`.

use super::context::Context;
use super::inside::{SolidsInTime, check_apart, check_flow, check_inflow_space};
use super::keys::{INFLOW, OUTFLOW};
use super::place::{At, Fault};
use super::shapes;
use super::table::Table;
use super::tree::Node;
use octide_core::geometry::Shape;
use octide_core::scene::{Domain, Inflow, Outflow, Span, Timing};

/// An inflow thinner than this many finest cells adds hardly anything. One that is typed as two cells thick
/// may be thinner by rounding.
const MIN_CELLS_ACROSS: f64 = 2.0 - 1e-9;

pub(super) fn read_inflow(
    node: &Node,
    domain: &Domain,
    solids: &mut SolidsInTime<'_>,
    time: &Timing,
    context: &mut Context<'_>,
) -> Result<Inflow, Fault> {
    let table = Table::open(node, &INFLOW)?;
    let shape_node = table.need("shape")?;
    let shape = shapes::read(shape_node, context)?;
    let velocity = table.vector("velocity")?;
    let when = read_span(&table, "inflow", time, context)?;
    check_flow("inflow", &shape, domain, shape_node.at)?;
    check_inflow_space("inflow", "water", &shape, solids, when.start, domain, shape_node.at)?;
    warn_if_thin("inflow", &shape, domain, shape_node.at, context);
    Ok(Inflow { shape, velocity, when })
}

/// Warns about an inflow or a source that is thinner than a few cells.
pub(super) fn warn_if_thin(what: &str, shape: &Shape, domain: &Domain, at: At, context: &mut Context<'_>) {
    let Some(extent) = thinnest(shape, domain).filter(|&x| x < MIN_CELLS_ACROSS * domain.dx()) else {
        return;
    };
    let cells = extent / domain.dx();
    let warning = Fault::new(
        at,
        format!("this {what} is only {cells:.1} finest cells thick and may add hardly anything"),
    );
    context
        .warnings
        .push(warning.help("make it at least two finest cells thick along each axis, or raise `resolution`"));
}

pub(super) fn read_outflow(
    node: &Node,
    domain: &Domain,
    inflows: &[Inflow],
    time: &Timing,
    context: &mut Context<'_>,
) -> Result<Outflow, Fault> {
    let table = Table::open(node, &OUTFLOW)?;
    let shape_node = table.need("shape")?;
    let shape = shapes::read(shape_node, context)?;
    let when = read_span(&table, "outflow", time, context)?;
    check_flow("outflow", &shape, domain, shape_node.at)?;
    if let Some(extent) = thinnest(&shape, domain).filter(|&x| x < domain.dx()) {
        let cells = extent / domain.dx();
        let message =
            format!("this outflow is only {cells:.1} finest cells thick and may remove hardly anything");
        context.warnings.push(
            Fault::new(shape_node.at, message)
                .help("make it at least one finest cell thick along each axis, or raise `resolution`"),
        );
    }
    let outflow = Outflow { shape, when };
    check_apart(&outflow, inflows, domain, shape_node.at)?;
    Ok(outflow)
}

/// Reads `start` and `end`; the whole run if they are omitted.
pub(super) fn read_span(
    table: &Table<'_>,
    what: &str,
    time: &Timing,
    context: &mut Context<'_>,
) -> Result<Span, Fault> {
    let start = table.number("start")?;
    let end = table.optional_number("end")?.unwrap_or(f64::INFINITY);
    let run = f64::from(time.frames) / time.fps;
    if let Some(node) = table.get("end").filter(|_| end <= start) {
        return Err(Fault::new(node.at, format!("this {what} ends at {end} s, but begins at {start} s"))
            .help("make `end` later than `start`, or remove it to let the run end it"));
    }
    if let Some(node) = table.get("start").filter(|_| start >= run && run > 0.0) {
        context.warnings.push(
            Fault::new(node.at, format!("this {what} begins at {start} s, but the run ends at {run:.3} s"))
                .help("let it begin earlier, or raise `time.frames`"),
        );
    }
    Ok(Span { start, end })
}

/// Returns the smallest extent of the part of a shape that lies in the domain.
fn thinnest(shape: &Shape, domain: &Domain) -> Option<f64> {
    let (low, high) = shape.bounds()?;
    Some((high.min(domain.origin + domain.size) - low.max(domain.origin)).min_element())
}

/// Returns a span as lines of a scene file, without an end if it has none.
pub(super) fn span_to_toml(when: Span) -> String {
    let end = if when.end.is_finite() { format!("\nend = {:?}", when.end) } else { String::new() };
    format!("start = {:?}{end}", when.start)
}
