//! What a step does with particles, in the order it does it.

use super::heat::heat;
use super::level::refresh;
use super::motion::moved;
use super::renew::{Water, renew};
use super::transfer::gradients;
use super::{Particles, spray};
use crate::apertures::Apertures;
use crate::flows::Moment;
use crate::mesh::Mesh;
use crate::nodal::CornerVelocity;
use crate::params::Params;
use crate::solids::Solids;
use crate::state::State;
use octide_core::index::{CellId, FaceId, Field};

/// The old particles moved for a step and sorted into the cells of `mesh`, with gradients of their velocity,
/// and the volume of those that left the domain, in m³.
pub(crate) fn advance_particles(
    old: &State,
    corners: &CornerVelocity,
    mesh: &Mesh,
    solids: &Solids,
    now: Moment,
    params: &Params,
) -> (Particles, f64) {
    let moved = moved(&old.mesh, old.particles.list(), corners, &old.apertures, solids, params, now.dt);
    let gradients = gradients(&old.mesh, &old.u, &old.particles, params.transfer);
    let (moved, gradients, lost) = spray::left(mesh, moved, gradients, &params.flows, now);
    (Particles::sorted_with(mesh, moved, gradients, &old.particles), lost)
}

/// The particles of the next step, with its φ and velocity; `before_forces` is the velocity before forces and
/// pressure, for FLIP.
pub(crate) fn renew_particles(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    u: &Field<FaceId, f64>,
    before_forces: Option<&Field<FaceId, f64>>,
    apertures: &Apertures,
    solids: &Solids,
    mut particles: Particles,
    params: &Params,
) -> Particles {
    refresh(mesh, phi, &mut particles);
    let heat = heat(mesh, phi, u, params);
    let water = Water { mesh, phi, u, before: before_forces, apertures, solids, heat: &heat };
    renew(&water, particles, params)
}
