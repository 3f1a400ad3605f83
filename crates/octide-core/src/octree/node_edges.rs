//! Corners along the edges of leaves: the next corner in each direction.
//!
//! Where leaves of different sizes meet at a corner, the edge in a direction is that of the largest of them;
//! the corners in between hang on it. The other end may itself hang on an even larger leaf. Hanging corners
//! have no edges. Works on any tree.

use super::nodes::Nodes;
use super::tree::Octree;
use crate::index::{CellId, Field, NodeId};
use crate::par;

/// The next corner in each direction.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeEdges {
    next: Field<NodeId, [NodeId; 6]>,
}

impl NodeEdges {
    /// Builds the edges of a tree's corners.
    pub fn new(tree: &Octree, nodes: &Nodes) -> Self {
        let next = par::map(nodes.len(), |v: NodeId| {
            if nodes.is_hanging(v) {
                return [NodeId::NONE; 6];
            }
            let cells = nodes.cells(v);
            let levels = cells.map(|c| if c.is_some() { tree.level(c) } else { u8::MAX });
            std::array::from_fn(|direction| {
                let (axis, side) = (direction / 2, direction & 1);
                let mut largest = (u8::MAX, CellId::NONE, 0);
                for o in (0..8).filter(|o| o >> axis & 1 == side) {
                    if cells[o].is_some() && levels[o] < largest.0 {
                        largest = (levels[o], cells[o], o);
                    }
                }
                let (_, cell, o) = largest;
                // In the leaf of octant o this corner has number 7 − o.
                if cell.is_some() { nodes.of_cell(cell)[(7 - o) ^ (1 << axis)] } else { NodeId::NONE }
            })
        });
        Self { next }
    }

    /// Returns the corners at the other ends of a corner's edges, by direction; `NONE` beyond the domain.
    #[inline]
    pub fn of_node(&self, node: NodeId) -> &[NodeId; 6] {
        &self.next[node]
    }

    /// Returns the number of bytes held.
    pub fn bytes(&self) -> usize {
        24 * self.next.len()
    }
}
