//! Solves the pressure system: multigrid over the octree's parents, and MIC(0) should that ever fail.

use super::system::PressureSystem;
use crate::faults::{self, Fault};
use crate::mesh::Mesh;
use crate::params::Params;
use octide_core::contract::StepError;
use octide_core::par;
use octide_solve::{
    Cell, Coarsening, Mic0, Mic0Params, Multigrid, MultigridParams, MultigridPcg, Pcg, Report, SolveError,
    SolveParams, octree_groups,
};

/// Solvers with the memory they keep from step to step.
#[derive(Clone, Debug, Default)]
pub struct PressureSolver {
    multigrid: MultigridPcg,
    mic0: Pcg,
}

impl PressureSolver {
    /// Solves from the pressure that `x` holds.
    pub fn solve(
        &mut self,
        mesh: &Mesh,
        system: &PressureSystem,
        x: &mut [f64],
        params: &Params,
    ) -> Result<Report, StepError> {
        let solve_params = SolveParams {
            tolerance: if faults::is(Fault::LooseSolve) { 1e-2 } else { params.tolerance },
            max_iterations: params.max_iterations,
            ..SolveParams::default()
        };
        self.multigrid.params = solve_params;
        self.mic0.params = solve_params;
        let start = x.to_vec();
        let first = match self.with_multigrid(mesh, system, x) {
            Ok(report) => return Ok(report),
            Err(e) => e,
        };
        x.copy_from_slice(&start);
        self.with_mic0(system, x).map_err(|e| StepError::Pressure(format!("{first}; with MIC(0): {e}")))
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

    fn with_mic0(&mut self, system: &PressureSystem, x: &mut [f64]) -> Result<Report, SolveError> {
        let PressureSystem { matrix, rhs, null_space, .. } = system;
        let mut mic0 = Mic0::new(matrix, &Mic0Params::default())?;
        self.mic0.solve(matrix, &mut mic0, rhs, x, null_space.as_ref())
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
