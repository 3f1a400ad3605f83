//! One time step of water: reads the old state and builds a new one.
//!
//! The paper does not give the order of its stages. Octide's order is
//!
//! ```text
//! 1  interpolate velocity to corners; inside solids, make it separating                            §3, §5
//! 2  build a tree for where the surface will be                                                       §6
//! 3  advect markers, φ and u* to it, semi-Lagrangian                                              §4, §6
//! 4  correct φ by markers, extend it into solids, redistance it, correct it again                     §6
//! 5  apply gravity, u* += dt g, and the friction of walls                                              §6
//! 6  project: solve for the pressure with p = σκ on the surface, u = u* − ∇P       §4, §6, eqs. (3)–(6)
//! 7  extrapolate u into air and solids through the corners                                            §6
//! 8  reseed markers; spray leaves the water and lands                                                 §6
//! ```
//!
//! Stage 2 comes before stage 3 so that nothing is advected to cells that are too large for it. After stage
//! 3, which is [`transport`], the old mesh is no longer read; it is freed before memory use peaks.

use crate::advect::{ArrivedVelocity, advect_velocity};
use crate::boundary::{self, Boundary};
use crate::correct::{Correction, correct_volume};
use crate::detach::moved_with_solids;
use crate::extend::{ExtendedVelocity, extend_projected_velocity, short_carrying_velocity};
use crate::flows;
use crate::gravity::add_gravity;
use crate::health;
use crate::landing::reseed;
use crate::level_set::{SecondDifferences, advect_phi};
use crate::mesh::{ArrivalMesh, Mesh, MeshWithoutLeaves};
use crate::params::Params;
use crate::particles::{LevelParticles, Surroundings, advance_markers, correct_by_markers};
use crate::paths::Paths;
use crate::phi::{BoundedPhi, apply_boundaries, redistance_outside_solids, wet_cells};
use crate::pressure::{Water, close_faces, guess_pressure, project_water};
use crate::project::PressureSolver;
use crate::remesh::wanted_tree;
use crate::state::State;
use octide_core::ceiling;
use octide_core::contract::StepError;
use octide_core::faces::detach::{Detached, DetachedCells, Walled};
use octide_core::faces::friction::Shore;
use octide_core::flows::{Exchange, Moment};
use octide_core::health::check_flow;
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::octree::{FoldedTree, Octree};
use octide_core::par;
pub use octide_core::report::StepFindings;
use octide_core::scene::Solid;
use octide_core::solids::{Barriers, Solids};
use octide_core::stopwatch::Stopwatch;
use std::sync::Arc;

/// Advances `old` by `dt`, on a tree that the step builds or, for studies, on `tree`. The mesh of `old` is
/// freed table by table as soon as a table is no longer read, because the tables are half of all memory. If
/// the step fails, the mesh is rebuilt from one bit per node, so that `old` is unchanged.
pub fn step(
    old: &mut State,
    tree: Option<Octree>,
    dt: f64,
    solids: &[Solid],
    params: &Params,
    solver: &mut PressureSolver,
) -> Result<(State, StepFindings), StepError> {
    let folded = FoldedTree::new(&old.mesh.tree);
    let result = advance(old, tree, dt, solids, params, solver)
        .and_then(|(new, findings)| health::check(old, &new, dt, params).map(|()| (new, findings)));
    Solids::check_meshes(solids)
        .and(result)
        .inspect_err(|_| old.put_back(folded.unfold(), solids, params.flows.open))
}

/// The water on a new tree after φ, velocity and markers were advected, before any force acts.
struct Transported {
    mesh: MeshWithoutLeaves,
    phi: Field<NodeId, f64>,
    u: Field<FaceId, f64>,
    particles: LevelParticles,
    /// The volume of spray that left through open sides, in m³.
    lost: f64,
    /// The rate at which the old velocity moves water into outflows, per cell, in m³/s.
    sinks: Vec<(CellId, f64)>,
    /// An initial guess for the pressure, times dt.
    guess: Field<CellId, f64>,
    /// The cells whose walls were free of water before, where they are now.
    free_before: DetachedCells,
}

/// Runs the stages that read the old mesh, and frees it.
fn transport(
    old: &mut State,
    tree: Option<Octree>,
    dt: f64,
    solids: (&Arc<Solids>, &Arc<Solids>),
    params: &Params,
    watch: &mut Stopwatch,
) -> Result<Transported, StepError> {
    let now = Moment { time: old.time, dt };
    let corners = watch.run("corners", || short_carrying_velocity(old, solids.0));
    let barriers = watch.run("corners", || {
        let travel = dt * par::max(corners.len(), |v| f64::from(corners[NodeId(v as u32)].length()));
        let distance = |c| old.boundary.solid_distance(c);
        Barriers::new(Arc::clone(solids.0), Arc::clone(solids.1), dt, &old.mesh.tree, distance, travel)
    });
    let (open, gravity) = (params.flows.open, params.gravity);
    let around = Surroundings { solids: solids.1, open, gravity, barriers: Some(&barriers) };
    let paths = Paths { velocity: &corners, barriers: Some(&barriers) };
    let wanted = || wanted_tree(old, &corners, solids.1, now, params);
    let tree = watch.run("tree", || tree.map_or_else(wanted, Ok))?;
    let sinks = watch.run("advect_phi", || flows::sinks(&params.flows, old, dt));
    let second_differences = watch.run("advect_phi", || SecondDifferences::new(&old.mesh, &old.phi));
    drop(old.boundary.take());
    let was = old.mesh.take().into_departure();
    let (particles, lost) = watch.run("particles", || {
        advance_markers(&old.particles, &was, &corners, &tree, &around, dt, params.particles.seed)
    });
    let mesh = watch.run("tree", || ArrivalMesh::arrival(tree));
    let phi = watch.run("advect_phi", || advect_phi(&was, &old.phi, second_differences, paths, &mesh, dt));
    let mesh = watch.run("tree", || mesh.with_faces());
    let ArrivedVelocity { retired: (guess, free_before), mesh, u } = watch.run("advect_velocity", || {
        let (is_wet, u) = (wet_cells(&mesh, &phi, now, params), &old.u);
        let paths = (&corners, paths);
        // These are the last that are looked up in the old mesh.
        let last = |was: Mesh<_, _>, tree: &_| {
            let (was, solids) = (was.into_tree(), solids.1);
            (
                guess_pressure(&was, &old.pressure, tree, dt),
                moved_with_solids(&was, &old.detached, tree, solids, dt),
            )
        };
        advect_velocity(was, |k| u[k], paths, mesh, dt, params.advection, |c| is_wet[c], last)
    });
    Ok(Transported { mesh, phi, u, particles, lost, sinks, guess, free_before })
}

/// The redistanced surface on the new mesh, and its boundaries.
struct Surface {
    mesh: Mesh,
    boundary: Boundary,
    phi: Field<NodeId, f64>,
    particles: LevelParticles,
    /// The walls of solids that water has detached from.
    detached: Detached,
    /// Volume that was added and removed by setting φ and with particles.
    exchange: Exchange,
}

/// Runs the stages that prepare φ for the pressure solve; water may detach from ceilings that hold it by
/// more than `suction`, if that is given. `flow` is the velocity and an initial guess for the pressure.
fn shape_surface(
    suction: Option<f64>,
    mesh: MeshWithoutLeaves,
    mut phi: Field<NodeId, f64>,
    mut particles: LevelParticles,
    solids: &Solids,
    flow: (&Field<FaceId, f64>, &Field<CellId, f64>),
    free_before: &[(CellId, u8)],
    now: Moment,
    params: &Params,
    watch: &mut Stopwatch,
) -> Surface {
    let mesh = watch.run("tree", || mesh.with_leaves());
    let boundary = watch.run("solids", || boundary::measured(&mesh, solids, params.flows.open));
    watch.run("particles", || correct_by_markers(&particles, &mesh, &mut phi));
    let BoundedPhi { phi, detached, gaps, mut exchange } = watch.run("advect_phi", || {
        apply_boundaries(suction, &mesh, phi, &boundary, solids, flow, free_before, now, params)
    });
    exchange.volume_out +=
        watch.run("advect_phi", || flows::remove_particles(&mut particles, &mesh, now, params));
    let mut phi = watch.run("redistance", || {
        redistance_outside_solids(&mesh, phi, &boundary, solids, &gaps, params.gravity)
    });
    watch.run("particles", || correct_by_markers(&particles, &mesh, &mut phi));
    watch.run("particles", || particles.refresh(&mesh, &phi));
    Surface { mesh, boundary, phi, particles, detached, exchange }
}

/// Runs all stages.
fn advance(
    old: &mut State,
    tree: Option<Octree>,
    dt: f64,
    solids: &[Solid],
    params: &Params,
    solver: &mut PressureSolver,
) -> Result<(State, StepFindings), StepError> {
    let watch = &mut Stopwatch::new();
    let now = Moment { time: old.time, dt };
    let dx = old.mesh.tree.grid().dx();
    let solids_before = Arc::new(Solids::on_grid(solids, old.time, dx));
    let solids = Arc::new(Solids::between_steps(solids, old.time + dt, dt, dx));
    let Transported { mesh, phi, mut u, particles, lost, sinks, guess, free_before } =
        transport(old, tree, dt, (&solids_before, &solids), params, watch)?;
    // Water with air above it needs no help to leave the ceiling.
    let settles = !old.clear_ceiling && params.flows.has_exit(now);
    let suction = settles.then(|| ceiling::least_suction(params.gravity, mesh.tree.grid().dx()));
    let suction = if old.clear_ceiling { Some(0.0) } else { suction };
    let flow = (&u, &guess);
    let Surface { mesh, boundary, mut phi, mut particles, mut detached, mut exchange } =
        shape_surface(suction, mesh, phi, particles, &solids, flow, &free_before, now, params, watch);
    exchange.volume_out += lost;
    let slowed = watch.run("advect_velocity", || {
        let walled = Walled { mesh: &mesh, apertures: &boundary, solids: &solids };
        let (open, phi) = (params.flows.open, |c| mesh.at_center(&phi, c));
        params.friction.find(&Shore { walled, detached: &detached, open, phi, u: &u }, dt)
    });
    watch.run("advect_velocity", || add_gravity(&mesh, &boundary, &mut u, dt * params.gravity, params));
    slowed.slow(&mut u);
    let spray = particles.spray_volume();
    let Correction { volume, divergence, control } = watch.run("volume", || {
        correct_volume(old, &mesh, &phi, &boundary, &solids, spray, &mut exchange, sinks, dt, params)
    })?;
    let (mut closed, prescribed) = close_faces(&mesh, &boundary, &solids, &detached, now, params);
    if !slowed.is_empty() {
        slowed.set(closed.to_mut());
    }
    prescribed.check_room(&mesh, &closed, |c| mesh.at_center(&phi, c) < 0.0)?;
    // Neither the pressure solve nor extrapolation reads the leaves around corners.
    let mesh = mesh.without_leaves();
    let projected = watch.run("project", || {
        let (phi, solids, closed) = (&mut phi, &*solids, &mut closed);
        let water = Water { phi, solids, closed, detached: &mut detached, prescribed: &prescribed };
        project_water(&mesh, water, u, divergence, guess, dt, settles, params, solver)
    })?;
    let report = projected.report.clone();
    let ExtendedVelocity { mut u, pressure, crossing, trusted } = watch.run("extrapolate", || {
        extend_projected_velocity(&mesh, &phi, &closed, projected, prescribed, dt, params)
    });
    drop(closed);
    let mesh = watch.run("tree", || mesh.with_leaves());
    watch.run("particles", || reseed(&mut particles, &mesh, &phi, &mut u, &solids, params));
    watch.run("check", || check_flow(&phi, |v| mesh.node_position(v), &u, |k| mesh.face_position(k)))?;
    let new = State {
        time: old.time + dt,
        clear_ceiling: old.clear_ceiling,
        max_component: health::max_component(&u, &trusted),
        mesh: mesh.into(),
        boundary: boundary.into(),
        volume,
        phi,
        u,
        pressure,
        particles,
        control,
        crossing,
        detached: detached.cells(),
    };
    Ok((new, StepFindings { projection: report, stages: std::mem::take(watch).laps() }))
}
