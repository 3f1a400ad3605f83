//! Shapes from closed triangle meshes: files beside the scene, or meshes that Octide makes itself.

use super::context::Context;
use super::nearest::nearest;
use super::place::Fault;
use super::shapes::transformed;
use super::table::{Keys, Table, listed};
use super::tree::Node;
use crate::mesh_in::read_mesh;
use octide_core::geometry::primitives::BUILTIN_MESHES;
use octide_core::geometry::{MeshSdf, MeshShape, Shape, builtin_mesh, mesh_report};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const KEYS: Keys = Keys::only(&["path", "builtin", "scale", "rotate", "translate"]);

/// Marks the source of a mesh that is no file; files are named by their full path.
const BUILTIN: &str = "builtin:";

pub(super) fn read(node: &Node, context: &mut Context<'_>) -> Result<Shape, Fault> {
    let table = Table::open(node, "`mesh`", &KEYS)?;
    let (source, at, mesh) = match (table.get("path"), table.get("builtin")) {
        (Some(node), None) => {
            let path = find(node, context)?;
            let mesh = read_mesh(&path).map_err(|e| Fault::new(node.at, format!("the mesh {e}")))?;
            let source = path.into_os_string().into_string().map_err(|path| {
                Fault::new(node.at, format!("the path {} is not valid UTF-8", path.display()))
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
                .help("for example mesh = { path = \"bowl.obj\" } or mesh = { builtin = \"lump\" }"));
        }
    };
    let sdf = MeshSdf::new(&mesh).map_err(|e| Fault::new(at, format!("the mesh {source}: {e}")))?;
    for warning in mesh_report(&mesh).warnings() {
        context.warnings.push(Fault::new(at, format!("the mesh {source}: {warning}")));
    }
    let shape = Shape::Mesh(Arc::new(MeshShape { source, sdf }));
    let is_moved = ["scale", "rotate", "translate"].iter().any(|key| table.get(key).is_some());
    if is_moved { transformed(shape, &table) } else { Ok(shape) }
}

/// The table that names a mesh again.
pub(super) fn to_toml(mesh: &MeshShape) -> String {
    let (key, value) = match mesh.source.strip_prefix(BUILTIN) {
        Some(name) => ("builtin", name),
        None => ("path", mesh.source.as_str()),
    };
    format!("{{ mesh = {{ {key} = {} }} }}", toml::Value::String(value.to_owned()))
}

/// The full path of a mesh file, free of links, so that the sandbox cannot be left through one.
fn find(node: &Node, context: &Context<'_>) -> Result<PathBuf, Fault> {
    let given = Path::new(node.string("path")?);
    let joined = context.folder.join(given);
    let path = joined.canonicalize().map_err(|e| {
        Fault::new(node.at, format!("cannot read the mesh {}: {e}", joined.display()))
            .help("paths are relative to the scene file")
    })?;
    if context.sandbox {
        let folder = context.folder.canonicalize().map_err(|e| {
            Fault::new(node.at, format!("cannot find the scene's folder {}: {e}", context.folder.display()))
        })?;
        if !path.starts_with(&folder) {
            return Err(Fault::new(
                node.at,
                format!(
                    "the mesh {} lies outside the scene's folder, which the sandbox forbids",
                    given.display()
                ),
            )
            .help("copy the file beside the scene, or run without --sandbox"));
        }
    }
    Ok(path)
}
