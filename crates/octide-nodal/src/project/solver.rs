//! Solves the pressure system by conjugate gradients, preconditioned either by multigrid over the octree's
//! parents or by the paper's preconditioner, an incomplete Cholesky factor "that we modify to ensure that the
//! row sum of LU is equal to the row sum of the original matrix" (§4.2), over all rows in Morton order. If
//! multigrid fails, the solver falls back to the incomplete Cholesky factor.

use super::ProjectParams;
use super::system::PressureSystem;
use crate::faults::{self, Fault};
use crate::mesh::Mesh;
use octide_core::contract::StepError;
use octide_core::octree::SplitFaces;
use octide_core::scene::PressureSolver as Kind;
use octide_solve::{
    Coarsening, Mic0, Mic0Params, Multigrid, MultigridParams, MultigridPcg, Pcg, Report, SolveError,
    SolveFailure, SolveParams, octree_groups, solve_with_fallback,
};

/// The solvers and the memory that they keep between steps.
#[derive(Clone, Debug, Default)]
pub struct PressureSolver {
    multigrid: MultigridPcg,
    iccg: Pcg,
}

impl PressureSolver {
    /// Solves the system, starting from the pressure in `x`.
    pub fn solve<N>(
        &mut self,
        mesh: &Mesh<SplitFaces, N>,
        system: &PressureSystem,
        x: &mut [f64],
        params: &ProjectParams,
    ) -> Result<Report, StepError> {
        let solve_params = SolveParams {
            tolerance: if faults::is(Fault::LooseSolve) { 1e-2 } else { params.tolerance },
            max_iterations: params.max_iterations,
            ..SolveParams::default()
        };
        self.multigrid.params = solve_params;
        self.iccg.params = solve_params;
        let PressureSystem { matrix, rhs, cells, .. } = system;
        let Self { multigrid, iccg } = self;
        let solved = if params.pressure_solver == Kind::Iccg {
            with_iccg(iccg, system, x).map_err(|e| SolveFailure::alone(e, matrix, rhs, x))
        } else {
            let first = |x: &mut [f64]| with_multigrid(multigrid, mesh, system, x);
            solve_with_fallback(matrix, rhs, x, first, ("ICCG", |x: &mut [f64]| with_iccg(iccg, system, x)))
        };
        solved.map_err(|e| StepError::Pressure {
            reason: e.to_string(),
            at: e.row.map(|row| mesh.tree.center(cells[row])),
        })
    }

    /// Frees the memory that is kept between steps, so that other stages can use it.
    pub fn release_memory(&mut self) {
        *self = Self::default();
    }

    /// Returns the memory used, in bytes.
    pub fn bytes(&self) -> usize {
        self.multigrid.bytes() + self.iccg.bytes()
    }
}

fn with_multigrid<N>(
    solver: &mut MultigridPcg,
    mesh: &Mesh<SplitFaces, N>,
    system: &PressureSystem,
    x: &mut [f64],
) -> Result<Report, SolveError> {
    let PressureSystem { matrix, rhs, null_space, .. } = system;
    let params = MultigridParams::default();
    let groups = octree_groups(&mesh.tree.places(&system.cells), params.coarsest);
    let mut multigrid = Multigrid::new(matrix, Coarsening::Groups(&groups), &params)?;
    solver.solve(matrix, &mut multigrid, rhs, x, null_space.as_ref())
}

fn with_iccg(solver: &mut Pcg, system: &PressureSystem, x: &mut [f64]) -> Result<Report, SolveError> {
    let PressureSystem { matrix, rhs, null_space, .. } = system;
    let mut mic0 = Mic0::new(matrix, &Mic0Params::whole())?;
    solver.solve(matrix, &mut mic0, rhs, x, null_space.as_ref())
}
