//! `surface/NNNN.ply`: positions, normals and velocities as float32, and triangles that are counter-clockwise
//! seen from outside. A frame without liquid is a valid file without vertices and faces.

use super::header::{Header, Layout, parse};
use super::{from_file, to_file};
use crate::atomic::write_atomic;
use crate::file_error::{DiskError, ReadError};
use octide_core::contract::Surface;
use octide_core::scene::Up;
use std::path::Path;

const WHAT: &str = "liquid surface";
const PROPERTIES: &[&str] = &[
    "float x", "float y", "float z", "float nx", "float ny", "float nz", "float vx", "float vy", "float vz",
];
const LAYOUT: Layout = &[("vertex", PROPERTIES), ("face", &["list uchar int vertex_indices"])];

/// Bytes per face: the number of corners, and their indices.
const FACE: usize = 1 + 3 * 4;

/// Writes a surface at a time in seconds.
pub fn write_surface(path: &Path, surface: &Surface, time: f64, up: Up) -> Result<(), DiskError> {
    debug_assert_eq!(surface.normals.len(), surface.mesh.positions.len());
    debug_assert_eq!(surface.velocities.len(), surface.mesh.positions.len());
    let header = Header {
        what: WHAT,
        up,
        time,
        layout: LAYOUT,
        counts: &[surface.mesh.positions.len(), surface.mesh.triangles.len()],
    };
    write_atomic(path, |out| {
        out.write_all(header.text().as_bytes())?;
        for ((p, n), v) in surface.mesh.positions.iter().zip(&surface.normals).zip(&surface.velocities) {
            let mut row = [0; 4 * PROPERTIES.len()];
            let values = [to_file(*p, up), to_file(*n, up), to_file(*v, up)];
            for (slot, value) in row.chunks_exact_mut(4).zip(values.as_flattened()) {
                slot.copy_from_slice(&value.to_le_bytes());
            }
            out.write_all(&row)?;
        }
        for triangle in &surface.mesh.triangles {
            let mut row = [3; FACE];
            for (slot, vertex) in row[1..].chunks_exact_mut(4).zip(triangle) {
                // Read as `int`; a mesh stays far below 2³¹ vertices.
                slot.copy_from_slice(&vertex.to_le_bytes());
            }
            out.write_all(&row)?;
        }
        Ok(())
    })
}

/// Reads a surface that [`write_surface`] wrote, with its time. The result has y up.
pub fn read_surface(path: &Path) -> Result<(Surface, f64), ReadError> {
    let bytes = std::fs::read(path).map_err(|source| ReadError::Io { path: path.to_owned(), source })?;
    let head = parse(&bytes, path, &[(WHAT, LAYOUT)])?;
    let (n_vertices, n_faces) = (head.counts[0], head.counts[1]);
    let bad = |reason: &str| ReadError::Format { path: path.to_owned(), reason: reason.to_owned() };
    let n_bytes = n_vertices.checked_mul(4 * PROPERTIES.len()).zip(n_faces.checked_mul(FACE));
    let (vertices, faces) = n_bytes
        .filter(|(v, f)| v.checked_add(*f) == Some(head.data.len()))
        .map(|(v, _)| head.data.split_at(v))
        .ok_or_else(|| bad("its length does not match its header"))?;

    let mut surface = Surface::default();
    for row in vertices.chunks_exact(4 * PROPERTIES.len()) {
        let mut values = [[0.0; 3]; 3];
        for (value, slot) in values.as_flattened_mut().iter_mut().zip(row.chunks_exact(4)) {
            *value = f32::from_le_bytes([slot[0], slot[1], slot[2], slot[3]]);
        }
        let [position, normal, velocity] = values.map(|v| from_file(v, head.up));
        surface.mesh.positions.push(position);
        surface.normals.push(normal);
        surface.velocities.push(velocity);
    }
    for row in faces.chunks_exact(FACE) {
        let mut triangle = [0; 3];
        for (vertex, slot) in triangle.iter_mut().zip(row[1..].chunks_exact(4)) {
            *vertex = u32::from_le_bytes([slot[0], slot[1], slot[2], slot[3]]);
        }
        if row[0] != 3 || triangle.iter().any(|&v| v as usize >= n_vertices) {
            return Err(bad("a face is not a triangle over its vertices"));
        }
        surface.mesh.triangles.push(triangle);
    }
    Ok((surface, head.time))
}
