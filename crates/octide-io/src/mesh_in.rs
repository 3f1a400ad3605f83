//! Triangle meshes from files: OBJ, PLY (text and both binary orders) and STL (text and binary).
//!
//! Only positions and faces are read. Polygons are divided into triangles, vertices of STL files are
//! merged if their positions are equal. Counts in a file are not trusted before the data is there.

mod bytes;
mod error;
mod obj;
mod ply;
mod polygon;
mod stl;
#[cfg(test)]
mod tests;
mod text;

pub use error::{At, MeshReadError};

use error::Problem;
use octide_core::geometry::TriMesh;
use std::path::Path;

/// The file formats that can be read.
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
    /// Returns the format of a path's extension, in upper or lower case.
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "obj" => Some(Self::Obj),
            "ply" => Some(Self::Ply),
            "stl" => Some(Self::Stl),
            _ => None,
        }
    }
}

/// The maximum size of a file in bytes.
const MAX_FILE_BYTES: u64 = 8 << 30;

/// The maximum coordinate: distances are computed from squares in 32 bits.
const MAX_COORDINATE: f32 = 1e12;

/// Reads a mesh from a file; the extension determines the format.
pub fn read_mesh(path: &Path) -> Result<TriMesh, MeshReadError> {
    let format = MeshFormat::of(path).ok_or_else(|| MeshReadError::UnknownFormat { path: path.into() })?;
    let about = std::fs::metadata(path).map_err(|cause| MeshReadError::Io { path: path.into(), cause })?;
    // Pipes and devices could be read forever.
    if !about.is_file() {
        return Err(Problem::file("it is not a file", "name a .obj, .ply or .stl file").named(path));
    }
    if about.len() > MAX_FILE_BYTES {
        let what = format!("the file has {:.1} GB", about.len() as f64 / 1e9);
        let remedy = format!("files up to {:.1} GB are read: simplify the mesh", MAX_FILE_BYTES as f64 / 1e9);
        return Err(Problem::file(what, remedy).named(path));
    }
    let bytes = std::fs::read(path).map_err(|cause| MeshReadError::Io { path: path.into(), cause })?;
    parse_mesh(&bytes, format, path)
}

/// Reads a mesh from memory; `path` is only used in messages.
pub fn parse_mesh(bytes: &[u8], format: MeshFormat, path: &Path) -> Result<TriMesh, MeshReadError> {
    let parsed = match format {
        _ if bytes.is_empty() => Err(Problem::file("the file is empty", "export the mesh again")),
        MeshFormat::Obj if bytes.starts_with(b"ply\n") || bytes.starts_with(b"ply\r\n") => {
            Err(Problem::line(1, "it begins like a PLY file", "rename it to end in .ply"))
        }
        MeshFormat::Obj if bytes.starts_with(b"solid ") => {
            Err(Problem::line(1, "it begins like an STL file", "rename it to end in .stl"))
        }
        MeshFormat::Obj => obj::parse(bytes),
        MeshFormat::Ply => ply::parse(bytes),
        MeshFormat::Stl => stl::parse(bytes),
    };
    parsed.and_then(checked).map_err(|p| p.named(path))
}

/// Returns the mesh, or an error if it has no faces.
fn checked(mesh: TriMesh) -> Result<TriMesh, Problem> {
    if mesh.triangles.is_empty() {
        return Err(Problem::file("the mesh has no faces", "export it with faces, not as points"));
    }
    Ok(mesh)
}

/// Returns a position, or an error if a coordinate is not usable; `number` counts from 1, `at` is where it
/// was read.
fn usable(p: [f32; 3], number: usize, at: At) -> Result<[f32; 3], Problem> {
    let why = match p.iter().find(|x| x.is_nan() || x.abs() > MAX_COORDINATE) {
        None => return Ok(p),
        Some(x) if x.is_finite() => "which is too far from the origin",
        Some(_) => "which is not finite",
    };
    let what = format!("vertex {number} has the position {p:?}, {why}");
    Err(Problem::new(
        at,
        what,
        format!("repair the vertex; coordinates must be from -{MAX_COORDINATE:e} to {MAX_COORDINATE:e}"),
    ))
}

/// Quotes a word for a message, shortened if it is long.
fn shown(word: &str) -> String {
    match word.char_indices().nth(24) {
        None => format!("{word:?}"),
        Some((end, _)) => format!("{:?} and so on", &word[..end]),
    }
}
