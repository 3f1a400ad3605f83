//! How much a thin body must be thickened: samples at the corners of cells, taken by the first query in a block.
//!
//! Along a wall the amount changes slowly, and is interpolated between the corners of a cell. At edges it changes
//! quickly: queries there measure it. Samples are a function of their place alone.

use super::index;
use glam::{DVec3, UVec3};
use std::sync::OnceLock;

/// Cells along an edge of a block.
const CELLS: u32 = 4;
/// Samples along an edge of a block.
const SAMPLES: u32 = CELLS + 1;
/// Blocks around the bounding box.
const MARGIN: f64 = 2.0;
/// Maximum number of blocks; larger bodies are measured at every query.
const MAX_BLOCKS: f64 = 1e6;
/// The largest difference between the corners of a cell, in cells, between which the amount is interpolated.
const MOST_APART: f64 = 0.1;

type Lattice = Box<[f32]>;

/// Blocks around a body.
pub(super) struct ShortfallBlocks {
    low: DVec3,
    edge: f64,
    n: UVec3,
    /// Empty if there would be too many.
    blocks: Box<[OnceLock<Lattice>]>,
}

impl ShortfallBlocks {
    /// Creates blocks of this edge around the box between two corners; nothing is known about them yet.
    pub(super) fn new(low: DVec3, high: DVec3, edge: f64) -> Self {
        let n = ((high - low) / edge).ceil() + 2.0 * MARGIN;
        let count = if n.element_product() > MAX_BLOCKS { 0 } else { n.as_uvec3().element_product() };
        let blocks = (0..count).map(|_| OnceLock::new()).collect();
        Self { low: low - MARGIN * edge, edge, n: n.as_uvec3(), blocks }
    }

    /// Returns the interpolated amount at `p`, unless it must be measured.
    pub(super) fn value(&self, p: DVec3, measure: impl Fn(DVec3) -> f64) -> Option<f64> {
        let q = (p - self.low) / self.edge;
        let whole = q.floor();
        let is_inside = whole.cmpge(DVec3::ZERO).all() && whole.cmplt(self.n.as_dvec3()).all();
        if self.blocks.is_empty() || !is_inside {
            return None;
        }
        let lattice = self.blocks[index(whole.as_uvec3(), self.n)].get_or_init(|| {
            let spacing = self.edge / f64::from(CELLS);
            let corner = self.low + self.edge * whole;
            let sample = |i: u32| {
                let place = UVec3::new(i % SAMPLES, i / SAMPLES % SAMPLES, i / SAMPLES / SAMPLES);
                measure(corner + spacing * place.as_dvec3()) as f32
            };
            (0..SAMPLES.pow(3)).map(sample).collect()
        });
        let q = (q - whole) * f64::from(CELLS);
        let at = q.as_uvec3().min(UVec3::splat(CELLS - 1));
        let t = (q - at.as_dvec3()).to_array();
        let (mut value, mut least, mut most) = (0.0, f64::INFINITY, f64::NEG_INFINITY);
        for o in 0..8u32 {
            let pick = UVec3::new(o & 1, o >> 1 & 1, o >> 2);
            let there = f64::from(lattice[index(at + pick, UVec3::splat(SAMPLES))]);
            let weight = |a: usize| if pick[a] == 1 { t[a] } else { 1.0 - t[a] };
            value += weight(0) * weight(1) * weight(2) * there;
            (least, most) = (least.min(there), most.max(there));
        }
        // False for numbers that are not finite.
        (most - least <= MOST_APART * self.edge / f64::from(CELLS)).then_some(value)
    }

    /// Returns the number of bytes held.
    pub(super) fn bytes(&self) -> usize {
        let of_block = |b: &Lattice| 4 * b.len();
        size_of_val::<[_]>(&self.blocks)
            + self.blocks.iter().filter_map(OnceLock::get).map(of_block).sum::<usize>()
    }
}
