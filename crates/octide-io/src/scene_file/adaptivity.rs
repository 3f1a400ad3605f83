//! Where detail goes: `[adaptivity]` and its regions.

use super::context::Context;
use super::place::Fault;
use super::shapes;
use super::smoke;
use super::table::{Keys, Range, Table};
use super::tree::{Node, Value};
use super::write::shape;
use octide_core::scene::{Adaptivity, Domain, Region};

const KEYS: Keys = Keys::only(&[
    "curvature",
    "strain",
    "along_surface",
    "strength",
    "dilation",
    "decay",
    "decay_time",
    "camera",
    "smoke",
    "region",
]);
const REGION: Keys = Keys::only(&["shape", "at_most", "at_least"]);

/// Reads the section. `has_camera` tells whether the scene has a section `[camera]`.
pub(super) fn read(
    node: Option<&Node>,
    domain: &Domain,
    has_camera: bool,
    context: &mut Context<'_>,
) -> Result<Adaptivity, Fault> {
    let default = Adaptivity::default();
    let Some(node) = node else { return Ok(default) };
    let table = Table::open(node, "[adaptivity]", &KEYS)?;
    let camera = table.bool_or("camera", default.camera)?;
    if let Some(node) = table.get("camera").filter(|_| camera && !has_camera) {
        return Err(Fault::new(node.at, "detail is to follow the camera, but the scene has none")
            .help("add a section [camera] with `position` and `target`, or take this out"));
    }
    Ok(Adaptivity {
        curvature: table.number_or("curvature", Range::NOT_NEGATIVE, default.curvature)?,
        strain: table.number_or("strain", Range::NOT_NEGATIVE, default.strain)?,
        along_surface: table.bool_or("along_surface", default.along_surface)?,
        strength: strength(&table, default.strength)?,
        dilation: table.count_or("dilation", (0, 16), default.dilation)?,
        decay: decay(&table, default.decay)?,
        decay_time: table.get("decay_time").map(|n| n.number("decay_time", Range::POSITIVE)).transpose()?,
        camera,
        smoke: smoke::detail(table.get("smoke"))?,
        regions: regions(&table, domain, context)?,
    })
}

fn strength(table: &Table<'_>, default: f64) -> Result<f64, Fault> {
    table.number_or("strength", Range::within(0.0, 1.0), default).map_err(|fault| {
        fault.help(
            "0 is the finest cells everywhere, 1 is cells as large as they may be; there is nothing beyond",
        )
    })
}

fn decay(table: &Table<'_>, default: f64) -> Result<f64, Fault> {
    table.number_or("decay", Range::between(0.0, 1.0), default).map_err(|fault| {
        fault.help(
            "it is the share of detail that is left after `decay_time`; from 1 on, what was fine once would be so forever",
        )
    })
}

fn regions(table: &Table<'_>, domain: &Domain, context: &mut Context<'_>) -> Result<Vec<Region>, Fault> {
    let Some(node) = table.get("region") else { return Ok(Vec::new()) };
    let Value::Array(items) = &node.value else {
        return Err(Fault::new(
            node.at,
            "there can be several of `region`, so that its head is [[adaptivity.region]]",
        )
        .help("write [[adaptivity.region]] with two brackets on each side"));
    };
    items.iter().map(|item| region(item, domain, context)).collect()
}

fn region(node: &Node, domain: &Domain, context: &mut Context<'_>) -> Result<Region, Fault> {
    let table = Table::open(node, "[[adaptivity.region]]", &REGION)?;
    let shape_node = table.need("shape", "{ sphere = { center = [0.5, 0.3, 0.5], radius = 0.1 } }")?;
    let shape = shapes::read(shape_node, context)?;
    let (most, least) = (table.get("at_most"), table.get("at_least"));
    if most.is_none() && least.is_none() {
        return Err(Fault::new(table.at(), "[[adaptivity.region]] needs `at_most`, `at_least` or both").help(format!(
            "they bound the size of its cells in meters, for example at_most = {}; the finest cells here are that large",
            domain.dx()
        )));
    }
    let at_most = most.map_or(Ok(f64::INFINITY), |n| n.number("at_most", Range::POSITIVE))?;
    let at_least = least.map_or(Ok(0.0), |n| n.number("at_least", Range::POSITIVE))?;
    if let Some(node) = least.filter(|_| at_least > at_most) {
        return Err(Fault::new(
            node.at,
            format!("`at_least` is {at_least}, but `at_most` is {at_most}, so that no cell fits both"),
        )
        .help("make `at_least` the smaller one, or take one of them out"));
    }
    let dx = domain.dx();
    if let Some(node) = most.filter(|_| at_most < 0.99 * dx) {
        let warning =
            Fault::new(node.at, format!("`at_most` is {at_most}, but the finest cells are {dx} large"));
        context.warnings.push(warning.help("cells get no smaller; raise `resolution`"));
    }
    Ok(Region { shape, at_most, at_least })
}

/// The section as text, all of it that a scene of water or of smoke has.
pub(super) fn to_toml(a: &Adaptivity, is_smoke: bool) -> String {
    let mut out = format!(
        "\n[adaptivity]\ncurvature = {:?}\nstrain = {:?}\nalong_surface = {}\nstrength = {:?}\ndilation = {}\ndecay = {:?}\n",
        a.curvature, a.strain, a.along_surface, a.strength, a.dilation, a.decay
    );
    if let Some(time) = a.decay_time {
        out += &format!("decay_time = {time:?}\n");
    }
    out += &format!("camera = {}", a.camera);
    if is_smoke {
        out += &format!("\n{}", smoke::detail_to_toml(&a.smoke));
    }
    for region in &a.regions {
        out += &format!("\n\n[[adaptivity.region]]\nshape = {}", shape(&region.shape));
        if region.at_most.is_finite() {
            out += &format!("\nat_most = {:?}", region.at_most);
        }
        if region.at_least > 0.0 {
            out += &format!("\nat_least = {:?}", region.at_least);
        }
    }
    out
}
