//! Density and temperature (§5), "passively advected with the flow velocity", and what is left of them after a
//! step: clean air comes in through open sides, and both decay.

use super::open_sides;
use super::params::SmokeParams;
use super::state::SmokeState;
use crate::advect::advect_nodes;
use crate::mesh::{Mesh, MeshWithoutLeaves};
use glam::Vec3;
use octide_core::index::{Field, NodeId};
use octide_core::octree::CornersOfCells;
use octide_core::par;

/// Density and temperature on the corners of `mesh` after `dt`, in this order. `was` is what is left of the
/// old mesh, `paths` the velocity at its corners.
pub fn advect_scalars(
    old: &SmokeState,
    was: &Mesh<(), CornersOfCells>,
    paths: Field<NodeId, Vec3>,
    mesh: &MeshWithoutLeaves,
    dt: f64,
    params: &SmokeParams,
) -> [Field<NodeId, f64>; 2] {
    let mut scalars = advect_nodes(was, [&old.density, &old.temperature], &paths, mesh, dt, params.advection);
    let fresh = open_sides::fresh(was, &paths, mesh, dt, params.open);
    drop(paths);
    for (q, share) in scalars.iter_mut().zip(params.half_life.left_after(dt)) {
        open_sides::clear(mesh, fresh.as_ref(), q);
        par::update(q, |_, q| *q *= share);
    }
    scalars
}
