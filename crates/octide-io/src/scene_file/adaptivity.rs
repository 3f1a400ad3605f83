//! Reading and writing `[[adaptivity.region]]`.

use super::context::Context;
use super::keys::REGION;
use super::place::Fault;
use super::shapes;
use super::table::Table;
use super::tree::{Node, Value};
use super::write::shape_to_toml;
use octide_core::scene::{Domain, Region};

/// Reads the regions of a scene.
pub(super) fn read_regions(
    root: &Node,
    domain: &Domain,
    context: &mut Context<'_>,
) -> Result<Vec<Region>, Fault> {
    let Some(entry) = root.find("adaptivity.region") else { return Ok(Vec::new()) };
    let Value::Array(items) = &entry.node.value else {
        return Err(Fault::new(
            entry.node.at,
            "a scene can have several regions, so `region` must be a list",
        )
        .help("write the head of each with two brackets on each side: [[adaptivity.region]]"));
    };
    items.iter().map(|item| read_region(item, domain, context)).collect()
}

fn read_region(node: &Node, domain: &Domain, context: &mut Context<'_>) -> Result<Region, Fault> {
    let table = Table::open(node, &REGION)?;
    let shape = shapes::read(table.need("shape")?, context)?;
    let dx = domain.dx();
    let (most, least) = (table.optional_number("at_most")?, table.optional_number("at_least")?);
    if most.is_none() && least.is_none() {
        return Err(Fault::new(table.at(), "[[adaptivity.region]] needs `at_most`, `at_least` or both")
            .help(format!(
                "they bound the size of cells in meters; add for example at_most = {dx}, the finest cells"
            )));
    }
    let (at_most, at_least) = (most.unwrap_or(f64::INFINITY), least.unwrap_or(0.0));
    if let Some(node) = table.get("at_least").filter(|_| at_least > at_most) {
        return Err(Fault::new(
            node.at,
            format!("`at_least` is {at_least}, which is more than `at_most`, {at_most}: no cell fits both"),
        )
        .help("make `at_least` smaller than `at_most`, or remove one of them"));
    }
    if let Some(node) = table.get("at_most").filter(|_| at_most < 0.99 * dx) {
        let warning =
            Fault::new(node.at, format!("`at_most` is {at_most}, but the finest cells are {dx} m large"));
        context.warnings.push(warning.help("cells do not get smaller than that; raise `resolution`"));
    }
    Ok(Region { shape, at_most, at_least })
}

/// Returns a region as lines of a scene file.
pub(super) fn region_to_toml(region: &Region) -> String {
    let mut out = format!("\n[[adaptivity.region]]\nshape = {}", shape_to_toml(&region.shape));
    if region.at_most.is_finite() {
        out += &format!("\nat_most = {:?}", region.at_most);
    }
    if region.at_least > 0.0 {
        out += &format!("\nat_least = {:?}", region.at_least);
    }
    out
}
