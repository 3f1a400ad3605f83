//! Shapes from triangle meshes, closed or as shells: files next to the scene, or meshes that Octide generates.

use super::context::Context;
use super::keys::MESH;
use super::nearest::nearest;
use super::place::{At, Fault};
use super::shapes::transformed;
use super::table::{Table, listed};
use super::tree::Node;
use crate::mesh_in::read_mesh;
use crate::printable::printable;
use octide_core::geometry::primitives::BUILTIN_MESHES;
use octide_core::geometry::{MeshSdf, MeshShape, Shape, builtin_mesh, mesh_report};
use octide_core::scene::Domain;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Marks the source of a mesh that is not a file; files are named by their full path.
const BUILTIN: &str = "builtin:";

/// A mesh this many times longer than the domain causes a warning.
const FAR_LARGER: f64 = 10.0;

pub(super) fn read(node: &Node, context: &mut Context<'_>) -> Result<Shape, Fault> {
    let table = Table::open(node, &MESH)?;
    let (source, at, mesh) = match (table.get("path"), table.get("builtin")) {
        (Some(node), None) => {
            let path = find(node, context)?;
            let mesh = read_mesh(&path).map_err(|e| Fault::new(node.at, format!("the mesh {e}")))?;
            let source = path.into_os_string().into_string().map_err(|path| {
                Fault::new(node.at, format!("the path {} is not valid UTF-8", printable(&path)))
            })?;
            (source, node.at, mesh)
        }
        (None, Some(node)) => {
            let name = node.string("builtin")?;
            let mesh = builtin_mesh(name).ok_or_else(|| {
                let fault = Fault::new(node.at, format!("there is no built-in mesh {name:?}"));
                fault.help(match nearest(name, BUILTIN_MESHES) {
                    Some(near) => format!("did you mean \"{near}\"?"),
                    None => format!("the built-in meshes are {}", listed(&BUILTIN_MESHES)),
                })
            })?;
            (format!("{BUILTIN}{name}"), node.at, mesh)
        }
        _ => {
            return Err(Fault::new(table.at(), "`mesh` needs either `path` or `builtin`")
                .help("write for example mesh = { path = \"bowl.obj\" } or mesh = { builtin = \"lump\" }"));
        }
    };
    let sdf = MeshSdf::new(&mesh).map_err(|e| {
        Fault::new(at, format!("the mesh {source}: {e}")).help("export a mesh that encloses a volume")
    })?;
    let is_shell = table.get("shell").map_or(Ok(false), |node| node.flag("shell"))?;
    for warning in mesh_report(&mesh).warnings().into_iter().filter(|_| !is_shell) {
        context.warnings.push(Fault::new(at, format!("the mesh {source}: {warning}")));
    }
    let shape = Shape::Mesh(Arc::new(MeshShape { source, sdf, is_shell }));
    let is_moved = ["scale", "rotate", "translate"].iter().any(|key| table.get(key).is_some());
    if is_moved { transformed(shape, &table) } else { Ok(shape) }
}

/// Warns about a mesh that is many times larger than the domain, or smaller than a cell: it is usually in
/// other units.
pub(super) fn check_units(shape: &Shape, domain: &Domain, at: At) -> Option<Fault> {
    let (min, max) = shape.bounds().filter(|_| shape.has_mesh())?;
    let extent = (max - min).max_element();
    let times = extent / domain.size.max_element();
    let tidy = |x: f64| format!("{x:.3e}").parse::<f64>().unwrap_or(x);
    let said = |how: String| {
        Fault::new(at, format!("the mesh is {} m long, which is {how}", tidy(extent))).help(
            "lengths are in meters; change the size with `scale`, for example scale = 0.001 for a mesh in millimeters",
        )
    };
    if times > FAR_LARGER {
        return Some(said(format!("{} times as long as the domain", tidy(times))));
    }
    (extent < domain.dx()).then(|| said(format!("less than a finest cell of {} m", tidy(domain.dx()))))
}

/// Returns a table that refers to the mesh.
pub(super) fn to_toml(mesh: &MeshShape) -> String {
    let (key, value) = match mesh.source.strip_prefix(BUILTIN) {
        Some(name) => ("builtin", name),
        None => ("path", mesh.source.as_str()),
    };
    let shell = if mesh.is_shell { ", shell = true" } else { "" };
    format!("{{ mesh = {{ {key} = {}{shell} }} }}", toml::Value::String(value.to_owned()))
}

/// Returns the full path of a mesh file with links resolved, so that a link cannot lead out of the sandbox.
fn find(node: &Node, context: &Context<'_>) -> Result<PathBuf, Fault> {
    let given = Path::new(node.string("path")?);
    let joined = context.folder.join(given);
    let path = joined.canonicalize().map_err(|e| {
        Fault::new(node.at, format!("cannot read the mesh {}: {e}", printable(&joined)))
            .help("check the path, which is relative to the scene file")
    })?;
    if context.sandbox {
        let folder = context.folder.canonicalize().map_err(|e| {
            Fault::new(node.at, format!("cannot find the scene's folder {}: {e}", printable(&context.folder)))
        })?;
        if !path.starts_with(&folder) {
            return Err(Fault::new(
                node.at,
                format!(
                    "the mesh {} is outside the scene's folder, which --sandbox forbids",
                    printable(&given)
                ),
            )
            .help("copy the file into the scene's folder, or run without --sandbox"));
        }
    }
    Ok(path)
}
