//! Water that hits a ceiling detaches from it again: see [`octide_core::ceiling`].
//!
//! The authors' code always clears the layer; then no wall stops water that rises to it, and the water is
//! lost.

use crate::flows::Moment;
use crate::mesh::Mesh;
use crate::params::Params;
use crate::state::State;
use glam::DVec3;
use octide_core::ceiling::{self, Ceiling};
use octide_core::index::{CellId, Field};
use octide_core::octree::{Grading, Octree};

/// Returns whether all liquid is clear of ceilings.
pub fn is_clear(mesh: &Mesh, phi: &Field<CellId, f64>, gravity: DVec3) -> bool {
    ceiling::is_clear(mesh.tree.grid(), phi, |c| mesh.tree.center(c), gravity)
}

/// Returns whether water may detach from ceilings in a step.
pub(crate) fn may_detach(old: &State, now: Moment, params: &Params) -> bool {
    old.clear_ceiling || params.flows.has_exit(now)
}

/// Returns whether the pressure of sealed water decides where it detaches: water that did not start at a
/// ceiling has air above it.
pub(crate) fn settles_pressure(old: &State, now: Moment, params: &Params) -> bool {
    !old.clear_ceiling && params.flows.has_exit(now)
}

/// Returns whether a ceiling holds the old water at a point by suction: its pressure is negative, and it is
/// not beside a face of an open side through which water leaves.
fn holds(old: &State, gravity: DVec3, x: DVec3, ceiling: Ceiling) -> bool {
    let dx = old.mesh.tree.grid().dx();
    let suction = if old.clear_ceiling { 0.0 } else { ceiling::least_suction(gravity, dx) };
    let cell = old.mesh.tree.nearest_leaf(x);
    let face = old.mesh.faces.of_cell(cell)[2 * ceiling.axis + usize::from(ceiling.is_high)];
    old.pressure[cell] < -suction && !(old.mesh.faces.is_wall(face) && old.apertures.open(face) > 0.0)
}

/// Adds a layer of air to φ below ceilings where they hold the old water by suction. Returns φ and the cells of that layer.
pub(crate) fn detach_from_ceiling(
    old: &State,
    mesh: &Mesh,
    phi: Field<CellId, f64>,
    gravity: DVec3,
) -> (Field<CellId, f64>, Vec<CellId>) {
    let holds = |x, ceiling| holds(old, gravity, x, ceiling);
    let before = phi.clone();
    let phi = ceiling::detach_from_ceiling(mesh.tree.grid(), phi, |c| mesh.tree.center(c), gravity, holds);
    let cleared = mesh.tree.cells().filter(|&c| phi[c] != before[c]).collect();
    (phi, cleared)
}

/// Refines a tree below ceilings that hold water which should fall.
pub(crate) fn refined(old: &State, tree: Octree, now: Moment, params: &Params) -> Octree {
    // Water with air above it has fine cells around its surface.
    if !settles_pressure(old, now, params) {
        return tree;
    }
    ceiling::refined(tree, Grading::Graded, params.gravity, |x, ceiling| {
        old.phi[old.mesh.tree.nearest_leaf(x)] < 0.0 && holds(old, params.gravity, x, ceiling)
    })
}
