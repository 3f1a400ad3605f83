//! Thin walls that paths of a step must not cross.

use super::{Solids, Sweep};
use crate::index::{CellId, Field};
use crate::octree::Octree;
use crate::par;
use glam::DVec3;
use std::sync::Arc;

/// The walls of a step: solids before and after it, and the cells of the old tree that they are near.
#[derive(Clone, Debug, Default)]
pub struct Barriers {
    before: Arc<Solids>,
    after: Arc<Solids>,
    /// The farthest that a solid moves in the step.
    way: f64,
    /// The distance from each cell to solids before the step, in steps and rounded down; [`FAR`] where no path of fluid may
    /// meet a wall. Empty without thin walls.
    near: Field<CellId, u8>,
}

/// Step of the distances that are kept, in finest cells.
const DISTANCE_STEP: f64 = 0.25;

/// The largest distance that is kept.
const FAR: u8 = u8::MAX;

impl Barriers {
    /// Finds the cells of `tree`, the old one, that are near walls: fluid travels no farther than `travel` in the
    /// step of length `dt`. `distance` is that of a cell's center to solids before the step.
    pub fn new(
        before: Arc<Solids>,
        after: Arc<Solids>,
        dt: f64,
        tree: &Octree,
        distance: impl Fn(CellId) -> f64 + Sync + Send,
        travel: f64,
    ) -> Self {
        if !after.any_thin {
            return Self::default();
        }
        let (low, high) = (tree.grid().low(), tree.grid().high());
        // Twice the way at the faster end allows for speeds in between.
        let way = 2.0 * dt * before.max_speed(low, high).max(after.max_speed(low, high));
        let reach = Sweep::new(&before, &after, way).reach(travel);
        let step = DISTANCE_STEP * tree.grid().dx();
        let near = par::map(tree.n_cells(), |c: CellId| match distance(c) - tree.size(c) {
            d if d < reach => ((d / step) as u8).min(FAR - 1),
            _ => FAR,
        });
        Self { before, after, way, near }
    }

    /// Returns where a path ends that goes from `x` at the end of the step back to `foot`.
    #[inline]
    pub fn stop_back(&self, tree: &Octree, x: DVec3, foot: DVec3) -> DVec3 {
        if !self.is_near(tree, x, foot) {
            return foot;
        }
        Sweep::new(&self.after, &self.before, self.way).stop(x, foot)
    }

    /// Returns where a path ends that goes from `x` to `to` through solids as they are after the step.
    #[inline]
    pub fn stop_after(&self, tree: &Octree, x: DVec3, to: DVec3) -> DVec3 {
        if !self.is_near(tree, x, to) {
            return to;
        }
        Sweep::new(&self.after, &self.after, 0.0).stop(x, to)
    }

    /// Returns where a path ends that goes from `from`, in a cell of the old tree, to `to` in the course of the
    /// step. What is faster than the fluid may not be near a wall at its start.
    #[inline]
    pub fn stop(&self, tree: &Octree, from: DVec3, to: DVec3, is_fast: bool) -> DVec3 {
        if self.near.is_empty() || !(is_fast || self.is_near(tree, from, to)) {
            return to;
        }
        Sweep::new(&self.before, &self.after, self.way).stop(from, to)
    }

    /// Returns whether a path of fluid from a point in a cell of the old tree may meet a wall.
    #[inline]
    fn is_near(&self, tree: &Octree, from: DVec3, to: DVec3) -> bool {
        if self.near.is_empty() {
            return false;
        }
        let near = self.near[tree.nearest_leaf(from)];
        let reach = Sweep::new(&self.before, &self.after, self.way).reach(from.distance(to));
        near != FAR && f64::from(near) * DISTANCE_STEP * tree.grid().dx() < reach
    }
}
