//! Preconditioned conjugate gradients for `A x = b` with `A` symmetric and positive definite, or singular
//! and consistent.
//!
//! With `z = M⁻¹ r`, one iteration is `α = r·z / p·Ap`, `x += α p`, `r −= α Ap`, `β = r·z / (r·z)_old`,
//! `p = z + β p`: one product with `A` and one with `M⁻¹`.

use crate::error::SolveError;
use crate::krylov::{self, Ending, Frame, Progress, Report, Rounds, SolveParams, System, finite};
use crate::null_space::NullSpace;
use crate::operator::{Operator, Preconditioner};
use crate::vector;

/// Conjugate gradients: the solver for symmetric positive definite `A` and `M`.
#[derive(Clone, Debug, Default)]
pub struct Pcg {
    /// When to stop. May be changed between solves.
    pub params: SolveParams,
    frame: Frame,
    scratch: Scratch,
}

/// The vectors of the recurrence; `q = A p`.
#[derive(Clone, Debug, Default)]
struct Scratch {
    r: Vec<f64>,
    z: Vec<f64>,
    p: Vec<f64>,
    q: Vec<f64>,
}

impl Pcg {
    /// Creates a solver without allocating. Memory that the first solve allocates is kept for the next.
    pub fn new(params: SolveParams) -> Self {
        Self { params, ..Self::default() }
    }

    /// Solves `A x = rhs` from the initial guess in `x`.
    ///
    /// With a `null_space` the right-hand side is first made consistent on its pieces, and the solution has
    /// mean zero there. After [`SolveError::NotConverged`], `x` holds the last iterate, or that of an earlier
    /// restart if it was better; after any other error its content is meaningless.
    pub fn solve<A: Operator + ?Sized, M: Preconditioner + ?Sized>(
        &mut self,
        op: &A,
        precond: &mut M,
        rhs: &[f64],
        x: &mut [f64],
        null_space: Option<&NullSpace>,
    ) -> Result<Report, SolveError> {
        let Self { params, frame, scratch } = self;
        krylov::solve(scratch, frame, params, op, precond, rhs, x, null_space)
    }

    /// Returns the allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        self.frame.bytes() + self.scratch.bytes()
    }
}

impl Rounds for Scratch {
    const SYMMETRIC: bool = true;

    fn resize(&mut self, n: usize) {
        for vector in [&mut self.r, &mut self.z, &mut self.p, &mut self.q] {
            vector.resize(n, 0.0);
        }
    }

    fn bytes(&self) -> usize {
        krylov::bytes(&[&self.r, &self.z, &self.p, &self.q])
    }

    fn residual(&mut self) -> &mut [f64] {
        &mut self.r
    }

    fn round<A: Operator + ?Sized, M: Preconditioner + ?Sized>(
        &mut self,
        system: &System<'_, A>,
        precond: &mut M,
        x: &mut [f64],
        progress: &mut Progress,
    ) -> Result<Ending, SolveError> {
        let Self { r, z, p, q } = self;
        let &System { op, weights, null_space } = system;
        if let Some(null_space) = null_space {
            null_space.project(r);
        }
        let mut rz = precondition(precond, null_space, r, z);
        p.copy_from_slice(z);
        loop {
            positive(rz, "r·M⁻¹r", progress)?;
            let pq = positive(op.apply_dot(p, q), "p·Ap", progress)?;
            let alpha = rz / pq;
            let r_norm = finite(vector::reduce_residual(r, alpha, q, weights), "the residual")?.sqrt();
            if progress.count(r_norm) {
                vector::add_scaled(x, alpha, p);
                return Ok(Ending::Over);
            }
            let rz_old = rz;
            rz = precondition(precond, null_space, r, z);
            vector::advance(x, alpha, p, z, rz / rz_old);
        }
    }
}

/// Computes `z = M⁻¹ r`, without constants on singular pieces, and returns `r·z`.
fn precondition<M: Preconditioner + ?Sized>(
    precond: &mut M,
    null_space: Option<&NullSpace>,
    r: &[f64],
    z: &mut [f64],
) -> f64 {
    match null_space {
        None => precond.apply_dot(r, z),
        Some(null_space) => {
            precond.apply(r, z);
            null_space.project(z);
            vector::dot(r, z)
        }
    }
}

pub(crate) fn positive(value: f64, what: &'static str, progress: &Progress) -> Result<f64, SolveError> {
    if finite(value, what)? > 0.0 {
        Ok(value)
    } else {
        Err(SolveError::Breakdown { iterations: progress.iterations, what, value })
    }
}

#[cfg(test)]
mod tests;
