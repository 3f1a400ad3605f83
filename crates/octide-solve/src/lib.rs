//! Sparse linear systems and their solvers, as fluid simulations need them; this crate knows nothing about
//! fluids.
//!
//! Build a [`Csr`] matrix from its parts, a [`Multigrid`] hierarchy or another [`Preconditioner`] from the
//! matrix, and give both to a solver:
//!
//! ```
//! use octide_solve::{Coarsening, Csr, Multigrid, MultigridParams, MultigridPcg, SolveParams};
//!
//! // ( 2 −1 ) x = ( 1 )
//! // (−1  2 )     ( 1 )
//! let a = Csr::from_parts(2, vec![0, 2, 4], vec![0, 1, 0, 1], vec![2.0, -1.0, -1.0, 2.0])?;
//! let mut multigrid = Multigrid::new(&a, Coarsening::Matrix, &MultigridParams::default())?;
//! let mut x = [0.0; 2]; // the initial guess
//! let mut solver = MultigridPcg::new(SolveParams::default());
//! let report = solver.solve(&a, &mut multigrid, &[1.0; 2], &mut x, None)?;
//! assert!(report.residual <= 1e-6 && (x[0] - 1.0).abs() < 1e-6);
//! # Ok::<(), octide_solve::SolveError>(())
//! ```
//!
//! If the unknowns are cells of an octree, their levels (higher is finer) and positions give better groups:
//!
//! ```
//! use octide_solve::{Cell, Coarsening, Csr, Multigrid, MultigridParams, octree_groups};
//!
//! // A row of 200 cells of one level with zero boundary values.
//! let cells: Vec<Cell> = (0..200).map(|i| [8, i, 0, 0]).collect();
//! let columns = |i: u32| (i.saturating_sub(1)..(i + 2).min(200)).collect::<Vec<_>>();
//! let rows: Vec<Vec<u32>> = (0..200).map(columns).collect();
//! let offsets = std::iter::once(0).chain(rows.iter().scan(0, |end, row| {
//!     *end += row.len() as u32;
//!     Some(*end)
//! }));
//! let value = |i: usize, j: u32| if j as usize == i { 2.0 } else { -1.0 };
//! let values = rows.iter().enumerate().flat_map(|(i, row)| row.iter().map(move |&j| value(i, j)));
//! let a = Csr::from_parts(200, offsets.collect(), rows.concat(), values.collect())?;
//!
//! let params = MultigridParams::default();
//! // Cells are merged until few enough are left for a direct solve.
//! let groups = octree_groups(&cells, params.coarsest);
//! let multigrid = Multigrid::new(&a, Coarsening::Groups(&groups), &params)?;
//! assert_eq!(multigrid.sizes(), [200, 100, 50]);
//! # Ok::<(), octide_solve::SolveError>(())
//! ```
//!
//! # Which solver
//!
//! | the system | solver | preconditioner |
//! |---|---|---|
//! | pressure: symmetric, positive definite, assembled | [`MultigridPcg`] | [`Multigrid`] |
//! | the same, few thousand unknowns, or a matrix used once in a while | [`Pcg`] | [`Mic0`] |
//! | symmetric, without stored entries (your own [`Operator`]) | [`Pcg`] | [`Multigrid`] of a similar assembled matrix, or [`Jacobi`] |
//! | not symmetric | [`BiCgStab`] | [`Multigrid`] or [`Mic0`] of a symmetric matrix close to it, or [`Jacobi`] |
//!
//! - **Tell the multigrid what you know.** With [`Coarsening::Groups`] of an octree's cells
//!   ([`octree_groups`]) it needs the fewest iterations and the shortest set-up. Finite elements give their
//!   own [`Coarsening::Prolongations`]. [`Coarsening::Matrix`] needs no further information, but its set-up
//!   takes two to four times as long.
//! - **Number rows along a Morton curve**, or any other that keeps neighbors close: tiles and blocks are then
//!   consecutive rows. `octree_groups` sorts rows that are in another order.
//! - **Reuse.** Solvers own their vectors: keep them from step to step. A [`Multigrid`] may be kept while the
//!   matrix changes, because convergence is decided by the residual of the operator that is passed in: with
//!   [`MultigridPcg`] while the matrix changes a little; with [`Pcg`], which uses the hierarchy only as a
//!   preconditioner, also where a few rows change a lot. `x` is the initial guess.
//! - **Norms.** The residual is measured relative to the right-hand side, by default scaled with the diagonal
//!   ([`Norm::Scaled`]), so that rows of very different scale all count. [`Norm::Plain`] is what other
//!   programs call the relative two-norm.
//! - **Singular pieces.** Where rows sum to zero, as in a pocket closed by walls,
//!   [`NullSpace::from_row_sums`] finds the pieces for the solver. A row without any entry has no
//!   positive diagonal and is refused: leave such unknowns out.
//! - **Not converged?** [`SolveError`] says what happened, and [`SolveParams::history`] keeps the residual of
//!   every iteration. A breakdown means that matrix or preconditioner is not positive definite.
//!
//! # Promises
//!
//! Results are identical to the last bit on any number of threads (fixed chunks and tiles, sums in a fixed
//! order). No solution is returned whose residual, recomputed from `b − A x`, is above the tolerance; on
//! singular pieces `b` is the right-hand side minus its mean ([`Report::rhs_mean`]). Failures are values
//! ([`SolveError`], [`MatrixError`]). Not promised: a check that the matrix is symmetric, which would cost as
//! much as several iterations ([`Csr::is_symmetric`] is available for tests), and a stable interface before
//! 1.0.

mod bicgstab;
mod components;
mod csr;
mod error;
mod fallback;
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
pub use fallback::{SolveFailure, solve_with_fallback};
pub use jacobi::Jacobi;
pub use krylov::{Norm, Report, SolveParams};
pub use mic0::{Mic0, Mic0Params};
pub use multigrid::{
    Cell, Coarsening, Multigrid, MultigridParams, MultigridPcg, Prolongation, octree_groups,
};
pub use null_space::NullSpace;
pub use operator::{Operator, Preconditioner};
pub use pcg::Pcg;

/// The examples of the README are compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
