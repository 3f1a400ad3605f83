//! `volume/NNNN.vdb`: water as a level set, or smoke as a fog, with velocities, in the file format of
//! OpenVDB.
//!
//! Water has two grids over the same voxels: the finest cells within three cells of the surface.
//!
//! | grid | type | values | elsewhere |
//! |---|---|---|---|
//! | `surface` | float, class level set | signed distance in m, negative in liquid | ±3 voxels, negative in liquid |
//! | `velocity` | vec3s, stored as 16-bit floats | m/s | 0 |
//!
//! Smoke has three grids, over the finest cells that contain smoke (`fog.rs`).
//!
//! | grid | type | values | elsewhere |
//! |---|---|---|---|
//! | `density` | float, class fog volume | dimensionless | 0 |
//! | `temperature` | float, stored as 16-bit floats, class fog volume | K above the ambient air | 0 |
//! | `velocity` | vec3s, stored as 16-bit floats | m/s | 0 |
//!
//! The file, in format version 224, all little-endian:
//!
//! ```text
//! file   = " BDV" 0⁴ version:u32 library:u32² has_offsets:u8 uuid:36 chars  metadata  n_grids:u32  grid*
//! grid   = name type parent:string  at:i64 blocks_at:i64 end:i64   offsets from the file's start
//!          at:        compression:u32  metadata  map  topology
//!          blocks_at: for each leaf: active mask, values
//! string = length:u32 bytes          metadata = n:u32 (name type:string length:u32 bytes)*
//! ```
//!
//! The tree has a list of upper nodes with 32³ lower nodes each, those have 16³ leaves, those 8³ voxels
//! (`tree.rs`). Values outside the band are omitted and marked in a mask (`values.rs`). Promises: the same
//! fluid gives the same bytes, and a different one a different uuid; a file without fluid has all grids and
//! no voxels.

mod bytes;
mod file;
mod fog;
mod half;
mod leaf;
mod read;
mod tree;
mod values;

#[cfg(test)]
mod tests;

pub use fog::write_smoke;
pub use read::read_smoke;

use crate::atomic::write_atomic;
use crate::file_error::DiskError;
use file::{Grid, Kind, Place, assemble, to_file};
use glam::IVec3;
use leaf::Made;
use octide_core::contract::StateView;
use octide_core::par;
use octide_core::scene::{Domain, Up};
use octide_core::surface::band::Band;
use std::path::Path;
use tree::Tree;
use values::Zip;

/// Number of bricks in one parallel task.
const CHUNK: usize = 32;

/// Writes the level set of a liquid at a time in seconds.
pub fn write_volume(
    path: &Path,
    liquid: &dyn StateView,
    domain: &Domain,
    time: f64,
    up: Up,
) -> Result<(), DiskError> {
    let file = volume(liquid, domain, time, up);
    write_atomic(path, |out| file.iter().try_for_each(|part| out.write_all(part)))
}

/// Returns the parts of the file, in order.
fn volume(liquid: &dyn StateView, domain: &Domain, time: f64, up: Up) -> Vec<Vec<u8>> {
    let band = Band::find(domain, liquid);
    let chunks: Vec<&[IVec3]> = band.bricks.chunks(CHUNK).collect();
    let made = par::map_each(chunks.len(), |i| {
        let mut zip = Zip::new();
        let make = |&low| leaf::make(&band, &band.brick(liquid, low), to_file(low, up), up, &mut zip);
        chunks[i].iter().map(make).collect::<Vec<_>>()
    });
    let mut inside: Vec<IVec3> = band.inside.iter().map(|&low| to_file(low, up)).collect();
    let mut leaves = Vec::with_capacity(made.len());
    for made in made.into_iter().flatten() {
        match made {
            Made::Leaf(leaf) => leaves.push(leaf),
            Made::Inside(low) => inside.push(low),
            Made::Outside => {}
        }
    }
    let tree = Tree::new(leaves, inside);
    let place = Place::new(band.origin, band.dx, time, up);
    let surface = Grid {
        name: "surface",
        class: "level set",
        unit: "m",
        kind: Kind::Float,
        background: band.width() as f32,
        block: 0,
    };
    let velocity = Grid {
        name: "velocity",
        class: "unknown",
        unit: "m/s",
        kind: Kind::HalfVector,
        background: 0.0,
        block: 1,
    };
    assemble(&place, &tree, &[surface, velocity])
}
