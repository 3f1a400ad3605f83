//! §4: the projection, which makes the velocity divergence-free by a pressure, eqs. (3)–(6).
//!
//! ```text
//! V ∇·u* = Σ_faces (u*·n) A                                                    the divergence of each cell
//! Σ_faces (∇P·n) A = V ∇·u*,   ∇P = (P_j − P_i)/Δ   on the face of i and j     (4)–(6), §4.2
//! u = u* − ∇P                                                                   (3)
//! ```
//!
//! P is dt p/ρ. Each face has a single Δ ([`GradientDistance`]), used both in the matrix and in the velocity
//! update, so that the coefficient A/Δ is the same in the rows of both cells: the matrix is exactly
//! symmetric, and the remaining divergence is the solver's residual. As in the paper, signs are flipped so
//! that the matrix is positive definite.
//!
//! Water (§6): a cell is water if the mean of φ at its eight corners is not positive. In air p = σκ, with the
//! air pressure itself zero, imposed at the center of the air cell ([`FreeSurface::FirstOrder`], the paper's
//! choice) or where φ is zero between the two centers ([`FreeSurface::SecondOrder`] and [`FreeSurface::Spd`]:
//! here both are the same symmetric ghost fluid method of Enright et al. 2003, θ Δ in place of Δ, θ ≥ 10⁻⁶).
//! Gas (§5): all cells that are not closed off. Beyond open sides of the domain p = 0, imposed on the side
//! itself.
//!
//! Differs from the paper: faces that a solid cuts are open by their area fraction
//! ([`boundary`](crate::boundary)). Cells whose φ is zero to one part in a million are all treated alike, as
//! water at first order and as air with p = σκ at second order, so that rounding does not decide. Connected
//! pieces of fluid without contact to air or an open side get the nearest feasible flow, with the excess
//! spread over their volume.

mod link;
mod solver;
mod system;

pub use solver::PressureSolver;
pub use system::{PressureSystem, assemble};

use crate::boundary::Boundary;
use crate::mesh::Mesh;
use crate::tension::Tension;
use octide_core::contract::StepError;
use octide_core::faces::pockets::ShutIn;
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::octree::{CornersOfCells, SplitFaces};
use octide_core::par;
pub use octide_core::report::ProjectReport;
use octide_core::scene::{FreeSurface, GradientDistance};
use system::outflow;

/// How the system is solved.
pub use octide_core::scene::PressureSolver as PressureSolve;

/// What fills the domain.
#[derive(Clone, Copy, Debug)]
pub enum Medium<'a> {
    /// Water with a free surface.
    Water {
        /// Signed distance to the surface at corners, negative in water.
        phi: &'a Field<NodeId, f64>,
        /// The corners of leaves: the mesh itself need not hold them.
        corners: &'a CornersOfCells,
        /// φ at the centers of cells; without it, the mean of the corners.
        centers: Option<&'a Field<CellId, f64>>,
        /// Where the air pressure is imposed.
        free_surface: FreeSurface,
        /// Surface tension, if there is any.
        tension: Option<Tension>,
        /// The pressure of air that is shut in, if there is any.
        air: Option<ShutIn<'a>>,
    },
    /// Gas everywhere outside solids.
    Gas,
}

/// Numerical parameters of a projection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProjectParams {
    /// Choice of Δ between cells of unequal size.
    pub gradient_distance: GradientDistance,
    /// How the system is solved.
    pub pressure_solver: PressureSolve,
    /// Relative residual at which the solve stops.
    pub tolerance: f64,
    /// The largest number of iterations; a solve that needs more has failed.
    pub max_iterations: usize,
}

impl Default for ProjectParams {
    fn default() -> Self {
        Self {
            gradient_distance: GradientDistance::default(),
            pressure_solver: PressureSolve::default(),
            tolerance: 1e-4,
            max_iterations: 1000,
        }
    }
}

/// The result of a projection.
#[derive(Clone, Debug)]
pub struct Projected {
    /// Velocity on faces: that of the fluid where `valid`, that of the solid on closed faces, and otherwise
    /// unchanged.
    pub u: Field<FaceId, f64>,
    /// P = dt p/ρ; zero where there is no unknown.
    pub pressure: Field<CellId, f64>,
    /// Faces whose velocity the pressure has set.
    pub valid: Field<FaceId, bool>,
    /// Figures of the solve.
    pub report: ProjectReport,
}

/// Projects `u`. `divergence`, in 1/s, is the target in all unknown cells; `guess` is an initial guess for P.
pub fn project<N: Sync>(
    mesh: &Mesh<SplitFaces, N>,
    boundary: &Boundary,
    medium: &Medium<'_>,
    mut u: Field<FaceId, f64>,
    divergence: f64,
    guess: Field<CellId, f64>,
    params: &ProjectParams,
    solver: &mut PressureSolver,
) -> Result<Projected, StepError> {
    let system = assemble(mesh, boundary, medium, &u, divergence, params.gradient_distance)?;
    let mut x = par::map_index(system.cells.len(), |row| guess[system.cells[row]]);
    drop(guess);
    let mut report = ProjectReport {
        n_unknowns: system.cells.len(),
        unsolvable: system.unsolvable,
        ..ProjectReport::default()
    };
    if !system.cells.is_empty() {
        let solved = solver.solve(mesh, &system, &mut x, params)?;
        report.iterations = solved.iterations;
        report.residual = solved.residual;
    }
    let links = system.links(mesh, boundary, medium);
    let valid = par::map(mesh.n_faces(), |k: FaceId| links.of(k).acts());
    par::update(&mut u, |i, u| {
        let k = FaceId(i as u32);
        if boundary.open(k) > 0.0 {
            *u -= links.gradient(&x, k).unwrap_or(0.0);
        } else {
            *u = boundary.solid_velocity(k);
        }
    });
    let PressureSystem { cells, row_of, .. } = &system;
    let pressure = par::map(mesh.n_cells(), |c: CellId| match row_of[c] {
        u32::MAX => 0.0,
        row => x[row as usize],
    });
    report.max_divergence = par::max(cells.len(), |row| {
        let c = cells[row];
        (outflow(mesh, boundary, &u, c) / mesh.tree.size(c).powi(3) - system.wanted(row)).abs()
    });
    Ok(Projected { u, pressure, valid, report })
}

#[cfg(test)]
mod tests;
