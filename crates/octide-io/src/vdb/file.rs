//! The file around the grids: head, metadata, maps, offsets.

use super::bytes::{self, Bytes, Metadata};
use super::tree::Tree;
use glam::{DVec3, IVec3};
use octide_core::scene::Up;
use octide_core::surface::band::EDGE;

pub(super) const MAGIC: u64 = 0x5644_4220;
pub(super) const FORMAT: u32 = 224;

/// The first library version with this file format.
const LIBRARY: [u32; 2] = [6, 2];

/// Values are compressed by zlib, and inactive ones are omitted.
pub(super) const ZIP_AND_MASK: u32 = 1 | 2;

/// The only kind of map that is written: equal scales and a translation.
pub(super) const MAP: &str = "UniformScaleTranslateMap";

/// Position and time of the voxels.
pub(super) struct Place {
    pub dx: f64,
    /// The center of voxel (0, 0, 0), in the file's axes.
    pub translation: DVec3,
    pub time: f64,
    pub up: Up,
}

impl Place {
    /// Describes voxels of edge `dx` whose first one's center is `first`, in the scene's axes.
    pub fn new(first: DVec3, dx: f64, time: f64, up: Up) -> Self {
        let translation = match up {
            Up::Y => first,
            Up::Z => DVec3::new(first.x, -first.z + dx, first.y),
        };
        Self { dx, translation, time, up }
    }
}

/// The type of a grid's values.
pub(super) enum Kind {
    Float,
    HalfFloat,
    HalfVector,
}

/// A grid over a tree.
pub(super) struct Grid {
    pub name: &'static str,
    pub class: &'static str,
    pub unit: &'static str,
    pub kind: Kind,
    /// The value of inactive voxels; 0 for vectors.
    pub background: f32,
    /// The index of its values among the leaves' blocks.
    pub block: usize,
}

impl Grid {
    fn type_name(&self) -> &'static str {
        match self.kind {
            Kind::Float => "Tree_float_5_4_3",
            Kind::HalfFloat => "Tree_float_5_4_3_HalfFloat",
            Kind::HalfVector => "Tree_vec3s_5_4_3_HalfFloat",
        }
    }

    fn topology(&self, tree: &Tree) -> Bytes {
        match self.kind {
            Kind::Float => tree.topology(&self.background.to_le_bytes(), true),
            Kind::HalfFloat => tree.topology(&self.background.to_le_bytes(), false),
            Kind::HalfVector => tree.topology(&[0; 12], false),
        }
    }

    fn metadata(&self, place: &Place, tree: &Tree) -> Metadata {
        let mut all = Metadata::default();
        all.string("class", self.class);
        all.string("name", self.name);
        all.string("unit", self.unit);
        if let Kind::HalfVector = self.kind {
            all.string("vector_type", "contravariant relative");
        }
        if !matches!(self.kind, Kind::Float) {
            all.entry("is_saved_as_half_float", "bool", &[1]);
        }
        all.string("creator", CREATOR);
        all.entry("time", "double", &place.time.to_le_bytes());
        all.string("up", if place.up == Up::Y { "y" } else { "z" });
        let (min, max) = tree.bounds();
        all.vector("file_bbox_min", min);
        all.vector("file_bbox_max", max);
        all.entry("file_voxel_count", "int64", &tree.n_voxels().to_le_bytes());
        all.string("file_compression", "zip + active values");
        all
    }
}

const CREATOR: &str = concat!("octide ", env!("CARGO_PKG_VERSION"));

/// Returns a brick's lowest voxel in the file's axes: `(x, y, z) → (x, −z, y)` if z points up, with the
/// voxels −1, −2, … in place of 0, 1, …, so that bricks stay bricks.
pub(super) fn to_file(low: IVec3, up: Up) -> IVec3 {
    match up {
        Up::Y => low,
        Up::Z => IVec3::new(low.x, -low.z - EDGE, low.y),
    }
}

/// Returns a vector in the file's axes.
pub(super) fn vector(v: [f32; 3], up: Up) -> [f32; 3] {
    match up {
        Up::Y => v,
        Up::Z => [v[0], -v[2], v[1]],
    }
}

/// Returns the slot in a brick that corresponds to a slot in the file.
pub(super) fn source(slot: usize, up: Up) -> usize {
    let edge = EDGE as usize;
    let (i, j, k) = (slot / (edge * edge), slot / edge % edge, slot % edge);
    match up {
        Up::Y => slot,
        // The file's axes are x, −z, y.
        Up::Z => (i * edge + k) * edge + (edge - 1 - j),
    }
}

/// Writes scale and translation, with the derived values that the library stores beside them.
fn map(out: &mut Bytes, place: &Place) {
    out.string(MAP);
    let dx = place.dx;
    out.doubles(place.translation.to_array());
    for value in [dx, dx, 1.0 / dx, 1.0 / (dx * dx), 0.5 / dx] {
        out.doubles([value; 3]);
    }
}

/// Returns the parts of a file, in order.
pub(super) fn assemble(place: &Place, tree: &Tree, grids: &[Grid]) -> Vec<Vec<u8>> {
    let mut parts = Vec::new();
    let mut head = Bytes::default();
    head.raw(&MAGIC.to_le_bytes());
    head.number(FORMAT);
    LIBRARY.iter().for_each(|&n| head.number(n));
    head.raw(&[1]);
    let uuid_at = head.len();
    head.raw(&[0; 36]);
    let mut metadata = Metadata::default();
    metadata.string("creator", CREATOR);
    metadata.write(&mut head);
    head.number(grids.len() as u32);
    let mut at = head.len();
    parts.push(head.0);
    for grid in grids {
        let mut text = Bytes::default();
        text.string(grid.name);
        text.string(grid.type_name());
        text.string("");
        let mut body = Bytes::default();
        body.number(ZIP_AND_MASK);
        grid.metadata(place, tree).write(&mut body);
        map(&mut body, place);
        body.raw(&grid.topology(tree).0);
        let starts = at + text.len() + 3 * 8;
        let blocks = starts + body.len();
        let values = tree.values(grid.block);
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
