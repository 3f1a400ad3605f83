//! Solves the pressure system by conjugate gradients: with multigrid over the octree's parents, or with the paper's
//! preconditioner, an incomplete Cholesky factor "that we modify to ensure that the row sum of LU is equal to the row
//! sum of the original matrix" (§4.2), over all rows in Morton order. Should multigrid ever fail, the other takes over.

use super::ProjectParams;
use super::system::PressureSystem;
use crate::mesh::Mesh;
use octide_core::contract::StepError;
use octide_core::par;
use octide_core::scene::PressureSolver as Kind;
use octide_solve::{
    Cell, Coarsening, Mic0, Mic0Params, Multigrid, MultigridParams, MultigridPcg, Pcg, Report, SolveError,
    SolveParams, octree_groups,
};

/// Solvers with the memory they keep from step to step.
#[derive(Clone, Debug, Default)]
pub struct PressureSolver {
    multigrid: MultigridPcg,
    iccg: Pcg,
}

impl PressureSolver {
    /// Solves from the pressure that `x` holds.
    pub fn solve(
        &mut self,
        mesh: &Mesh,
        system: &PressureSystem,
        x: &mut [f64],
        params: &ProjectParams,
    ) -> Result<Report, StepError> {
        let solve_params = SolveParams {
            tolerance: params.tolerance,
            max_iterations: params.max_iterations,
            ..SolveParams::default()
        };
        self.multigrid.params = solve_params;
        self.iccg.params = solve_params;
        if params.pressure_solver == Kind::Iccg {
            return self.with_iccg(system, x).map_err(|e| StepError::Pressure(e.to_string()));
        }
        let start = x.to_vec();
        let first = match self.with_multigrid(mesh, system, x) {
            Ok(report) => return Ok(report),
            Err(e) => e,
        };
        x.copy_from_slice(&start);
        self.with_iccg(system, x).map_err(|e| StepError::Pressure(format!("{first}; with ICCG: {e}")))
    }

    fn with_multigrid(
        &mut self,
        mesh: &Mesh,
        system: &PressureSystem,
        x: &mut [f64],
    ) -> Result<Report, SolveError> {
        let PressureSystem { matrix, rhs, null_space, .. } = system;
        let params = MultigridParams::default();
        let groups = octree_groups(&system.places(mesh), params.coarsest);
        let mut multigrid = Multigrid::new(matrix, Coarsening::Groups(&groups), &params)?;
        self.multigrid.solve(matrix, &mut multigrid, rhs, x, null_space.as_ref())
    }

    fn with_iccg(&mut self, system: &PressureSystem, x: &mut [f64]) -> Result<Report, SolveError> {
        let PressureSystem { matrix, rhs, null_space, .. } = system;
        let mut mic0 = Mic0::new(matrix, &Mic0Params::whole())?;
        self.iccg.solve(matrix, &mut mic0, rhs, x, null_space.as_ref())
    }

    /// Gives back the memory that is kept from step to step, for those who need it more in between.
    pub fn give_back(&mut self) {
        *self = Self::default();
    }

    /// Memory held, in bytes.
    pub fn bytes(&self) -> usize {
        self.multigrid.bytes() + self.iccg.bytes()
    }
}

impl PressureSystem {
    /// Level and place of each row's cell, in units of its own size; roots have level 0.
    pub fn places(&self, mesh: &Mesh) -> Vec<Cell> {
        par::map_index(self.cells.len(), |row| {
            let node = mesh.tree.node_of(self.cells[row]);
            let [i, j, k] = mesh.tree.coord(node).to_array();
            [i32::from(mesh.tree.node_level(node)), i, j, k]
        })
    }
}
