//! The tree of a step: refined where the surface will be, and finest at inflows and outflows and below
//! ceilings that water detaches from, and small enough for thin walls to hold.

use crate::memory::WATER;
use crate::params::Params;
use crate::phi::holds;
use crate::sizing::tree_for;
use crate::state::State;
use glam::Vec3;
use octide_core::ceiling;
use octide_core::contract::StepError;
use octide_core::flows::Moment;
use octide_core::index::{Field, NodeId};
use octide_core::octree::{Grading, Octree};
use octide_core::solids::{Solids, refined_at_walls};

/// Builds the tree for where the old surface will be, or returns an error if it has more cells than allowed.
pub(crate) fn wanted_tree(
    old: &State,
    corners: &Field<NodeId, Vec3>,
    solids: &Solids,
    now: Moment,
    params: &Params,
) -> Result<Octree, StepError> {
    let tree = tree_for(&old.mesh, &old.phi, &old.boundary, corners, now.dt, params)?;
    let tree = params.flows.refined(tree, Grading::Unrestricted, now);
    let depth = |x| old.mesh.at_center(&old.phi, old.mesh.tree.nearest_leaf(x));
    let tree = refined_at_walls(tree, Grading::Unrestricted, solids, depth);
    WATER.allow(tree.n_cells(), params.max_cells)?;
    // Water that did not start at a ceiling has air above it and fine cells around its surface.
    if old.clear_ceiling || !params.flows.has_exit(now) {
        return Ok(tree);
    }
    let suction = ceiling::least_suction(params.gravity, old.mesh.tree.grid().dx());
    Ok(ceiling::refined(tree, Grading::Unrestricted, params.gravity, |x, ceiling| {
        let cell = old.mesh.tree.nearest_leaf(x);
        old.mesh.at_center(&old.phi, cell) < 0.0
            && holds(&old.mesh, &old.boundary, (&old.u, &old.pressure), suction, x, ceiling)
    }))
}
