//! `shape.mesh-sequence`: a solid that deforms, with one mesh file per frame.

mod files;
mod pattern;

use super::context::Context;
use super::keys::MESH_SEQUENCE;
use super::place::Fault;
use super::shapes::{number_of_kinds, rotation};
use super::table::Table;
use super::tree::Node;
use crate::printable::printable;
use files::{Placement, find_files};
use glam::DQuat;
use octide_core::geometry::{MeshSequence, MeshSource, SequenceError, SequenceOptions, mesh_report};
use octide_core::scene::Timing;
use pattern::Pattern;
use std::path::Path;
use std::sync::Arc;

/// Reads the sequence that a shape is; `None` if it is of another kind.
pub(super) fn read(
    shape: &Node,
    time: &Timing,
    context: &mut Context<'_>,
) -> Result<Option<MeshSequence>, Fault> {
    let Some(entry) = shape.entry("mesh-sequence").filter(|_| number_of_kinds(shape) == 1) else {
        return Ok(None);
    };
    let table = Table::open(&entry.node, &MESH_SEQUENCE)?;
    let path = table.need("path")?;
    let given = Path::new(path.string("path")?);
    let pattern = Pattern::of(given).map_err(|(message, help)| Fault::new(path.at, message).help(help))?;
    let numbers = ["first", "last"].map(|key| table.get(key).map(|_| table.count(key)).transpose());
    let [first, last] = numbers;
    let is_shell = table.get("shell").map_or(Ok(false), |node| node.flag("shell"))?;
    let mut files = find_files(pattern, given, (first?, last?), path.at, context)?;
    files.placement = Placement {
        scale: table.number("scale")?,
        rotation: table.get("rotate").map_or(Ok(DQuat::IDENTITY), |n| rotation(n, "rotate"))?,
        translation: table.vector("translate")?,
    };
    let options = SequenceOptions {
        start: table.number("start")?,
        rate: table.optional_number("fps")?.unwrap_or(time.fps),
        is_shell,
    };
    let n = files.len();
    let files = Arc::new(files);
    let refused = |e: SequenceError| {
        match &e {
        SequenceError::UnitChange { .. } => Fault::new(path.at, e.to_string()).help(
            "this looks like a change of units: export all files with the same ones, and change the size of all of them \
             with `scale`",
        ),
        SequenceError::Mesh { .. } => {
            Fault::new(path.at, format!("the mesh {e}")).help("export a mesh with triangles that have an area")
        }
        _ => Fault::new(path.at, e.to_string()),
    }
    };
    if let Ok(mesh) = files.read(0)
        && !is_shell
    {
        let name = files.name(0);
        let warnings = mesh_report(&mesh).warnings().into_iter();
        context
            .warnings
            .extend(warnings.map(|warning| Fault::new(path.at, format!("the mesh {name}: {warning}"))));
    }
    MeshSequence::new(files, n, options).map(Some).map_err(refused)
}

/// Returns a table that refers to the files.
pub(super) fn to_toml(sequence: &MeshSequence) -> String {
    let SequenceOptions { start, rate, is_shell } = sequence.options();
    let shell = if is_shell { ", shell = true" } else { "" };
    let files = sequence.reference();
    format!("{{ mesh-sequence = {{ {files}, fps = {rate:?}, start = {start:?}{shell} }} }}")
}

/// Returns a fault of a file or a folder.
fn unreadable(what: &str, path: &Path, e: &std::io::Error) -> String {
    format!("cannot read the {what} {}: {e}", printable(&path))
}
