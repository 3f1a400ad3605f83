//! Water whose room a moving solid has taken is pushed ahead of the solid.
//!
//! The flow carries water away from a solid that advances, but not exactly as much as the solid displaces. What a cell
//! has more than the solid leaves room for would come out again on the other side when the solid has passed.
//!
//! ```text
//! w = (½ + d/h) h³, at least 0 and at most h³,     M − max(0, min(M, w)) goes to the cell that the solid pushes its water to,
//! ```
//!
//! where d is the distance from the cell's center to solids after the step. Less than nothing, which fluxes beside a moving
//! solid leave, goes there too: in the solid no flow would ever balance it.

use super::open_fraction;
use crate::apertures::Apertures;
use crate::mesh::Mesh;
use crate::nodal::CornerVelocity;
use crate::regions::OpenFaces;
use crate::solids::Solids;
use glam::DVec3;
use octide_core::index::{CellId, Field};
use octide_core::par;
use octide_core::volume::OpenNeighbors;

/// Water is pushed this many cells out of a solid.
const MARGIN_CELLS: f64 = 0.5;

/// Water begins this many cells outside of solids.
const SLIGHTLY: f64 = 1e-3;

/// Where the way out of a solid leads around a wall, a place is looked for within so many cells.
const BESIDE_CELLS: i32 = 2;

/// Less than this fraction of a cell is not pushed.
const LEAST: f64 = 1e-9;

/// Solids before and after a step, and the cells of the old tree.
pub(super) struct Displacement<'a> {
    pub mesh: &'a Mesh,
    pub apertures: &'a Apertures,
    pub corners: &'a CornerVelocity,
    pub before: &'a Solids,
    pub after: &'a Solids,
}

impl Displacement<'_> {
    /// Returns where the water of a cell is after the step if nothing but solids moves it, and whether a wall has passed
    /// its center.
    fn end(&self, cell: CellId) -> (DVec3, bool) {
        let (x, h) = (self.mesh.tree.center(cell), self.mesh.tree.size(cell));
        let mut from = x;
        // Water in a wall that moves is that of the side from which it can get there: close to the middle of the wall, the
        // center does not tell.
        match self.open_side(cell).filter(|_| self.after.may_move_within(x, h)) {
            Some(beside) => from = self.mesh.tree.center(beside),
            None => {
                self.before.push_out(&mut from, SLIGHTLY * h, h);
            }
        }
        // The way out of a solid that ends at a side of the domain may lead around it.
        if !self.is_in_domain(from) {
            return (x, true);
        }
        let mut end = self.corners.barriers().stop(&self.mesh.tree, from, x, true);
        let is_stopped = end != x;
        self.after.push_out(&mut end, MARGIN_CELLS * h, h);
        if !self.is_in_domain(end) {
            return (from, true);
        }
        // At an edge of a thin wall the way out may lead around it.
        if self.corners.barriers().stop(&self.mesh.tree, from, end, true) != end {
            return (self.beside(from, end), is_stopped);
        }
        (end, is_stopped)
    }

    /// Returns the cell farthest outside solids that an open face joins with a cell inside one.
    fn open_side(&self, cell: CellId) -> Option<CellId> {
        let distance = |c: CellId| self.apertures.solid_distance(c);
        let mut farthest: Option<CellId> = None;
        if distance(cell) < 0.0 {
            let open = OpenFaces { mesh: self.mesh, apertures: self.apertures };
            open.for_each_open(cell, |j| {
                if distance(j) >= 0.0 && farthest.is_none_or(|f| distance(j) > distance(f)) {
                    farthest = Some(j);
                }
            });
        }
        farthest
    }

    /// Returns the center of the cell nearest to `end` that is outside solids and on the same side of walls as `from`;
    /// `from` if there is none.
    fn beside(&self, from: DVec3, end: DVec3) -> DVec3 {
        let h = self.mesh.tree.size(self.mesh.tree.nearest_leaf(end));
        let side = 2 * BESIDE_CELLS + 1;
        let mut nearest = (f64::INFINITY, from);
        for i in 0..side.pow(3) {
            let step =
                DVec3::new(f64::from(i % side), f64::from(i / side % side), f64::from(i / side.pow(2)));
            let to = end + h * (step - f64::from(BESIDE_CELLS));
            let far = to.distance_squared(end);
            if far < nearest.0
                && self.is_in_domain(to)
                && self.after.distance(to) >= 0.0
                && self.corners.barriers().stop(&self.mesh.tree, from, to, true) == to
            {
                nearest = (far, to);
            }
        }
        nearest.1
    }

    fn is_in_domain(&self, x: DVec3) -> bool {
        let leaf = self.mesh.tree.nearest_leaf(x);
        (x - self.mesh.tree.center(leaf)).abs().max_element() <= 0.5 * self.mesh.tree.size(leaf)
    }

    /// Moves the content of cells that has no room any more, and what they have less than nothing. Returns its volume in m³.
    pub fn push(&self, content: &mut Field<CellId, f64>) -> f64 {
        if self.after.is_empty() {
            return 0.0;
        }
        let pushed = par::collect(self.mesh.tree.n_cells(), |i, out: &mut Vec<(CellId, CellId, f64)>| {
            let c = CellId(i as u32);
            let (x, h) = (self.mesh.tree.center(c), self.mesh.tree.size(c));
            let least = LEAST * h.powi(3);
            if content[c].abs() <= least {
                return;
            }
            let moves = self.after.may_move_within(x, h);
            if !moves && self.apertures.solid_distance(c) >= 0.0 {
                return;
            }
            let distance = if moves { self.after.distance(x) } else { self.apertures.solid_distance(c) };
            let (end, is_stopped) = self.end(c);
            // Behind a wall that has passed the cell's center there is no room for water from before it.
            let room = if is_stopped { 0.0 } else { h.powi(3) * open_fraction(distance, h) };
            let rest = content[c] - content[c].clamp(0.0, room);
            let to = self.mesh.tree.nearest_leaf(end);
            if rest.abs() > least && to != c {
                out.push((c, to, rest));
            }
        });
        let mut moved = 0.0;
        for (from, to, volume) in pushed {
            content[from] -= volume;
            content[to] += volume;
            moved += volume.abs();
        }
        moved
    }
}
