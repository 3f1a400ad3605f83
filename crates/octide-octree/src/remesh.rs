//! The mesh of a step: the tree that sizing requests for the surface at the end of the step, finest at
//! inflows and outflows and below ceilings that water detaches from (§6), and small enough for thin walls to hold.

use crate::ceiling;
use crate::flows::Moment;
use crate::memory::MODEL;
use crate::mesh::Mesh;
use crate::nodal::CornerVelocity;
use crate::params::Params;
use crate::particles::spray;
use crate::sizing::{SizingInput, decayed, tree_for};
use crate::solids::{Solids, refined_at_walls};
use crate::state::State;
use octide_core::contract::StepError;
use octide_core::index::{CellId, Field};
use octide_core::octree::{Grading, Octree};

/// Builds the new mesh, from the sizing values `s` or on a given tree, and returns it with the decayed values
/// of `s` on it. Returns an error if the tree has more cells than are allowed.
pub(crate) fn remesh(
    old: &State,
    s: Field<CellId, f64>,
    corners: &CornerVelocity,
    tree: Option<Octree>,
    solids: &Solids,
    now: Moment,
    params: &Params,
) -> Result<(Mesh, Field<CellId, f32>), StepError> {
    let tree = tree.map_or_else(|| wanted_tree(old, &s, corners, solids, now, params), Ok)?;
    let mesh = Mesh::new(tree).with_interpolation(params.interpolation);
    let decayed_sizing = decayed(&old.mesh, &s, corners, &mesh, now.dt, params.sizing.decay);
    Ok((mesh, decayed_sizing))
}

fn wanted_tree(
    old: &State,
    s: &Field<CellId, f64>,
    corners: &CornerVelocity,
    solids: &Solids,
    now: Moment,
    params: &Params,
) -> Result<Octree, StepError> {
    let input = SizingInput { phi: &old.phi, apertures: &old.apertures, s, corners };
    let landings = spray::landings(&old.mesh, &old.phi, &old.particles, now.dt);
    let tree = tree_for(&old.mesh, &input, &landings, now.dt, params)?;
    let tree = params.flows.refined(tree, Grading::Graded, now);
    let depth = |x| old.phi[old.mesh.tree.nearest_leaf(x)];
    let tree = refined_at_walls(tree, Grading::Graded, solids, depth);
    MODEL.allow(tree.n_cells(), params.max_cells)?;
    Ok(ceiling::refined(old, tree, now, params))
}
