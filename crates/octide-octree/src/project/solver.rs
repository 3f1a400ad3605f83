//! Solves the pressure system by multigrid over the octree's parents, and by MIC(0) if that fails. Where the
//! matrix is that of eq. (24), both are built from the matrix of eq. (25) and precondition BiCGStab.

use super::system::PressureSystem;
use crate::faults::{self, Fault};
use crate::mesh::Mesh;
use crate::params::Params;
use octide_core::contract::StepError;
use octide_solve::{
    BiCgStab, Coarsening, Mic0, Mic0Params, Multigrid, MultigridParams, MultigridPcg, Pcg, Preconditioner,
    Report, SolveError, SolveParams, octree_groups, solve_with_fallback,
};

/// The multigrid hierarchy of a system, which solves with other right-hand sides share. Nothing is kept for the next
/// step: advection is where memory use peaks, and idle solver data would add to that peak.
#[derive(Debug, Default)]
pub struct Hierarchy(Option<Multigrid>);

/// Solves the system, starting from the pressure in `x`. `hierarchy` is built if it is new.
pub fn solve(
    mesh: &Mesh,
    system: &PressureSystem,
    hierarchy: &mut Hierarchy,
    x: &mut [f64],
    params: &Params,
) -> Result<Report, StepError> {
    let params = SolveParams {
        tolerance: if faults::is(Fault::LooseSolve) { 1e-2 } else { params.tolerance },
        max_iterations: params.max_iterations,
        ..SolveParams::default()
    };
    let PressureSystem { matrix, rhs, cells, .. } = system;
    let first = |x: &mut [f64]| with_multigrid(mesh, system, hierarchy, x, params);
    let second = |x: &mut [f64]| with_mic0(system, x, params);
    solve_with_fallback(matrix, rhs, x, first, ("MIC(0)", second)).map_err(|e| StepError::Pressure {
        reason: e.to_string(),
        at: e.row.map(|row| mesh.tree.center(cells[row])),
    })
}

fn with_multigrid(
    mesh: &Mesh,
    system: &PressureSystem,
    Hierarchy(hierarchy): &mut Hierarchy,
    x: &mut [f64],
    solve_params: SolveParams,
) -> Result<Report, SolveError> {
    let PressureSystem { matrix, symmetric, rhs, null_space, .. } = system;
    let multigrid = match hierarchy {
        Some(multigrid) => multigrid,
        None => {
            let params = MultigridParams::default();
            let groups = octree_groups(&mesh.tree.places(&system.cells), params.coarsest);
            let base = symmetric.as_ref().unwrap_or(matrix);
            hierarchy.insert(Multigrid::new(base, Coarsening::Groups(&groups), &params)?)
        }
    };
    match symmetric {
        None => MultigridPcg::new(solve_params).solve(matrix, multigrid, rhs, x, null_space.as_ref()),
        Some(_) => with_bicgstab(system, multigrid, x, solve_params),
    }
}

fn with_mic0(system: &PressureSystem, x: &mut [f64], params: SolveParams) -> Result<Report, SolveError> {
    let PressureSystem { matrix, symmetric, rhs, null_space, .. } = system;
    let mut mic0 = Mic0::new(symmetric.as_ref().unwrap_or(matrix), &Mic0Params::default())?;
    match symmetric {
        None => Pcg::new(params).solve(matrix, &mut mic0, rhs, x, null_space.as_ref()),
        Some(_) => with_bicgstab(system, &mut mic0, x, params),
    }
}

fn with_bicgstab<M: Preconditioner>(
    system: &PressureSystem,
    preconditioner: &mut M,
    x: &mut [f64],
    params: SolveParams,
) -> Result<Report, SolveError> {
    let mut solver = BiCgStab::new(params);
    let PressureSystem { matrix, rhs, null_space, .. } = system;
    let Some(null_space) = null_space else {
        return solver.solve(matrix, preconditioner, rhs, x, None);
    };
    // A component without contact to air has no cut face, so the matrix is symmetric there.
    let mut rhs = rhs.clone();
    let rhs_mean = null_space.make_consistent(&mut rhs);
    let report = solver.solve(matrix, preconditioner, &rhs, x, Some(null_space))?;
    Ok(Report { rhs_mean, ..report })
}
