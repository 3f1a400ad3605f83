//! The pressure's stage of a step: its first guess, and projection beside redistancing.

use crate::apertures::Apertures;
use crate::correct::Divergence;
use crate::extend::restore_distance;
use crate::faults::{self, Fault};
use crate::mesh::Mesh;
use crate::open_sides::project_outwards;
use crate::params::Params;
use crate::project::Projected;
use crate::tension::{Tension, project_under_tension, redistance_smoothly};
use octide_core::contract::StepError;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::par;
use octide_core::stopwatch::Stopwatch;

/// A first guess of the pressure times dt: the old one at each cell's center. The last that reads the old
/// mesh, which ends here.
pub(crate) fn guess_pressure(
    old: Mesh,
    pressure: &Field<CellId, f64>,
    mesh: &Mesh,
    dt: f64,
) -> Field<CellId, f64> {
    let Mesh { tree, .. } = old;
    par::map(mesh.n_cells(), |c: CellId| dt * pressure[tree.nearest_leaf(mesh.tree.center(c))])
}

/// Projects `u_star`, and makes φ a distance. Neither needs the other, and they run at the same time; but
/// open sides of the domain are closed one by one until nothing comes in.
pub(crate) fn project_and_redistance(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    apertures: &mut Apertures,
    u_star: Field<FaceId, f64>,
    divergence: Divergence,
    guess: Field<CellId, f64>,
    dt: f64,
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
            project_outwards(tension, mesh, phi, apertures, u_star, divergence, guess, params)
        });
        let phi = watch.run("redistance", || distance(apertures));
        return (projected, phi);
    }
    let apertures = &*apertures;
    watch.run_both(
        ["project", "redistance"],
        || project_under_tension(tension, mesh, phi, apertures, u_star, divergence, guess, params),
        || distance(apertures),
    )
}
