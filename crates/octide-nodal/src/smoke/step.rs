//! One time step of smoke: reads the old state and builds a new one.
//!
//! With semi-Lagrangian advection A, the step is the paper's (§4, eqs. (2), (3)),
//!
//! ```text
//! u_new = A(u) + dt (f − ∇p).
//! ```
//!
//! A projection after advection dissipates energy at first order in dt, however accurate the advection is,
//! because the part that it removes is orthogonal to the part that is left. MacCormack advection would be
//! wasted on such a step, so with it the step is nearly of second order,
//!
//! ```text
//! u_new = A(u + θ dt (f − ∇p)_old) + (1 − θ) dt (f − ∇p),   θ = 0.4
//! ```
//!
//! (`smoke/acceleration.rs`). The stages are
//!
//! ```text
//! 1  interpolate velocity to corners                                             §3
//! 2  build a tree for where detail will be                                       §5
//! 3  advect u*, density and temperature to it                                §4, §5
//! 4  apply sources; objects: remove smoke inside, set their temperature          §5
//! 5  add vorticity confinement and buoyancy                                      §5
//! 6  project, u = u* − ∇P                                       §4, eqs. (3)–(6)
//! 7  extend u into objects, separating                                           §5
//! ```
//!
//! Stage 2 comes before stage 3 so that nothing is advected to cells that are too large for it.

use super::acceleration::{Shares, acceleration_since, advected_part};
use super::forces::add_forces;
use super::health;
use super::objects;
use super::params::SmokeParams;
use super::scalars::advect_scalars;
use super::sizing::tree_for;
use super::sources::Moment;
use super::state::SmokeState;
use crate::advect::{ArrivedVelocity, advect_velocity};
use crate::mesh::{ArrivalMesh, Mesh, MeshWithoutLeaves};
use crate::paths::Paths;
use crate::pressure::guess_pressure;
use crate::project::{Medium, PressureSolver, Projected, project};
use crate::transfer::short_corner_velocity;
use octide_core::contract::StepError;
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::octree::{FoldedTree, Octree};
use octide_core::par;
use octide_core::report::StepFindings;
use octide_core::scene::Solid;
use octide_core::solids::{Barriers, Solids};
use octide_core::stopwatch::Stopwatch;
use std::sync::Arc;

/// Advances `old` by `dt`, on a tree that the step builds or, for studies, on `tree`. The mesh of `old` is
/// freed table by table as soon as a table is no longer read. If the step fails, the mesh is rebuilt from one
/// bit per node, so that `old` is unchanged.
pub fn step(
    old: &mut SmokeState,
    tree: Option<Octree>,
    dt: f64,
    solids: &[Solid],
    params: &SmokeParams,
    solver: &mut PressureSolver,
) -> Result<(SmokeState, StepFindings), StepError> {
    let folded = FoldedTree::new(&old.mesh.tree);
    let result = advance(old, tree, dt, solids, params, solver)
        .and_then(|(new, findings)| health::check(old, &new, dt, params).map(|()| (new, findings)));
    Solids::check_meshes(solids).and(result).inspect_err(|_| old.mesh.put_back(Mesh::new(folded.unfold())))
}

/// Smoke on a new tree after velocity, density and temperature were advected.
struct Transported {
    mesh: MeshWithoutLeaves,
    u: Field<FaceId, f64>,
    density: Field<NodeId, f64>,
    temperature: Field<NodeId, f64>,
    /// An initial guess for the pressure, times the seconds for which it acts.
    guess: Field<CellId, f64>,
}

/// Runs the stages that read the old mesh, and frees it.
fn transport(
    old: &mut SmokeState,
    tree: Option<Octree>,
    dt: f64,
    Shares { early, late }: Shares,
    solids: (&Arc<Solids>, &Arc<Solids>),
    params: &SmokeParams,
    watch: &mut Stopwatch,
) -> Result<Transported, StepError> {
    // Single precision has a relative error of 10⁻⁷: enough for paths and for interpolation between corners.
    let paths = watch.run("corners", || short_corner_velocity(&old.mesh, |k| old.u[k]));
    let tree = watch.run("tree", || tree.map_or_else(|| tree_for(old, &paths, solids.1, dt, params), Ok))?;
    let barriers = watch.run("corners", || {
        let travel = dt * par::max(paths.len(), |v| f64::from(paths[NodeId(v as u32)].length()));
        let tree = &old.mesh.tree;
        let distance = |c| solids.0.distance(tree.center(c));
        Barriers::new(Arc::clone(solids.0), Arc::clone(solids.1), dt, tree, distance, travel)
    });
    let pushed = watch.run("corners", || {
        (early > 0.0).then(|| short_corner_velocity(&old.mesh, advected_part(old, early)))
    });
    let was = old.mesh.take().into_departure();
    let mesh = watch.run("tree", || ArrivalMesh::arrival(tree).with_faces());
    let ArrivedVelocity { retired: was, mesh, u } = watch.run("advect_velocity", || {
        let along = Paths { velocity: &paths, barriers: Some(&barriers) };
        let corners = (pushed.as_ref().unwrap_or(&paths), along);
        advect_velocity(
            was,
            advected_part(old, early),
            corners,
            mesh,
            dt,
            params.advection,
            |_| true,
            |was, _| was,
        )
    });
    drop(pushed);
    let [density, temperature] =
        watch.run("advect_smoke", || advect_scalars(old, &was, paths, &barriers, &mesh, dt, params));
    let guess =
        watch.run("advect_smoke", || guess_pressure(&was.into_tree(), &old.pressure, &mesh.tree, late));
    Ok(Transported { mesh, u, density, temperature, guess })
}

/// Runs all stages.
fn advance(
    old: &mut SmokeState,
    tree: Option<Octree>,
    dt: f64,
    solids: &[Solid],
    params: &SmokeParams,
    solver: &mut PressureSolver,
) -> Result<(SmokeState, StepFindings), StepError> {
    let watch = &mut Stopwatch::new();
    watch.run("check", || health::check_room(&old.mesh.tree, solids, params.open, old.time + dt))?;
    let dx = old.mesh.tree.grid().dx();
    let before = Arc::new(Solids::on_grid(solids, old.time, dx));
    let solids = Arc::new(Solids::between_steps(solids, old.time + dt, dt, dx));
    let now = Moment::Step(old.time, dt);
    let shares = Shares::new(old, dt, params);
    let late = shares.late;
    let Transported { mesh, mut u, mut density, mut temperature, guess } =
        transport(old, tree, dt, shares, (&before, &solids), params, watch)?;
    watch.run("advect_smoke", || params.sources.fill(&mesh, &mut density, &mut temperature, now));
    let (mesh, mut boundary) =
        watch.run("solids", || objects::apply(mesh, &solids, params.open, &mut density, &mut temperature));
    watch.run("forces", || params.sources.blow(&mesh, &mut boundary, &mut u, params.open.any(), now));
    let before_forces = params.is_second_order().then(|| par::map(mesh.n_faces(), |k: FaceId| u[k] as f32));
    watch.run("forces", || add_forces(&mesh, &boundary, &density, &temperature, &mut u, late, params));
    // The pressure solve reads no corners, so they are freed while memory use peaks.
    let mesh = mesh.without_corners();
    let Projected { mut u, mut pressure, report, .. } = watch.run("project", || {
        project(&mesh, &boundary, &Medium::Gas, u, 0.0, guess, &params.project(), solver)
    })?;
    solver.release_memory();
    watch.run("solids", || objects::settle_slivers(&boundary, &solids, &mut u));
    let mesh = watch.run("project", || mesh.with_corners());
    par::update(&mut pressure, |_, p| *p /= late);
    let push = watch.run("project", || acceleration_since(before_forces, &u, &boundary, late));
    watch.run("solids", || objects::extend_velocity(&mesh, &boundary, &solids, &mut u));
    let max_component = par::max(mesh.n_faces(), |k| u[FaceId(k as u32)].abs());
    let (time, mesh) = (old.time + dt, mesh.into());
    let new = SmokeState { time, mesh, u, density, temperature, pressure, push, max_component };
    Ok((new, StepFindings { projection: report, stages: std::mem::take(watch).laps() }))
}
