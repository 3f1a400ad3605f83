//! The tree above the leaves: upper nodes of 32³ lower ones, lower nodes of 16³ leaves.
//!
//! ```text
//! topology = 1:u32 background n_tiles:u32 n_uppers:u32 (low:i32³ node)*
//! node     = children: mask, active tiles: mask, values, then each child: a node, or a leaf's active mask
//! ```
//!
//! A position without a child is a tile: inactive, with the background or its negative as value. Nodes and
//! blocks are ordered by position: upper ones by x, then y, then z, children by 32² x + 32 y + z, or 16² x +
//! 16 y + z.

use super::bytes::Bytes;
use super::leaf::Leaf;
use super::values;
use glam::IVec3;

/// Voxels along upper nodes, lower nodes and leaves, as powers of two.
const UPPER: i32 = 12;
const LOWER: i32 = 7;
const LEAF: i32 = 3;

/// Number of bits of an upper and of a lower node's masks.
const N_LOWERS: usize = 1 << (3 * (UPPER - LOWER));
const N_LEAVES: usize = 1 << (3 * (LOWER - LEAF));

/// All leaves, sorted, and the nodes above them.
pub(super) struct Tree {
    leaves: Vec<Leaf>,
    uppers: Vec<Upper>,
}

struct Upper {
    low: IVec3,
    lowers: Vec<Lower>,
    /// Lower nodes that are omitted because they lie entirely in the liquid.
    inside: Vec<u64>,
}

struct Lower {
    slot: usize,
    leaves: std::ops::Range<usize>,
    /// Leaves that are omitted because they lie in the liquid.
    inside: Vec<u64>,
}

/// Returns the lowest voxel of the node of 2^`node` voxels that contains `at`.
fn low_of(at: IVec3, node: i32) -> IVec3 {
    (at >> node) << node
}

/// Returns the slot of the child of 2^`child` voxels that contains `at` in its node of 2^`node`.
fn slot_of(at: IVec3, node: i32, child: i32) -> usize {
    let bits = node - child;
    let c = (at >> child) & ((1 << bits) - 1);
    (((c.x << bits | c.y) << bits) | c.z) as usize
}

/// Returns the sort key of a position in a file.
fn order(at: IVec3) -> ([i32; 3], usize, usize) {
    (low_of(at, UPPER).to_array(), slot_of(at, UPPER, LOWER), slot_of(at, LOWER, LEAF))
}

fn set(mask: &mut [u64], slot: usize) {
    mask[slot / 64] |= 1 << (slot % 64);
}

impl Tree {
    /// Builds the tree over leaves, and over positions of a leaf's size that are liquid without a leaf.
    pub fn new(mut leaves: Vec<Leaf>, mut inside: Vec<IVec3>) -> Self {
        leaves.sort_unstable_by_key(|leaf| order(leaf.low));
        inside.sort_unstable_by_key(|&low| order(low));
        let mut uppers: Vec<Upper> = Vec::new();
        let (mut l, mut t) = (0, 0);
        while l < leaves.len() || t < inside.len() {
            // The next lower node, and the entries of both lists that lie in it.
            let at = match (leaves.get(l), inside.get(t)) {
                (Some(leaf), Some(&tile)) if order(tile) < order(leaf.low) => tile,
                (Some(leaf), _) => leaf.low,
                (None, Some(&tile)) => tile,
                (None, None) => break,
            };
            let here = |p: IVec3| low_of(p, LOWER) == low_of(at, LOWER);
            let first = l;
            l += leaves[l..].iter().take_while(|leaf| here(leaf.low)).count();
            let mut mask = vec![0; N_LEAVES / 64];
            while t < inside.len() && here(inside[t]) {
                set(&mut mask, slot_of(inside[t], LOWER, LEAF));
                t += 1;
            }
            let low = low_of(at, UPPER);
            if uppers.last().is_none_or(|upper| upper.low != low) {
                uppers.push(Upper { low, lowers: Vec::new(), inside: vec![0; N_LOWERS / 64] });
            }
            let Some(upper) = uppers.last_mut() else { continue };
            let slot = slot_of(at, UPPER, LOWER);
            if first == l && mask.iter().all(|&word| word == u64::MAX) {
                set(&mut upper.inside, slot);
            } else {
                upper.lowers.push(Lower { slot, leaves: first..l, inside: mask });
            }
        }
        Self { leaves, uppers }
    }

    /// Returns the nodes and the leaves' masks. Liquid tiles have the negative background if the grid is
    /// `signed`.
    pub fn topology(&self, background: &[u8], signed: bool) -> Bytes {
        let mut out = Bytes::default();
        out.number(1);
        out.raw(background);
        out.number(0);
        out.number(self.uppers.len() as u32);
        for upper in &self.uppers {
            out.place(upper.low);
            let slots = upper.lowers.iter().map(|lower| lower.slot);
            node(&mut out, N_LOWERS, slots, &upper.inside, signed);
            for lower in &upper.lowers {
                let leaves = &self.leaves[lower.leaves.clone()];
                let slots = leaves.iter().map(|leaf| slot_of(leaf.low, LOWER, LEAF));
                node(&mut out, N_LEAVES, slots, &lower.inside, signed);
                leaves.iter().for_each(|leaf| out.mask(&leaf.active));
            }
        }
        out
    }

    /// Returns the blocks of all leaves, some of them joined.
    pub fn values(&self, block: usize) -> Vec<Vec<u8>> {
        let of = |leaf: &Leaf| leaf.blocks[block].clone();
        self.leaves.chunks(64).map(|leaves| leaves.iter().flat_map(of).collect()).collect()
    }

    /// Returns the number of active voxels.
    pub fn n_voxels(&self) -> i64 {
        self.leaves.iter().map(Leaf::n_active).sum()
    }

    /// Returns the lowest and the highest active voxel; swapped if there is none.
    pub fn bounds(&self) -> (IVec3, IVec3) {
        self.leaves
            .iter()
            .map(Leaf::bounds)
            .fold((IVec3::MAX, IVec3::MIN), |a, b| (a.0.min(b.0), a.1.max(b.1)))
    }
}

/// Writes a node's masks and tiles.
fn node(out: &mut Bytes, n: usize, children: impl Iterator<Item = usize>, inside: &[u64], signed: bool) {
    let mut mask = vec![0; n / 64];
    children.for_each(|slot| set(&mut mask, slot));
    out.mask(&mask);
    let none = vec![0; n / 64];
    out.mask(&none);
    let open: Vec<u64> = mask.iter().map(|word| !word).collect();
    values::inactive(out, &open, if signed { inside } else { &none });
    if signed {
        // No active tiles; an empty list of half floats omits even this.
        values::no_active(out);
    }
}
