//! The tree of a step: for where the surface will be, finest at inflows.

use crate::params::Params;
use crate::sizing::tree_for;
use crate::state::State;
use glam::Vec3;
use octide_core::contract::StepError;
use octide_core::flows::Moment;
use octide_core::index::{Field, NodeId};
use octide_core::octree::{Grading, Octree};

/// The tree for where the old surface will be; an error where it has more cells than are allowed.
pub(crate) fn wanted_tree(
    old: &State,
    corners: &Field<NodeId, Vec3>,
    now: Moment,
    params: &Params,
) -> Result<Octree, StepError> {
    let tree = tree_for(&old.mesh, &old.phi, &old.boundary, corners, now.dt, params)?;
    Ok(params.flows.refined(tree, Grading::Unrestricted, now))
}
