//! Adjacency of leaves: face neighbors as a graph, and for cells at changes of level all leaves that share a
//! face, an edge or a corner.
//!
//! Requires a graded tree.

use super::tree::Octree;
use crate::index::{CellId, Field, TreeId};
use crate::par;
use glam::IVec3;

/// Neighbor lists of the leaves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contacts {
    offsets: Vec<u32>,
    face_neighbors: Vec<u32>,
    /// Whether all leaves around the cell have its level; absent neighbors beyond walls do not count.
    regular: Field<CellId, bool>,
}

impl Contacts {
    /// Builds the lists of a graded tree.
    pub fn new(tree: &Octree) -> Self {
        let n = tree.n_cells();
        let regular = par::map(n, |cell: CellId| is_regular(tree, cell));
        let (offsets, face_neighbors) = ragged(n, |i, out: &mut Vec<u32>| {
            for direction in 0..6 {
                tree.for_face_neighbors(CellId(i as u32), direction, &mut |c| out.push(c.0));
            }
        });
        Self { offsets, face_neighbors, regular }
    }

    /// Returns the leaves that share a part of a face with a cell.
    #[inline]
    pub fn face_neighbors(&self, cell: CellId) -> &[u32] {
        let i = cell.0 as usize;
        &self.face_neighbors[self.offsets[i] as usize..self.offsets[i + 1] as usize]
    }

    /// Frees the lists of face neighbors. Whether cells are regular stays known.
    pub fn forget_face_neighbors(&mut self) {
        (self.offsets, self.face_neighbors) = (Vec::new(), Vec::new());
    }

    /// Returns whether all leaves around a cell have its level.
    #[inline]
    pub fn is_regular(&self, cell: CellId) -> bool {
        self.regular[cell]
    }

    /// Returns the number of bytes held.
    pub fn bytes(&self) -> usize {
        4 * (self.offsets.len() + self.face_neighbors.len()) + self.regular.len()
    }
}

/// For cells at changes of level, all leaves that touch them.
#[derive(Clone, Debug, PartialEq)]
pub struct Touching {
    offsets: Vec<u32>,
    cells: Vec<CellId>,
}

impl Touching {
    /// Builds the lists of a graded tree.
    pub fn new(tree: &Octree, contacts: &Contacts) -> Self {
        let (offsets, cells) = ragged(tree.n_cells(), |i, out: &mut Vec<CellId>| {
            let cell = CellId(i as u32);
            if !contacts.is_regular(cell) {
                for_touching(tree, cell, |other| out.push(other));
            }
        });
        Self { offsets, cells }
    }

    /// Returns all leaves that touch an irregular cell, starting with the cell itself; empty for a regular
    /// cell.
    #[inline]
    pub fn of_cell(&self, cell: CellId) -> &[CellId] {
        let i = cell.0 as usize;
        &self.cells[self.offsets[i] as usize..self.offsets[i + 1] as usize]
    }

    /// Returns the number of bytes held.
    pub fn bytes(&self) -> usize {
        4 * (self.offsets.len() + self.cells.len())
    }
}

/// Calls `f` with all leaves that touch a cell, starting with the cell itself: the order of [`Touching`]
/// without its memory.
pub fn for_touching(tree: &Octree, cell: CellId, mut f: impl FnMut(CellId)) {
    let home = tree.node_of(cell);
    let level = tree.node_level(home);
    f(cell);
    // Larger leaves are found from several sides, but reported once.
    let mut large = [CellId::NONE; 8];
    let mut n_large = 0;
    for (i, node) in around(tree, home).into_iter().enumerate() {
        if i == MIDDLE || node.is_none() {
            continue;
        }
        if !tree.is_leaf(node) {
            // The children on this side.
            let step = [i % 3, i / 3 % 3, i / 9];
            let faces_here = |o: usize| (0..3).all(|a| step[a] == 1 || (step[a] == 0) == (o >> a & 1 == 1));
            for o in (0..8).filter(|&o| faces_here(o)) {
                f(tree.leaf_of(tree.child(node, o)));
            }
            continue;
        }
        let other = tree.leaf_of(node);
        if tree.node_level(node) < level {
            if large[..n_large].contains(&other) {
                continue;
            }
            large[n_large] = other;
            n_large += 1;
        }
        f(other);
    }
}

/// Index of the central one among 27 nodes.
const MIDDLE: usize = 13;

/// Returns the nodes at the 27 positions of a node's own size around it, x fastest, the node itself in the
/// middle. Each is a node of the same level where the tree is that fine, otherwise the larger leaf there;
/// `NONE` outside.
pub fn around(tree: &Octree, home: TreeId) -> [TreeId; 27] {
    let (level, coord) = (tree.node_level(home), tree.coord(home));
    let mut nodes = [TreeId::NONE; 27];
    nodes[MIDDLE] = home;
    // Larger leaves and positions outside the domain have no neighbor to continue from.
    let find = |to: usize| {
        let step = IVec3::new(to as i32 % 3, to as i32 / 3 % 3, to as i32 / 9) - 1;
        tree.find(level, coord + step)
    };
    let mut step = |from: usize, stride: usize, axis: usize| {
        let node = nodes[from];
        let leads = node.is_some() && tree.node_level(node) == level;
        let [low, high] = [from - stride, from + stride];
        nodes[low] = if leads { tree.neighbor(node, 2 * axis) } else { find(low) };
        nodes[high] = if leads { tree.neighbor(node, 2 * axis + 1) } else { find(high) };
    };
    step(MIDDLE, 1, 0);
    (MIDDLE - 1..=MIDDLE + 1).for_each(|from| step(from, 3, 1));
    (MIDDLE - 4..=MIDDLE + 4).for_each(|from| step(from, 9, 2));
    nodes
}

/// Returns whether all leaves around a cell have its level.
fn is_regular(tree: &Octree, cell: CellId) -> bool {
    let home = tree.node_of(cell);
    let level = tree.node_level(home);
    let differs = |n: TreeId| n.is_some() && (tree.node_level(n) != level || !tree.is_leaf(n));
    // Most irregular cells have a face neighbor of another level, so test these first.
    let beside: [TreeId; 6] = std::array::from_fn(|direction| tree.neighbor(home, direction));
    if beside.into_iter().any(differs) {
        return false;
    }
    let (x, y, z) = (&beside[..2], &beside[2..4], 4..6);
    let edges = || x.iter().flat_map(|&x| (2..4).map(move |d| tree.neighbor(x, d)));
    // Beside a wall or an absent root some are reached in other ways.
    if beside.into_iter().any(TreeId::is_none) || edges().any(TreeId::is_none) {
        return !around(tree, home).into_iter().any(differs);
    }
    let beyond_z = |node: TreeId| z.clone().any(|d| differs(tree.neighbor(node, d)));
    !(edges().any(|edge| differs(edge) || beyond_z(edge)) || x.iter().chain(y).any(|&node| beyond_z(node)))
}

/// Builds rows of different lengths: returns where each row starts, and all rows concatenated.
fn ragged<T: Send>(n: usize, row: impl Fn(usize, &mut Vec<T>) + Sync + Send) -> (Vec<u32>, Vec<T>) {
    use rayon::prelude::*;
    let parts: Vec<(Vec<u32>, Vec<T>)> = (0..n.div_ceil(par::CHUNK))
        .into_par_iter()
        .map(|c| {
            let (mut ends, mut items) = (Vec::new(), Vec::new());
            for i in c * par::CHUNK..((c + 1) * par::CHUNK).min(n) {
                row(i, &mut items);
                ends.push(items.len() as u32);
            }
            (ends, items)
        })
        .collect();
    let mut offsets = Vec::with_capacity(n + 1);
    offsets.push(0);
    let mut all = Vec::with_capacity(parts.iter().map(|p| p.1.len()).sum());
    for (ends, items) in parts {
        let base = all.len() as u32;
        offsets.extend(ends.into_iter().map(|e| base + e));
        all.extend(items);
    }
    (offsets, all)
}
