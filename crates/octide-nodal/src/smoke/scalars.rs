//! Density and temperature (§5), "passively advected with the flow velocity". In a step, clean air also
//! enters through open sides, and both decay.

use super::open_sides;
use super::params::SmokeParams;
use super::state::SmokeState;
use crate::advect::advect_nodes;
use crate::mesh::{Mesh, MeshWithoutLeaves};
use crate::paths::Paths;
use glam::Vec3;
use octide_core::index::{Field, NodeId};
use octide_core::octree::CornersOfCells;
use octide_core::par;
use octide_core::solids::Barriers;

/// Returns density and temperature, in this order, on the corners of `mesh` after `dt`. `was` is what is left
/// of the old mesh, with the velocity at its corners, and `barriers` are walls that smoke does not cross.
pub fn advect_scalars(
    old: &SmokeState,
    was: &Mesh<(), CornersOfCells>,
    velocity: Field<NodeId, Vec3>,
    barriers: &Barriers,
    mesh: &MeshWithoutLeaves,
    dt: f64,
    params: &SmokeParams,
) -> [Field<NodeId, f64>; 2] {
    let paths = Paths { velocity: &velocity, barriers: Some(barriers) };
    let mut scalars = advect_nodes(was, [&old.density, &old.temperature], paths, mesh, dt, params.advection);
    let fresh = open_sides::fresh(was, &velocity, mesh, dt, params.open);
    drop(velocity);
    for (q, share) in scalars.iter_mut().zip(params.half_life.left_after(dt)) {
        open_sides::clear(mesh, fresh.as_ref(), q);
        par::update(q, |_, q| *q *= share);
    }
    scalars
}
