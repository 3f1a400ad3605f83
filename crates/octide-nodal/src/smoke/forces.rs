//! The forces on smoke (§5): vorticity confinement and buoyancy.

use super::buoyancy::lift;
use super::confinement::confine;
use super::params::SmokeParams;
use crate::boundary::Boundary;
use crate::mesh::MeshWithoutLeaves;
use octide_core::index::{FaceId, Field, NodeId};

/// Adds what the forces give in `dt` seconds to the velocity on open faces.
pub fn add_forces(
    mesh: &MeshWithoutLeaves,
    boundary: &Boundary,
    density: &Field<NodeId, f64>,
    temperature: &Field<NodeId, f64>,
    u: &mut Field<FaceId, f64>,
    dt: f64,
    params: &SmokeParams,
) {
    let open = |k: FaceId| boundary.open(k) > 0.0;
    let balanced = params.balanced_buoyancy.then_some(params.gradient_distance);
    confine(mesh, u, params.confinement, dt, open);
    lift(mesh, density, temperature, u, (params.buoyancy, params.up), balanced, dt, open);
}
