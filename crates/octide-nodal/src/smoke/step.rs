//! One time step of smoke: the old state is read, a new one is built.

use super::buoyancy::lift;
use super::confinement::confine;
use super::objects;
use super::open_sides;
use super::params::SmokeParams;
use super::sizing::tree_for;
use super::sources::Moment;
use super::state::SmokeState;
use crate::advect::{advect_faces, advect_nodes};
use crate::boundary::Boundary;
use crate::mesh::Mesh;
use crate::project::{Medium, PressureSolver, ProjectParams, ProjectReport, project};
use crate::transfer::corner_velocity;
use octide_core::contract::StepError;
use octide_core::index::{CellId, FaceId};
use octide_core::octree::Octree;
use octide_core::par;
use octide_core::scene::Solid;
use octide_core::solids::Solids;
use octide_core::stopwatch::Stopwatch;

/// What a step found on its way.
#[derive(Clone, Debug, Default)]
pub struct SmokeFindings {
    /// Figures of the projection.
    pub projection: ProjectReport,
    /// Seconds spent in each stage.
    pub stages: Vec<(&'static str, f64)>,
}

/// Advances `old` by `dt`, on a tree of its own making or on one that is given.
pub fn step(
    old: &SmokeState,
    tree: Option<Octree>,
    dt: f64,
    solids: &[Solid],
    params: &SmokeParams,
    solver: &mut PressureSolver,
) -> Result<(SmokeState, SmokeFindings), StepError> {
    let mut watch = Stopwatch::new();
    let solids = Solids::at(solids, old.time + dt);
    let now = Moment::Step(old.time, dt);
    let corners = corner_velocity(&old.mesh, &old.u);
    watch.lap("corners");

    let tree = tree.map_or_else(|| tree_for(old, &corners, &solids, dt, params), Ok)?;
    let mesh = Mesh::new(tree);
    watch.lap("tree");
    let mut boundary = Boundary::new(&mesh, &solids, params.open);
    watch.lap("solids");

    let carried = |q| advect_nodes(&old.mesh, q, &corners, &mesh, dt, params.advection);
    let (mut density, mut temperature) = (carried(&old.density), carried(&old.temperature));
    let fresh = open_sides::fresh(&old.mesh, &corners, &mesh, dt, params.open);
    let [left, warm] = params.half_life.left_after(dt);
    for (q, share) in [(&mut density, left), (&mut temperature, warm)] {
        open_sides::clear(&mesh, fresh.as_ref(), q);
        par::update(q, |_, q| *q *= share);
    }
    params.sources.fill(&mesh, &mut density, &mut temperature, now);
    objects::empty(&mesh, &boundary, &solids, &mut density, &mut temperature);
    watch.lap("advect_smoke");
    let mut u = advect_faces(&old.mesh, &old.u, &corners, &mesh, dt, params.advection);
    drop(corners);
    watch.lap("advect_velocity");

    let open = |k: FaceId| boundary.open[k] > 0.0;
    confine(&mesh, &mut u, params.confinement, dt, open);
    lift(&mesh, &density, &temperature, &mut u, (params.buoyancy, params.up), dt, open);
    params.sources.blow(&mesh, &mut boundary, &mut u, params.open.any(), now);
    watch.lap("forces");

    let guess = par::map(mesh.n_cells(), |c| dt * old.pressure[old.mesh.tree.locate(mesh.tree.center(c))]);
    let how = ProjectParams {
        gradient_distance: params.gradient_distance,
        pressure_solver: params.pressure_solver,
        tolerance: params.tolerance,
        max_iterations: params.max_iterations,
    };
    let projected = project(&mesh, &boundary, &Medium::Gas, u, 0.0, guess, &how, solver)?;
    let mut u = projected.u;
    let pressure = par::map(mesh.n_cells(), |c: CellId| projected.pressure[c] / dt);
    watch.lap("project");
    if !solids.is_empty() {
        let corners = corner_velocity(&mesh, &u);
        objects::continue_inside(&mesh, &boundary, &solids, &corners, &mut u);
        watch.lap("solids");
    }

    let max_component = par::max(mesh.n_faces(), |k| u[FaceId(k as u32)].abs());
    let new = SmokeState { time: old.time + dt, mesh, u, density, temperature, pressure, max_component };
    Ok((new, SmokeFindings { projection: projected.report, stages: watch.laps() }))
}
