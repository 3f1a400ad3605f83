//! §4: the pressure projection, which makes the velocity divergence-free, eqs. (2)–(7), (21), (24), (25).
//!
//! ```text
//! [∇]ᵀ [VA] [F∇] {p} = [∇]ᵀ [V] (A u* + (1 − A) u_solid) + volume · wanted divergence      (3)
//! u = u* − [F∇] {p}                                                                         (4)
//! [F∇]_k = max(W_k, 0) [∇]_k,   W_k = Σ_all c_kj φ_j / Σ_liquid c_kj φ_j                (25), (21)
//! [F∇]_k = Σ_all c_kj φ_j / Σ_liquid φ_j · [1 … 1]   where W_k ≤ 0, for second order             (24)
//! ```
//!
//! k is a face, j a cell of its stencil, c_kj are the weights of the gradient (5)–(7), V_k is the face's
//! volume, A_k its open fraction, and p the pressure times dt/ρ. V_k |c_kj| is the area of face k that
//! belongs to cell j. Between cells of equal size W is the ghost-fluid factor 1/θ. With (24) the matrix is
//! not symmetric: its rows are Σ_k V A c_ki F_kj.
//!
//! Differs from the paper: θ is floored at 10⁻², and W is raised to 10⁻² near solids there. Here θ is floored
//! at 10⁻⁶ and W is not raised, because either floor sets resting water in motion. Samples closer to the
//! surface than 10⁻⁶ cells count as on the surface, p = 0. |Σ c φ| below rounding counts as W = 0. Where (24)
//! would reduce a row's diagonal to less than a tenth of its value without it, the face is clamped as in
//! (25), so that no equation loses its own unknown. Unknowns whose faces are all degenerate are removed (p =
//! 0). Connected components without contact to air are singular; their right-hand side is made consistent.

mod link;
mod loose;
mod solver;
mod system;
mod uneven;

pub use solver::{Hierarchy, solve};
pub(crate) use system::flow_through;
pub use system::{PressureSystem, assemble};

use crate::apertures::Apertures;
use crate::correct::Divergence;
use crate::mesh::Mesh;
use crate::params::Params;
use glam::DVec3;
use link::Kind;
use octide_core::contract::{FigureKind, StepError};
use octide_core::faces::figures::CUT_T_FACES;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::par;
pub use octide_core::report::ProjectReport;
use system::outflow;

/// The largest gradient factor, 1/θ.
const MAX_FACTOR: f64 = 1e6;

/// T-junctions at the surface whose gradient factor is not positive.
pub const DEGENERATE_T_FACES: FigureKind = FigureKind {
    name: "degenerate_t_faces",
    unit: "1",
    meaning: "those of cut_t_faces without a positive gradient factor, which the free-surface form treats apart",
};

/// The result of a projection.
pub struct Projected {
    /// Velocity on faces; only meaningful where `valid`.
    pub u: Field<FaceId, f64>,
    /// Faces whose velocity was set by the pressure.
    pub valid: Field<FaceId, bool>,
    /// Pressure times dt/ρ; zero in cells without an unknown.
    pub pressure: Field<CellId, f64>,
    /// The solver's report and figures.
    pub report: ProjectReport,
}

/// What is known of the pressure before it is solved for.
#[derive(Clone, Debug)]
pub struct Guess {
    /// Pressure times dt/ρ in each cell, where the solver starts.
    pub pressure: Field<CellId, f64>,
    /// The slope of the pressure times dt/ρ if nothing but gravity acts. Where solids cut T-junctions, it is
    /// the first estimate of the slope along the face.
    pub slope: DVec3,
}

impl From<Field<CellId, f64>> for Guess {
    fn from(pressure: Field<CellId, f64>) -> Self {
        Self { pressure, slope: DVec3::ZERO }
    }
}

/// How often the pressure is solved for again at most, with better slopes at T-junctions that solids cut.
const PASSES: usize = 3;

/// Projects `u_star`. `divergence` is the target divergence in the liquid away from solids, which corrects
/// its volume; `guess` is the initial guess of the pressure.
pub fn project(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    apertures: &Apertures,
    u_star: Field<FaceId, f64>,
    divergence: impl Into<Divergence>,
    guess: impl Into<Guess>,
    params: &Params,
) -> Result<Projected, StepError> {
    let mut system = assemble(mesh, phi, apertures, &u_star, divergence, params.free_surface)?;
    let hierarchy = &mut Hierarchy::default();
    project_by(&mut system, hierarchy, mesh, apertures, &u_star, &guess.into(), params, |_, _| ())
}

/// Projects the velocity that `system` was assembled with; `adjust` may change the projected velocity.
pub(crate) fn project_by(
    system: &mut PressureSystem,
    hierarchy: &mut Hierarchy,
    mesh: &Mesh,
    apertures: &Apertures,
    u_star: &Field<FaceId, f64>,
    guess: &Guess,
    params: &Params,
    adjust: impl FnOnce(&PressureSystem, &mut Field<FaceId, f64>),
) -> Result<Projected, StepError> {
    let mut x: Vec<f64> = system.cells.iter().map(|&c| guess.pressure[c]).collect();
    let mut report = ProjectReport { n_unknowns: x.len(), ..ProjectReport::default() };
    let gradient = solve_in_passes(
        (system, hierarchy),
        mesh,
        apertures,
        u_star,
        guess.slope,
        &mut x,
        &mut report,
        params,
    )?;
    let system = &*system;
    let PressureSystem { cells, row_of, .. } = system;
    let pressure =
        par::map(mesh.n_cells(), |c: CellId| if row_of[c] == u32::MAX { 0.0 } else { x[row_of[c] as usize] });
    let mut u = par::map(mesh.n_faces(), |k: FaceId| u_star[k] - gradient[k]);
    adjust(system, &mut u);
    let valid = par::map(mesh.n_faces(), |k: FaceId| system.acts_on(k));
    report.max_divergence = par::max(cells.len(), |row| {
        // A closed pocket cannot remove its net inflow, whatever the solver does: leave it out.
        if system.is_closed[row] {
            return 0.0;
        }
        let c = cells[row];
        (outflow(mesh, apertures, &u, c) / mesh.tree.size(c).powi(3) - system.wanted[row]).abs()
    });
    let (cut, degenerate) = count_cut_t_junctions(mesh, system);
    report.figures = vec![CUT_T_FACES.count(cut), DEGENERATE_T_FACES.count(degenerate)];
    Ok(Projected { u, valid, pressure, report })
}

/// Solves for the pressure and returns its gradient. Where solids cut T-junctions, the slope along them is
/// estimated, and the pressure is solved for again if the result differs from the estimate.
fn solve_in_passes(
    (system, hierarchy): (&mut PressureSystem, &mut Hierarchy),
    mesh: &Mesh,
    apertures: &Apertures,
    u_star: &Field<FaceId, f64>,
    slope: DVec3,
    x: &mut [f64],
    report: &mut ProjectReport,
    params: &Params,
) -> Result<Field<FaceId, f64>, StepError> {
    let mut solve = |system: &PressureSystem, x: &mut [f64]| -> Result<(), StepError> {
        if !x.is_empty() {
            let solved = solve(mesh, system, hierarchy, x, params)?;
            report.iterations += solved.iterations;
            report.residual = solved.residual;
        }
        Ok(())
    };
    if system.uneven.is_empty() {
        solve(system, x)?;
        return Ok(system.gradient(mesh, x));
    }
    let mut estimate = system.uneven.estimate(slope);
    let beside = system.uneven.cells_beside(mesh);
    let read = system.uneven.faces_read(mesh);
    // The gradient is only known on faces that are read.
    let (mut u, mut near) = (u_star.clone(), Field::filled(mesh.n_faces(), 0.0));
    for pass in 0.. {
        system.uneven.set_sum(u_star, &estimate, &mut u);
        system.set_velocity_beside(mesh, apertures, &u, &beside);
        solve(system, x)?;
        if pass == PASSES {
            break;
        }
        system.set_gradient(mesh, x, &read, &mut near);
        system.uneven.add(&estimate, -1.0, &mut near);
        match system.uneven.improved(mesh, apertures, &system.links, &near, &estimate) {
            Some(better) => estimate = better,
            None => break,
        }
    }
    let mut gradient = system.gradient(mesh, x);
    system.uneven.add(&estimate, -1.0, &mut gradient);
    Ok(gradient)
}

/// Returns the number of T-junctions that the surface cuts, and how many of them are degenerate.
fn count_cut_t_junctions(mesh: &Mesh, system: &PressureSystem) -> (usize, usize) {
    let is_t = |k: FaceId| mesh.faces.is_t_junction(&mesh.tree, k);
    par::reduce(
        mesh.n_faces(),
        || (0, 0),
        |(cut, degenerate), i| {
            let k = FaceId(i as u32);
            match system.links[k].kind {
                Kind::Cut if is_t(k) => (cut + 1, degenerate),
                Kind::Degenerate | Kind::Even if is_t(k) => (cut + 1, degenerate + 1),
                _ => (cut, degenerate),
            }
        },
        |a, b| (a.0 + b.0, a.1 + b.1),
    )
}

#[cfg(test)]
mod tests;
