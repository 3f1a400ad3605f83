//! `volume/NNNN.vdb`: the liquid as a level set with velocities, in the file format of OpenVDB.
//!
//! Two grids over the same voxels, the finest cells within three of the surface:
//!
//! | grid | type | values | elsewhere |
//! |---|---|---|---|
//! | `surface` | float, class level set | signed distance in m, negative in liquid | ±3 voxels, negative in liquid |
//! | `velocity` | vec3s, stored as 16-bit floats | m/s | 0 |
//!
//! What is written, all little-endian, after format version 224:
//!
//! ```text
//! file   = " BDV" 0⁴ version:u32 library:u32² has_offsets:u8 uuid:36 chars  metadata  n_grids:u32  grid*
//! grid   = name type parent:string  at:i64 blocks_at:i64 end:i64   offsets from the file's start
//!          at:        compression:u32  metadata  map  topology
//!          blocks_at: for each leaf: active mask, values
//! string = length:u32 bytes          metadata = n:u32 (name type:string length:u32 bytes)*
//! ```
//!
//! The tree has a list of upper nodes with 32³ lower nodes each, those have 16³ leaves, those 8³ voxels (`tree.rs`). Values
//! outside the band are left out and told by a mask (`values.rs`). Promises: the same liquid gives the same bytes, and
//! another one another uuid; a file without liquid has both grids and no voxels.

mod bytes;
mod half;
mod leaf;
mod tree;
mod values;

#[cfg(test)]
mod tests;

use crate::atomic::write_atomic;
use crate::error::DiskError;
use bytes::{Bytes, Metadata};
use glam::{DVec3, IVec3};
use leaf::{Leaf, Made};
use octide_core::contract::LevelSet;
use octide_core::par;
use octide_core::scene::{Domain, Up};
use octide_core::surface::band::{Band, EDGE};
use std::path::Path;
use tree::Tree;
use values::Zip;

const MAGIC: u64 = 0x5644_4220;
const FORMAT: u32 = 224;

/// The first library release whose files look like this.
const LIBRARY: [u32; 2] = [6, 2];

/// Values are compressed by zlib, and those outside the band left out.
const ZIP_AND_MASK: u32 = 1 | 2;

/// Bricks that a thread makes in a row.
const CHUNK: usize = 32;

/// Writes the level set of a liquid at a time in seconds.
pub fn write_volume(
    path: &Path,
    liquid: &dyn LevelSet,
    domain: &Domain,
    time: f64,
    up: Up,
) -> Result<(), DiskError> {
    let file = volume(liquid, domain, time, up);
    write_atomic(path, |out| file.iter().try_for_each(|part| out.write_all(part)))
}

/// The parts of the file, in order.
fn volume(liquid: &dyn LevelSet, domain: &Domain, time: f64, up: Up) -> Vec<Vec<u8>> {
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
    let background = band.width() as f32;
    let place = Place { dx: band.dx, translation: translation(&band, up), time, up };
    let surface = Grid {
        name: "surface",
        kind: "Tree_float_5_4_3",
        metadata: surface_metadata(&place, &tree),
        topology: tree.topology(&background.to_le_bytes(), true),
        values: |leaf: &Leaf| &leaf.phi,
    };
    let velocity = Grid {
        name: "velocity",
        kind: "Tree_vec3s_5_4_3_HalfFloat",
        metadata: velocity_metadata(&place, &tree),
        topology: tree.topology(&[0; 12], false),
        values: |leaf: &Leaf| &leaf.velocity,
    };
    assemble(&place, &tree, [surface, velocity])
}

/// Where and when voxels are.
struct Place {
    dx: f64,
    /// The center of voxel (0, 0, 0).
    translation: DVec3,
    time: f64,
    up: Up,
}

struct Grid {
    name: &'static str,
    kind: &'static str,
    metadata: Metadata,
    topology: Bytes,
    values: fn(&Leaf) -> &Vec<u8>,
}

/// A brick's lowest voxel as it is in the file: `(x, y, z) → (x, −z, y)` where z points up, with the voxels −1, −2, … in
/// the place of 0, 1, …, so that bricks stay bricks.
fn to_file(low: IVec3, up: Up) -> IVec3 {
    match up {
        Up::Y => low,
        Up::Z => IVec3::new(low.x, -low.z - EDGE, low.y),
    }
}

/// A vector as it is in the file.
fn vector(v: [f32; 3], up: Up) -> [f32; 3] {
    match up {
        Up::Y => v,
        Up::Z => [v[0], -v[2], v[1]],
    }
}

fn translation(band: &Band, up: Up) -> DVec3 {
    let at = band.origin;
    match up {
        Up::Y => at,
        Up::Z => DVec3::new(at.x, -at.z + band.dx, at.y),
    }
}

fn surface_metadata(place: &Place, tree: &Tree) -> Metadata {
    let mut all = Metadata::default();
    all.string("class", "level set");
    all.string("name", "surface");
    all.string("unit", "m");
    common_metadata(all, place, tree)
}

fn velocity_metadata(place: &Place, tree: &Tree) -> Metadata {
    let mut all = Metadata::default();
    all.string("class", "unknown");
    all.string("name", "velocity");
    all.string("unit", "m/s");
    all.string("vector_type", "contravariant relative");
    all.entry("is_saved_as_half_float", "bool", &[1]);
    common_metadata(all, place, tree)
}

fn common_metadata(mut all: Metadata, place: &Place, tree: &Tree) -> Metadata {
    all.string("creator", concat!("octide ", env!("CARGO_PKG_VERSION")));
    all.entry("time", "double", &place.time.to_le_bytes());
    all.string("up", if place.up == Up::Y { "y" } else { "z" });
    let (min, max) = tree.bounds();
    all.vector("file_bbox_min", min);
    all.vector("file_bbox_max", max);
    all.entry("file_voxel_count", "int64", &tree.n_voxels().to_le_bytes());
    all.string("file_compression", "zip + active values");
    all
}

/// Scale and translation, with what the library keeps beside them.
fn map(out: &mut Bytes, place: &Place) {
    out.string("UniformScaleTranslateMap");
    let dx = place.dx;
    out.doubles(place.translation.to_array());
    for value in [dx, dx, 1.0 / dx, 1.0 / (dx * dx), 0.5 / dx] {
        out.doubles([value; 3]);
    }
}

fn assemble(place: &Place, tree: &Tree, grids: [Grid; 2]) -> Vec<Vec<u8>> {
    let mut parts = Vec::new();
    let mut head = Bytes::default();
    head.raw(&MAGIC.to_le_bytes());
    head.number(FORMAT);
    LIBRARY.iter().for_each(|&n| head.number(n));
    head.raw(&[1]);
    let uuid_at = head.len();
    head.raw(&[0; 36]);
    let mut metadata = Metadata::default();
    metadata.string("creator", concat!("octide ", env!("CARGO_PKG_VERSION")));
    metadata.write(&mut head);
    head.number(grids.len() as u32);
    let mut at = head.len();
    parts.push(head.0);
    for grid in grids {
        let mut text = Bytes::default();
        text.string(grid.name);
        text.string(grid.kind);
        text.string("");
        let mut body = Bytes::default();
        body.number(ZIP_AND_MASK);
        grid.metadata.write(&mut body);
        map(&mut body, place);
        body.raw(&grid.topology.0);
        let starts = at + text.len() + 3 * 8;
        let blocks = starts + body.len();
        let values = tree.values(grid.values);
        let end = blocks + values.iter().map(Vec::len).sum::<usize>();
        for offset in [starts, blocks, end] {
            text.raw(&(offset as u64).to_le_bytes());
        }
        at = end;
        parts.push(text.0);
        parts.push(body.0);
        parts.extend(values);
    }
    let uuid = bytes::uuid(&parts);
    parts[0][uuid_at..uuid_at + uuid.len()].copy_from_slice(uuid.as_bytes());
    parts
}
