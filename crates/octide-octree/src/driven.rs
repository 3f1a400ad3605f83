//! Tracking: the surface is advected by a given velocity, without forces and pressure.
//!
//! The stages are those of a [`step`](crate::step) for the surface, by the same functions: build a tree for
//! the surface at the end of the step, advect φ to it, redistance φ. Then the velocity is set to the one
//! given for the next step. With volume correction, a velocity −∇p with the required divergence is added, p =
//! 0 on the surface.
//!
//! Volume that is kept cell by cell moves by the flow through faces. The given velocity is averaged over them,
//!
//! ```text
//! u_k = 1/a_k ∫ u·n dA,     u ← u − ∇q in all cells, water and air, so that Σ ± u_k a_k = 0
//! ```
//!
//! with q = 0 on open sides of the domain. The averages have no divergence but for that of small cells at T-junctions, whose four small faces have
//! one velocity. There is no spray: the velocity is that of everything.

use crate::apertures::Apertures;
use crate::conserve::conserve;
use crate::correct::{Correction, correction};
use crate::extend::{extend_velocity, restore_distance};
use crate::mesh::Mesh;
use crate::nodal::separating_corner_velocity;
use crate::params::Params;
use crate::particles::stages::renew_particles;
use crate::project::project;
use crate::state::State;
use crate::step::{advect_surface, solids_at};
use crate::surface::AdvectedSurface;
use glam::DVec3;
use octide_core::contract::StepError;
use octide_core::health::check_flow;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::octree::Octree;
use octide_core::par;
use octide_core::scene::{Solid, VolumeCorrection};
use octide_core::stopwatch::Stopwatch;

/// A velocity at every point.
pub type Velocity<'a> = &'a (dyn Fn(DVec3) -> DVec3 + Sync);

/// Returns the velocity on all faces; zero on walls.
pub fn on_faces(mesh: &Mesh, velocity: Velocity<'_>) -> Field<FaceId, f64> {
    par::map(mesh.n_faces(), |k: FaceId| {
        if mesh.faces.is_wall(k) { 0.0 } else { velocity(mesh.face_position(k))[mesh.faces.axis(k)] }
    })
}

/// Points on a face, from its center in its edges, at which the mean of a cubic is that over the face.
const GAUSS: [f64; 2] = [-0.28867513459481287, 0.28867513459481287];

/// Returns the velocity that moves a state: as given, or on faces with their mean and without divergence where volume is kept cell
/// by cell.
pub(crate) fn given_velocity(
    mesh: &Mesh,
    apertures: &Apertures,
    velocity: Velocity<'_>,
    params: &Params,
) -> Result<Field<FaceId, f64>, StepError> {
    if params.volume_correction != VolumeCorrection::Local {
        return Ok(on_faces(mesh, velocity));
    }
    let u = par::map(mesh.n_faces(), |k: FaceId| {
        if apertures.is_wall(mesh, k) {
            return 0.0;
        }
        let (x, axis, h) = (mesh.face_position(k), mesh.faces.axis(k), mesh.face_size(k));
        let [a, b] = [(axis + 1) % 3, (axis + 2) % 3].map(|a| h * DVec3::AXES[a]);
        let of = |i: f64, j: f64| velocity(x + i * a + j * b)[axis];
        GAUSS.iter().map(|&i| GAUSS.iter().map(|&j| of(i, j)).sum::<f64>()).sum::<f64>() / 4.0
    });
    let water = par::map(mesh.n_cells(), |c: CellId| -mesh.tree.size(c));
    let none = Field::filled(mesh.n_cells(), 0.0);
    Ok(project(mesh, &water, apertures, u, 0.0, none, params)?.u)
}

/// Advects the surface of `old` by the velocity of `old` for `dt`, onto a tree that the step builds or a given one, and then sets
/// the velocity to `next`.
pub fn step_driven(
    old: &State,
    tree: Option<Octree>,
    dt: f64,
    solids: &[Solid],
    params: &Params,
    next: Velocity<'_>,
) -> Result<State, StepError> {
    let before = solids_at(old, old.time, solids);
    let corners = separating_corner_velocity(&old.mesh, &old.u, (&old.apertures, &before));
    let mut surface = advect_surface(old, corners, tree, dt, solids, params, &mut Stopwatch::new())?;
    let conserved = conserve(old, &mut surface, None, dt, params);
    let Correction { volume, divergence, control, regions, content } =
        correction(old, &mut surface, conserved, dt, params)?;
    let AdvectedSurface { mesh, apertures, decayed_sizing, phi, particles, solids, .. } = surface;
    let mut u = given_velocity(&mesh, &apertures, next, params)?;
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
