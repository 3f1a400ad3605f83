//! One time step, which reads the old state and builds a new one.
//!
//! The paper splits eq. (1) into advection and projection (§3.2) and does not prescribe the order of the
//! other parts. The order here is
//!
//! ```text
//! 1  velocity at corners, used to trace points                                                     §5.1
//! 2  sizing values S, the new tree, apertures A of its faces              §6, eqs. (36)–(39); §4.4
//! 3  advect φ to it, move particles, correct φ by them, apply walls and flows to φ            §3.2, §7
//! 4  advect u* to it, add the momentum of particles and gravity                               §3.2, §7
//! 5  divergence that restores lost volume                                                           §7
//! 6  surface tension and pressure, u = u* − [F∇]{p}             §4, eqs. (3), (4), (24), (25), (32)
//! 7  redistance φ, extend u into air and solids                                                   §7.1
//! 8  reseed particles                                                                               §7
//! ```
//!
//! `advect_surface` does 2 and 3, `predict_velocity` does 4 and 5, and [`step`] does everything. Tracking
//! without dynamics ([`driven`](crate::driven)) and studies of the pressure ([`pressure_system`]) run some of
//! these parts.
//!
//! Differs from the authors' code, which builds the new tree for the current surface: here the tree is built
//! for the surface at the end of the step, so that nothing is advected to cells that are too large for it.
//! The pressure uses φ as it was advected, before redistancing; therefore 6 and the first half of 7 are
//! independent and run in parallel.

use crate::apertures::measured_after;
use crate::ceiling;
use crate::conserve::conserve;
use crate::correct::{Correction, correction};
use crate::extend::{ExtendedVelocity, extend_projected_velocity};
use crate::flows::{Moment, Prescribed, prescribe};
use crate::health;
use crate::mesh::Mesh;
use crate::nodal::{CornerVelocity, separating_corner_velocity, take_corner_velocity};
use crate::params::{Params, Transfer};
use crate::particles::level::correct;
use crate::particles::spray::separate_spray;
use crate::particles::stages::{advance_particles, renew_particles};
use crate::particles::transfer::Splat;
use crate::phi::{BoundedPhi, advect_phi, apply_boundaries};
use crate::pressure::{Solved, Walls, guess_pressure, project_and_redistance};
use crate::project::{Guess, PressureSystem, assemble};
use crate::remesh::remesh;
use crate::sizing::sizing;
use crate::solids::{Barriers, Solids};
use crate::state::State;
use crate::surface::AdvectedSurface;
use crate::tension::Tension;
use crate::velocity::{add_forces, add_particle_momentum, advect_velocity, keep_free_momentum, slowed_faces};
use octide_core::contract::StepError;
use octide_core::health::check_flow;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::octree::{FoldedTree, Octree};
use octide_core::par;
pub use octide_core::report::StepFindings;
use octide_core::scene::Solid;
use octide_core::stopwatch::Stopwatch;
use std::sync::Arc;

/// Advances `old` by `dt`, on a tree that the step builds, or on `tree` if one is given (for studies). The
/// tables of the mesh of `old` are freed as soon as nothing reads them any more; if the step fails, the mesh
/// is rebuilt from one bit per node, so that `old` is unchanged.
pub fn step(
    old: &mut State,
    tree: Option<Octree>,
    dt: f64,
    solids: &[Solid],
    params: &Params,
) -> Result<(State, StepFindings), StepError> {
    let folded = FoldedTree::new(&old.mesh.tree);
    let result = advance(old, tree, dt, solids, params)
        .and_then(|(new, findings)| health::check(old, &new, dt, params).map(|()| (new, findings)));
    Solids::check_meshes(solids).and(result).inspect_err(|_| {
        let mesh = Mesh::new(folded.unfold()).with_interpolation(params.interpolation);
        old.mesh.put_back(mesh);
    })
}

/// Returns the pressure system of a step of length `dt` and its mesh, for studies of solvers.
pub fn pressure_system(
    old: &State,
    dt: f64,
    solids: &[Solid],
    params: &Params,
) -> Result<(Mesh, PressureSystem), StepError> {
    let watch = &mut Stopwatch::new();
    let solids_before = solids_at(old, old.time, solids);
    let corners = separating_corner_velocity(&old.mesh, &old.u, (&old.apertures, &solids_before));
    let mut surface = advect_surface(old, corners, None, dt, solids, params, watch)?;
    let PredictedVelocity { mut u, correction, .. } = predict_velocity(old, &mut surface, dt, params, watch)?;
    let AdvectedSurface { mesh, apertures, phi, .. } = surface;
    let mut system = assemble(&mesh, &phi, &apertures, &u, correction.divergence, params.free_surface)?;
    if let Some(tension) = Tension::of(params, dt) {
        tension.pull(&mesh, &phi, &system, &mut u);
        system.set_velocity(&mesh, &apertures, &u);
    }
    Ok((mesh, system))
}

/// Returns the solids at a time, as the grid sees them.
pub(crate) fn solids_at(old: &State, time: f64, solids: &[Solid]) -> Solids {
    Solids::on_grid(solids, time, old.mesh.tree.grid().dx())
}

/// Runs the stages that concern the surface. `tree` is given in studies only.
pub(crate) fn advect_surface(
    old: &State,
    corners: CornerVelocity,
    tree: Option<Octree>,
    dt: f64,
    solids: &[Solid],
    params: &Params,
    watch: &mut Stopwatch,
) -> Result<AdvectedSurface, StepError> {
    let now = Moment { time: old.time, dt };
    let before = Arc::new(solids_at(old, old.time, solids));
    let dx = old.mesh.tree.grid().dx();
    let solids = Arc::new(Solids::between_steps(solids, old.time + dt, dt, dx));
    let State { mesh: was, phi, u, apertures, decayed_sizing, .. } = old;
    let corners = corners.within(|speed| {
        let distance = |c| apertures.solid_distance(c);
        Barriers::new(Arc::clone(&before), Arc::clone(&solids), dt, &was.tree, distance, dt * speed)
    });
    let s = watch.run("sizing", || sizing(was, phi, u, apertures, &solids, decayed_sizing, params));
    let (mesh, decayed_sizing) =
        watch.run("tree", || remesh(old, s, &corners, tree, &solids, now, params))?;
    if !solids.is_empty() {
        // The next step needs these corners in any case.
        watch.run("corners", || mesh.nodes());
    }
    let known = (&*old.mesh, &old.apertures, &*before);
    let mut apertures = watch.run("solids", || measured_after(known, &mesh, &solids, params.flows.open));
    let phi = watch.run("advect_phi", || advect_phi(old, &corners, &mesh, dt, params));
    let (particles, lost_spray) =
        watch.run("particles", || advance_particles(old, &corners, &mesh, &solids, now, params));
    let phi = watch.run("particles", || correct(&mesh, phi, &particles));
    let BoundedPhi { phi, detached, exchange, extension, cleared } = watch.run("advect_phi", || {
        apply_boundaries((old, &corners), &mesh, phi, &mut apertures, &solids, now, params)
    });
    Ok(AdvectedSurface {
        mesh,
        apertures,
        decayed_sizing,
        phi,
        detached,
        particles,
        solids,
        solids_before: before,
        corners,
        lost_spray,
        exchange,
        extension,
        cleared,
    })
}

/// A velocity that includes everything but the pressure.
struct PredictedVelocity {
    u: Field<FaceId, f64>,
    /// The velocity before forces, if particles take the change of velocity (FLIP).
    before_forces: Option<Field<FaceId, f64>>,
    correction: Correction,
    /// What inflows prescribe; their faces are closed in the apertures.
    prescribed: Prescribed,
}

/// Runs the stages of the velocity before the pressure. Returns an error if the water that inflows bring has
/// no room.
fn predict_velocity(
    old: &State,
    surface: &mut AdvectedSurface,
    dt: f64,
    params: &Params,
    watch: &mut Stopwatch,
) -> Result<PredictedVelocity, StepError> {
    let AdvectedSurface { mesh, phi, particles, .. } = surface;
    let separated = watch.run("particles", || separate_spray(mesh, phi, particles, params.fall_time));
    let conserved = watch.run("volume", || conserve(old, surface, Some(&separated), dt, params));
    let landed = separated.ended;
    let AdvectedSurface { mesh, particles, .. } = surface;
    let splat = watch.run("particles", || Splat::new(mesh, particles));
    particles.forget_gradients();
    let u = watch.run("advect_velocity", || advect_velocity(old, surface, &splat, dt, params));
    let mut u = watch.run("particles", || add_particle_momentum(surface, splat, &landed, u));
    watch.run("particles", || keep_free_momentum(old, surface, params, &mut u));
    let before_forces = matches!(params.transfer, Transfer::Flip(_)).then(|| u.clone());
    let slowed = watch.run("advect_velocity", || slowed_faces(surface, &u, dt, params));
    watch.run("volume", || add_forces(old, surface, dt, params, &mut u));
    slowed.slow(&mut u);
    slowed.set(&mut surface.apertures);
    let correction = watch.run("volume", || correction(old, surface, conserved, dt, params))?;
    let now = Moment { time: old.time, dt };
    let AdvectedSurface { mesh, phi, apertures, .. } = surface;
    let prescribed = prescribe(&params.flows, mesh, apertures, now);
    prescribed.check_room(mesh, apertures, |c| phi[c] < 0.0)?;
    Ok(PredictedVelocity { u, before_forces, correction, prescribed })
}

/// Runs all stages.
fn advance(
    old: &mut State,
    tree: Option<Octree>,
    dt: f64,
    solids: &[Solid],
    params: &Params,
) -> Result<(State, StepFindings), StepError> {
    let watch = &mut Stopwatch::new();
    let now = Moment { time: old.time, dt };
    let before = solids_at(old, old.time, solids);
    let bounds = (&old.apertures, &before);
    let corners = watch.run("corners", || take_corner_velocity(&mut old.mesh, &old.u, bounds));
    let mut surface = advect_surface(old, corners, tree, dt, solids, params, watch)?;
    // Memory use is highest in the next stages, and they read only the new ones.
    old.mesh.contacts.forget_face_neighbors();
    let predicted = predict_velocity(old, &mut surface, dt, params, watch)?;
    let AdvectedSurface {
        mesh,
        mut apertures,
        decayed_sizing,
        phi,
        detached,
        particles,
        solids,
        corners,
        ..
    } = surface;
    drop(corners);
    let PredictedVelocity { u, before_forces, correction, prescribed } = predicted;
    let Correction { volume, divergence, control, regions, content } = correction;

    let pressure = guess_pressure(old.mesh.take(), &old.pressure, &mesh, dt);
    let guess = Guess { pressure, slope: dt * params.gravity };
    let settles = ceiling::settles_pressure(old, now, params);
    let walls = Walls { apertures: &mut apertures, solids: &solids, detached, prescribed: &prescribed };
    let Solved { projected, phi, detached } =
        project_and_redistance(&mesh, phi, walls, u, divergence, guess, dt, settles, params, watch)?;
    let pressure = par::map(mesh.n_cells(), |c: CellId| projected.pressure[c] / dt);
    let report = projected.report.clone();
    let ExtendedVelocity { u, crossing, exact_flow, max_component } = watch.run("extrapolate", || {
        extend_projected_velocity(&mesh, &phi, &apertures, projected, prescribed, params)
    });
    let before = before_forces.as_ref();
    let particles = watch.run("particles", || {
        renew_particles(&mesh, &phi, &u, before, &apertures, &solids, particles, params)
    });
    // Each step finds the friction of its own walls.
    apertures.yield_fully();
    watch.run("check", || check_flow(&phi, |c| mesh.tree.center(c), &u, |k| mesh.face_position(k)))?;
    let new = State {
        time: old.time + dt,
        mesh: mesh.into(),
        phi,
        u,
        pressure,
        decayed_sizing,
        particles,
        clear_ceiling: old.clear_ceiling,
        max_component,
        volume,
        control,
        content,
        exact_flow,
        crossing,
        regions,
        apertures,
        detached,
    };
    Ok((new, StepFindings { projection: report, stages: std::mem::take(watch).laps() }))
}
