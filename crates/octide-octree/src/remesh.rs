//! The mesh of a step: the tree that sizing asks for where the surface will be, finest at inflows (§6).

use crate::flows::Moment;
use crate::mesh::Mesh;
use crate::nodal::CornerVelocity;
use crate::params::Params;
use crate::particles::spray;
use crate::sizing::{Asking, fade, tree_for};
use crate::state::State;
use octide_core::contract::StepError;
use octide_core::index::{CellId, Field};
use octide_core::octree::{Grading, Octree};

/// The new mesh, on a tree of `s` or on one that is given, and what is left of `s` on it; an error where the
/// tree has more cells than are allowed.
pub(crate) fn remesh(
    old: &State,
    s: Field<CellId, f64>,
    corners: &CornerVelocity,
    tree: Option<Octree>,
    now: Moment,
    params: &Params,
) -> Result<(Mesh, Field<CellId, f32>), StepError> {
    let tree = tree.map_or_else(|| wanted_tree(old, &s, corners, now, params), Ok)?;
    let mesh = Mesh::new(tree).with_interpolation(params.interpolation);
    let decayed = fade(&old.mesh, &s, corners, &mesh, now.dt, &params.sizing);
    Ok((mesh, decayed))
}

fn wanted_tree(
    old: &State,
    s: &Field<CellId, f64>,
    corners: &CornerVelocity,
    now: Moment,
    params: &Params,
) -> Result<Octree, StepError> {
    let asking = Asking { phi: &old.phi, apertures: &old.apertures, s, corners };
    let landings = spray::landings(&old.mesh, &old.phi, &old.particles, now.dt);
    let tree = tree_for(&old.mesh, &asking, &landings, now.dt, params)?;
    Ok(params.flows.refined(tree, Grading::Graded, now))
}
