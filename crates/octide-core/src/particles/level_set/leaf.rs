//! φ at a leaf's corners, read once for all markers in it.

use super::{MarkedField, Packed};
use crate::index::{CellId, Field};
use crate::octree::nodal::trilinear;

/// φ in a leaf, in finest cells, and the least and the most that it can be there.
pub(super) struct Distances {
    values: [f64; 8],
    low: f64,
    high: f64,
}

impl Distances {
    #[inline]
    pub(super) fn new<F: MarkedField>(field: &F, phi: &Field<F::Sample, f64>, cell: CellId) -> Self {
        let dx = field.tree().grid().dx();
        let values = field.at_corners(phi, cell).map(|v| v / dx);
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
