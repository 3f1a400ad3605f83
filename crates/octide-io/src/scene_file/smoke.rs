//! Reading and writing `[[smoke]]`.

use super::context::Context;
use super::flows::{motion_line, read_motion, read_span, span_to_toml, warn_if_thin};
use super::inside::SolidsInTime;
use super::keys::SMOKE;
use super::path::Path;
use super::place::Fault;
use super::shapes;
use super::table::Table;
use super::tree::Node;
use super::write::{shape_to_toml, vector_to_toml};
use glam::DVec3;
use octide_core::scene::{Domain, Release, SmokeSource, Span, Timing};

pub(super) fn read_source(
    node: &Node,
    domain: &Domain,
    solids: &mut SolidsInTime<'_>,
    time: &Timing,
    context: &mut Context<'_>,
) -> Result<SmokeSource, Fault> {
    let table = Table::open(node, &SMOKE)?;
    let shape_node = table.need("shape")?;
    let shape = shapes::read(shape_node, context)?;
    let density = table.number("density")?;
    let temperature = table.number("temperature")?;
    let velocity = table.get("velocity").map(|_| table.vector("velocity")).transpose()?;
    let when = read_release(&table, time, context)?;
    let motion = read_motion(&table, &shape, context)?;
    let span = match when {
        Release::During(span) => span,
        Release::Puff(at) => Span { start: at, end: at },
    };
    let path = Path { what: "source", shape: &shape, motion: &motion, when: span, at: shape_node.at };
    path.check_in_domain(domain, time)?;
    context.warnings.extend(path.check_outside_solids("smoke", solids, domain, time)?);
    context.warnings.extend(path.check_speed(domain, time));
    warn_if_thin("source", &shape, &motion, domain, shape_node.at, context);
    if density == 0.0 && temperature == 0.0 && velocity.is_none_or(|v| v == DVec3::ZERO) {
        let warning = Fault::new(
            table.at(),
            "this source has no density, no temperature and no velocity, so it does nothing",
        );
        context.warnings.push(warning.help("give it one of them, or remove the source"));
    }
    Ok(SmokeSource { shape, density, temperature, velocity, motion, when })
}

/// Reads `start` and `end`, or `start` and `puff = true`.
fn read_release(table: &Table<'_>, time: &Timing, context: &mut Context<'_>) -> Result<Release, Fault> {
    let is_puff = table.flag("puff")?;
    if let Some(node) = table.get("end").filter(|_| is_puff) {
        return Err(Fault::new(node.at, "a puff is released all at once, at `start`, so it has no `end`")
            .help("remove `end`, or remove `puff` for a source that keeps acting"));
    }
    let span = read_span(table, "source", time, context)?;
    Ok(if is_puff { Release::Puff(span.start) } else { Release::During(span) })
}

/// Returns a source as lines of a scene file.
pub(super) fn source_to_toml(source: &SmokeSource) -> String {
    let SmokeSource { shape, density, temperature, velocity, motion, when } = source;
    let velocity = velocity.map_or(String::new(), |v| format!("velocity = {}\n", vector_to_toml(v)));
    let when = match when {
        Release::During(span) => span_to_toml(*span),
        Release::Puff(at) => format!("start = {at:?}\npuff = true"),
    };
    format!(
        "\n[[smoke]]\nshape = {}\ndensity = {density:?}\ntemperature = {temperature:?}\n{velocity}{}{when}",
        shape_to_toml(shape),
        motion_line(motion)
    )
}
