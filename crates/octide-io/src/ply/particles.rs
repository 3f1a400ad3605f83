//! `particles/NNNN.ply`: particles as points with a velocity, a radius, a kind and an id that stays with them
//! from frame to frame. A frame without particles is a valid file without vertices.

use super::header::{Header, Layout, parse};
use super::{from_file, to_file};
use crate::atomic::write_atomic;
use crate::file_error::{DiskError, ReadError};
use octide_core::contract::Particles;
use octide_core::scene::Up;
use std::path::Path;

const WHAT: &str = "particles";
const LAYOUT: Layout = &[(
    "vertex",
    &[
        "float x",
        "float y",
        "float z",
        "float vx",
        "float vy",
        "float vz",
        "float radius",
        "uchar kind",
        "uint id",
    ],
)];

/// Offset of the kind in a row: after seven floats.
const KIND: usize = 7 * 4;

/// Bytes per particle.
const ROW: usize = KIND + 1 + 4;

/// Writes particles at a time in seconds.
pub fn write_particles(path: &Path, particles: &Particles, time: f64, up: Up) -> Result<(), DiskError> {
    let Particles { positions, velocities, radii, kinds, ids } = particles;
    let n = particles.len();
    debug_assert!([velocities.len(), radii.len(), kinds.len(), ids.len()] == [n; 4]);
    let header = Header { what: WHAT, up, time, layout: LAYOUT, counts: &[n] };
    write_atomic(path, |out| {
        out.write_all(header.text().as_bytes())?;
        for (i, (p, v)) in positions.iter().zip(velocities).enumerate() {
            let mut row = [0; ROW];
            let vectors = [to_file(*p, up), to_file(*v, up)];
            for (slot, value) in row.chunks_exact_mut(4).zip(vectors.as_flattened().iter().chain([&radii[i]]))
            {
                slot.copy_from_slice(&value.to_le_bytes());
            }
            row[KIND] = kinds[i];
            row[KIND + 1..].copy_from_slice(&ids[i].to_le_bytes());
            out.write_all(&row)?;
        }
        Ok(())
    })
}

/// Reads particles that [`write_particles`] wrote, with their time. The result has y up.
pub fn read_particles(path: &Path) -> Result<(Particles, f64), ReadError> {
    let bytes = std::fs::read(path).map_err(|source| ReadError::Io { path: path.to_owned(), source })?;
    let head = parse(&bytes, path, &[(WHAT, LAYOUT)])?;
    if head.counts[0].checked_mul(ROW) != Some(head.data.len()) {
        let reason = "its length does not match its header".to_owned();
        return Err(ReadError::Format { path: path.to_owned(), reason });
    }
    let mut particles = Particles::default();
    for row in head.data.chunks_exact(ROW) {
        let word = |at: usize| [row[at], row[at + 1], row[at + 2], row[at + 3]];
        let vector = |at: usize| [0, 4, 8].map(|i| f32::from_le_bytes(word(at + i)));
        particles.positions.push(from_file(vector(0), head.up));
        particles.velocities.push(from_file(vector(12), head.up));
        particles.radii.push(f32::from_le_bytes(word(24)));
        particles.kinds.push(row[KIND]);
        particles.ids.push(u32::from_le_bytes(word(KIND + 1)));
    }
    Ok((particles, head.time))
}
