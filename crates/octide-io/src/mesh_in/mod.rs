//! Triangle meshes from files: OBJ, PLY (text and both binary orders) and STL (text and binary).
//!
//! Only positions and faces are read. Polygons become fans of triangles, vertices of STL files are joined where their
//! positions are the same. Counts that a file claims are never believed before the bytes are there.

mod bytes;
mod error;
mod obj;
mod ply;
mod stl;
#[cfg(test)]
mod tests;
mod text;

pub use error::{At, MeshReadError};

use error::Problem;
use octide_core::geometry::TriMesh;
use std::path::Path;

/// The kinds of files that can be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MeshFormat {
    /// Wavefront OBJ.
    Obj,
    /// Stanford PLY.
    Ply,
    /// Stereolithography STL.
    Stl,
}

impl MeshFormat {
    /// The format that a path's extension names, in upper or lower case.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "obj" => Some(Self::Obj),
            "ply" => Some(Self::Ply),
            "stl" => Some(Self::Stl),
            _ => None,
        }
    }
}

/// Reads the mesh in a file.
pub fn read_mesh(path: &Path) -> Result<TriMesh, MeshReadError> {
    let format = MeshFormat::of(path).ok_or_else(|| MeshReadError::UnknownFormat { path: path.into() })?;
    let bytes = std::fs::read(path).map_err(|cause| MeshReadError::Io { path: path.into(), cause })?;
    parse_mesh(&bytes, format, path)
}

/// Reads the mesh in a file's bytes; `path` is only for messages.
pub fn parse_mesh(bytes: &[u8], format: MeshFormat, path: &Path) -> Result<TriMesh, MeshReadError> {
    let parsed = match format {
        _ if bytes.is_empty() => Err(Problem::file("the file is empty", "export the mesh again")),
        MeshFormat::Obj => obj::parse(bytes),
        MeshFormat::Ply => ply::parse(bytes),
        MeshFormat::Stl => stl::parse(bytes),
    };
    parsed.and_then(checked).map_err(|p| p.named(path))
}

/// The mesh, if it has faces and all its numbers can be used.
fn checked(mesh: TriMesh) -> Result<TriMesh, Problem> {
    if mesh.triangles.is_empty() {
        return Err(Problem::file(
            "there are no faces in it",
            "export the mesh with its faces, not as points",
        ));
    }
    for (v, p) in mesh.positions.iter().enumerate() {
        if !p.iter().all(|x| x.is_finite()) {
            let what = format!("vertex {} has the position {p:?}, which is not finite", v + 1);
            return Err(Problem::file(what, "repair that vertex; positions must be numbers within ±3e38"));
        }
    }
    Ok(mesh)
}

/// Appends a polygon as a fan of triangles around its first corner.
fn fan(polygon: &[u32], triangles: &mut Vec<[u32; 3]>) {
    for pair in polygon.windows(2).skip(1) {
        triangles.push([polygon[0], pair[0], pair[1]]);
    }
}
