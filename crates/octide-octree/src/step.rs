//! One time step: the old state is read, a new one is built.

use crate::advect::{advect_distance, advect_faces};
use crate::apertures::Apertures;
use crate::ceiling::let_go;
use crate::extend::{continue_velocity, extend_phi, extend_velocity};
use crate::faults::{self, Fault};
use crate::mesh::Mesh;
use crate::nodal::corner_velocity;
use crate::params::Params;
use crate::project::{PressureSolver, PressureSystem, ProjectReport, assemble, project_under};
use crate::sizing::{fade, sizing, tree_for};
use crate::solids::Solids;
use crate::state::State;
use crate::tension::{Tension, carry_smoothly, keep_near};
use crate::volume::{VolumeControl, liquid_volume};
use glam::DVec3;
use octide_core::contract::StepError;
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::octree::Octree;
use octide_core::par;
use octide_core::scene::Solid;
use octide_core::surface::redistance::{self, redistance};
use std::time::Instant;

/// Faces open by a smaller share than this do not carry their velocity on.
const SLIVER: f64 = 0.25;

/// What a step found on its way.
#[derive(Clone, Debug, Default)]
pub struct StepFindings {
    /// Figures of the projection.
    pub projection: ProjectReport,
    /// Seconds spent in each stage.
    pub stages: Vec<(&'static str, f64)>,
}

/// Advances `old` by `dt` on a tree of its own making.
pub fn step(
    old: &State,
    dt: f64,
    solids: &[Solid],
    params: &Params,
    solver: &mut PressureSolver,
) -> Result<(State, StepFindings), StepError> {
    advance(old, dt, solids, params, solver, None)
}

/// As [`step`], on a tree that is given: for studies of what the tree does to the answer.
pub fn step_on(
    old: &State,
    tree: Octree,
    dt: f64,
    solids: &[Solid],
    params: &Params,
    solver: &mut PressureSolver,
) -> Result<(State, StepFindings), StepError> {
    advance(old, dt, solids, params, solver, Some(tree))
}

/// The pressure system of a step of length `dt`, and the mesh that it lives on: for those who study solvers.
pub fn pressure_system(
    old: &State,
    dt: f64,
    solids: &[Solid],
    params: &Params,
) -> Result<(Mesh, PressureSystem), StepError> {
    let Unprojected { mesh, apertures, phi, u, divergence, .. } =
        unprojected(old, dt, solids, params, None, &mut Stopwatch::new());
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
    mesh: Mesh,
    apertures: Apertures,
    faded: Field<CellId, f64>,
    phi: Field<CellId, f64>,
    u: Field<FaceId, f64>,
    volume: f64,
    /// Wanted, to give lost volume back.
    divergence: f64,
    control: VolumeControl,
}

/// The surface on its way: a new tree, and φ carried to it.
pub(crate) struct Carried {
    pub mesh: Mesh,
    pub apertures: Apertures,
    pub faded: Field<CellId, f64>,
    pub phi: Field<CellId, f64>,
    solids: Solids,
    corners: Field<NodeId, DVec3>,
}

/// The stages of the surface, in the order they run.
pub(crate) fn carried(
    old: &State,
    dt: f64,
    solids: &[Solid],
    params: &Params,
    tree: Option<Octree>,
    watch: &mut Stopwatch,
) -> Carried {
    let solids = Solids::at(solids, old.time + dt);

    let corners = corner_velocity(&old.mesh, &old.u);
    let s = sizing(&old.mesh, &old.phi, &old.u, &old.apertures, &solids, &old.faded, params);
    watch.lap("sizing");

    let tree = tree.unwrap_or_else(|| tree_for(&old.mesh, &old.phi, &corners, &s, dt, params));
    let mesh = Mesh::new(tree);
    let faded = fade(&old.mesh, &s, &corners, &mesh, dt);
    watch.lap("tree");

    let apertures = Apertures::new(&mesh, &solids);
    watch.lap("solids");

    let phi = if params.surface_tension > 0.0 {
        carry_smoothly(old, &corners, &mesh, dt, params)
    } else {
        advect_distance(&old.mesh, &old.phi, &corners, &mesh, dt)
    };
    let pressure_at = |x| old.pressure[old.mesh.tree.locate(x)];
    let phi = if old.clear_ceiling { let_go(&mesh, phi, params.gravity, pressure_at) } else { phi };
    let phi = extend_phi(&mesh, phi, &apertures, &solids, params.gravity);
    watch.lap("advect_phi");
    Carried { mesh, apertures, faded, phi, solids, corners }
}

impl Carried {
    /// The volume, the divergence that gives back what was lost, and what correction remembers.
    pub(crate) fn correction(&self, old: &State, dt: f64, params: &Params) -> (f64, f64, VolumeControl) {
        let volume = liquid_volume(&self.mesh, &self.phi, &self.apertures, &self.solids);
        let (divergence, control) = if params.volume_correction && !faults::is(Fault::NoVolumeCorrection) {
            old.control.correct(volume, dt, params.fall_time)
        } else {
            (0.0, old.control)
        };
        (volume, divergence, control)
    }
}

/// The stages before the pressure's, in the order they run.
fn unprojected(
    old: &State,
    dt: f64,
    solids: &[Solid],
    params: &Params,
    tree: Option<Octree>,
    watch: &mut Stopwatch,
) -> Unprojected {
    let now = carried(old, dt, solids, params, tree, watch);
    let Carried { mesh, phi, corners, .. } = &now;
    // Faces without liquid beside them are not projected; they get their velocity by extrapolation.
    let is_wet = |k: FaceId| mesh.faces.stencil(&mesh.tree, k).iter().any(|(c, _)| phi[c] < 0.0);
    let mut u = advect_faces(&old.mesh, &old.u, corners, mesh, dt, is_wet);
    watch.lap("advect_velocity");

    add_gravity(mesh, &mut u, params.gravity * dt);
    let (volume, divergence, control) = now.correction(old, dt, params);
    watch.lap("volume");
    let Carried { mesh, apertures, faded, phi, .. } = now;
    Unprojected { mesh, apertures, faded, phi, u, volume, divergence, control }
}

/// All stages.
fn advance(
    old: &State,
    dt: f64,
    solids: &[Solid],
    params: &Params,
    solver: &mut PressureSolver,
    tree: Option<Octree>,
) -> Result<(State, StepFindings), StepError> {
    let mut watch = Stopwatch::new();
    let Unprojected { mesh, apertures, faded, phi, u, volume, divergence, control } =
        unprojected(old, dt, solids, params, tree, &mut watch);

    let guess =
        par::map(mesh.n_cells(), |c: CellId| dt * old.pressure[old.mesh.tree.locate(mesh.tree.center(c))]);
    let tension = Tension::of(params, dt);
    let projected =
        project_under(tension, &mesh, &phi, &apertures, u, divergence, guess, params, solver)?;
    let pressure = par::map(mesh.n_cells(), |c: CellId| projected.pressure[c] / dt);
    watch.lap("project");

    let phi = if faults::is(Fault::NoRedistancing) {
        phi
    } else {
        let distance = Field::from_vec(redistance(&mesh, &phi, &redistance::Params::default()).0);
        if tension.is_some() { keep_near(&mesh, &phi, distance) } else { distance }
    };
    watch.lap("redistance");
    // What squeezes through a sliver is fast and means little: it counts in the balance of its cells, but water
    // elsewhere is not carried by it.
    let trusted = par::map(mesh.n_faces(), |k: FaceId| projected.valid[k] && apertures.open[k] >= SLIVER);
    let extend = if tension.is_some() { continue_velocity } else { extend_velocity };
    let u = extend(&mesh, &phi, &apertures, projected.u, &trusted);
    watch.lap("extrapolate");

    check_finite(&mesh, &phi, &u)?;
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
        clear_ceiling,
        max_component,
        volume,
        control,
        apertures,
    };
    watch.lap("check");
    Ok((new, StepFindings { projection: projected.report, stages: watch.laps }))
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

pub(crate) fn check_finite(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    u: &Field<FaceId, f64>,
) -> Result<(), StepError> {
    if let Some(c) = phi.ids().find(|&c| !phi[c].is_finite()) {
        return Err(StepError::NotFinite { field: "φ", stage: "redistancing", at: mesh.tree.center(c) });
    }
    if let Some(k) = u.ids().find(|&k| !u[k].is_finite()) {
        return Err(StepError::NotFinite {
            field: "velocity",
            stage: "projection",
            at: mesh.face_position(k),
        });
    }
    Ok(())
}

pub(crate) struct Stopwatch {
    last: Instant,
    laps: Vec<(&'static str, f64)>,
}

impl Stopwatch {
    pub(crate) fn new() -> Self {
        Self { last: Instant::now(), laps: Vec::new() }
    }

    fn lap(&mut self, stage: &'static str) {
        let now = Instant::now();
        self.laps.push((stage, (now - self.last).as_secs_f64()));
        self.last = now;
    }
}
