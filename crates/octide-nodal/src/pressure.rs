//! The pressure stage of a step: the initial guess, the faces that are closed to it, and the projection.

use crate::boundary::Boundary;
use crate::extend::open_separated_faces;
use crate::mesh::{Mesh, MeshWithoutLeaves, mean_at};
use crate::params::Params;
use crate::project::{Medium, PressureSolver, Projected, project};
use crate::tension::Tension;
use octide_core::contract::StepError;
use octide_core::faces::inflows::{Prescribed, prescribe};
use octide_core::faces::open_sides;
use octide_core::faces::sealed::Pieces;
use octide_core::flows::Moment;
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::octree::Octree;
use octide_core::par;
use octide_core::solids::Solids;
use std::borrow::Cow;

/// Returns an initial guess for the pressure times `dt`: the old pressure at each cell's center. Consumes the
/// old tree, which is not read after this.
pub(crate) fn guess_pressure(
    old: Octree,
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
    free: &[NodeId],
    now: Moment,
    params: &Params,
) -> (Cow<'a, Boundary>, Prescribed) {
    let mut closed = Cow::Borrowed(boundary);
    if !free.is_empty() {
        open_separated_faces(mesh, closed.to_mut(), solids, free);
    }
    let prescribed = if params.flows.closes_faces(now) {
        prescribe(&params.flows, mesh, closed.to_mut(), now)
    } else {
        Prescribed::default()
    };
    (closed, prescribed)
}

/// Projects `u`. Open sides of the domain through which water would enter are closed in `closed`, and the
/// pressure is solved for again, until there are none. If it `settles`, sealed water gets the pressure that
/// decides where ceilings hold it.
pub(crate) fn project_water(
    mesh: &MeshWithoutLeaves,
    phi: &Field<NodeId, f64>,
    closed: &mut Cow<'_, Boundary>,
    u: Field<FaceId, f64>,
    divergence: f64,
    guess: Field<CellId, f64>,
    dt: f64,
    settles: bool,
    params: &Params,
    solver: &mut PressureSolver,
) -> Result<Projected, StepError> {
    let tension = Tension::of(params.surface_tension, params.density, params.imposed_curvature, dt);
    let medium =
        Medium::Water { phi, corners: mesh.nodes.cells(), free_surface: params.free_surface, tension };
    let measured = (settles && params.flows.open.any()).then(|| closed.clone().into_owned());
    let mut projected = if params.flows.open.any() {
        let mut iterations = 0;
        let solve = |boundary: &Boundary, before: Option<Projected>| {
            let guess = before.map_or_else(|| guess.clone(), |p| p.pressure);
            let (u, params) = (u.clone(), &params.project);
            let mut out = project(mesh, boundary, &medium, u, divergence, guess, params, solver)?;
            iterations += out.report.iterations;
            out.report.iterations = iterations;
            Ok::<_, StepError>(out)
        };
        open_sides::solve_outwards(mesh, closed.to_mut(), solve, |p: &mut Projected| (&mut p.u, &p.valid))?
    } else {
        project(mesh, closed, &medium, u, divergence, guess, &params.project, solver)?
    };
    solver.release_memory();
    if settles {
        let flaps = measured.map_or_else(Vec::new, |m| open_sides::closed_sides(mesh, &m, closed));
        let pieces = Pieces::find(mesh, closed, |c| mean_at(mesh.nodes.cells(), phi, c) < 0.0);
        pieces.settle_pressure(mesh, &flaps, &mut projected.pressure);
    }
    Ok(projected)
}
