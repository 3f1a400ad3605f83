//! Reads the scene as a whole: its head, its sections, and their consistency.

use super::adaptivity::read_regions;
use super::checks::check_settings;
use super::context::Context;
use super::domain;
use super::flows::{read_inflow, read_motion, read_outflow};
use super::inside::{SolidsInTime, check_liquid, check_solid, check_speed, check_thickness};
use super::keys::{LIQUID, SCENE, SOLID};
use super::mesh::check_units;
use super::mesh_sequence;
use super::methods::ChosenMethod;
use super::place::Fault;
use super::probes;
use super::setting::read_settings;
use super::shapes;
use super::smoke::read_source;
use super::table::Table;
use super::tree::{Node, Value};
use crate::printable::is_unsafe_to_print;
use glam::DVec3;
use octide_core::scene::{Domain, Liquid, Scene, Solid, Timing};
use std::path::Path;

/// The version of the format that is supported.
pub(super) const FORMAT: u64 = 1;

/// Reads a scene in the format of this version, for a method that reads all of it.
pub(super) fn read(
    root: &Node,
    label: &str,
    method: &ChosenMethod,
    context: &mut Context<'_>,
) -> Result<Scene, Fault> {
    let table = Table::open(root, &SCENE)?;
    let mut scene = Scene::empty(method.name, DVec3::ONE, 1, 0);
    if method.is_smoke {
        scene.set_smoke_defaults();
    }
    read_settings(&table, &mut scene)?;
    check_settings(root, method.is_smoke, &mut scene)?;
    scene.name = match table.get("name") {
        Some(node) => checked_name(node)?,
        None => name_from(label),
    };
    scene.description = table.text("description")?;
    scene.domain = domain::read(root, scene.domain.origin, &mut context.warnings)?;
    let (domain, time) = (&scene.domain, &scene.time);
    scene.liquids = sections_of(&table, "liquid", |node| read_liquid(node, domain, context))?;
    scene.solids = sections_of(&table, "solid", |node| read_solid(node, domain, time, context))?;
    let mut in_time = SolidsInTime::new(&scene.solids);
    let solids = &mut in_time;
    let gravity = scene.physics.gravity;
    scene.inflows =
        sections_of(&table, "inflow", |node| read_inflow(node, domain, gravity, solids, time, context))?;
    let inflows = &scene.inflows;
    scene.outflows =
        sections_of(&table, "outflow", |node| read_outflow(node, domain, inflows, time, context))?;
    scene.smoke = sections_of(&table, "smoke", |node| read_source(node, domain, solids, time, context))?;
    scene.adaptivity.regions = read_regions(root, domain, context)?;
    let (up, is_smoke, mut names) = (scene.physics.up(), scene.is_smoke(), Vec::new());
    scene.probes = sections_of(&table, "probe", |node| probes::read(node, domain, up, is_smoke, &mut names))?;
    if scene.liquids.is_empty() && scene.inflows.is_empty() && !is_smoke {
        let warning = Fault::new(root.at, "the scene has no liquid and no smoke, so there is nothing to see");
        context.warnings.push(warning.help("add a section [[liquid]] or [[smoke]] with a shape"));
    }
    Ok(scene)
}

/// Checks the version before anything else: a newer file may contain keys that are unknown here.
pub(super) fn check_format(root: &Node) -> Result<(), Fault> {
    let Value::Table(entries) = &root.value else {
        return Err(Fault::new(root.at, "a scene must be a table of keys"));
    };
    let Some(entry) = entries.iter().find(|e| e.key == "octide") else {
        return Err(Fault::new(root.at, "the scene does not state the version of its format")
            .help(format!("begin the file with the line octide = {FORMAT}")));
    };
    let version = entry.node.whole("octide", (1, u64::MAX)).map_err(|fault| {
        let was = entry.node.value.described();
        Fault::new(fault.at, format!("`octide` must be the version of the format, {FORMAT}, but is {was}"))
            .help(format!("write octide = {FORMAT}"))
    })?;
    if version > FORMAT {
        return Err(Fault::new(
            entry.node.at,
            format!(
                "this scene is written in format {version}, but this version of Octide reads format {FORMAT}"
            ),
        )
        .help("use a newer version of Octide"));
    }
    Ok(())
}

/// Returns a valid name. It becomes the name of a folder, so only characters that every system allows are
/// accepted.
fn checked_name(node: &Node) -> Result<String, Fault> {
    let name = node.string("name")?;
    let good = name.chars().all(|c| (c.is_alphanumeric() || "-_.".contains(c)) && !is_unsafe_to_print(c))
        && !name.starts_with('.')
        && (1..=64).contains(&name.chars().count());
    if good {
        return Ok(name.to_owned());
    }
    Err(Fault::new(node.at, format!("`name` is {name:?}, which cannot be the name of a folder"))
        .help("use 1 to 64 letters, digits, `-`, `_` and `.`; the first must not be `.`"))
}

fn name_from(label: &str) -> String {
    let stem = Path::new(label).file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let name: String = stem
        .chars()
        .map(|c| if (c.is_alphanumeric() || "-_".contains(c)) && !is_unsafe_to_print(c) { c } else { '-' })
        .take(64)
        .collect();
    if name.is_empty() { "scene".to_owned() } else { name }
}

/// Reads all sections with the head `[[key]]`.
fn sections_of<T>(
    table: &Table<'_>,
    key: &str,
    mut read: impl FnMut(&Node) -> Result<T, Fault>,
) -> Result<Vec<T>, Fault> {
    let Some(node) = table.get(key) else { return Ok(Vec::new()) };
    match &node.value {
        Value::Array(items) => items.iter().map(&mut read).collect(),
        _ => Err(Fault::new(
            node.at,
            format!("a scene can have several sections `{key}`, so `{key}` must be a list"),
        )
        .help(format!("write the head of each with two brackets on each side: [[{key}]]"))),
    }
}

fn read_liquid(node: &Node, domain: &Domain, context: &mut Context<'_>) -> Result<Liquid, Fault> {
    let table = Table::open(node, &LIQUID)?;
    let shape_node = table.need("shape")?;
    let shape = shapes::read(shape_node, context)?;
    let velocity = table.vector("velocity")?;
    check_liquid(&shape, domain, shape_node.at)?;
    context.warnings.extend(check_units(&shape, domain, shape_node.at));
    let roughness = table.number("roughness")?;
    Ok(Liquid { shape, velocity, roughness })
}

fn read_solid(
    node: &Node,
    domain: &Domain,
    time: &Timing,
    context: &mut Context<'_>,
) -> Result<Solid, Fault> {
    let table = Table::open(node, &SOLID)?;
    let shape_node = table.need("shape")?;
    let at_rest = match mesh_sequence::read(shape_node, time, context)? {
        Some(sequence) => Solid::deforming(sequence),
        None => Solid::still(shapes::read(shape_node, context)?),
    };
    let motion = read_motion(&table, &at_rest.shape, context)?;
    context.warnings.extend(check_units(&at_rest.shape, domain, shape_node.at));
    context.warnings.extend(check_thickness(&at_rest.shape, domain, shape_node.at));
    let solid = Solid { temperature: table.number("temperature")?, motion, ..at_rest };
    context.warnings.extend(check_solid(&solid, domain, time, shape_node.at));
    context.warnings.extend(check_speed("solid", &solid, domain, time, shape_node.at));
    Ok(solid)
}
