//! φ at a leaf's corners, read once for all markers in it.

use super::{MarkedField, Packed};
use crate::index::{CellId, Field};
use crate::octree::nodal::trilinear;

/// φ at the corners of a leaf, in finest cells, with its minimum and maximum.
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

    /// Returns φ at a marker, in finest cells.
    #[inline]
    pub(super) fn at(&self, m: Packed) -> f64 {
        trilinear(|c| self.values[c], m.place())
    }

    /// Returns the smallest signed distance in the leaf, positive on the marker's own side.
    #[inline]
    pub(super) fn least(&self, m: Packed) -> f64 {
        if m.is_air() { self.low } else { -self.high }
    }

    /// Returns the largest |φ|.
    #[inline]
    pub(super) fn farthest(&self) -> f64 {
        self.low.abs().max(self.high.abs())
    }
}
