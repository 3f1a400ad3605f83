//! Preconditioned conjugate gradients for `A x = b` with `A` symmetric and positive definite, or singular
//! and consistent.
//!
//! With `z = M⁻¹ r`, one iteration is `α = r·z / p·Ap`, `x += α p`, `r −= α Ap`, `β = r·z / (r·z)_old`,
//! `p = z + β p`. The `r` of this recurrence drifts from `b − A x`, so the residual that decides is always
//! computed anew: where the recurrence says converged and `b − A x` does not, the iteration starts again
//! from there.

use crate::error::SolveError;
use crate::jacobi::invert_positive;
use crate::null_space::NullSpace;
use crate::operator::{Operator, Preconditioner};
use crate::vector;

/// How a residual is measured, always relative to the right-hand side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Norm {
    /// `‖r‖ / ‖b‖`.
    Plain,
    /// `‖D^-½ r‖ / ‖D^-½ b‖` with the diagonal `D`: no row counts for more because it is scaled up.
    #[default]
    Scaled,
}

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PcgParams {
    /// The relative residual to reach.
    pub tolerance: f64,
    /// Iterations after which the solve has failed.
    pub max_iterations: usize,
    /// How the residual is measured.
    pub norm: Norm,
}

impl Default for PcgParams {
    fn default() -> Self {
        Self { tolerance: 1e-6, max_iterations: 1000, norm: Norm::Scaled }
    }
}

/// What a solve that succeeded found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report {
    /// Iterations taken.
    pub iterations: usize,
    /// The relative residual at the start, which says how good the warm start was.
    pub initial_residual: f64,
    /// The relative residual of the answer, computed from `b − A x`.
    pub residual: f64,
    /// How often the recurrence had drifted so far that the iteration started again.
    pub restarts: usize,
    /// The largest mean taken off the right-hand side on a singular piece: 0 where it was consistent.
    pub rhs_mean: f64,
}

/// Scratch vectors, kept from solve to solve.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    r: Vec<f64>,
    z: Vec<f64>,
    p: Vec<f64>,
    q: Vec<f64>,
    weights: Vec<f64>,
    rhs: Vec<f64>,
}

impl Workspace {
    /// Memory held, in bytes.
    pub fn bytes(&self) -> usize {
        let vectors = [&self.r, &self.z, &self.p, &self.q, &self.weights, &self.rhs];
        vectors.iter().map(|v| size_of::<f64>() * v.capacity()).sum()
    }
}

/// Solves `A x = rhs` from the start that `x` holds.
///
/// With a `null_space` the right-hand side is first made consistent on its pieces, and the answer has mean
/// zero there. After [`SolveError::NotConverged`] `x` holds the last iterate; after any other error its
/// content means nothing.
pub fn pcg<A: Operator + ?Sized, M: Preconditioner + ?Sized>(
    op: &A,
    precond: &mut M,
    rhs: &[f64],
    x: &mut [f64],
    params: &PcgParams,
    null_space: Option<&NullSpace>,
    ws: &mut Workspace,
) -> Result<Report, SolveError> {
    let n = op.size();
    check_input(n, precond.size(), rhs, x, params, null_space)?;
    let Workspace { r, z, p, q, weights, rhs: own_rhs } = ws;
    for vector in [&mut *r, &mut *z, &mut *p, &mut *q] {
        vector.resize(n, 0.0);
    }

    let weights = match params.norm {
        Norm::Plain => None,
        Norm::Scaled => {
            weights.resize(n, 0.0);
            op.diagonal(weights);
            invert_positive(weights)?;
            Some(weights.as_slice())
        }
    };
    let mut rhs_mean = 0.0;
    let b = match null_space {
        None => rhs,
        Some(null_space) => {
            own_rhs.clear();
            own_rhs.extend_from_slice(rhs);
            rhs_mean = null_space.make_consistent(own_rhs);
            own_rhs.as_slice()
        }
    };

    let b_square = finite(vector::square(b, weights), "the norm of the right-hand side")?;
    if b.iter().all(|&b| b == 0.0) {
        x.fill(0.0);
        return Ok(Report { iterations: 0, initial_residual: 0.0, residual: 0.0, restarts: 0, rhs_mean });
    }
    if b_square < f64::MIN_POSITIVE / f64::EPSILON {
        return Err(SolveError::TooSmall { squared_norm: b_square });
    }
    let b_norm = b_square.sqrt();

    if let Some(null_space) = null_space {
        null_space.project(x);
    }
    let mut iterations = 0;
    let mut residuals = Residuals::default();
    loop {
        op.apply(x, r);
        vector::subtract_from(r, b);
        let residual = finite(vector::square(r, weights), "the residual")?.sqrt() / b_norm;
        let initial_residual = residuals.push(residual);
        if residual <= params.tolerance {
            let restarts = residuals.restarts();
            return Ok(Report { iterations, initial_residual, residual, restarts, rhs_mean });
        }
        if iterations >= params.max_iterations || residuals.has_stalled() {
            return Err(SolveError::NotConverged { iterations, residual });
        }
        if let Some(null_space) = null_space {
            null_space.project(r);
        }

        let mut rz = precondition(precond, null_space, r, z);
        p.copy_from_slice(z);
        loop {
            positive(rz, "r·M⁻¹r", iterations)?;
            let pq = positive(op.apply_dot(p, q), "p·Ap", iterations)?;
            let alpha = rz / pq;
            let r_norm = finite(vector::reduce_residual(r, alpha, q, weights), "the residual")?.sqrt();
            iterations += 1;
            if r_norm <= params.tolerance * b_norm || iterations >= params.max_iterations {
                vector::add_scaled(x, alpha, p);
                break;
            }
            let rz_old = rz;
            rz = precondition(precond, null_space, r, z);
            vector::advance(x, alpha, p, z, rz / rz_old);
        }
        if let Some(null_space) = null_space {
            null_space.project(x);
        }
    }
}

/// `z = M⁻¹ r`, free of constants on singular pieces, and `r·z`.
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

/// The true residuals, from the start on and after each round of iterations.
#[derive(Default)]
struct Residuals {
    first: f64,
    last: f64,
    count: usize,
    stalls: usize,
}

impl Residuals {
    /// Notes a residual and returns the first one.
    fn push(&mut self, residual: f64) -> f64 {
        if self.count == 0 {
            self.first = residual;
        } else if residual > 0.5 * self.last {
            self.stalls += 1;
        } else {
            self.stalls = 0;
        }
        self.last = residual;
        self.count += 1;
        self.first
    }

    /// Rounds after the first one.
    fn restarts(&self) -> usize {
        self.count.saturating_sub(2)
    }

    /// Two rounds in a row that ended no better than they began: the tolerance is below what rounding allows.
    fn has_stalled(&self) -> bool {
        self.stalls >= 2
    }
}

fn check_input(
    n: usize,
    n_precond: usize,
    rhs: &[f64],
    x: &[f64],
    params: &PcgParams,
    null_space: Option<&NullSpace>,
) -> Result<(), SolveError> {
    let sizes = [
        ("the preconditioner", n_precond),
        ("the right-hand side", rhs.len()),
        ("the solution", x.len()),
        ("the null space", null_space.map_or(n, NullSpace::size)),
    ];
    if let Some(&(what, found)) = sizes.iter().find(|(_, found)| *found != n) {
        return Err(SolveError::WrongSize { what, expected: n, found });
    }
    if !(params.tolerance >= 0.0 && params.tolerance.is_finite()) {
        return Err(SolveError::Parameter { name: "tolerance", value: params.tolerance });
    }
    Ok(())
}

fn finite(value: f64, what: &'static str) -> Result<f64, SolveError> {
    if value.is_finite() { Ok(value) } else { Err(SolveError::NotFinite { what }) }
}

fn positive(value: f64, what: &'static str, iterations: usize) -> Result<f64, SolveError> {
    if finite(value, what)? > 0.0 {
        Ok(value)
    } else {
        Err(SolveError::Breakdown { iterations, what, value })
    }
}

#[cfg(test)]
mod tests;
