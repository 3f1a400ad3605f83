//! One time step of water: the old state is read, a new one is built.
//!
//! The paper gives no order; this one refines before the surface arrives, so that nothing is carried to cells
//! that are too large for it, and is done with the old mesh before it does anything else: a tree for where
//! the surface will be · markers, φ and velocity carried to it (§4, §6) · φ corrected by the markers, made a
//! distance and corrected again (§6) · gravity · pressure (§4) · velocity continued into air (§6).
//!
//! Gravity differs from the paper's u += dt g where cells i and j of different size meet. There the
//! pressure's difference (p_j − p_i)/Δ is not along the face's normal, so that the pressure of water at rest
//! would set it in motion. Gravity is taken by the same difference, dt g·(x_j − x_i)/Δ, which that pressure
//! cancels to the last bit, also where the surface cuts the face. What falls freely pays for it: its pressure
//! must undo the part across.

use crate::advect::{Advection, advect_wanted_faces};
use crate::boundary::{self, Boundary};
use crate::extend::{Parting, carrying_velocity, extend_phi, extend_velocity, set_free};
use crate::faults::{self, Fault};
use crate::flows;
use crate::level_set::{Bends, advect_phi, redistance};
use crate::mesh::Mesh;
use crate::params::Params;
use crate::particles::{Landed, LevelParticles, Surroundings};
use crate::project::{Medium, PressureSolver, Projected, delta, project};
use crate::sizing::tree_for;
use crate::state::State;
use crate::tension::Tension;
use crate::volume::liquid_volume;
use glam::{DVec3, Vec3};
use octide_core::ceiling;
use octide_core::contract::StepError;
use octide_core::faces::inflows::Prescribed;
use octide_core::faces::open_sides;
use octide_core::flows::{Exchange, Moment};
use octide_core::health::check_flow;
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::octree::{Grading, Octree};
use octide_core::par;
pub use octide_core::report::StepFindings;
use octide_core::scene::Solid;
use octide_core::solids::Solids;
use octide_core::stopwatch::Stopwatch;
use octide_core::volume::VolumeControl;
use std::borrow::Cow;

/// Cells whose φ is below this share of their edge may be water when markers and redistancing have had their
/// say.
const WET: f64 = 1.5;

/// Advances `old` by `dt`. What it is stays the same: after an error its tables are made again, else the
/// caller drops it. They go as soon as nothing reads them any more, for they are half of all memory.
pub fn step(
    old: &mut State,
    dt: f64,
    solids: &[Solid],
    params: &Params,
    solver: &mut PressureSolver,
) -> Result<(State, StepFindings), StepError> {
    advance(old, dt, solids, params, solver, None).inspect_err(|_| old.restore(solids, params.flows.open))
}

/// As [`step`], on a tree that is given: for studies of what the tree does to the answer.
pub fn step_on(
    old: &mut State,
    tree: Octree,
    dt: f64,
    solids: &[Solid],
    params: &Params,
    solver: &mut PressureSolver,
) -> Result<(State, StepFindings), StepError> {
    advance(old, dt, solids, params, solver, Some(tree))
        .inspect_err(|_| old.restore(solids, params.flows.open))
}

/// The water on its way: a new tree, and φ and the velocity carried to it.
struct Carried {
    mesh: Mesh,
    boundary: Boundary,
    phi: Field<NodeId, f64>,
    u: Field<FaceId, f64>,
    /// A first guess of the pressure, times dt.
    guess: Field<CellId, f64>,
    particles: LevelParticles,
    solids: Solids,
    /// What came in and went out where φ was set.
    exchange: Exchange,
    /// What the old velocity carries into outflows, cell by cell.
    sinks: Vec<(CellId, f64)>,
    /// Corners in solids that water parts from.
    free: Vec<NodeId>,
}

/// The stages that read the old mesh, in the order they run. At their end it is folded.
fn carried(
    old: &mut State,
    dt: f64,
    solids: &[Solid],
    params: &Params,
    tree: Option<Octree>,
    watch: &mut Stopwatch,
) -> Result<Carried, StepError> {
    let corners = carrying_velocity(&old.mesh, &old.u, &old.boundary, &Solids::at(solids, old.time));
    // Short numbers are enough for paths, and where faces differ in size: they are right to a ten millionth.
    let corners: Field<NodeId, Vec3> = par::map(corners.len(), |v: NodeId| corners[v].as_vec3());
    watch.lap("corners");
    let solids = Solids::at(solids, old.time + dt);
    let now = Moment { time: old.time, dt };
    let tree = match tree {
        Some(tree) => tree,
        None => {
            let tree = tree_for(&old.mesh, &old.phi, &old.boundary, &corners, dt, params)?;
            params.flows.refined(tree, Grading::Unrestricted, now)
        }
    };
    watch.lap("tree");
    let sinks = flows::sinks(&params.flows, old, dt);
    let bends = Bends::new(&old.mesh, &old.phi);
    old.mesh.keep_cells_only();
    old.boundary = Boundary::default();
    watch.lap("advect_phi");
    let around = Surroundings { solids: &solids, open: params.flows.open, gravity: params.gravity };
    let (mut particles, lost) = old.particles.advanced(&old.mesh, &corners, &tree, &around, dt);
    watch.lap("particles");
    let mut mesh = Mesh::for_arrivals(tree);
    watch.lap("tree");
    let mut phi = advect_phi(&old.mesh, &old.phi, bends, &corners, &mesh, dt);
    watch.lap("advect_phi");
    mesh.find_faces();
    if params.advection != Advection::SemiLagrangian {
        mesh.find_faces_of_cells(); // the way back starts here
    }
    watch.lap("tree");
    // Faces without water beside them are not projected; they get their velocity by extrapolation.
    let is_wet = par::map(mesh.n_cells(), |c: CellId| {
        mesh.at_center(&phi, c) < WET * mesh.tree.size(c) || params.flows.acts_at(mesh.tree.center(c), now)
    });
    let wanted = |k: FaceId| mesh.faces.sides(k).iter().any(|&c| c.is_some() && is_wet[c]);
    let before = &old.u;
    let u = advect_wanted_faces(
        &old.mesh,
        |k| before[k],
        &corners,
        &corners,
        &mesh,
        dt,
        params.advection,
        wanted,
    );
    drop((corners, is_wet));
    old.mesh.keep_tree_only();
    let guess = par::map(mesh.n_cells(), |c: CellId| {
        dt * old.pressure[old.mesh.tree.nearest_leaf(mesh.tree.center(c))]
    });
    old.mesh.forget();
    watch.lap("advect_velocity");

    mesh.nodes.find_leaves(&mesh.tree);
    if !solids.is_empty() {
        mesh.complete(); // how φ goes on into them may be read from faces
    }
    watch.lap("tree");
    let boundary = boundary::measured(&mesh, &solids, params.flows.open);
    watch.lap("solids");
    particles.correct(&mesh, &mut phi);
    watch.lap("particles");
    let position = |v| mesh.node_position(v);
    let pressure = |x| guess[mesh.tree.nearest_leaf(x)] / dt;
    if old.clear_ceiling {
        phi = ceiling::let_go(mesh.tree.grid(), phi, position, params.gravity, pressure);
    }
    let dx = mesh.tree.grid().dx();
    let holds = params.gravity.length() * dx + params.surface_tension / (params.density * dx);
    let parting = Parting { u: &u, pressure: &guess, dt, holds };
    let (phi, mut free) = extend_phi(&mesh, phi, &boundary, &solids, params.gravity, Some(&parting));
    let parting = (&parting, &mut free);
    let (phi, mut exchange) =
        flows::act(&params.flows, &mesh, phi, &boundary, &solids, params.gravity, now, parting);
    exchange.went += lost;
    if params.flows.inflows(now).next().is_some() || params.flows.outflows(now).next().is_some() {
        exchange.went += particles.remove(&mesh, |x| params.flows.acts_at(x, now));
    }
    watch.lap("advect_phi");
    Ok(Carried { mesh, boundary, phi, u, guess, particles, solids, exchange, sinks, free })
}

/// All stages.
fn advance(
    old: &mut State,
    dt: f64,
    solids: &[Solid],
    params: &Params,
    solver: &mut PressureSolver,
    tree: Option<Octree>,
) -> Result<(State, StepFindings), StepError> {
    let mut watch = Stopwatch::new();
    let Carried { mut mesh, boundary, phi, mut u, guess, mut particles, solids, exchange, sinks, free } =
        carried(old, dt, solids, params, tree, &mut watch)?;

    let phi = redistance(&mesh, &phi, f64::INFINITY);
    // Where it ends in a solid the surface has an edge, which rounds it off up to two cells away.
    let parted: Vec<f64> = free.iter().map(|&v| phi[v]).collect();
    let (mut phi, _) = extend_phi(&mesh, phi, &boundary, &solids, params.gravity, None);
    if !free.is_empty() {
        free.iter().zip(parted).for_each(|(&v, there)| phi[v] = there);
        mesh.constrain(&mut phi);
    }
    watch.lap("redistance");
    particles.correct(&mesh, &mut phi);
    particles.refresh(&mesh, &phi);
    watch.lap("particles");
    add_gravity(&mesh, &boundary, &mut u, dt * params.gravity, params);
    watch.lap("advect_velocity");

    let measured = liquid_volume(&mesh, &phi, &boundary, &solids) + particles.spray_volume();
    let (divergence, control) =
        volume(old, &mesh, &boundary, &solids, &exchange, sinks, measured, dt, params);
    watch.lap("volume");

    let now = Moment { time: old.time, dt };
    let mut closing = Cow::Borrowed(&boundary);
    if !free.is_empty() {
        set_free(&mesh, closing.to_mut(), &free);
    }
    let prescribed = if params.flows.closes_faces(now) {
        flows::prescribe(&params.flows, &mesh, closing.to_mut(), now)
    } else {
        Prescribed::default()
    };
    // Neither the pressure nor extrapolation needs to have the leaves around all corners: they are given back
    // for that time.
    mesh.nodes.forget_leaves();
    mesh.find_faces_of_cells();
    let tension = Tension::of(params.surface_tension, params.density, params.imposed_curvature, dt);
    let medium = Medium::Water { phi: &phi, free_surface: params.free_surface, tension };
    let projected = if params.flows.open.any() {
        let mut iterations = 0;
        let solve = |boundary: &Boundary, before: Option<Projected>| {
            let guess = before.map_or_else(|| guess.clone(), |p| p.pressure);
            let (u, params) = (u.clone(), &params.project);
            let mut out = project(&mesh, boundary, &medium, u, divergence, guess, params, solver)?;
            iterations += out.report.iterations;
            out.report.iterations = iterations;
            Ok::<_, StepError>(out)
        };
        open_sides::solve_outwards(&mesh, closing.to_mut(), solve, |p: &mut Projected| (&mut p.u, &p.valid))?
    } else {
        project(&mesh, &closing, &medium, u, divergence, guess, &params.project, solver)?
    };
    solver.give_back();
    watch.lap("project");

    let Projected { mut u, mut pressure, valid, report } = projected;
    par::update(&mut pressure, |_, p| *p /= dt);
    let mut trusted = closing.trusted(&valid);
    drop(valid);
    prescribed.set(&mut u, &mut trusted);
    let mut u = extend_velocity(&mesh, &phi, &closing, u, &trusted);
    let mut crossing = prescribed.sources;
    if params.flows.open.any() {
        open_sides::keep_outward(&mesh, &closing, &mut u);
        crossing.extend(flows::losses(&mesh, &phi, &closing, &u));
    }
    drop(closing);
    watch.lap("extrapolate");
    mesh.complete();
    watch.lap("tree");

    let around = Surroundings { solids: &solids, open: params.flows.open, gravity: params.gravity };
    let landed = particles.renew(&mesh, &phi, &u, &around, &params.particles);
    deliver(&mesh, &landed, &mut u);
    watch.lap("particles");

    check_flow(&phi, |v| mesh.node_position(v), &u, |k| mesh.face_position(k))?;
    let max_component = par::max(mesh.n_faces(), |i| {
        let k = FaceId(i as u32);
        if trusted[k] { u[k].abs() } else { 0.0 }
    });
    let new = State {
        time: old.time + dt,
        clear_ceiling: old.clear_ceiling,
        volume: measured,
        mesh,
        boundary,
        phi,
        u,
        pressure,
        particles,
        max_component,
        control,
        crossing,
    };
    watch.lap("check");
    Ok((new, StepFindings { projection: report, stages: watch.laps() }))
}

/// Adds the velocity that gravity gives, as the difference of its potential between the two cells of a face,
/// by the pressure's own Δ. Between cells of one size this is the paper's u += dt g.
fn add_gravity(
    mesh: &Mesh,
    boundary: &Boundary,
    u: &mut Field<FaceId, f64>,
    mut change: DVec3,
    params: &Params,
) {
    if faults::is(Fault::NoGravityAlongZ) {
        change.z = 0.0;
    }
    par::update(u, |i, u| {
        let k = FaceId(i as u32);
        if boundary.open(k) <= 0.0 {
            return;
        }
        let [low, high] = mesh.faces.sides(k);
        let is_junction = low.is_some() && high.is_some() && mesh.tree.level(low) != mesh.tree.level(high);
        *u += if is_junction && params.balanced_gravity && !faults::is(Fault::UnbalancedGravity) {
            let way = mesh.tree.center(high) - mesh.tree.center(low);
            change.dot(way) / delta(mesh, params.project.gradient_distance, k)
        } else {
            change[mesh.faces.axis(k)]
        };
    });
}

/// The divergence that gives back what was lost of the volume, and what is remembered of it.
fn volume(
    old: &State,
    mesh: &Mesh,
    boundary: &Boundary,
    solids: &Solids,
    exchange: &Exchange,
    sinks: Vec<(CellId, f64)>,
    measured: f64,
    dt: f64,
    params: &Params,
) -> (f64, VolumeControl) {
    let mut control = old.control;
    let mut crossing = old.crossing.clone();
    crossing.extend(sinks);
    let through = |way: f64| crossing.iter().map(|&(_, q)| dt * (way * q).max(0.0)).sum::<f64>();
    control.exchange(exchange.came + through(1.0), exchange.went + through(-1.0));
    if exchange.came > 0.0 || through(1.0) > 0.0 {
        // A tank that is full takes no more.
        let full = Field::filled(mesh.n_nodes(), f64::MIN);
        control.target = control.target.min(liquid_volume(mesh, &full, boundary, solids));
    }
    let corrects = params.corrects_volume && !faults::is(Fault::NoVolumeCorrection);
    if corrects { control.correct(measured, dt, params.fall_time) } else { (0.0, control) }
}

/// Gives the momentum of spray that came back to the faces of its cells.
fn deliver(mesh: &Mesh, landed: &[Landed], u: &mut Field<FaceId, f64>) {
    let mut brought: Vec<(FaceId, f64, f64)> = Vec::new();
    for Landed { cell, drop } in landed {
        let share = drop.volume() / mesh.tree.size(*cell).powi(3);
        for direction in 0..6 {
            let v = f64::from(drop.v[direction / 2]);
            let inner = mesh.faces.of_cell(*cell, direction).iter().filter(|&&k| mesh.side_of(k).is_none());
            brought.extend(inner.map(|&k| (k, share, share * v)));
        }
    }
    brought.sort_by_key(|b| b.0);
    for same in brought.chunk_by(|a, b| a.0 == b.0) {
        let k = same[0].0;
        let (share, moved) = same.iter().fold((0.0, 0.0), |(s, m), b| (s + b.1, m + b.2));
        u[k] += (moved - share * u[k]) / share.max(1.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::particles::Droplet;
    use crate::testing::jagged;

    /// Three drops that fall into one cell, one of them larger than it: the same whichever comes first.
    #[test]
    fn momentum_of_spray_does_not_depend_on_its_order() {
        let mesh = jagged(3);
        let cell = mesh.tree.nearest_leaf(DVec3::new(0.4, 0.2, 0.3));
        let h = mesh.tree.size(cell);
        let drop = |radius: f64, v: [f32; 3]| {
            let radius = (radius * h) as f32;
            let drop =
                Droplet { x: mesh.tree.center(cell), v: Vec3::from_array(v), radius, flight: 0.0, id: 0 };
            Landed { cell, drop }
        };
        let mut landed =
            vec![drop(0.3, [1.0, -2.0, 0.5]), drop(0.4, [-1.5, -3.0, 0.0]), drop(0.7, [0.2, 0.1, -0.7])];
        let before = Field::filled(mesh.n_faces(), 0.25);
        let (mut first, mut second) = (before.clone(), before.clone());
        deliver(&mesh, &landed, &mut first);
        landed.reverse();
        deliver(&mesh, &landed, &mut second);
        assert!(first != before);
        for k in (0..mesh.n_faces()).map(|k| FaceId(k as u32)) {
            assert!((first[k] - second[k]).abs() < 1e-14, "{} and {}", first[k], second[k]);
            // A mean of what is there and what comes.
            let comes = landed.iter().map(|l| f64::from(l.drop.v[mesh.faces.axis(k)]));
            let (low, high) = comes.fold((0.25, 0.25), |(l, h): (f64, f64), v| (l.min(v), h.max(v)));
            assert!((low..=high).contains(&first[k]), "{} from {low} to {high}", first[k]);
        }
    }
}
