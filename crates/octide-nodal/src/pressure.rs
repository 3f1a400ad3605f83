//! The pressure stage of a step: the initial guess, the faces that are closed to it, and the projection.

use crate::boundary::Boundary;
use crate::detach::{Gaps, at_centers};
use crate::mesh::{Mesh, MeshWithoutLeaves, mean_at};
use crate::params::Params;
use crate::project::{Medium, PressureSolver, Projected, project};
use crate::tension::Tension;
use octide_core::contract::StepError;
use octide_core::faces::detach::{Detached, Walled};
use octide_core::faces::inflows::{Prescribed, prescribe};
use octide_core::faces::open_sides;
use octide_core::faces::pockets::{Kept, Pockets, ShutIn};
use octide_core::faces::sealed::Pieces;
use octide_core::flows::Moment;
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::octree::Octree;
use octide_core::par;
use octide_core::solids::Solids;
use std::borrow::Cow;

/// Returns an initial guess for the pressure times `dt`: the old pressure at each cell's center.
pub(crate) fn guess_pressure(
    old: &Octree,
    pressure: &Field<CellId, f64>,
    tree: &Octree,
    dt: f64,
) -> Field<CellId, f64> {
    par::map(tree.n_cells(), |c: CellId| dt * pressure[old.nearest_leaf(tree.center(c))])
}

/// Returns the boundary for a step's pressure solve, open where water detaches from solids and closed where
/// inflows prescribe the velocity, and the prescribed velocities.
pub(crate) fn close_faces<'a>(
    mesh: &Mesh,
    boundary: &'a Boundary,
    solids: &Solids,
    detached: &Detached,
    now: Moment,
    params: &Params,
) -> (Cow<'a, Boundary>, Prescribed) {
    let mut closed = Cow::Borrowed(boundary);
    if !detached.is_empty() {
        detached.open_faces(mesh, closed.to_mut(), solids, |_| false);
    }
    let prescribed = if params.flows.closes_faces(now) {
        prescribe(&params.flows, mesh, closed.to_mut(), now)
    } else {
        Prescribed::default()
    };
    (closed, prescribed)
}

/// The water of a pressure stage.
pub(crate) struct Water<'a, 'b> {
    pub phi: &'a mut Field<NodeId, f64>,
    pub solids: &'a Solids,
    /// How faces are closed.
    pub closed: &'a mut Cow<'b, Boundary>,
    /// The walls that water has detached from.
    pub detached: &'a mut Detached,
    /// What inflows prescribe.
    pub prescribed: &'a Prescribed,
}

/// Projects `u`; again where walls pull harder than they may, and water detaches from them. If it `settles`, sealed
/// water gets the pressure that decides where ceilings hold it.
pub(crate) fn project_water(
    mesh: &MeshWithoutLeaves,
    water: Water,
    u: Field<FaceId, f64>,
    divergence: f64,
    guess: Field<CellId, f64>,
    dt: f64,
    settles: bool,
    params: &Params,
    solver: &mut PressureSolver,
) -> Result<Projected, StepError> {
    let Water { phi, solids, closed, detached, prescribed } = water;
    let aim = Aim { divergence, dt, settles, params };
    if !closed.has_solids() {
        // Without solids there are no pockets, but bubbles that collapse.
        let is_air = |c| mesh.at_center(phi, c) >= 0.0;
        let pockets = &Pockets::find(mesh, closed, solids, is_air, params.gravity);
        let projected = project_outwards(mesh, (phi, None), pockets, closed, u, guess, &aim, solver);
        solver.release_memory();
        return Ok(with_collapsing_air(projected?, mesh, closed, pockets, dt));
    }
    let mut centers = at_centers(mesh, phi);
    let walled = Walled { mesh, apertures: closed, solids };
    Gaps::new(mesh, (closed, solids), detached).keep_attached(walled, detached, &mut centers);
    detached.fill(walled, &mut centers);
    let pockets = &Pockets::find(mesh, closed, solids, |c| centers[c] >= 0.0, params.gravity);
    let n_before = detached.n_cells();
    let mut first = Some(guess);
    let project = |centers: &Field<CellId, f64>, closed: &mut Boundary, last: Option<Projected>| {
        let iterations = last.as_ref().map_or(0, |p| p.report.iterations);
        let guess = first.take().or(last.map(|p| p.pressure)).unwrap_or_default();
        let mut own = Cow::Owned(std::mem::take(closed));
        let (phi, u) = ((&*phi, Some(centers)), u.clone());
        let mut out = project_outwards(mesh, phi, pockets, &mut own, u, guess, &aim, solver)?;
        *closed = own.into_owned();
        out.report.iterations += iterations;
        Ok(out)
    };
    let (grid, pull) = ((mesh, solids, pockets), (&u, dt * params.suction));
    let kept = |k| prescribed.sets(k);
    let projected =
        detached.settle(grid, closed.to_mut(), &mut centers, pull, kept, project, |p| &p.pressure)?;
    solver.release_memory();
    if detached.n_cells() > n_before {
        Gaps::new(mesh, (closed, solids), detached).apply(mesh, solids, phi);
    }
    Ok(with_collapsing_air(projected, mesh, closed, pockets, dt))
}

/// Reports shut-in air that collapses.
fn with_collapsing_air(
    mut out: Projected,
    mesh: &MeshWithoutLeaves,
    boundary: &Boundary,
    pockets: &Pockets,
    dt: f64,
) -> Projected {
    out.report.collapsing_air = pockets.collapsing(dt, |k, _| flow_through(mesh, boundary, k, out.u[k]));
    out
}

/// Returns the flow through a face along its axis, in m³/s.
fn flow_through(mesh: &MeshWithoutLeaves, boundary: &Boundary, face: FaceId, u: f64) -> f64 {
    mesh.face_size(face).powi(2) * boundary.through(face, u)
}

/// What a projection aims at.
struct Aim<'a> {
    divergence: f64,
    dt: f64,
    settles: bool,
    params: &'a Params,
}

/// Projects `u` once. Open sides of the domain through which water would enter are closed in `closed`, and the
/// pressure is solved for again, until there are none.
fn project_outwards(
    mesh: &MeshWithoutLeaves,
    (phi, centers): (&Field<NodeId, f64>, Option<&Field<CellId, f64>>),
    pockets: &Pockets,
    closed: &mut Cow<'_, Boundary>,
    u: Field<FaceId, f64>,
    guess: Field<CellId, f64>,
    aim: &Aim,
    solver: &mut PressureSolver,
) -> Result<Projected, StepError> {
    let &Aim { divergence, dt, settles, params } = aim;
    let tension = Tension::of(params.surface_tension, params.density, params.imposed_curvature, dt);
    let (corners, free_surface) = (mesh.nodes.cells(), params.free_surface);
    let medium = Medium::Water { phi, corners, centers, free_surface, tension, air: None };
    let mut project = |boundary: &Boundary, u: Field<FaceId, f64>, guess: Field<CellId, f64>| {
        if pockets.is_empty() {
            return project(mesh, boundary, &medium, u, divergence, guess, &params.project, solver);
        }
        project_keeping_air(mesh, boundary, pockets, &guess, dt * params.suction, |air, guess| {
            let air = Some(air);
            let (u, medium) =
                (u.clone(), Medium::Water { phi, corners, centers, free_surface, tension, air });
            project(mesh, boundary, &medium, u, divergence, guess, &params.project, solver)
        })
    };
    let measured = (settles && params.flows.open.any()).then(|| closed.clone().into_owned());
    let mut projected = if params.flows.open.any() {
        let mut iterations = 0;
        let solve = |boundary: &Boundary, before: Option<Projected>| {
            let guess = before.map_or_else(|| guess.clone(), |p| p.pressure);
            let mut out = project(boundary, u.clone(), guess)?;
            iterations += out.report.iterations;
            out.report.iterations = iterations;
            Ok::<_, StepError>(out)
        };
        open_sides::solve_outwards(mesh, closed.to_mut(), solve, |p: &mut Projected| (&mut p.u, &p.valid))?
    } else {
        project(closed, u, guess)?
    };
    if settles {
        let flaps = measured.map_or_else(Vec::new, |m| open_sides::closed_sides(mesh, &m, closed));
        let pieces = Pieces::find(mesh, closed, |c| mean_at(mesh.nodes.cells(), phi, c) < 0.0);
        pieces.settle_pressure(mesh, &flaps, &mut projected.pressure);
    }
    Ok(projected)
}

/// Projects so that shut-in air keeps its volume: see [`octide_core::faces::pockets`]. `project` projects with the
/// pressure of the air, from a guess.
fn project_keeping_air(
    mesh: &MeshWithoutLeaves,
    boundary: &Boundary,
    pockets: &Pockets,
    guess: &Field<CellId, f64>,
    least: f64,
    mut project: impl FnMut(ShutIn, Field<CellId, f64>) -> Result<Projected, StepError>,
) -> Result<Projected, StepError> {
    let solve =
        |air: ShutIn, before: Option<&Projected>| project(air, before.map_or(guess, |p| &p.pressure).clone());
    let inflow = |p: &Projected| pockets.inflow(|k, _| flow_through(mesh, boundary, k, p.u[k]));
    let kept = pockets.keep_volumes(mesh, guess, least, solve, inflow, |p| &p.u)?;
    let u = par::map(mesh.n_faces(), |k: FaceId| kept.value(|p| p.u[k]));
    let pressure = par::map(mesh.n_cells(), |c: CellId| kept.value(|p| p.pressure[c]));
    let Kept { base, trials } = kept;
    let mut report = base.report;
    report.iterations += trials.iter().map(|t| t.0.report.iterations).sum::<usize>();
    Ok(Projected { u, pressure, report, valid: base.valid })
}
