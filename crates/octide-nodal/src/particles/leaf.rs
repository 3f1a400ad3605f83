//! φ at a leaf's corners, read once for all markers in it.

use super::Packed;
use crate::mesh::Mesh;
use octide_core::index::{CellId, Field, NodeId};
use octide_core::octree::nodal::trilinear;

/// φ in a leaf, in finest cells, and the least and the most that it can be there.
pub(super) struct Distances {
    values: [f64; 8],
    low: f64,
    high: f64,
}

impl Distances {
    pub(super) fn new(mesh: &Mesh, phi: &Field<NodeId, f64>, cell: CellId) -> Self {
        let dx = mesh.tree.grid().dx();
        let values = mesh.nodes.of_cell(cell).map(|v| phi[v] / dx);
        let (low, high) =
            values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &v| (l.min(v), h.max(v)));
        Self { values, low, high }
    }

    /// φ where a marker is, in finest cells.
    #[inline]
    pub(super) fn at(&self, m: Packed) -> f64 {
        trilinear(|c| self.values[c], m.place())
    }

    /// The least distance on the own side of a marker that any place of the leaf has.
    #[inline]
    pub(super) fn least(&self, m: Packed) -> f64 {
        if m.is_air() { self.low } else { -self.high }
    }

    /// The largest |φ|.
    #[inline]
    pub(super) fn farthest(&self) -> f64 {
        self.low.abs().max(self.high.abs())
    }
}
