//! Leaves: 8³ voxels, with the bytes of their values in all grids.

use super::bytes::Bytes;
use super::file::{source, vector};
use super::half::half;
use super::values::{Zip, inactive};
use glam::IVec3;
use octide_core::scene::Up;
use octide_core::surface::band::{Band, Brick, EDGE, N_VOXELS};

/// Number of words of a leaf's mask.
pub(super) const N_WORDS: usize = N_VOXELS / 64;

/// A leaf, its voxels in the file's order.
pub(super) struct Leaf {
    /// Its lowest voxel.
    pub low: IVec3,
    /// Which voxels are active.
    pub active: [u64; N_WORDS],
    /// The block of each grid.
    pub blocks: Vec<Vec<u8>>,
}

/// The result of converting a brick.
pub(super) enum Made {
    /// The band passes through the brick.
    Leaf(Leaf),
    /// The brick is entirely in the liquid; its lowest voxel.
    Inside(IVec3),
    /// The brick is entirely outside.
    Outside,
}

/// Converts a brick to a leaf at `low` in the file.
pub(super) fn make(band: &Band, brick: &Brick, low: IVec3, up: Up, zip: &mut Zip) -> Made {
    let (mut active, mut inside) = ([0u64; N_WORDS], [0u64; N_WORDS]);
    let mut phi = Vec::with_capacity(4 * N_VOXELS);
    let mut velocity = Vec::with_capacity(6 * N_VOXELS);
    for slot in 0..N_VOXELS {
        let from = source(slot, up);
        let value = brick.phi[from];
        let bit = 1 << (slot % 64);
        if value < 0.0 {
            inside[slot / 64] |= bit;
        }
        if band.is_active(value) {
            active[slot / 64] |= bit;
            phi.extend(value.to_le_bytes());
            let v = vector(brick.velocity[from], up);
            velocity.extend(v.iter().flat_map(|&c| half(c).to_le_bytes()));
        }
    }
    if phi.is_empty() && inside == [0; N_WORDS] {
        return Made::Outside;
    }
    if phi.is_empty() && inside == [u64::MAX; N_WORDS] {
        return Made::Inside(low);
    }
    let blocks = vec![block(&active, &inside, &phi, zip), block(&active, &[0; N_WORDS], &velocity, zip)];
    Made::Leaf(Leaf { low, active, blocks })
}

/// Returns a grid's block of a leaf: its mask, a code for inactive values, and the active values.
pub(super) fn block(
    active: &[u64; N_WORDS],
    inside: &[u64; N_WORDS],
    bytes: &[u8],
    zip: &mut Zip,
) -> Vec<u8> {
    let mut out = Bytes::default();
    out.mask(active);
    inactive(&mut out, &active.map(|word| !word), inside);
    zip.active(&mut out, bytes);
    out.0
}

impl Leaf {
    /// Returns the number of active voxels.
    pub fn n_active(&self) -> i64 {
        self.active.iter().map(|word| i64::from(word.count_ones())).sum()
    }

    /// Returns the lowest and the highest active voxel.
    pub fn bounds(&self) -> (IVec3, IVec3) {
        let (mut min, mut max) = (IVec3::MAX, IVec3::MIN);
        for slot in (0..N_VOXELS as i32).filter(|s| self.active[*s as usize / 64] >> (s % 64) & 1 == 1) {
            let voxel = self.low + IVec3::new(slot / (EDGE * EDGE), slot / EDGE % EDGE, slot % EDGE);
            (min, max) = (min.min(voxel), max.max(voxel));
        }
        (min, max)
    }
}
