//! `cells/NNNN.ply`: the cells of the tree as points with an edge length and a distance to the surface. In
//! scenes of smoke the distance is infinite, and the density of smoke follows.

use super::header::{Header, parse};
use super::{from_file, to_file};
use crate::atomic::write_atomic;
use crate::file_error::{DiskError, ReadError};
use octide_core::contract::CellSample;
use octide_core::scene::Up;
use std::path::Path;

const WHAT: &str = "octree cells";
const PROPERTIES: &[&str] = &["float x", "float y", "float z", "float size", "float phi", "float density"];

/// Properties of cells without smoke: all but the last.
const N_WATER: usize = 5;

/// Writes cells at a time in seconds.
pub fn write_cells(path: &Path, cells: &[CellSample], time: f64, up: Up) -> Result<(), DiskError> {
    let is_smoke = cells.iter().any(|c| c.phi == f32::INFINITY);
    let properties = if is_smoke { PROPERTIES } else { &PROPERTIES[..N_WATER] };
    let header = Header { what: WHAT, up, time, n_vertices: cells.len(), properties, n_faces: None };
    write_atomic(path, |out| {
        out.write_all(header.text().as_bytes())?;
        for cell in cells {
            let [x, y, z] = to_file(cell.center, up);
            let values = [x, y, z, cell.size, cell.phi, cell.density];
            let mut row = [0; 4 * PROPERTIES.len()];
            for (slot, value) in row.chunks_exact_mut(4).zip(values) {
                slot.copy_from_slice(&value.to_le_bytes());
            }
            out.write_all(&row[..4 * properties.len()])?;
        }
        Ok(())
    })
}

/// Reads cells that [`write_cells`] wrote, with their time. The result has y up.
pub fn read_cells(path: &Path) -> Result<(Vec<CellSample>, f64), ReadError> {
    let bytes = std::fs::read(path).map_err(|source| ReadError::Io { path: path.to_owned(), source })?;
    let (head, n) = match parse(&bytes, path, WHAT, &PROPERTIES[..N_WATER]) {
        Ok(head) => (head, N_WATER),
        Err(_) => (parse(&bytes, path, WHAT, PROPERTIES)?, PROPERTIES.len()),
    };
    if head.n_vertices.checked_mul(4 * n) != Some(head.data.len()) {
        let reason = "its length does not match its header".to_owned();
        return Err(ReadError::Format { path: path.to_owned(), reason });
    }
    let cells = head.data.chunks_exact(4 * n).map(|row| {
        let mut v = [0.0; PROPERTIES.len()];
        for (value, slot) in v.iter_mut().zip(row.chunks_exact(4)) {
            *value = f32::from_le_bytes([slot[0], slot[1], slot[2], slot[3]]);
        }
        CellSample { center: from_file([v[0], v[1], v[2]], head.up), size: v[3], phi: v[4], density: v[5] }
    });
    Ok((cells.collect(), head.time))
}
