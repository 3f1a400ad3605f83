//! Code that the Krylov solvers share: stopping criteria, norms, reports, and the loop around the iterations.
//!
//! The residual of a recurrence drifts from `b − A x`, so convergence is always decided by a recomputed
//! residual. A solve is a sequence of rounds. Each starts from `r = b − A x` and iterates until its
//! recurrence has converged; if `b − A x` has not, another round starts from there. The solve ends after two
//! consecutive rounds that do not halve the residual: the tolerance is below what rounding allows, or the
//! rounds do not help.

use crate::error::SolveError;
use crate::jacobi::invert_positive;
use crate::null_space::NullSpace;
use crate::operator::{Operator, Preconditioner};
use crate::vector;

/// Maximum number of breakdowns without a halved residual in between.
const MAX_BREAKDOWNS: usize = 5;

/// Below this squared norm of the right-hand side, the squares of a residual would lose digits by underflow.
const LEAST_SQUARE: f64 = f64::MIN_POSITIVE / f64::EPSILON;

/// How a residual is measured, always relative to the right-hand side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Norm {
    /// `‖r‖ / ‖b‖`. The diagonal is not used.
    Plain,
    /// `‖D^-½ r‖ / ‖D^-½ b‖` with the diagonal `D`, which must be positive: no row counts for more because it
    /// is scaled up.
    #[default]
    Scaled,
}

/// When to stop, and whether to record the history.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolveParams {
    /// The relative residual to reach.
    pub tolerance: f64,
    /// Maximum number of iterations.
    pub max_iterations: usize,
    /// How the residual is measured.
    pub norm: Norm,
    /// Whether the residual of every iteration is recorded.
    pub history: bool,
}

impl Default for SolveParams {
    fn default() -> Self {
        Self { tolerance: 1e-6, max_iterations: 1000, norm: Norm::Scaled, history: false }
    }
}

/// The report of a successful solve.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Report {
    /// The number of iterations.
    pub iterations: usize,
    /// The relative residual of the initial guess.
    pub initial_residual: f64,
    /// The relative residual of the solution, computed from `b − A x`, where `b` is the right-hand side after
    /// subtracting [`Self::rhs_mean`].
    pub residual: f64,
    /// How often the iteration was restarted from a recomputed residual: because its recurrence had drifted
    /// or broken down, or, within a hierarchy, because 32 bits offer no more digits.
    pub restarts: usize,
    /// The largest mean subtracted from the right-hand side on a singular piece: 0 if it was consistent or is
    /// not changed.
    pub rhs_mean: f64,
    /// The recurrence's relative residual before the first and after each iteration, if requested.
    pub history: Vec<f64>,
    /// Memory allocated by the solver and the preconditioner, in bytes.
    pub bytes: usize,
}

/// A solver's iteration from a residual to a smaller one, with the scratch vectors it needs.
pub(crate) trait Rounds {
    /// Whether the operator is symmetric, so that its range is the orthogonal complement of the constants
    /// that it maps to zero.
    const SYMMETRIC: bool;

    /// Allocates vectors for `n` unknowns.
    fn resize(&mut self, n: usize);

    /// Returns the allocated memory in bytes.
    fn bytes(&self) -> usize;

    /// Returns the vector that holds the residual at the start of a round.
    fn residual(&mut self) -> &mut [f64];

    /// Iterates until `progress` reports the end of the round, or the recurrence breaks down.
    fn round<A: Operator + ?Sized, M: Preconditioner + ?Sized>(
        &mut self,
        system: &System<'_, A>,
        precond: &mut M,
        x: &mut [f64],
        progress: &mut Progress,
    ) -> Result<Ending, SolveError>;
}

/// The system as a round needs it.
pub(crate) struct System<'a, A: ?Sized> {
    pub op: &'a A,
    /// The weight of each square in the norm; 1 if there are none.
    pub weights: Option<&'a [f64]>,
    pub null_space: Option<&'a NullSpace>,
}

/// The reason for the end of a round.
pub(crate) enum Ending {
    /// The recurrence has converged, or no iterations are left.
    Over,
    /// A product that the recurrence divides by has vanished.
    Broken { what: &'static str, value: f64 },
}

/// Scratch vectors of the solve loop.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frame {
    weights: Vec<f64>,
    rhs: Vec<f64>,
    best: Vec<f64>,
}

impl Frame {
    pub fn bytes(&self) -> usize {
        bytes(&[&self.weights, &self.rhs, &self.best])
    }
}

/// Returns the memory allocated by vectors.
pub(crate) fn bytes(vectors: &[&Vec<f64>]) -> usize {
    vectors.iter().map(|v| size_of::<f64>() * v.capacity()).sum()
}

/// Solves `A x = rhs` from the initial guess in `x`.
pub(crate) fn solve<R: Rounds, A: Operator + ?Sized, M: Preconditioner + ?Sized>(
    rounds: &mut R,
    frame: &mut Frame,
    params: &SolveParams,
    op: &A,
    precond: &mut M,
    rhs: &[f64],
    x: &mut [f64],
    null_space: Option<&NullSpace>,
) -> Result<Report, SolveError> {
    let n = op.size();
    check_input(n, precond.size(), rhs, x, params, null_space)?;
    rounds.resize(n);
    let Frame { weights, rhs: own_rhs, best } = &mut *frame;
    let weights = match params.norm {
        Norm::Plain => None,
        Norm::Scaled => {
            weights.resize(n, 0.0);
            op.diagonal(weights);
            invert_positive(weights)?;
            Some(weights.as_slice())
        }
    };
    let mut report = Report::default();
    let b = match null_space {
        Some(null_space) if R::SYMMETRIC => {
            own_rhs.clear();
            own_rhs.extend_from_slice(rhs);
            report.rhs_mean = null_space.make_consistent(own_rhs);
            own_rhs.as_slice()
        }
        _ => rhs,
    };

    let b_square = finite(vector::square(b, weights), "the norm of the right-hand side")?;
    if b.iter().all(|&b| b == 0.0) {
        x.fill(0.0);
        report.history.extend(params.history.then_some(0.0));
        report.bytes = rounds.bytes() + frame.bytes() + precond.bytes();
        return Ok(report);
    }
    let largest = b.iter().fold(0.0, |most: f64, b| most.max(b.abs()));
    if b_square < LEAST_SQUARE && largest < 1.0 {
        let scaled: Vec<f64> = b.iter().map(|b| b / largest).collect();
        let outcome = solve_scaled(rounds, frame, params, op, precond, &scaled, x, null_space, largest);
        return outcome.map(|scaled| Report { rhs_mean: report.rhs_mean, ..scaled });
    }
    let b_norm = b_square.sqrt();

    let system = System { op, weights, null_space };
    let mut progress = Progress::new(params, b_norm);
    let mut residuals = Residuals::default();
    let mut best_residual = f64::INFINITY;
    let mut ending = Ending::Over;
    loop {
        if let Some(null_space) = null_space {
            null_space.project(x);
        }
        let r = rounds.residual();
        if residuals.count == 0 && x.iter().all(|&x| x == 0.0) {
            r.copy_from_slice(b);
        } else {
            op.apply(x, r);
            vector::subtract_from(r, b);
        }
        let r_norm = finite(vector::square(r, weights), "the residual")?.sqrt();
        let residual = r_norm / b_norm;
        residuals.push(residual, &ending);
        let Progress { iterations, .. } = progress;
        if residual <= params.tolerance {
            report.iterations = iterations;
            report.initial_residual = residuals.first;
            report.residual = residual;
            report.restarts = residuals.restarts();
            report.history = progress.history_from(residuals.first);
            report.bytes = rounds.bytes() + frame.bytes() + precond.bytes();
            return Ok(report);
        }
        if iterations >= params.max_iterations || residuals.stalls >= 2 {
            if best_residual < residual {
                x.copy_from_slice(best);
            }
            let history = progress.history_from(residuals.first);
            return Err(SolveError::NotConverged {
                iterations,
                residual: residual.min(best_residual),
                history,
            });
        }
        if let Ending::Broken { what, value } = ending {
            if residuals.breakdowns > MAX_BREAKDOWNS {
                return Err(SolveError::Breakdown { iterations, what, value });
            }
            progress.breakdowns += 1;
        }
        // Only rounds after a restart are worth the copy.
        if residuals.count > 1 && residual < best_residual {
            best_residual = residual;
            best.clear();
            best.extend_from_slice(x);
        }
        progress.begin(r_norm);
        ending = rounds.round(&system, precond, x, &mut progress)?;
    }
}

/// Solves a system whose right-hand side is so small that its square underflows: `A y = scaled` from zero,
/// where `scaled` is the right-hand side divided by `scale`, and then `x = scale y`.
fn solve_scaled<R: Rounds, A: Operator + ?Sized, M: Preconditioner + ?Sized>(
    rounds: &mut R,
    frame: &mut Frame,
    params: &SolveParams,
    op: &A,
    precond: &mut M,
    scaled: &[f64],
    x: &mut [f64],
    null_space: Option<&NullSpace>,
    scale: f64,
) -> Result<Report, SolveError> {
    x.fill(0.0);
    let outcome = solve(rounds, frame, params, op, precond, scaled, x, null_space);
    x.iter_mut().for_each(|x| *x *= scale);
    outcome
}

/// The progress of a solve, as its rounds need it.
pub(crate) struct Progress {
    pub iterations: usize,
    /// The norm of the residual that the round started from.
    pub start_norm: f64,
    /// How often the recurrence has broken down.
    pub breakdowns: u64,
    /// The norm at which the round ends.
    target: f64,
    tolerance: f64,
    b_norm: f64,
    max_iterations: usize,
    history: Option<Vec<f64>>,
}

impl Progress {
    fn new(params: &SolveParams, b_norm: f64) -> Self {
        let &SolveParams { tolerance, max_iterations, history, .. } = params;
        let history = history.then(Vec::new);
        let (iterations, start_norm, breakdowns, target) = (0, 0.0, 0, 0.0);
        Self { iterations, start_norm, breakdowns, target, tolerance, b_norm, max_iterations, history }
    }

    fn begin(&mut self, r_norm: f64) {
        self.start_norm = r_norm;
        // Below the rounding error of its start, a recurrence is unrelated to the true residual.
        self.target = (self.tolerance * self.b_norm).max(f64::EPSILON * r_norm);
    }

    /// Returns the relative residual that the round started from.
    pub fn start_residual(&self) -> f64 {
        self.start_norm / self.b_norm
    }

    /// Returns whether a residual is small enough to end the round.
    pub fn is_reached(&self, r_norm: f64) -> bool {
        r_norm <= self.target
    }

    /// Counts an iteration that ended with this residual, and returns whether the round is over.
    pub fn count(&mut self, r_norm: f64) -> bool {
        self.iterations += 1;
        if let Some(history) = &mut self.history {
            history.push(r_norm / self.b_norm);
        }
        self.is_reached(r_norm) || self.iterations >= self.max_iterations
    }

    /// Returns the residuals so far, preceded by the initial one.
    fn history_from(self, first: f64) -> Vec<f64> {
        self.history.map_or(Vec::new(), |rest| std::iter::once(first).chain(rest).collect())
    }
}

/// The true residuals, at the start and after each round.
#[derive(Default)]
struct Residuals {
    first: f64,
    last: f64,
    count: usize,
    /// Rounds since the residual was last halved that ended regularly.
    stalls: usize,
    /// Rounds since the residual was last halved that broke down.
    breakdowns: usize,
}

impl Residuals {
    fn push(&mut self, residual: f64, ending: &Ending) {
        if self.count == 0 {
            self.first = residual;
        } else if residual <= 0.5 * self.last {
            (self.stalls, self.breakdowns) = (0, 0);
        } else if let Ending::Broken { .. } = ending {
            self.breakdowns += 1;
        } else {
            self.stalls += 1;
        }
        self.last = residual;
        self.count += 1;
    }

    /// Returns the number of rounds after the first one.
    fn restarts(&self) -> usize {
        self.count.saturating_sub(2)
    }
}

fn check_input(
    n: usize,
    n_precond: usize,
    rhs: &[f64],
    x: &[f64],
    params: &SolveParams,
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

pub(crate) fn finite(value: f64, what: &'static str) -> Result<f64, SolveError> {
    if value.is_finite() { Ok(value) } else { Err(SolveError::NotFinite { what }) }
}

#[cfg(test)]
mod tests;
