//! The scene as a whole: its head, its sections, and what they must be together.

use super::adaptivity;
use super::context::Context;
use super::domain;
use super::flows;
use super::inside::{check_liquid, check_solid};
use super::mesh::check_units;
use super::motion;
use super::place::Fault;
use super::probes;
use super::sections;
use super::shapes;
use super::smoke;
use super::table::{Keys, Range, Table};
use super::tree::{Node, Value};
use glam::DVec3;
use octide_core::geometry::Motion;
use octide_core::scene::{Domain, Liquid, Scene, Solid, Timing};
use std::path::Path;

/// The version of the format that is read here.
const FORMAT: u64 = 1;

const KEYS: Keys = Keys {
    known: &[
        "octide",
        "name",
        "description",
        "method",
        "resolution",
        "seed",
        "domain",
        "physics",
        "time",
        "liquid",
        "solid",
        "inflow",
        "outflow",
        "smoke",
        "probe",
        "adaptivity",
        "numerics",
        "camera",
        "output",
    ],
    later: &["particles", "region", "regions", "force", "forces"],
};

/// Reads a scene in the format of this version, for a method that reads all of it.
pub(super) fn read(
    root: &Node,
    label: &str,
    method: String,
    context: &mut Context<'_>,
) -> Result<Scene, Fault> {
    let table = Table::open(root, "the scene", &KEYS)?;
    let name = match table.get("name") {
        Some(node) => checked_name(node)?,
        None => name_from(label),
    };
    let description = table.string("description")?.unwrap_or_default().to_owned();
    let seed = table.get("seed").map_or(Ok(1), |n| n.whole("seed", (0, i64::MAX as u64)))?;
    let domain_node = table.need("domain", "{ size = [1.0, 0.5, 1.0] }")?;
    let domain = domain::read(domain_node, table.need("resolution", "128")?, &mut context.warnings)?;
    let time = sections::time(table.get("time"))?;
    let liquids = sections_of(&table, "liquid", |node| liquid(node, &domain, context))?;
    let solids = sections_of(&table, "solid", |node| solid(node, &domain, &time, context))?;
    let inflows =
        sections_of(&table, "inflow", |node| flows::inflow(node, &domain, &solids, &time, context))?;
    let outflows = sections_of(&table, "outflow", |node| flows::outflow(node, &domain, &time, context))?;
    let smoke = sections_of(&table, "smoke", |node| smoke::source(node, &domain, &solids, &time, context))?;
    let is_smoke = !smoke.is_empty();
    let physics = sections::physics(table.get("physics"), is_smoke)?;
    let has_camera = table.get("camera").is_some();
    let adaptivity = adaptivity::read(table.get("adaptivity"), &domain, has_camera, context)?;
    let mut names = Vec::new();
    let probes =
        sections_of(&table, "probe", |node| probes::read(node, &domain, physics.up(), is_smoke, &mut names))?;
    if liquids.is_empty() && inflows.is_empty() && !is_smoke {
        let warning =
            Fault::new(root.at, "the scene has no liquid and no smoke, so that nothing will be seen");
        context.warnings.push(warning.help("add a section [[liquid]] or [[smoke]] with a shape"));
    }
    Ok(Scene {
        name,
        description,
        method,
        seed,
        open: domain::open(domain_node)?,
        physics,
        liquids,
        smoke,
        solids,
        inflows,
        outflows,
        probes,
        adaptivity,
        numerics: sections::numerics(table.get("numerics"))?,
        camera: sections::camera(table.get("camera"))?,
        output: sections::output(table.get("output"), is_smoke)?,
        time,
        domain,
    })
}

/// Looks at the version before anything else: a newer file may well hold keys that are unknown here.
pub(super) fn check_format(root: &Node) -> Result<(), Fault> {
    let Value::Table(entries) = &root.value else {
        return Err(Fault::new(root.at, "a scene must be a table of keys"));
    };
    let Some(entry) = entries.iter().find(|e| e.key == "octide") else {
        return Err(Fault::new(
            root.at,
            "the scene does not say which version of the format it is written in",
        )
        .help(format!("start the file with the line octide = {FORMAT}")));
    };
    let version = entry.node.whole("octide", (1, u64::MAX)).map_err(|fault| {
        let was = entry.node.value.described();
        Fault::new(fault.at, format!("`octide` must be the version of the format, but is {was}"))
            .help(format!("write octide = {FORMAT}"))
    })?;
    if version > FORMAT {
        return Err(Fault::new(
            entry.node.at,
            format!("this scene is in format {version}, and this octide reads format {FORMAT}"),
        )
        .help("a newer octide can read it"));
    }
    Ok(())
}

/// Names become folder names, so that only what every system allows is taken.
fn checked_name(node: &Node) -> Result<String, Fault> {
    let name = node.string("name")?;
    let good = name.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c))
        && !name.starts_with('.')
        && (1..=64).contains(&name.chars().count());
    if good {
        return Ok(name.to_owned());
    }
    Err(Fault::new(node.at, format!("`name` is {name:?}, but is used for a folder"))
        .help("use 1 to 64 letters, digits, `-`, `_` and `.`, not starting with `.`"))
}

fn name_from(label: &str) -> String {
    let stem = Path::new(label).file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let name: String = stem
        .chars()
        .map(|c| if c.is_alphanumeric() || "-_".contains(c) { c } else { '-' })
        .take(64)
        .collect();
    if name.is_empty() { "scene".to_owned() } else { name }
}

/// All sections that are headed `[[key]]`.
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
            format!("there can be several of `{key}`, so that its head is [[{key}]]"),
        )
        .help(format!("write [[{key}]] with two brackets on each side"))),
    }
}

fn liquid(node: &Node, domain: &Domain, context: &mut Context<'_>) -> Result<Liquid, Fault> {
    let keys = Keys { known: &["shape", "velocity"], later: &["viscosity", "density", "surface_tension"] };
    let table = Table::open(node, "[[liquid]]", &keys)?;
    let shape_node = need_shape(&table)?;
    let shape = shapes::read(shape_node, context)?;
    let velocity = table.vector_or("velocity", DVec3::ZERO)?;
    check_liquid(&shape, domain, shape_node.at)?;
    context.warnings.extend(check_units(&shape, domain, shape_node.at));
    Ok(Liquid { shape, velocity })
}

fn solid(node: &Node, domain: &Domain, time: &Timing, context: &mut Context<'_>) -> Result<Solid, Fault> {
    let keys = Keys { known: &["shape", "motion", "temperature"], later: &["friction", "density", "open"] };
    let table = Table::open(node, "[[solid]]", &keys)?;
    let shape_node = need_shape(&table)?;
    let shape = shapes::read(shape_node, context)?;
    let motion =
        table.get("motion").map_or(Ok(Motion::Still), |n| motion::read(n, &shape, &mut context.warnings))?;
    context.warnings.extend(check_units(&shape, domain, shape_node.at));
    context.warnings.extend(check_solid(&shape, &motion, domain, time, shape_node.at));
    let temperature = table.number_or("temperature", Range::ANY, 0.0)?;
    Ok(Solid { shape, motion, temperature })
}

pub(super) fn need_shape<'a>(table: &Table<'a>) -> Result<&'a Node, Fault> {
    table.need("shape", "{ sphere = { center = [0.5, 0.3, 0.5], radius = 0.1 } }")
}
