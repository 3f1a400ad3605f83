//! Sparse systems and their solvers for fluid simulation. Knows nothing of fluids.
//!
//! A [`Csr`] matrix is built from its parts, a [`Preconditioner`] from the matrix, and [`Pcg`] solves:
//!
//! ```
//! use octide_solve::{Csr, Mic0, Mic0Params, Pcg, SolveParams};
//!
//! // ( 2 −1 ) x = ( 1 )
//! // (−1  2 )     ( 1 )
//! let a = Csr::from_parts(2, vec![0, 2, 4], vec![0, 1, 0, 1], vec![2.0, -1.0, -1.0, 2.0])?;
//! let mut precond = Mic0::new(&a, &Mic0Params::default())?;
//! let mut x = [0.0; 2]; // the warm start
//! let mut solver = Pcg::new(SolveParams::default());
//! let report = solver.solve(&a, &mut precond, &[1.0; 2], &mut x, None)?;
//! assert!(report.residual <= 1e-6 && (x[0] - 1.0).abs() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - Solvers see a matrix as an [`Operator`] and a preconditioner as a [`Preconditioner`]; anything that can
//!   be applied will do.
//! - [`Mic0`] is the preconditioner for Poisson systems; number rows along a Morton curve, so that its blocks
//!   are compact. [`Jacobi`] is for operators without stored entries, and for comparison.
//! - The residual is measured relative to the right-hand side, by default scaled with the diagonal
//!   ([`Norm::Scaled`]), so that rows of very different scale all count.
//! - Where pieces of the system are singular (rows that sum to zero, as in a pocket closed by walls),
//!   [`components()`] finds the pieces and [`NullSpace`] tells the solver which of them are. A row without any
//!   entry has no positive diagonal and is refused: leave such unknowns out.
//! - [`Pcg`] is for symmetric positive definite systems, [`BiCgStab`] for those that are not symmetric. Both
//!   own the memory that a solve needs: keep them from step to step.
//!
//! Promises: the same bytes on any number of threads (fixed chunks, sums in a fixed order). No answer is
//! returned whose residual, computed anew from `b − A x`, is above the tolerance. Failures are values
//! ([`SolveError`], [`MatrixError`]).
//! Not promised: a check that the matrix is symmetric, which would cost as much as several iterations
//! ([`Csr::is_symmetric`] is there for tests), and a stable interface before 1.0.

mod bicgstab;
mod components;
mod csr;
mod error;
mod jacobi;
mod krylov;
mod mic0;
mod multigrid;
mod null_space;
mod operator;
mod pcg;
#[cfg(test)]
mod testing;
mod vector;

pub use bicgstab::BiCgStab;
pub use components::components;
pub use csr::Csr;
pub use error::{MatrixError, SolveError};
pub use jacobi::Jacobi;
pub use krylov::{Norm, Report, SolveParams};
pub use mic0::{MAX_BLOCK_ROWS, Mic0, Mic0Params};
pub use multigrid::{
    Cell, Coarsening, Multigrid, MultigridParams, MultigridPcg, Prolongation, octree_groups,
};
pub use null_space::NullSpace;
pub use operator::{Operator, Preconditioner};
pub use pcg::Pcg;
