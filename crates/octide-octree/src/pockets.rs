//! Shut-in air keeps its volume: see [`octide_core::faces::pockets`].
//!
//! A pocket with the pressure p_b, times dt/ρ, acts on the faces that its surface cuts as surface tension does,
//! eq. (32): u* ← u* + p_b Σ_liquid F_kj. The projection is done with an estimate of all p_b and once more for
//! each pocket with its pressure raised; the result is the combination of these in which nothing flows into pockets.

use crate::apertures::Apertures;
use crate::mesh::Mesh;
use crate::project::{Guess, PressureSystem, Projected, flow_through};
use octide_core::contract::StepError;
use octide_core::faces::pockets::{Pockets, balance};
use octide_core::index::{CellId, FaceId, Field};
use octide_core::par;

/// Projects `u_star` so that shut-in air keeps its volume; `solve` projects a velocity.
pub(crate) fn project_keeping_air(
    mesh: &Mesh,
    apertures: &Apertures,
    pockets: &Pockets,
    system: &mut PressureSystem,
    u_star: &Field<FaceId, f64>,
    guess: Guess,
    mut solve: impl FnMut(&mut PressureSystem, &Field<FaceId, f64>, &Guess) -> Result<Projected, StepError>,
) -> Result<Projected, StepError> {
    let mut pressures = surface_pressures(mesh, pockets, &guess.pressure);
    let mut u = u_star.clone();
    push(mesh, pockets, system, |b| pressures[b], &mut u);
    let mut out = solve(system, &u, &guess)?;
    let inflow = |out: &Projected| pockets.inflow(|k, c| flow_through(mesh, apertures, k, c, out.u[k]));
    let before = inflow(&out);
    // A cell of water, or what stops it within a hundred steps.
    let fastest = par::max(u.len(), |i| u[FaceId(i as u32)].abs());
    let least = mesh.tree.grid().dx() * (guess.slope.length() + 0.01 * fastest);
    let mut trials = Vec::new();
    let guess = Guess { pressure: out.pressure.clone(), slope: guess.slope };
    for b in 0..pockets.len() {
        pressures[b] = 0.1 * pressures[b].abs() + least;
        let mut raised = u.clone();
        push(mesh, pockets, system, |a| if a == b { pressures[b] } else { 0.0 }, &mut raised);
        trials.push(solve(system, &raised, &guess)?);
    }
    let multiples = balance(&before, &trials.iter().map(inflow).collect::<Vec<_>>());
    let mix = |at: &dyn Fn(&Projected) -> f64| {
        let base = at(&out);
        multiples.iter().zip(&trials).map(|(m, trial)| m * (at(trial) - base)).sum::<f64>() + base
    };
    let u = par::map(mesh.n_faces(), |k: FaceId| mix(&|p| p.u[k]));
    let pressure = par::map(mesh.n_cells(), |c: CellId| mix(&|p| p.pressure[c]));
    for trial in &trials {
        out.report.iterations += trial.report.iterations;
    }
    (out.u, out.pressure) = (u, pressure);
    Ok(out)
}

/// Applies the pressure of pockets to the faces that their surfaces cut.
fn push(
    mesh: &Mesh,
    pockets: &Pockets,
    system: &PressureSystem,
    pressure: impl Fn(usize) -> f64,
    u_star: &mut Field<FaceId, f64>,
) {
    for (k, b) in pockets.faces() {
        if system.is_cut(k) && !mesh.faces.is_wall(k) {
            u_star[k] += pressure(b) * system.of_constant(mesh, k);
        }
    }
}

/// Returns the mean of the pressure in the water around each pocket.
fn surface_pressures(mesh: &Mesh, pockets: &Pockets, pressure: &Field<CellId, f64>) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0); pockets.len()];
    for (k, b) in pockets.faces() {
        for (c, _) in mesh.faces.stencil(&mesh.tree, k).iter() {
            if pressure[c] != 0.0 && pockets.of_cell(c).is_none() {
                sums[b] = (sums[b].0 + pressure[c], sums[b].1 + 1.0);
            }
        }
    }
    sums.into_iter().map(|(sum, n)| if n > 0.0 { sum / n } else { 0.0 }).collect()
}
