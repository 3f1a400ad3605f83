//! A second solver that is used if the first one fails.

use crate::csr::Csr;
use crate::error::SolveError;
use crate::krylov::Report;
use thiserror::Error;

/// The error of the last solver, and of the first one if there were two.
#[derive(Debug, Error)]
#[error("{}{second}", first.as_ref().map_or_else(String::new, |(e, then)| format!("{e}; with {then}: ")))]
pub struct SolveFailure {
    /// The error of the first solver and the name of the second, if there were two.
    first: Option<(SolveError, &'static str)>,
    /// The error of the last solver.
    second: SolveError,
    /// The row with the largest residual, or the first one whose residual is not finite.
    pub row: Option<usize>,
}

impl SolveFailure {
    /// Returns the error of a single solver for `matrix` x = `rhs`, which left `x`.
    pub fn alone(second: SolveError, matrix: &Csr, rhs: &[f64], x: &[f64]) -> Self {
        Self { first: None, second, row: worst_row(matrix, rhs, x) }
    }
}

/// Solves `matrix` x = `rhs` with `first`, starting from the given x; if that fails, with `second`, called
/// `name`, starting from zero. The initial guess may have caused the failure, and keeping a copy of it would
/// cost memory in every solve that succeeds.
pub fn solve_with_fallback(
    matrix: &Csr,
    rhs: &[f64],
    x: &mut [f64],
    first: impl FnOnce(&mut [f64]) -> Result<Report, SolveError>,
    (name, second): (&'static str, impl FnOnce(&mut [f64]) -> Result<Report, SolveError>),
) -> Result<Report, SolveFailure> {
    let error = match first(x) {
        Ok(report) => return Ok(report),
        Err(error) => error,
    };
    x.fill(0.0);
    second(x).map_err(|second| SolveFailure {
        first: Some((error, name)),
        second,
        row: worst_row(matrix, rhs, x),
    })
}

fn worst_row(matrix: &Csr, rhs: &[f64], x: &[f64]) -> Option<usize> {
    let mut worst = (0.0, None);
    for i in 0..rhs.len() {
        let (columns, values) = matrix.row(i);
        let product: f64 = columns.iter().zip(values).map(|(&j, v)| v * x[j as usize]).sum();
        let r = (rhs[i] - product).abs();
        if !r.is_finite() {
            return Some(i);
        }
        if r > worst.0 {
            worst = (r, Some(i));
        }
    }
    worst.1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix() -> Csr {
        Csr::from_parts(2, vec![0, 2, 4], vec![0, 1, 0, 1], vec![2.0, -1.0, -1.0, 2.0]).unwrap()
    }

    fn fails(_: &mut [f64]) -> Result<Report, SolveError> {
        Err(SolveError::NotFinite { what: "it" })
    }

    #[test]
    fn the_second_starts_from_zero() {
        let mut x = [3.0, 4.0];
        let spoils = |x: &mut [f64]| {
            x.fill(9.0);
            fails(x)
        };
        let second = |x: &mut [f64]| {
            assert_eq!(x, [0.0; 2]);
            Ok(Report::default())
        };
        assert!(solve_with_fallback(&matrix(), &[1.0; 2], &mut x, spoils, ("another", second)).is_ok());
    }

    #[test]
    fn a_failure_tells_both_reasons_and_the_worst_row() {
        let mut x = [0.0; 2];
        let second = |x: &mut [f64]| {
            x.copy_from_slice(&[1.0, 1.5]);
            fails(x)
        };
        let failed =
            solve_with_fallback(&matrix(), &[1.0; 2], &mut x, fails, ("another", second)).unwrap_err();
        assert_eq!(failed.to_string(), "it is not finite; with another: it is not finite");
        // What is left is 0.5 and −1.
        assert_eq!(failed.row, Some(1));
        let alone =
            SolveFailure::alone(SolveError::NotFinite { what: "it" }, &matrix(), &[f64::NAN, 1.0], &x);
        assert_eq!((alone.row, alone.to_string().as_str()), (Some(0), "it is not finite"));
    }
}
