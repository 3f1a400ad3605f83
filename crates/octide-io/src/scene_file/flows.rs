//! Reading and writing `[[inflow]]` and `[[outflow]]`.

use super::context::Context;
use super::inside::SolidsInTime;
use super::keys::{INFLOW, OUTFLOW};
use super::motion;
use super::path::Path;
use super::place::{At, Fault};
use super::shapes;
use super::table::Table;
use super::tree::Node;
use super::write::{motion_to_toml, shape_to_toml, vector_to_toml};
use glam::DVec3;
use octide_core::geometry::{Motion, Shape};
use octide_core::scene::{Domain, GivenFlow, Inflow, Outflow, Span, Timing};

/// An inflow thinner than this many finest cells adds hardly anything. One that is typed as two cells thick
/// may be thinner by rounding.
const MIN_CELLS_ACROSS: f64 = 2.0 - 1e-9;

pub(super) fn read_inflow(
    node: &Node,
    domain: &Domain,
    gravity: DVec3,
    solids: &mut SolidsInTime<'_>,
    time: &Timing,
    context: &mut Context<'_>,
) -> Result<Inflow, Fault> {
    let table = Table::open(node, &INFLOW)?;
    let shape_node = table.need("shape")?;
    let shape = shapes::read(shape_node, context)?;
    let motion = read_motion(&table, &shape, context)?;
    let when = read_span(&table, "inflow", time, context)?;
    warn_if_thin("inflow", &shape, &motion, domain, shape_node.at, context);
    let path = Path { what: "inflow", shape: &shape, motion: &motion, when, at: shape_node.at };
    path.check_in_domain(domain, time)?;
    context.warnings.extend(path.check_outside_solids("water", solids, domain, time)?);
    context.warnings.extend(path.check_speed(domain, time));
    let supply = read_supply(&table, gravity)?;
    if let Supply::Flow(flow) = supply {
        context.warnings.extend(path.check_mouth(flow.direction, solids, domain, time));
    }
    let inflow = match supply {
        Supply::Velocity(velocity) => Inflow::new(shape, velocity),
        Supply::Flow(flow) => Inflow::with_flow(shape, flow, domain),
    };
    Ok(Inflow { motion, when, ..inflow })
}

/// How the water of an inflow is given.
#[derive(Clone, Copy)]
enum Supply {
    Velocity(DVec3),
    Flow(GivenFlow),
}

/// Reads `velocity`, or `flow` and `direction`.
fn read_supply(table: &Table<'_>, gravity: DVec3) -> Result<Supply, Fault> {
    let (velocity, flow) = (table.get("velocity"), table.get("flow"));
    match (velocity, flow) {
        (Some(_), None) => match table.get("direction") {
            None => Ok(Supply::Velocity(table.vector("velocity")?)),
            Some(node) => Err(Fault::new(
                node.at,
                "`velocity` has a direction already, so that there is no `direction`",
            )
            .help("remove it, or give a `flow` in m³/s instead of the `velocity`")),
        },
        (None, Some(node)) => {
            let direction = if table.get("direction").is_some() {
                table.direction("direction")?
            } else {
                gravity.normalize_or_zero()
            };
            if direction == DVec3::ZERO {
                let fault = Fault::new(node.at, "without gravity, a `flow` needs a `direction`");
                return Err(fault.help("for example direction = [1, 0, 0]"));
            }
            let rate = table.optional_number("flow")?.unwrap_or(0.0);
            Ok(Supply::Flow(GivenFlow { rate, direction }))
        }
        (velocity, _) => Err(Fault::new(
            velocity.map_or(table.at(), |node| node.at),
            "an inflow needs either a `velocity` or a `flow`",
        )
        .help("for example velocity = [1.0, 0.0, 0.0] in m/s, or flow = 0.001 in m³/s")),
    }
}

/// Reads `motion`; no motion if it is omitted.
pub(super) fn read_motion(
    table: &Table<'_>,
    shape: &Shape,
    context: &mut Context<'_>,
) -> Result<Motion, Fault> {
    table.get("motion").map_or(Ok(Motion::Still), |node| motion::read(node, shape, &mut context.warnings))
}

/// Warns about an inflow or a source that is thinner than a few cells.
pub(super) fn warn_if_thin(
    what: &str,
    shape: &Shape,
    motion: &Motion,
    domain: &Domain,
    at: At,
    context: &mut Context<'_>,
) {
    let Some(extent) = thinnest(shape, motion, domain).filter(|&x| x < MIN_CELLS_ACROSS * domain.dx()) else {
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
    let motion = read_motion(&table, &shape, context)?;
    let when = read_span(&table, "outflow", time, context)?;
    let path = Path { what: "outflow", shape: &shape, motion: &motion, when, at: shape_node.at };
    path.check_in_domain(domain, time)?;
    context.warnings.extend(path.check_speed(domain, time));
    if let Some(extent) = thinnest(&shape, &motion, domain).filter(|&x| x < domain.dx()) {
        let cells = extent / domain.dx();
        let message =
            format!("this outflow is only {cells:.1} finest cells thick and may remove hardly anything");
        context.warnings.push(
            Fault::new(shape_node.at, message)
                .help("make it at least one finest cell thick along each axis, or raise `resolution`"),
        );
    }
    path.check_apart(inflows, domain, time)?;
    Ok(Outflow { shape, motion, when })
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

/// Returns the smallest extent of the part of a shape that lies in the domain, or of all of it if it moves.
fn thinnest(shape: &Shape, motion: &Motion, domain: &Domain) -> Option<f64> {
    let (low, high) = shape.bounds()?;
    if !motion.is_still() {
        return Some((high - low).min_element());
    }
    Some((high.min(domain.origin + domain.size) - low.max(domain.origin)).min_element())
}

/// Returns a span as lines of a scene file, without an end if it has none.
pub(super) fn span_to_toml(when: Span) -> String {
    let end = if when.end.is_finite() { format!("\nend = {:?}", when.end) } else { String::new() };
    format!("start = {:?}{end}", when.start)
}

/// Returns an inflow as lines of a scene file.
pub(super) fn inflow_to_toml(inflow: &Inflow) -> String {
    let Inflow { shape, velocity, flow, motion, when } = inflow;
    let supply = match flow {
        Some(GivenFlow { rate, direction }) => {
            format!("flow = {rate:?}\ndirection = {}", vector_to_toml(*direction))
        }
        None => format!("velocity = {}", vector_to_toml(*velocity)),
    };
    format!(
        "\n[[inflow]]\nshape = {}\n{supply}\n{}{}",
        shape_to_toml(shape),
        motion_line(motion),
        span_to_toml(*when)
    )
}

/// Returns an outflow as lines of a scene file.
pub(super) fn outflow_to_toml(outflow: &Outflow) -> String {
    let Outflow { shape, motion, when } = outflow;
    format!("\n[[outflow]]\nshape = {}\n{}{}", shape_to_toml(shape), motion_line(motion), span_to_toml(*when))
}

/// Returns the line with a motion; nothing for one at rest.
pub(super) fn motion_line(motion: &Motion) -> String {
    motion_to_toml(motion).map_or(String::new(), |motion| format!("motion = {motion}\n"))
}
