//! One time step of smoke: the old state is read, a new one is built.
//!
//! With semi-Lagrangian transport A it is the paper's,
//!
//! ```text
//! u_new = A(u) + dt (f − ∇p).
//! ```
//!
//! Pressure after transport costs energy of first order in dt, whatever transport does: what it takes off
//! stands at right angles to what is left. With MacCormack transport, which would be wasted on that, steps
//! are nearly of second order,
//!
//! ```text
//! u_new = A(u + θ dt (f − ∇p)_old) + (1 − θ) dt (f − ∇p),   θ = 0.4.
//! ```
//!
//! θ = ½ would be of second order, but p would swing about its value without end; so it swings by θ/(1 − θ) =
//! ⅔ of it a step later. Measured with the Taylor–Green vortex: the case taylor-green.

use super::buoyancy::lift;
use super::confinement::confine;
use super::health;
use super::objects;
use super::open_sides;
use super::params::SmokeParams;
use super::sizing::tree_for;
use super::sources::Moment;
use super::state::SmokeState;
use crate::advect::{advect_faces, advect_nodes};
use crate::boundary::Boundary;
use crate::mesh::Mesh;
use crate::project::{Medium, PressureSolver, ProjectParams, project};
use crate::transfer::{corner_velocity, short_corner_velocity};
use octide_core::contract::StepError;
use octide_core::index::FaceId;
use octide_core::octree::{Nodes, Octree};
use octide_core::par;
use octide_core::report::StepFindings;
use octide_core::scene::{Advection, Solid};
use octide_core::solids::Solids;
use octide_core::stopwatch::Stopwatch;

/// θ, the share of a step in which the forces of its start act, with MacCormack transport.
const EARLY: f64 = 0.4;

/// Advances `old` by `dt`, on a tree of its own making or on one that is given. What `old` is stays the same:
/// after an error its tables are made again, else the caller drops it.
pub fn step(
    old: &mut SmokeState,
    tree: Option<Octree>,
    dt: f64,
    solids: &[Solid],
    params: &SmokeParams,
    solver: &mut PressureSolver,
) -> Result<(SmokeState, StepFindings), StepError> {
    advance(old, tree, dt, solids, params, solver)
        .and_then(|(new, findings)| health::check(old, &new, dt, params).map(|()| (new, findings)))
        .inspect_err(|_| old.mesh.restore())
}

fn advance(
    old: &mut SmokeState,
    tree: Option<Octree>,
    dt: f64,
    solids: &[Solid],
    params: &SmokeParams,
    solver: &mut PressureSolver,
) -> Result<(SmokeState, StepFindings), StepError> {
    let mut watch = Stopwatch::new();
    let solids = Solids::at(solids, old.time + dt);
    let now = Moment::Step(old.time, dt);
    let is_second_order = params.advection == Advection::MacCormack;
    let early = if is_second_order && old.push.is_some() { EARLY } else { 0.0 };
    let late = (1.0 - early) * dt;

    // Of 32 bits: right to a ten millionth, which is enough for paths and for what lies between corners.
    let corners = short_corner_velocity(&old.mesh, |k| old.u[k]);
    watch.lap("corners");
    let tree = tree.map_or_else(|| tree_for(old, &corners, &solids, dt, params), Ok)?;
    watch.lap("tree");
    let (before, push) = (&old.u, old.push.as_ref().filter(|_| early > 0.0));
    let pushed = push.map(|push| {
        let u = move |k: FaceId| before[k] + early * dt * f64::from(push[k]);
        (u, short_corner_velocity(&old.mesh, u))
    });
    watch.lap("corners");
    // From here on old values are only looked up in cells.
    old.mesh.keep_cells_only();
    let mut mesh = Mesh::for_arrivals(tree);
    mesh.find_faces();
    if is_second_order {
        mesh.find_faces_of_cells(); // the way back starts here
    }
    watch.lap("tree");

    let mut u = match &pushed {
        None => advect_faces(&old.mesh, |k| before[k], &corners, &corners, &mesh, dt, params.advection),
        Some((u, at)) => advect_faces(&old.mesh, u, at, &corners, &mesh, dt, params.advection),
    };
    drop(pushed);
    watch.lap("advect_velocity");
    let smoke = [&old.density, &old.temperature];
    let [mut density, mut temperature] =
        advect_nodes(&old.mesh, smoke, &corners, &mesh, dt, params.advection);
    let fresh = open_sides::fresh(&old.mesh, &corners, &mesh, dt, params.open);
    drop(corners);
    let [left, warm] = params.half_life.left_after(dt);
    for (q, share) in [(&mut density, left), (&mut temperature, warm)] {
        open_sides::clear(&mesh, fresh.as_ref(), q);
        par::update(q, |_, q| *q *= share);
    }
    drop(fresh);
    let guess =
        par::map(mesh.n_cells(), |c| late * old.pressure[old.mesh.tree.nearest_leaf(mesh.tree.center(c))]);
    // Nothing more is read from the old tree.
    old.mesh.forget();
    watch.lap("advect_smoke");

    mesh.find_faces_of_cells();
    if !solids.is_empty() {
        mesh.complete();
    }
    watch.lap("tree");
    let mut boundary = Boundary::new(&mesh, &solids, params.open);
    watch.lap("solids");
    params.sources.fill(&mesh, &mut density, &mut temperature, now);
    objects::empty(&mesh, &boundary, &solids, &mut density, &mut temperature);
    mesh.nodes.forget_leaves();
    watch.lap("advect_smoke");
    params.sources.blow(&mesh, &mut boundary, &mut u, params.open.any(), now);
    let carried = is_second_order.then(|| par::map(mesh.n_faces(), |k: FaceId| u[k] as f32));
    let open = |k: FaceId| boundary.open(k) > 0.0;
    let balanced = params.balanced_buoyancy.then_some(params.gradient_distance);
    confine(&mesh, &mut u, params.confinement, late, open);
    lift(&mesh, &density, &temperature, &mut u, (params.buoyancy, params.up), balanced, late, open);
    watch.lap("forces");

    let how = ProjectParams {
        gradient_distance: params.gradient_distance,
        pressure_solver: params.pressure_solver,
        tolerance: params.tolerance,
        max_iterations: params.max_iterations,
    };
    // The pressure knows no corners: for the time that most memory is needed they are given back.
    mesh.nodes = Nodes::default();
    let projected = project(&mesh, &boundary, &Medium::Gas, u, 0.0, guess, &how, solver)?;
    solver.give_back();
    mesh.nodes = Nodes::new(&mesh.tree);
    let (mut u, mut pressure) = (projected.u, projected.pressure);
    par::update(&mut pressure, |_, p| *p /= late);
    let push = carried.map(|mut push| {
        par::update(&mut push, |i, push| {
            let k = FaceId(i as u32);
            *push = if boundary.open(k) > 0.0 { ((u[k] - f64::from(*push)) / late) as f32 } else { 0.0 };
        });
        push
    });
    watch.lap("project");
    if !solids.is_empty() {
        let corners = corner_velocity(&mesh, &u);
        objects::continue_inside(&mesh, &boundary, &solids, &corners, &mut u);
        watch.lap("solids");
    }

    let max_component = par::max(mesh.n_faces(), |k| u[FaceId(k as u32)].abs());
    let new =
        SmokeState { time: old.time + dt, mesh, u, density, temperature, pressure, push, max_component };
    Ok((new, StepFindings { projection: projected.report, stages: watch.laps() }))
}
