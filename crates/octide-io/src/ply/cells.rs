//! `cells/NNNN.ply`: the tree's cells as points with an edge length and a distance to the surface.

use super::header::{Header, parse};
use super::{from_file, to_file};
use crate::atomic::write_atomic;
use crate::error::{DiskError, ReadError};
use octide_core::contract::CellSample;
use octide_core::scene::Up;
use std::path::Path;

const WHAT: &str = "octree cells";
const PROPERTIES: &[&str] = &["float x", "float y", "float z", "float size", "float phi"];
const ROW: usize = 4 * PROPERTIES.len();

/// Writes cells at a time in seconds.
pub fn write_cells(path: &Path, cells: &[CellSample], time: f64, up: Up) -> Result<(), DiskError> {
    let header =
        Header { what: WHAT, up, time, n_vertices: cells.len(), properties: PROPERTIES, n_faces: None };
    write_atomic(path, |out| {
        out.write_all(header.text().as_bytes())?;
        for cell in cells {
            let [x, y, z] = to_file(cell.center, up);
            let mut row = [0; ROW];
            for (slot, value) in row.chunks_exact_mut(4).zip([x, y, z, cell.size, cell.phi]) {
                slot.copy_from_slice(&value.to_le_bytes());
            }
            out.write_all(&row)?;
        }
        Ok(())
    })
}

/// Reads cells that [`write_cells`] wrote, with their time; y is up in what it gives.
pub fn read_cells(path: &Path) -> Result<(Vec<CellSample>, f64), ReadError> {
    let bytes = std::fs::read(path).map_err(|source| ReadError::Io { path: path.to_owned(), source })?;
    let head = parse(&bytes, path, WHAT, PROPERTIES)?;
    if head.n_vertices.checked_mul(ROW) != Some(head.data.len()) {
        let reason = "its length does not match its header".to_owned();
        return Err(ReadError::Format { path: path.to_owned(), reason });
    }
    let cells = head.data.chunks_exact(ROW).map(|row| {
        let mut v = [0.0; PROPERTIES.len()];
        for (value, slot) in v.iter_mut().zip(row.chunks_exact(4)) {
            *value = f32::from_le_bytes([slot[0], slot[1], slot[2], slot[3]]);
        }
        CellSample { center: from_file([v[0], v[1], v[2]], head.up), size: v[3], phi: v[4], density: 0.0 }
    });
    Ok((cells.collect(), head.time))
}
