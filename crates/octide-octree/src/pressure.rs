//! The pressure stage of a step: its initial guess, and the projection in parallel with redistancing.

use crate::apertures::Apertures;
use crate::correct::Divergence;
use crate::extend::restore_distance;
use crate::faults::{self, Fault};
use crate::mesh::Mesh;
use crate::open_sides::project_outwards;
use crate::params::Params;
use crate::project::{Guess, Projected, flow_through};
use crate::solids::Solids;
use crate::tension::{Tension, project_under_tension, redistance_smoothly};
use octide_core::contract::StepError;
use octide_core::faces::detach::{Detached, DetachedCells};
use octide_core::faces::inflows::Prescribed;
use octide_core::faces::open_sides::closed_sides;
use octide_core::faces::pockets::Pockets;
use octide_core::faces::sealed::Pieces;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::par;
use octide_core::stopwatch::Stopwatch;

/// Returns the initial guess of the pressure times dt: the old pressure at each cell's center. This is the
/// last use of the old mesh, which is freed here.
pub(crate) fn guess_pressure(
    old: Mesh,
    pressure: &Field<CellId, f64>,
    mesh: &Mesh,
    dt: f64,
) -> Field<CellId, f64> {
    let Mesh { tree, .. } = old;
    par::map(mesh.n_cells(), |c: CellId| dt * pressure[tree.nearest_leaf(mesh.tree.center(c))])
}

/// The walls of a step.
pub(crate) struct Walls<'a> {
    pub apertures: &'a mut Apertures,
    pub solids: &'a Solids,
    /// Those that water has detached from.
    pub detached: Detached,
    /// What inflows prescribe.
    pub prescribed: &'a Prescribed,
}

/// The result of the pressure stage.
pub(crate) struct Solved {
    pub projected: Projected,
    /// φ, redistanced.
    pub phi: Field<CellId, f64>,
    pub detached: DetachedCells,
}

/// Projects `u_star` and redistances φ. The two are independent and run in parallel, unless the domain has
/// open sides, which the projection closes until nothing enters, or solids, from which it detaches water. If it
/// `settles`, sealed water gets the pressure that decides where ceilings hold it.
pub(crate) fn project_and_redistance(
    mesh: &Mesh,
    mut phi: Field<CellId, f64>,
    mut walls: Walls,
    u_star: Field<FaceId, f64>,
    divergence: Divergence,
    guess: Guess,
    dt: f64,
    settles: bool,
    params: &Params,
    watch: &mut Stopwatch,
) -> Result<Solved, StepError> {
    let tension = Tension::of(params, dt);
    let distance = |phi: &Field<CellId, f64>, apertures: &Apertures| match tension {
        _ if faults::is(Fault::NoRedistancing) => phi.clone(),
        Some(_) => redistance_smoothly(mesh, phi, apertures),
        None => restore_distance(mesh, phi, apertures),
    };
    let settle = |mut out: Projected, phi: &Field<CellId, f64>, apertures: &Apertures, flaps: &[FaceId]| {
        if settles {
            let pieces = Pieces::find(mesh, apertures, |c| phi[c] < 0.0);
            pieces.settle_pressure(mesh, flaps, &mut out.pressure);
        }
        out
    };
    let project_closed = |phi: &Field<CellId, f64>,
                          apertures: &Apertures,
                          u: Field<FaceId, f64>,
                          guess: Guess,
                          pockets: &Pockets| {
        let wanted = divergence.clone();
        let out = project_under_tension((tension, pockets), mesh, phi, apertures, u, wanted, guess, params)?;
        Ok(settle(out, phi, apertures, &[]))
    };
    if !walls.apertures.has_solids() && !params.flows.open.any() {
        let apertures = &*walls.apertures;
        let project = || {
            // Without solids there are no pockets, but bubbles that collapse.
            let pockets = Pockets::find(mesh, apertures, walls.solids, |c| phi[c] >= 0.0, params.gravity);
            let out = project_closed(&phi, apertures, u_star, guess, &pockets)?;
            Ok(with_collapsing_air(out, mesh, apertures, &pockets, dt))
        };
        let redistance = || distance(&phi, apertures);
        let (projected, phi) = watch.run_both(["project", "redistance"], project, redistance);
        return Ok(Solved { projected: projected?, phi, detached: Vec::new() });
    }
    let holds = dt * params.suction;
    // Walls that water detaches from within the step open no way for air that is shut in.
    let is_air = |c: CellId| phi[c] >= 0.0;
    let find = || Pockets::find(mesh, walls.apertures, walls.solids, is_air, params.gravity);
    let pockets = watch.run("project", find);
    let project =
        |phi: &Field<CellId, f64>, apertures: &mut Apertures, u: Field<FaceId, f64>, guess: Guess| {
            if !params.flows.open.any() {
                return project_closed(phi, apertures, u, guess, &pockets);
            }
            let measured = settles.then(|| apertures.clone());
            let wanted = divergence.clone();
            let out = project_outwards((tension, &pockets), mesh, phi, apertures, u, wanted, guess, params)?;
            let flaps = measured.map_or_else(Vec::new, |measured| closed_sides(mesh, &measured, apertures));
            Ok(settle(out, phi, apertures, &flaps))
        };
    let projected = watch.run("project", || {
        let out = detach_by_pressure(mesh, &mut phi, &mut walls, &pockets, (u_star, guess, holds), project)?;
        Ok(with_collapsing_air(out, mesh, walls.apertures, &pockets, dt))
    })?;
    let phi = watch.run("redistance", || distance(&phi, walls.apertures));
    Ok(Solved { projected, phi, detached: walls.detached.cells() })
}

/// Reports shut-in air that collapses.
fn with_collapsing_air(
    mut out: Projected,
    mesh: &Mesh,
    apertures: &Apertures,
    pockets: &Pockets,
    dt: f64,
) -> Projected {
    let flow = |k, c| flow_through(mesh, apertures, k, c, out.u[k]);
    out.report.collapsing_air = pockets.collapsing(dt, flow);
    out
}

/// Projects until no wall pulls the water harder than it may, or often enough. Opens the faces of walls that water
/// detaches from.
fn detach_by_pressure(
    mesh: &Mesh,
    phi: &mut Field<CellId, f64>,
    walls: &mut Walls,
    pockets: &Pockets,
    (u_star, guess, holds): (Field<FaceId, f64>, Guess, f64),
    project: impl Fn(
        &Field<CellId, f64>,
        &mut Apertures,
        Field<FaceId, f64>,
        Guess,
    ) -> Result<Projected, StepError>,
) -> Result<Projected, StepError> {
    let Walls { apertures, solids, detached, prescribed } = walls;
    if !apertures.has_solids() {
        return project(phi, apertures, u_star, guess);
    }
    let (slope, mut first) = (guess.slope, Some(guess));
    let project_again = |phi: &Field<CellId, f64>, apertures: &mut Apertures, last: Option<Projected>| {
        let iterations = last.as_ref().map_or(0, |p| p.report.iterations);
        let guess = first.take().or(last.map(|p| Guess { pressure: p.pressure, slope }));
        let guess = guess.unwrap_or_else(|| unreachable!("each solve after the first has one before it"));
        let mut out = project(phi, apertures, u_star.clone(), guess)?;
        out.report.iterations += iterations;
        Ok(out)
    };
    let kept = |k| prescribed.sets(k);
    let grid = (mesh, *solids, pockets);
    detached.settle(grid, apertures, phi, (&u_star, holds), kept, project_again, |p| &p.pressure)
}
