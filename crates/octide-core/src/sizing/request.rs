//! What cells of an old tree ask for in a new one: a level around the place to which the flow carries them.
//! Nothing that the old tree resolves is then overlooked between the centers of large cells.

use crate::octree::Refinement;
use glam::{DVec3, IVec3};

/// The cells of a level from `low` to `high` are to be refined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RefinementRequest {
    level: u8,
    low: IVec3,
    high: IVec3,
}

impl RefinementRequest {
    /// Asks for cells of `level`, at least 1, wherever one of their parents has a point within `half` of
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

    /// Appends the request, unless the last one is the same: neighbors often ask alike.
    #[inline]
    pub fn push_to<T: From<Self> + PartialEq>(self, out: &mut Vec<T>) {
        let request = T::from(self);
        if out.last() != Some(&request) {
            out.push(request);
        }
    }
}

/// How far a cell of edge `h` is from what needs small cells: the surface or, in liquid, a solid. `phi` and
/// `solid` are the distances of its center to the two. Infinite deep inside solids.
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
