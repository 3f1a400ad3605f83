//! Who touches whom: face neighbours as a graph, and for cells at changes of level all leaves that share a
//! face, an edge or a corner.
//!
//! Needs a graded tree.

use super::nodes::Nodes;
use super::tree::Octree;
use crate::index::{CellId, Field};
use crate::par;

/// Neighbour lists of the leaves.
#[derive(Clone, Debug, PartialEq)]
pub struct Contacts {
    offsets: Vec<u32>,
    face_neighbors: Vec<u32>,
    /// Whether all leaves around are of the cell's own level (those that there are: walls do not count).
    regular: Field<CellId, bool>,
    /// For irregular cells, all leaves that touch them, themselves first.
    touch_offsets: Vec<u32>,
    touching: Vec<CellId>,
}

impl Contacts {
    /// The lists of a graded tree.
    pub fn new(tree: &Octree, nodes: &Nodes) -> Self {
        let n = tree.n_cells();
        let regular = par::map(n, |cell: CellId| {
            let level = tree.level(cell);
            nodes
                .of_cell(cell)
                .iter()
                .all(|&v| nodes.cells(v).iter().all(|&other| other.is_none() || tree.level(other) == level))
        });
        let (offsets, face_neighbors) = ragged(n, |i, out: &mut Vec<u32>| {
            for direction in 0..6 {
                tree.for_face_neighbors(CellId(i as u32), direction, &mut |c| out.push(c.0));
            }
        });
        let (touch_offsets, touching) = ragged(n, |i, out: &mut Vec<CellId>| {
            let cell = CellId(i as u32);
            if regular[cell] {
                return;
            }
            out.push(cell);
            for (c, &v) in nodes.of_cell(cell).iter().enumerate() {
                let around = nodes.cells(v);
                for (o, &other) in around.iter().enumerate() {
                    let new = other.is_some() && other != cell && !around[..o].contains(&other);
                    if new && first_corner(tree, cell, other) == c {
                        out.push(other);
                    }
                }
            }
        });
        Self { offsets, face_neighbors, regular, touch_offsets, touching }
    }

    /// Leaves that share a part of a face with a cell.
    #[inline]
    pub fn face_neighbors(&self, cell: CellId) -> &[u32] {
        let i = cell.0 as usize;
        &self.face_neighbors[self.offsets[i] as usize..self.offsets[i + 1] as usize]
    }

    /// Whether all leaves around a cell are of its own level.
    #[inline]
    pub fn is_regular(&self, cell: CellId) -> bool {
        self.regular[cell]
    }

    /// All leaves that touch an irregular cell, itself first; nothing for a regular one.
    #[inline]
    pub fn touching(&self, cell: CellId) -> &[CellId] {
        let i = cell.0 as usize;
        &self.touching[self.touch_offsets[i] as usize..self.touch_offsets[i + 1] as usize]
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        4 * (self.offsets.len() + self.face_neighbors.len() + self.touch_offsets.len() + self.touching.len())
            + self.regular.len()
    }
}

/// The lowest corner of `cell` that `other`, which touches it, touches: each is listed there only.
fn first_corner(tree: &Octree, cell: CellId, other: CellId) -> usize {
    let (a, b) = (tree.node_of(cell), tree.node_of(other));
    let (half_a, half_b) = (tree.half_extent(a), tree.half_extent(b));
    let apart = tree.lattice_center(b) - tree.lattice_center(a);
    // Low along an axis where the other reaches the cell's low side.
    (0..3).map(|axis| usize::from((apart[axis] + half_a).abs() > half_b) << axis).sum()
}

/// Rows of different lengths: where each begins, and all of them in order.
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
