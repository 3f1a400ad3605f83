//! Smoke: sources, the forces that it feels, where detail goes in it.

use super::context::Context;
use super::flows::{self, span_to_toml};
use super::inside::{check_flow, check_inflow_space};
use super::place::Fault;
use super::scene::need_shape;
use super::shapes;
use super::table::{Keys, Range, Table};
use super::tree::Node;
use super::write::{shape, vector};
use glam::DVec3;
use octide_core::scene::{
    Buoyancy, Domain, HalfLife, Physics, Release, SmokeDetail, SmokeSource, Solid, Timing,
};

const SOURCE: Keys = Keys {
    known: &["shape", "density", "temperature", "velocity", "start", "end", "puff"],
    later: &["motion", "color"],
};
const BUOYANCY: Keys = Keys::only(&["weight", "lift"]);
const HALF_LIFE: Keys = Keys::only(&["density", "temperature"]);
const DETAIL: Keys = Keys::only(&["solids", "vorticity", "density"]);

/// The density of a source that does not tell.
const DENSITY: f64 = 1.0;

pub(super) fn source(
    node: &Node,
    domain: &Domain,
    solids: &[Solid],
    time: &Timing,
    context: &mut Context<'_>,
) -> Result<SmokeSource, Fault> {
    let table = Table::open(node, "[[smoke]]", &SOURCE)?;
    let shape_node = need_shape(&table)?;
    let shape = shapes::read(shape_node, context)?;
    let density = table.number_or("density", Range::NOT_NEGATIVE, DENSITY)?;
    let temperature = table.number_or("temperature", Range::ANY, 0.0)?;
    let velocity = table.get("velocity").map(|n| n.vector("velocity", Range::ANY)).transpose()?;
    let when = release(&table, time, context)?;
    check_flow("source", &shape, domain, shape_node.at)?;
    let start = match when {
        Release::During(span) => span.start,
        Release::Puff(at) => at,
    };
    check_inflow_space("source", "smoke", &shape, solids, start, domain, shape_node.at)?;
    flows::warn_if_thin("source", &shape, domain, shape_node.at, context);
    if density == 0.0 && temperature == 0.0 && velocity.is_none_or(|v| v == DVec3::ZERO) {
        let warning = Fault::new(table.at(), "this source has no density, no temperature and no velocity");
        context.warnings.push(warning.help("nothing comes of it; give it one of them"));
    }
    Ok(SmokeSource { shape, density, temperature, velocity, when })
}

/// `start` and `end`, or `start` and `puff = true`.
fn release(table: &Table<'_>, time: &Timing, context: &mut Context<'_>) -> Result<Release, Fault> {
    let is_puff = table.bool_or("puff", false)?;
    if let Some(node) = table.get("end").filter(|_| is_puff) {
        return Err(Fault::new(node.at, "a puff is let out at once, at `start`, so that it has no `end`")
            .help("take out `end`, or take out `puff` for a source that goes on"));
    }
    let span = flows::span(table, "source", time, context)?;
    Ok(if is_puff { Release::Puff(span.start) } else { Release::During(span) })
}

/// Reads the parts of `[physics]` that smoke feels.
pub(super) fn physics(table: &Table<'_>, physics: &mut Physics) -> Result<(), Fault> {
    physics.buoyancy = Buoyancy::under(physics.gravity);
    if let Some(node) = table.get("buoyancy") {
        let Buoyancy { weight, lift } = physics.buoyancy;
        let table = Table::open(node, "[physics.buoyancy]", &BUOYANCY)?;
        physics.buoyancy = Buoyancy {
            weight: table.number_or("weight", Range::NOT_NEGATIVE, weight)?,
            lift: table.number_or("lift", Range::NOT_NEGATIVE, lift)?,
        };
    }
    physics.confinement = table.number_or("confinement", Range::within(0.0, 10.0), physics.confinement)?;
    if let Some(node) = table.get("half_life") {
        let table = Table::open(node, "[physics.half_life]", &HALF_LIFE)?;
        let HalfLife { density, temperature } = physics.half_life;
        physics.half_life = HalfLife {
            density: table.number_or("density", Range::POSITIVE, density)?,
            temperature: table.number_or("temperature", Range::POSITIVE, temperature)?,
        };
    }
    Ok(())
}

/// Reads `[adaptivity.smoke]`.
pub(super) fn detail(node: Option<&Node>) -> Result<SmokeDetail, Fault> {
    let default = SmokeDetail::default();
    let Some(node) = node else { return Ok(default) };
    let table = Table::open(node, "[adaptivity.smoke]", &DETAIL)?;
    Ok(SmokeDetail {
        solids: table.number_or("solids", Range::within(0.0, 1000.0), default.solids)?,
        vorticity: table.number_or("vorticity", Range::NOT_NEGATIVE, default.vorticity)?,
        density: table.get("density").map_or(Ok(default.density), band)?,
    })
}

fn band(node: &Node) -> Result<[f64; 2], Fault> {
    let [low, high] = node.list("density")? else {
        let was = node.value.described();
        return Err(Fault::new(node.at, format!("`density` must be a lower and an upper end, but is {was}"))
            .help("for example density = [0.1, 0.3], shares of the densest source's density"));
    };
    let share = |n: &Node, key: &str| n.number(key, Range::NOT_NEGATIVE);
    let [from, to] = [share(low, "density[0]")?, share(high, "density[1]")?];
    if from > to {
        return Err(Fault::new(node.at, format!("the band of `density` begins at {from} and ends at {to}"))
            .help("write the smaller number first"));
    }
    Ok([from, to])
}

/// A source as text.
pub(super) fn source_to_toml(source: &SmokeSource) -> String {
    let SmokeSource { shape: region, density, temperature, velocity, when } = source;
    let velocity = velocity.map_or(String::new(), |v| format!("velocity = {}\n", vector(v)));
    let when = match when {
        Release::During(span) => span_to_toml(*span),
        Release::Puff(at) => format!("start = {at:?}\npuff = true"),
    };
    format!(
        "\n[[smoke]]\nshape = {}\ndensity = {density:?}\ntemperature = {temperature:?}\n{velocity}{when}",
        shape(region)
    )
}

/// What smoke feels, as lines of `[physics]`.
pub(super) fn physics_to_toml(physics: &Physics) -> String {
    let Buoyancy { weight, lift } = physics.buoyancy;
    let mut out = format!(
        "buoyancy = {{ weight = {weight:?}, lift = {lift:?} }}\nconfinement = {:?}",
        physics.confinement
    );
    let HalfLife { density, temperature } = physics.half_life;
    let ends: Vec<String> = [("density", density), ("temperature", temperature)]
        .iter()
        .filter(|(_, half)| half.is_finite())
        .map(|(name, half)| format!("{name} = {half:?}"))
        .collect();
    if !ends.is_empty() {
        out += &format!("\nhalf_life = {{ {} }}", ends.join(", "));
    }
    out
}

/// `[adaptivity.smoke]` as text.
pub(super) fn detail_to_toml(detail: &SmokeDetail) -> String {
    let SmokeDetail { solids, vorticity, density } = detail;
    format!("\n[adaptivity.smoke]\nsolids = {solids:?}\nvorticity = {vorticity:?}\ndensity = {density:?}")
}
