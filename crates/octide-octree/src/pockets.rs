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

/// Pockets and their pressures, times dt/ρ.
#[derive(Clone, Copy)]
pub struct ShutIn<'a> {
    pub pockets: &'a Pockets,
    pub pressures: &'a [f64],
}

impl ShutIn<'_> {
    /// Applies the pressure of the pockets to the faces that their surfaces cut.
    pub fn push(self, mesh: &Mesh, system: &PressureSystem, u_star: &mut Field<FaceId, f64>) {
        for (k, b) in self.pockets.faces() {
            if system.is_cut(k) && !mesh.faces.is_wall(k) {
                u_star[k] += self.pressures[b] * system.of_constant(mesh, k);
            }
        }
    }
}

/// Projects so that shut-in air keeps its volume. `project` projects with the given pressures of the pockets;
/// `least` is a pressure, times dt/ρ, below which pressures are small.
pub(crate) fn project_keeping_air(
    mesh: &Mesh,
    pockets: &Pockets,
    apertures: &mut Apertures,
    guess: Guess,
    least: f64,
    mut project: impl FnMut(&mut Apertures, Guess, ShutIn) -> Result<Projected, StepError>,
) -> Result<Projected, StepError> {
    let mut pressures = surface_pressures(mesh, pockets, &guess.pressure);
    let slope = guess.slope;
    let mut out = project(apertures, guess, ShutIn { pockets, pressures: &pressures })?;
    let inflow = |apertures: &Apertures, out: &Projected| {
        pockets.inflow(|k, c| flow_through(mesh, apertures, k, c, out.u[k]))
    };
    let before = inflow(apertures, &out);
    let mut trials = Vec::new();
    for b in 0..pockets.len() {
        let (was, raise) = (pressures[b], 0.1 * pressures[b].abs() + least);
        pressures[b] += raise;
        let guess = Guess { pressure: out.pressure.clone(), slope };
        trials.push(project(apertures, guess, ShutIn { pockets, pressures: &pressures })?);
        pressures[b] = was;
    }
    let inflows: Vec<Vec<f64>> = trials.iter().map(|trial| inflow(apertures, trial)).collect();
    let multiples = balance(&before, &inflows);
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
