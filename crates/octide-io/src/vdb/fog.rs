//! Smoke as a fog volume: `density`, `temperature` and `velocity` over the same voxels, the finest cells that
//! contain smoke or heat. A voxel's value is that at its center, interpolated exactly from the cell that
//! contains it.

use super::file::{Grid, Kind, Place, assemble, source, to_file, vector};
use super::half::half;
use super::leaf::{Leaf, N_WORDS, block};
use super::tree::Tree;
use super::values::Zip;
use crate::atomic::write_atomic;
use crate::file_error::DiskError;
use glam::{IVec3, UVec3};
use octide_core::contract::{Smoke, SmokeCell};
use octide_core::par;
use octide_core::scene::Up;
use octide_core::surface::band::{EDGE, N_VOXELS};
use std::path::Path;

/// A lower density is invisible: across the whole domain it absorbs a twentieth of the light.
const THIN: f32 = 1e-3;

/// A smaller temperature difference, in K, is not worth a voxel.
const COOL: f32 = 0.5;

/// Number of bricks in one parallel task.
const CHUNK: usize = 32;

/// Writes smoke at a time in seconds.
pub fn write_smoke(path: &Path, smoke: &Smoke, time: f64, up: Up) -> Result<(), DiskError> {
    let file = fog(smoke, time, up);
    write_atomic(path, |out| file.iter().try_for_each(|part| out.write_all(part)))
}

/// Returns the parts of the file, in order.
fn fog(smoke: &Smoke, time: f64, up: Up) -> Vec<Vec<u8>> {
    let entries = bricks(smoke);
    let groups: Vec<&[([i32; 3], u32)]> = entries.chunk_by(|a, b| a.0 == b.0).collect();
    let chunks: Vec<_> = groups.chunks(CHUNK).collect();
    let made = par::map_each(chunks.len(), |i| {
        let mut zip = Zip::new();
        let make = |group: &&[([i32; 3], u32)]| {
            let low = IVec3::from_array(group[0].0);
            let cells = group.iter().map(|&(_, cell)| &smoke.cells[cell as usize]);
            leaf(smoke, cells, low, up, &mut zip)
        };
        chunks[i].iter().filter_map(make).collect::<Vec<_>>()
    });
    let tree = Tree::new(made.into_iter().flatten().collect(), Vec::new());
    let place = Place::new(smoke.origin + 0.5 * smoke.dx, smoke.dx, time, up);
    let fog =
        |name, unit, kind, block| Grid { name, class: "fog volume", unit, kind, background: 0.0, block };
    let grids = [
        fog("density", "1", Kind::Float, 0),
        fog("temperature", "K", Kind::HalfFloat, 1),
        Grid { class: "unknown", ..fog("velocity", "m/s", Kind::HalfVector, 2) },
    ];
    assemble(&place, &tree, &grids)
}

/// Returns the bricks that nonempty cells overlap, each with the cell, in order.
fn bricks(smoke: &Smoke) -> Vec<([i32; 3], u32)> {
    let is_there = |cell: &SmokeCell| {
        cell.corners.iter().any(|&c| is_active(smoke.density[c as usize], smoke.temperature[c as usize]))
    };
    let mut entries = par::collect(smoke.cells.len(), |i, out: &mut Vec<([i32; 3], u32)>| {
        let cell = &smoke.cells[i];
        if is_there(cell) {
            let low = cell.low.as_ivec3() / EDGE;
            let n = (cell.size as i32 / EDGE).max(1);
            for b in 0..n * n * n {
                let brick = EDGE * (low + IVec3::new(b / (n * n), b / n % n, b % n));
                out.push((brick.to_array(), i as u32));
            }
        }
    });
    entries.sort_unstable();
    entries
}

fn is_active(density: f32, temperature: f32) -> bool {
    density > THIN || temperature.abs() > COOL
}

/// Builds the leaf of a brick from its cells; `None` if nothing in it is active.
fn leaf<'a>(
    smoke: &Smoke,
    cells: impl Iterator<Item = &'a SmokeCell>,
    low: IVec3,
    up: Up,
    zip: &mut Zip,
) -> Option<Leaf> {
    let mut density = [0.0; N_VOXELS];
    let mut temperature = [0.0; N_VOXELS];
    let mut velocity = [[0.0; 3]; N_VOXELS];
    for cell in cells {
        let from = low.as_uvec3().max(cell.low);
        let to = (low.as_uvec3() + EDGE as u32).min(cell.low + cell.size);
        let n = to - from;
        for i in 0..n.x * n.y * n.z {
            let voxel = from + UVec3::new(i / (n.y * n.z), i / n.z % n.y, i % n.z);
            let at = ((voxel - cell.low).as_vec3() + 0.5) / cell.size as f32;
            let v = voxel - low.as_uvec3();
            let slot = ((v.x * EDGE as u32 + v.y) * EDGE as u32 + v.z) as usize;
            density[slot] = cell.mix(&smoke.density, at.to_array());
            temperature[slot] = cell.mix(&smoke.temperature, at.to_array());
            velocity[slot] = cell.mix_vector(&smoke.velocity, at.to_array());
        }
    }
    let mut active = [0u64; N_WORDS];
    let [mut a, mut b, mut c] = [const { Vec::new() }; 3];
    for slot in 0..N_VOXELS {
        let from = source(slot, up);
        if is_active(density[from], temperature[from]) {
            active[slot / 64] |= 1 << (slot % 64);
            a.extend(density[from].to_le_bytes());
            b.extend(half(temperature[from]).to_le_bytes());
            c.extend(vector(velocity[from], up).iter().flat_map(|&c| half(c).to_le_bytes()));
        }
    }
    (!a.is_empty()).then(|| {
        let blocks = [a, b, c].iter().map(|bytes| block(&active, &[0; N_WORDS], bytes, zip)).collect();
        Leaf { low: to_file(low, up), active, blocks }
    })
}
