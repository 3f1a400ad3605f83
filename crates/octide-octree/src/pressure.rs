//! The pressure stage of a step: its initial guess, and the projection in parallel with redistancing.

use crate::apertures::Apertures;
use crate::correct::Divergence;
use crate::extend::restore_distance;
use crate::faults::{self, Fault};
use crate::mesh::Mesh;
use crate::open_sides::project_outwards;
use crate::params::Params;
use crate::project::{Guess, Projected};
use crate::tension::{Tension, project_under_tension, redistance_smoothly};
use octide_core::contract::StepError;
use octide_core::faces::open_sides::closed_sides;
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

/// Projects `u_star` and redistances φ. The two are independent and run in parallel, unless the domain has
/// open sides: then the projection comes first, because it closes sides until nothing enters. If it
/// `settles`, sealed water gets the pressure that decides where ceilings hold it.
pub(crate) fn project_and_redistance(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    apertures: &mut Apertures,
    u_star: Field<FaceId, f64>,
    divergence: Divergence,
    guess: Guess,
    dt: f64,
    settles: bool,
    params: &Params,
    watch: &mut Stopwatch,
) -> (Result<Projected, StepError>, Field<CellId, f64>) {
    let tension = Tension::of(params, dt);
    let distance = |apertures: &Apertures| match tension {
        _ if faults::is(Fault::NoRedistancing) => phi.clone(),
        Some(_) => redistance_smoothly(mesh, phi, apertures),
        None => restore_distance(mesh, phi, apertures),
    };
    if params.flows.open.any() {
        let projected = watch.run("project", || {
            let measured = settles.then(|| apertures.clone());
            let mut out = project_outwards(tension, mesh, phi, apertures, u_star, divergence, guess, params)?;
            if let Some(measured) = measured {
                let flaps = closed_sides(mesh, &measured, apertures);
                let pieces = Pieces::find(mesh, apertures, |c| phi[c] < 0.0);
                pieces.settle_pressure(mesh, &flaps, &mut out.pressure);
            }
            Ok(out)
        });
        let phi = watch.run("redistance", || distance(apertures));
        return (projected, phi);
    }
    let apertures = &*apertures;
    let project = || {
        let mut out =
            project_under_tension(tension, mesh, phi, apertures, u_star, divergence, guess, params)?;
        if settles {
            let pieces = Pieces::find(mesh, apertures, |c| phi[c] < 0.0);
            pieces.settle_pressure(mesh, &[], &mut out.pressure);
        }
        Ok(out)
    };
    watch.run_both(["project", "redistance"], project, || distance(apertures))
}
