//! Shut-in air keeps its volume: see [`octide_core::faces::pockets`].
//!
//! A pocket with the pressure p_b, times dt/ρ, acts on the faces that its surface cuts as surface tension does,
//! eq. (32): u* ← u* + p_b Σ_liquid F_kj. The projection is done with an estimate of all p_b and once more for
//! each pocket with its pressure raised; the result is the combination of these in which nothing flows into pockets.

use crate::apertures::Apertures;
use crate::mesh::Mesh;
use crate::project::{Guess, PressureSystem, Projected, flow_through};
use octide_core::contract::StepError;
use octide_core::faces::pockets::{Kept, Pockets, ShutIn};
use octide_core::index::{CellId, FaceId, Field};
use octide_core::par;

/// Projects `u_star` so that shut-in air keeps its volume; `solve` projects a velocity.
pub(crate) fn project_keeping_air(
    mesh: &Mesh,
    apertures: &Apertures,
    pockets: &Pockets,
    system: &mut PressureSystem,
    u_star: &Field<FaceId, f64>,
    guess: &Guess,
    mut solve: impl FnMut(&mut PressureSystem, &Field<FaceId, f64>, &Guess) -> Result<Projected, StepError>,
) -> Result<Projected, StepError> {
    let fastest = par::max(u_star.len(), |i| u_star[FaceId(i as u32)].abs());
    // A cell of water, or what stops it within a hundred steps.
    let least = mesh.tree.grid().dx() * (guess.slope.length() + 0.01 * fastest);
    let project = |air: ShutIn, before: Option<&Projected>| {
        let mut u = u_star.clone();
        push(mesh, system, air, &mut u);
        let pressure = before.map_or(&guess.pressure, |p| &p.pressure).clone();
        solve(system, &u, &Guess { pressure, slope: guess.slope })
    };
    let inflow = |p: &Projected| pockets.inflow(|k, c| flow_through(mesh, apertures, k, c, p.u[k]));
    let kept = pockets.keep_volumes(mesh, &guess.pressure, least, project, inflow, |p| &p.u)?;
    let u = par::map(mesh.n_faces(), |k: FaceId| kept.value(|p| p.u[k]));
    let pressure = par::map(mesh.n_cells(), |c: CellId| kept.value(|p| p.pressure[c]));
    let Kept { base, trials } = kept;
    let mut report = base.report;
    report.iterations += trials.iter().map(|t| t.0.report.iterations).sum::<usize>();
    Ok(Projected { u, pressure, report, valid: base.valid })
}

/// Applies the pressure of pockets to the faces that their surfaces cut.
fn push(mesh: &Mesh, system: &PressureSystem, air: ShutIn, u_star: &mut Field<FaceId, f64>) {
    for (k, b) in air.pockets.faces() {
        if system.is_cut(k) && !mesh.faces.is_wall(k) {
            u_star[k] += air.pressures[b] * system.of_constant(mesh, k);
        }
    }
}
