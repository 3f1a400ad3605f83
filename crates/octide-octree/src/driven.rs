//! Tracking: the surface is advected by a given velocity, without forces and pressure.
//!
//! The stages are those of a [`step`](crate::step) for the surface, by the same functions: build a tree for
//! the surface at the end of the step, advect φ to it, redistance φ. Then the velocity is set to the one
//! given for the next step. With volume correction, a velocity −∇p with the required divergence is added, p =
//! 0 on the surface.

use crate::conserve::conserve;
use crate::correct::{Correction, correction};
use crate::extend::{extend_velocity, restore_distance};
use crate::mesh::Mesh;
use crate::nodal::separating_corner_velocity;
use crate::params::Params;
use crate::particles::spray::Separated;
use crate::particles::stages::renew_particles;
use crate::project::project;
use crate::state::State;
use crate::step::{advect_surface, solids_at};
use crate::surface::AdvectedSurface;
use glam::DVec3;
use octide_core::contract::StepError;
use octide_core::health::check_flow;
use octide_core::index::{FaceId, Field};
use octide_core::par;
use octide_core::scene::Solid;
use octide_core::stopwatch::Stopwatch;

/// A velocity at every point.
pub type Velocity<'a> = &'a (dyn Fn(DVec3) -> DVec3 + Sync);

/// Returns the velocity on all faces; zero on walls.
pub fn on_faces(mesh: &Mesh, velocity: Velocity<'_>) -> Field<FaceId, f64> {
    par::map(mesh.n_faces(), |k: FaceId| {
        if mesh.faces.is_wall(k) { 0.0 } else { velocity(mesh.face_position(k))[mesh.faces.axis(k)] }
    })
}

/// Advects the surface of `old` by the velocity of `old` for `dt`, and then sets the velocity to `next`.
pub fn step_driven(
    old: &State,
    dt: f64,
    solids: &[Solid],
    params: &Params,
    next: Velocity<'_>,
) -> Result<State, StepError> {
    let before = solids_at(old, old.time, solids);
    let corners = separating_corner_velocity(&old.mesh, &old.u, (&old.apertures, &before));
    let mut surface = advect_surface(old, corners, None, dt, solids, params, &mut Stopwatch::new())?;
    let conserved = conserve(old, &mut surface, &Separated::default(), dt, params);
    let Correction { volume, divergence, control, regions, content } =
        correction(old, &mut surface, conserved, dt, params)?;
    let AdvectedSurface { mesh, apertures, decayed_sizing, phi, particles, solids, .. } = surface;
    let mut u = on_faces(&mesh, next);
    let none = Field::filled(mesh.n_cells(), 0.0);
    if !divergence.is_zero() {
        let still = Field::filled(mesh.n_faces(), 0.0);
        let given = project(&mesh, &phi, &apertures, still, divergence, none.clone(), params)?;
        let given = extend_velocity(&mesh, &phi, &apertures, given.u, &given.valid);
        par::update(&mut u, |k, u| *u += given[FaceId(k as u32)]);
    }
    let phi = restore_distance(&mesh, &phi, &apertures);
    let particles = renew_particles(&mesh, &phi, &u, None, &apertures, &solids, particles, params);
    check_flow(&phi, |c| mesh.tree.center(c), &u, |k| mesh.face_position(k))?;
    let max_component = par::max(mesh.n_faces(), |k| u[FaceId(k as u32)].abs());
    let (time, clear_ceiling) = (old.time + dt, old.clear_ceiling);
    Ok(State {
        detached: Vec::new(),
        time,
        mesh: mesh.into(),
        apertures,
        phi,
        u,
        pressure: none,
        decayed_sizing,
        particles,
        clear_ceiling,
        max_component,
        volume,
        control,
        content,
        exact_flow: Vec::new(),
        crossing: Vec::new(),
        regions,
    })
}
