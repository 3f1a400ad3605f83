//! §4: the velocity made free of divergence by a pressure, eqs. (2)–(7), (21), (24), (25).
//!
//! ```text
//! [∇]ᵀ [VA] [F∇] {p} = [∇]ᵀ [V] (A u* + (1 − A) u_solid) + volume · wanted divergence      (3)
//! u = u* − [F∇] {p}                                                                         (4)
//! [F∇]_k = max(W_k, 0) [∇]_k,   W_k = Σ_all c_kj φ_j / Σ_liquid c_kj φ_j                (25), (21)
//! [F∇]_k = Σ_all c_kj φ_j / Σ_liquid φ_j · [1 … 1]   where W_k ≤ 0, for second order             (24)
//! ```
//!
//! k is a face, j a cell of its stencil, c_kj the weights of the gradient (5)–(7), V_k the face's volume, A_k
//! its open share, p the pressure times dt/ρ. V_k |c_kj| is the area that cell j has of face k. Between equal
//! cells W is the ghost-fluid factor 1/θ. With (24) the matrix is not symmetric: its rows are Σ_k V A c_ki
//! F_kj.
//!
//! Differs from the paper: θ is floored at 10⁻⁶, not 10⁻², and W is not raised to 10⁻² near solids, because
//! either floor sets resting water in motion; samples nearer to the surface than 10⁻⁶ cells are on it, p = 0;
//! |Σ c φ| below rounding counts as W = 0. Where (24) would leave less than a tenth of a row's diagonal without it,
//! the face is clamped as in (25): no equation may lose its own unknown. Unknowns whose faces are all
//! degenerate are left out (p = 0). Pieces without contact to air are singular: their right-hand side is made
//! consistent.

mod link;
mod loose;
mod solver;
mod system;

pub use solver::solve;
pub use system::{PressureSystem, assemble};

use crate::apertures::Apertures;
use crate::correct::Divergence;
use crate::mesh::Mesh;
use crate::params::Params;
use link::Kind;
use octide_core::contract::StepError;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::par;
pub use octide_core::report::ProjectReport;
use system::outflow;

/// The largest gradient factor, 1/θ.
const MAX_FACTOR: f64 = 1e6;

/// What a projection leaves.
pub struct Projected {
    /// Velocity on faces; only meaningful where `valid`.
    pub u: Field<FaceId, f64>,
    /// Faces whose velocity the pressure has set.
    pub valid: Field<FaceId, bool>,
    /// Pressure times dt/ρ; zero where there is no unknown.
    pub pressure: Field<CellId, f64>,
    /// What was found on the way.
    pub report: ProjectReport,
}

/// Projects `u_star`. `divergence` is wanted in the liquid away from solids, to correct its volume;
/// `guess` is a first guess of the pressure.
pub fn project(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    apertures: &Apertures,
    u_star: Field<FaceId, f64>,
    divergence: impl Into<Divergence>,
    guess: Field<CellId, f64>,
    params: &Params,
) -> Result<Projected, StepError> {
    let system = assemble(mesh, phi, apertures, &u_star, divergence, params.free_surface)?;
    project_by(&system, mesh, apertures, &u_star, &guess, params, |_| ())
}

/// Projects the velocity that `system` has been given; `adjust` may change what the pressure leaves of it.
pub(crate) fn project_by(
    system: &PressureSystem,
    mesh: &Mesh,
    apertures: &Apertures,
    u_star: &Field<FaceId, f64>,
    guess: &Field<CellId, f64>,
    params: &Params,
    adjust: impl FnOnce(&mut Field<FaceId, f64>),
) -> Result<Projected, StepError> {
    let PressureSystem { cells, row_of, .. } = system;
    let mut x: Vec<f64> = cells.iter().map(|&c| guess[c]).collect();
    let mut report = ProjectReport { n_unknowns: cells.len(), ..ProjectReport::default() };
    if !cells.is_empty() {
        let solved = solve(mesh, system, &mut x, params)?;
        report.iterations = solved.iterations;
        report.residual = solved.residual;
    }
    let pressure =
        par::map(mesh.n_cells(), |c: CellId| if row_of[c] == u32::MAX { 0.0 } else { x[row_of[c] as usize] });
    let gradient = system.gradient(mesh, &x);
    let mut u = par::map(mesh.n_faces(), |k: FaceId| u_star[k] - gradient[k]);
    adjust(&mut u);
    let valid = par::map(mesh.n_faces(), |k: FaceId| system.acts_on(k));
    report.max_divergence = par::max(cells.len(), |row| {
        // What a closed pocket cannot undo is not the solver's: leave it out.
        if system.is_closed[row] {
            return 0.0;
        }
        let c = cells[row];
        (outflow(mesh, apertures, &u, c) / mesh.tree.size(c).powi(3) - system.wanted[row]).abs()
    });
    (report.cut_t_faces, report.degenerate_t_faces) = count_cut_t_junctions(mesh, system);
    Ok(Projected { u, valid, pressure, report })
}

/// The number of T-junctions that the surface cuts, and of those among them that are degenerate.
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
