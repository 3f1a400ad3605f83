//! The diagonal as a preconditioner, `z = D⁻¹ r`: weak, but it needs no setup and works with any operator.

use crate::error::SolveError;
use crate::operator::{Operator, Preconditioner};
use crate::vector;

/// The Jacobi preconditioner, `z = D⁻¹ r`.
#[derive(Clone, Debug)]
pub struct Jacobi {
    inverse_diagonal: Vec<f64>,
}

impl Jacobi {
    /// Reads the diagonal of `op`, which must be positive.
    pub fn new<A: Operator + ?Sized>(op: &A) -> Result<Self, SolveError> {
        let mut inverse_diagonal = vec![0.0; op.size()];
        op.diagonal(&mut inverse_diagonal);
        invert_positive(&mut inverse_diagonal)?;
        Ok(Self { inverse_diagonal })
    }
}

/// Replaces each entry by its inverse, or reports the first that has no positive, finite one.
pub(crate) fn invert_positive(d: &mut [f64]) -> Result<(), SolveError> {
    for (row, d) in d.iter_mut().enumerate() {
        let inverse = 1.0 / *d;
        // Not `*d <= 0.0`: that would let NaN pass.
        if !(*d > 0.0 && d.is_finite() && inverse.is_finite()) {
            return Err(SolveError::NonPositiveDiagonal { row, value: *d });
        }
        *d = inverse;
    }
    Ok(())
}

impl Preconditioner for Jacobi {
    fn size(&self) -> usize {
        self.inverse_diagonal.len()
    }

    fn apply(&mut self, r: &[f64], z: &mut [f64]) {
        z.copy_from_slice(r);
        vector::zip_apply(z, &self.inverse_diagonal, |z, inverse| *z *= inverse);
    }

    fn bytes(&self) -> usize {
        size_of_val(self.inverse_diagonal.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::matrix;

    #[test]
    fn divides_by_the_diagonal() {
        let a = matrix(3, &[(0, 0, 2.0), (0, 2, -1.0), (1, 1, 4.0), (2, 0, -1.0), (2, 2, 8.0)]);
        let mut jacobi = Jacobi::new(&a).unwrap();
        let mut z = [9.0; 3];
        jacobi.apply(&[2.0, 2.0, 2.0], &mut z);
        assert_eq!(z, [1.0, 0.5, 0.25]);
        assert_eq!(jacobi.bytes(), 24);
    }

    #[test]
    fn names_the_row_without_a_positive_diagonal() {
        for (bad, value) in [(0.0, 0.0), (-1.0, -1.0)] {
            let a = matrix(2, &[(0, 0, 1.0), (1, 1, bad)]);
            assert_eq!(Jacobi::new(&a).unwrap_err(), SolveError::NonPositiveDiagonal { row: 1, value });
        }
        let missing = matrix(2, &[(0, 0, 1.0), (1, 0, 1.0)]);
        assert!(matches!(Jacobi::new(&missing), Err(SolveError::NonPositiveDiagonal { row: 1, .. })));
    }
}
