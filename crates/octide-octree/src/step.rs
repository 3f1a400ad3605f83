//! One time step: the old state is read, a new one is built.

use crate::advect::{Before, advect_distance, advect_faces, advect_faces_maccormack};
use crate::apertures::{Apertures, measured};
use crate::ceiling::let_go;
use crate::correct::{Correction, Divergence, correction};
use crate::extend::{continue_velocity, extend_phi, extend_velocity, restore_distance};
use crate::faults::{self, Fault};
use crate::flows::{self, Exchange, Moment, Prescribed, prescribe};
use crate::mesh::Mesh;
use crate::nodal::corner_velocity;
use crate::open_sides;
use crate::params::{Advection, Params, Transfer};
use crate::particles::heat::heat;
use crate::particles::level::{correct, refresh};
use crate::particles::motion::moved;
use crate::particles::renew::{Water, renew};
use crate::particles::spray::{self, deliver, sort_out};
use crate::particles::transfer::{Splat, gradients};
use crate::particles::{Particle, Particles};
use crate::project::{PressureSystem, assemble, project_under};
use crate::regions::Regions;
use crate::sizing::{Asking, fade, sizing, tree_for};
use crate::solids::Solids;
use crate::state::State;
use crate::tension::{Tension, carry_smoothly, free_velocity, keep_free_velocity, keep_near};
use crate::volume::VolumeControl;
use glam::{DVec3, Vec3};
use octide_core::contract::StepError;
use octide_core::health::check_flow;
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::octree::{Grading, Octree};
use octide_core::par;
pub use octide_core::report::StepFindings;
use octide_core::scene::Solid;
use octide_core::stopwatch::{Stopwatch, timed};

/// Advances `old` by `dt` on a tree of its own making. What it is stays the same: only tables that can be
/// made again are given back on the way.
pub fn step(
    old: &mut State,
    dt: f64,
    solids: &[Solid],
    params: &Params,
) -> Result<(State, StepFindings), StepError> {
    advance(old, dt, solids, params, None).inspect_err(|_| old.mesh.restore())
}

/// As [`step`], on a tree that is given: for studies of what the tree does to the answer.
pub fn step_on(
    old: &mut State,
    tree: Octree,
    dt: f64,
    solids: &[Solid],
    params: &Params,
) -> Result<(State, StepFindings), StepError> {
    advance(old, dt, solids, params, Some(tree)).inspect_err(|_| old.mesh.restore())
}

/// The pressure system of a step of length `dt`, and the mesh that it lives on: for those who study solvers.
pub fn pressure_system(
    old: &State,
    dt: f64,
    solids: &[Solid],
    params: &Params,
) -> Result<(Mesh, PressureSystem), StepError> {
    let corners = corner_velocity(&old.mesh, &old.u);
    let Unprojected { now, u, divergence, .. } =
        unprojected(old, corners, dt, solids, params, None, &mut Stopwatch::new())?;
    let Carried { mesh, apertures, phi, .. } = now;
    let mut system = assemble(&mesh, &phi, &apertures, &u, divergence, params.free_surface)?;
    if let Some(tension) = Tension::of(params, dt) {
        let mut u = u;
        tension.pull(&mesh, &phi, &system, &mut u);
        system.set_velocity(&mesh, &apertures, &u);
    }
    Ok((mesh, system))
}

/// A state on its way: all but pressure has acted.
struct Unprojected {
    now: Carried,
    u: Field<FaceId, f64>,
    /// The velocity before forces, where particles want to know.
    before: Option<Field<FaceId, f64>>,
    volume: f64,
    /// Wanted, to give lost volume back.
    divergence: Divergence,
    control: VolumeControl,
    regions: Option<Regions>,
    /// What inflows prescribe; the apertures have its faces closed.
    prescribed: Prescribed,
}

/// The surface on its way: a new tree, and φ carried to it.
pub(crate) struct Carried {
    pub mesh: Mesh,
    pub apertures: Apertures,
    pub faded: Field<CellId, f32>,
    pub phi: Field<CellId, f64>,
    pub particles: Particles,
    pub solids: Solids,
    pub corners: Field<NodeId, Vec3>,
    /// What came in and went out where φ was set.
    pub exchange: Exchange,
}

/// The stages of the surface, in the order they run.
pub(crate) fn carried(
    old: &State,
    corners: Field<NodeId, Vec3>,
    dt: f64,
    solids: &[Solid],
    params: &Params,
    tree: Option<Octree>,
    watch: &mut Stopwatch,
) -> Result<Carried, StepError> {
    let solids = Solids::at(solids, old.time + dt);

    let s = sizing(&old.mesh, &old.phi, &old.u, &old.apertures, &solids, &old.faded, params);
    watch.lap("sizing");

    let now = Moment { time: old.time, dt };
    let asking = Asking { phi: &old.phi, apertures: &old.apertures, s: &s, corners: &corners };
    let tree = match tree {
        Some(tree) => tree,
        None => {
            let landings = spray::landings(&old.mesh, &old.phi, &old.particles, dt);
            params.flows.refined(tree_for(&old.mesh, &asking, &landings, dt, params)?, Grading::Graded, now)
        }
    };
    let mesh = Mesh::new(tree).with_interpolation(params.interpolation);
    let faded = fade(&old.mesh, &s, &corners, &mesh, dt, &params.sizing);
    drop(s);
    watch.lap("tree");

    let apertures = measured(&mesh, &solids, params.flows.open);
    watch.lap("solids");

    let phi = if params.surface_tension > 0.0 {
        carry_smoothly(old, &corners, &mesh, dt, params)
    } else {
        advect_distance(&old.mesh, &old.phi, &old.apertures, &corners, &mesh, dt)
    };
    watch.lap("advect_phi");
    let moved = moved(&old.mesh, old.particles.list(), &corners, &old.apertures, &solids, params, dt);
    let gradients = gradients(&old.mesh, &old.u, &old.particles, params.transfer);
    let (moved, gradients, lost) = spray::left(&mesh, moved, gradients, &params.flows, now);
    let particles = Particles::sorted_with(&mesh, moved, gradients, &old.particles);
    let phi = correct(&mesh, phi, &particles);
    watch.lap("particles");
    let pressure_at = |x| old.pressure[old.mesh.tree.nearest_leaf(x)];
    let phi = if old.clear_ceiling { let_go(&mesh, phi, params.gravity, pressure_at) } else { phi };
    let phi = extend_phi(&mesh, phi, &apertures, &solids, params.gravity);
    let (phi, mut exchange) = flows::act(&params.flows, &mesh, phi, &apertures, &solids, params.gravity, now);
    exchange.went += lost;
    watch.lap("advect_phi");
    Ok(Carried { mesh, apertures, faded, phi, particles, solids, corners, exchange })
}

/// The stages before the pressure's, in the order they run.
fn unprojected(
    old: &State,
    corners: Field<NodeId, Vec3>,
    dt: f64,
    solids: &[Solid],
    params: &Params,
    tree: Option<Octree>,
    watch: &mut Stopwatch,
) -> Result<Unprojected, StepError> {
    let mut now = carried(old, corners, dt, solids, params, tree, watch)?;
    let gone = sort_out(&now.mesh, &now.phi, &mut now.particles, params.fall_time);
    let splat = Splat::new(&now.mesh, &now.particles);
    now.particles.forget_gradients();
    let Carried { mesh, phi, corners, .. } = &now;
    // Faces without liquid beside them are not projected; they get their velocity by extrapolation.
    let is_wet = |k: FaceId| mesh.faces.stencil(&mesh.tree, k).iter().any(|(c, _)| phi[c] < 0.0);
    watch.lap("particles");
    let share = |k: FaceId| liquid_share(mesh, phi, k);
    let wanted = |k: FaceId| is_wet(k) && splat.mass(k) < share(k);
    let mut u = match params.advection {
        Advection::SemiLagrangian => advect_faces(&old.mesh, &old.u, corners, mesh, dt, wanted),
        Advection::MacCormack => {
            let before = Before { mesh: &old.mesh, phi: &old.phi, u: &old.u, corners };
            advect_faces_maccormack(&before, mesh, phi, dt, wanted)
        }
    };
    watch.lap("advect_velocity");
    par::update(&mut u, |i, u| *u = splat.blend(FaceId(i as u32), share(FaceId(i as u32)), *u));
    deliver(mesh, &gone, &mut u);
    // Spray takes its own momentum along.
    let has_spray =
        || [&old.particles, &now.particles].iter().any(|p| p.list().iter().any(Particle::is_spray));
    if params.surface_tension > 0.0
        && let Some(v) = free_velocity(&old.mesh, &old.phi, &old.apertures, &old.u)
        && !has_spray()
    {
        keep_free_velocity(mesh, phi, &now.apertures, v, &mut u);
    }
    let before = matches!(params.transfer, Transfer::Flip(_)).then(|| u.clone());
    watch.lap("particles");

    add_gravity(mesh, &mut u, params.gravity * dt);
    if params.flows.open.any() {
        let from = (&old.mesh, &old.u, corners);
        open_sides::carry(from, mesh, &now.apertures, dt, params.gravity * dt, &mut u);
    }
    let Correction { volume, divergence, control, regions } = correction(old, &now, dt, params);
    watch.lap("volume");
    let prescribed = prescribe(&params.flows, &now.mesh, &mut now.apertures, Moment { time: old.time, dt });
    Ok(Unprojected { now, u, before, volume, divergence, control, regions, prescribed })
}

/// All stages.
fn advance(
    old: &mut State,
    dt: f64,
    solids: &[Solid],
    params: &Params,
    tree: Option<Octree>,
) -> Result<(State, StepFindings), StepError> {
    let mut watch = Stopwatch::new();
    let corners = corner_velocity(&old.mesh, &old.u);
    old.mesh.forget_around_corners();
    watch.lap("corners");
    let Unprojected { now, u, before, volume, divergence, control, regions, prescribed } =
        unprojected(old, corners, dt, solids, params, tree, &mut watch)?;
    let Carried { mesh, mut apertures, faded, phi, mut particles, solids, corners, .. } = now;
    drop(corners);
    old.mesh.forget();

    let guess = par::map(mesh.n_cells(), |c: CellId| {
        dt * old.pressure[old.mesh.tree.nearest_leaf(mesh.tree.center(c))]
    });
    let tension = Tension::of(params, dt);
    let restored = |apertures: &Apertures| match tension {
        _ if faults::is(Fault::NoRedistancing) => phi.clone(),
        Some(_) => keep_near(&mesh, &phi, apertures),
        None => restore_distance(&mesh, &phi, apertures),
    };
    // Neither needs the other, and each has parts that only one thread can do.
    let (projected, distance) = if params.flows.open.any() {
        let closing = &mut apertures;
        let projected = timed(|| {
            open_sides::project_outwards(tension, &mesh, &phi, closing, u, divergence, guess, params)
        });
        (projected, timed(|| restored(&apertures)))
    } else {
        par::both(
            || timed(|| project_under(tension, &mesh, &phi, &apertures, u, divergence, guess, params)),
            || timed(|| restored(&apertures)),
        )
    };
    watch.shared_lap([("project", projected.1), ("redistance", distance.1)]);
    let (mut projected, phi) = (projected.0?, distance.0);
    let pressure = par::map(mesh.n_cells(), |c: CellId| projected.pressure[c] / dt);
    let mut trusted = apertures.trusted(&projected.valid);
    prescribed.set(&mut projected.u, &mut trusted);
    let extended = if tension.is_some() { continue_velocity } else { extend_velocity };
    let mut u = extended(&mesh, &phi, &apertures, projected.u, &trusted);
    let mut crossing = prescribed.sources;
    if params.flows.open.any() {
        open_sides::keep_outward(&mesh, &apertures, &mut u);
        crossing.extend(open_sides::losses(&mesh, &phi, &apertures, &u));
    }
    watch.lap("extrapolate");

    refresh(&mesh, &phi, &mut particles);
    let heat = heat(&mesh, &phi, &u, params);
    let water = Water {
        mesh: &mesh,
        phi: &phi,
        u: &u,
        before: before.as_ref(),
        apertures: &apertures,
        solids: &solids,
        heat: &heat,
    };
    let particles = renew(&water, particles, params);
    watch.lap("particles");

    check_flow(&phi, |c| mesh.tree.center(c), &u, |k| mesh.face_position(k))?;
    let max_component = par::max(mesh.n_faces(), |k| {
        let k = FaceId(k as u32);
        if trusted[k] { u[k].abs() } else { 0.0 }
    });
    let clear_ceiling = old.clear_ceiling;
    let new = State {
        time: old.time + dt,
        mesh,
        phi,
        u,
        pressure,
        faded,
        particles,
        clear_ceiling,
        max_component,
        volume,
        control,
        crossing,
        regions,
        apertures,
    };
    watch.lap("check");
    Ok((new, StepFindings { projection: projected.report, stages: watch.laps() }))
}

/// How much of the water around a face is there, from φ on both of its sides.
fn liquid_share(mesh: &Mesh, phi: &Field<CellId, f64>, face: FaceId) -> f64 {
    let s = mesh.faces.stencil(&mesh.tree, face);
    let (sum, weights) = s.iter().fold((0.0, 0.0), |(sum, n), (c, w)| (sum + w.abs() * phi[c], n + w.abs()));
    (0.5 - sum / (weights * mesh.face_size(face))).clamp(0.0, 1.0)
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
