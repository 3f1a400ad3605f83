//! Refinement requests: each cell of an old tree requests a level around the position to which the flow moves
//! it. This way no detail of the old tree is missed between the centers of large cells.

use crate::octree::Refinement;
use glam::{DVec3, IVec3};

/// A request to refine the cells of a level from `low` to `high`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RefinementRequest {
    level: u8,
    low: IVec3,
    high: IVec3,
}

impl RefinementRequest {
    /// Requests cells of `level`, at least 1, wherever one of their parents has a point within `half` of
    /// `center` along each axis.
    #[inline]
    pub fn new(refinement: &Refinement, level: u8, center: DVec3, half: f64) -> Self {
        debug_assert!(level > 0, "cells of level 0 are always there");
        let level = level - 1;
        let low = refinement.coord_at(level, center - half);
        Self { level, low, high: refinement.coord_at(level, center + half) }
    }

    /// Refines the cells.
    pub fn refine(&self, refinement: &mut Refinement) {
        refinement.refine_range(self.level, self.low, self.high);
    }

    /// Appends the request, unless it equals the last one: neighbors often request the same.
    #[inline]
    pub fn push_to<T: From<Self> + PartialEq>(self, out: &mut Vec<T>) {
        let request = T::from(self);
        if out.last() != Some(&request) {
            out.push(request);
        }
    }
}

/// Returns the distance of a cell of edge `h` from detail that needs small cells: the surface or, in liquid,
/// a solid. `phi` and `solid` are the distances of its center to the two. Infinite deep inside solids.
#[inline]
pub fn distance_to_detail(phi: f64, solid: f64, h: f64) -> f64 {
    if solid < -h {
        f64::INFINITY
    } else if phi < 0.0 {
        phi.abs().min(solid.abs())
    } else {
        phi
    }
}
