//! The velocity before the pressure: advection, the momentum of particles, and forces.

use crate::advect::{OldFlow, advect_faces, advect_faces_maccormack};
use crate::faults::{self, Fault};
use crate::mesh::Mesh;
use crate::open_sides;
use crate::params::{Advection, Params, Transfer};
use crate::particles::Particle;
use crate::particles::spray::deliver;
use crate::particles::transfer::Splat;
use crate::state::State;
use crate::surface::AdvectedSurface;
use crate::tension::{free_velocity, set_free_velocity};
use glam::DVec3;
use octide_core::faces::detach::Walled;
use octide_core::faces::friction::{Shore, SlowedFaces};
use octide_core::index::{CellId, FaceId, Field};
use octide_core::par;

/// Advects the old velocity to those faces of the new mesh that have liquid beside them and not enough
/// particles.
pub(crate) fn advect_velocity(
    old: &State,
    surface: &AdvectedSurface,
    splat: &Splat,
    dt: f64,
    params: &Params,
) -> Field<FaceId, f64> {
    let AdvectedSurface { mesh, phi, corners, apertures, .. } = surface;
    // Nothing reads the velocity of faces that are inside solids with all of their cells: walls open only between a cell
    // inside and one outside. Particles that take the change of velocity (FLIP) do, and so does MacCormack advection.
    let may_skip = apertures.has_solids()
        && params.advection == Advection::SemiLagrangian
        && params.surface_tension <= 0.0
        && !matches!(params.transfer, Transfer::Flip(_));
    let is_inside = |c: CellId| apertures.solid_distance(c) < 0.0;
    let is_buried = |k: FaceId| {
        may_skip
            && apertures.open(k) <= 0.0
            && mesh.faces.stencil(&mesh.tree, k).iter().all(|(c, _)| is_inside(c))
    };
    // Faces without liquid beside them are not projected; they get their velocity by extrapolation.
    let is_wet = |k: FaceId| match mesh.faces.equal_cells(&mesh.tree, k) {
        Some(sides) => sides.into_iter().any(|c| phi[c] < 0.0),
        None => mesh.faces.stencil(&mesh.tree, k).iter().any(|(c, _)| phi[c] < 0.0),
    };
    let wanted = |k: FaceId| is_wet(k) && !is_buried(k) && splat.mass(k) < liquid_share(mesh, phi, k);
    match params.advection {
        Advection::SemiLagrangian => advect_faces(&old.mesh, &old.u, corners, mesh, dt, wanted),
        Advection::MacCormack => {
            let old = OldFlow { mesh: &old.mesh, phi: &old.phi, u: &old.u, corners };
            advect_faces_maccormack(&old, mesh, phi, dt, wanted)
        }
    }
}

/// Blends `u` with the velocity of particles, and adds the momentum of those that `landed` in coarse water.
pub(crate) fn add_particle_momentum(
    surface: &AdvectedSurface,
    splat: Splat,
    landed: &[(CellId, Particle)],
    mut u: Field<FaceId, f64>,
) -> Field<FaceId, f64> {
    let AdvectedSurface { mesh, phi, .. } = surface;
    par::update(&mut u, |i, u| {
        let k = FaceId(i as u32);
        if splat.mass(k) > 0.0 {
            *u = splat.blend(k, liquid_share(mesh, phi, k), *u);
        }
    });
    deliver(mesh, landed, &mut u);
    u
}

/// With surface tension, restores the mean velocity of water that touches nothing to its value before
/// advection.
pub(crate) fn keep_free_momentum(
    old: &State,
    surface: &AdvectedSurface,
    params: &Params,
    u: &mut Field<FaceId, f64>,
) {
    let AdvectedSurface { mesh, phi, apertures, particles, .. } = surface;
    // Spray takes part of the momentum with it.
    let has_spray = || [&old.particles, particles].iter().any(|p| p.list().iter().any(Particle::is_spray));
    if params.surface_tension > 0.0
        && let Some(v) = free_velocity(&old.mesh, &old.phi, &old.apertures, &old.u)
        && !has_spray()
    {
        set_free_velocity(mesh, phi, apertures, v, u);
    }
}

/// Finds the faces on which walls slow water with the velocity `u`.
pub(crate) fn slowed_faces(
    surface: &AdvectedSurface,
    u: &Field<FaceId, f64>,
    dt: f64,
    params: &Params,
) -> SlowedFaces {
    let AdvectedSurface { mesh, phi, apertures, detached, solids, .. } = surface;
    let walled = Walled { mesh, apertures, solids };
    params.friction.find(&Shore { walled, detached, open: params.flows.open, phi: |c| phi[c], u }, dt)
}

/// Adds gravity; on open sides of the domain it is added to the velocity advected there.
pub(crate) fn add_forces(
    old: &State,
    surface: &AdvectedSurface,
    dt: f64,
    params: &Params,
    u: &mut Field<FaceId, f64>,
) {
    let AdvectedSurface { mesh, apertures, corners, .. } = surface;
    let change = params.gravity * dt;
    add_gravity(mesh, u, change);
    if params.flows.open.any() {
        open_sides::advect_velocity((&old.mesh, &old.u, corners), mesh, apertures, dt, change, u);
    }
}

fn add_gravity(mesh: &Mesh, u: &mut Field<FaceId, f64>, mut change: DVec3) {
    if faults::is(Fault::NoGravityAlongZ) {
        change.z = 0.0;
    }
    par::update(u, |i, u| {
        let k = FaceId(i as u32);
        if !mesh.faces.is_wall(k) {
            *u += change[mesh.faces.axis(k)];
        }
    });
}

/// Returns the liquid fraction of the volume around a face, from φ on both of its sides.
fn liquid_share(mesh: &Mesh, phi: &Field<CellId, f64>, face: FaceId) -> f64 {
    let (sum, weights) = if let Some([low, high]) = mesh.faces.equal_cells(&mesh.tree, face) {
        let w = 1.0 / mesh.face_size(face);
        (w * phi[low] + w * phi[high], w + w)
    } else {
        let s = mesh.faces.stencil(&mesh.tree, face);
        s.iter().fold((0.0, 0.0), |(sum, n), (c, w)| (sum + w.abs() * phi[c], n + w.abs()))
    };
    (0.5 - sum / (weights * mesh.face_size(face))).clamp(0.0, 1.0)
}
