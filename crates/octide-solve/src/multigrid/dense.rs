//! The coarsest system: few unknowns, whose matrix is inverted once.
//!
//! `A = L D Lᵀ` by elimination, then `A⁻¹` column by column. A pivot that vanishes up to rounding marks a
//! piece without a fixed value, such as a closed pocket: its last unknown is held at zero, which gives one of
//! the solutions of a consistent system.

use crate::csr::Rows;
use crate::error::SolveError;

/// Pivots below this fraction of their diagonal entry are rounding errors.
const LOST: f64 = 1e-9;

/// Number of rows that are summed side by side.
const LANES: usize = 8;

/// Solves `A x = b` for a small symmetric matrix by its inverse.
#[derive(Clone, Debug)]
pub(super) struct Dense {
    n: usize,
    /// Rows padded to whole [`LANES`]. In 64 bits: if a piece is only weakly coupled to fixed values, all its
    /// entries are large and nearly equal, and their differences matter.
    inverse: Vec<f64>,
}

impl Dense {
    /// Inverts `matrix`, times `scale`.
    pub fn new(matrix: Rows<'_>, scale: f64) -> Result<Self, SolveError> {
        let n = matrix.n();
        let mut a = vec![0.0; n * n];
        for i in 0..n {
            let (columns, values) = matrix.row(i);
            for (&j, &value) in columns.iter().zip(values) {
                a[i * n + j as usize] = value * scale;
            }
        }
        // Row k of the upper half becomes row k of Lᵀ.
        let mut pivots = vec![0.0; n];
        for k in 0..n {
            let (done, rest) = a.split_at_mut((k + 1) * n);
            let row = &mut done[k * n + k..];
            let (pivot, row) = (row[0], &mut row[1..]);
            let diagonal = matrix.diagonal(k) * scale;
            if pivot <= LOST * diagonal {
                continue; // 1/d = 0
            }
            pivots[k] = 1.0 / pivot;
            for (i, own) in rest.chunks_exact_mut(n).enumerate() {
                let l = row[i] / pivot;
                if l != 0.0 {
                    own[k + 1 + i..].iter_mut().zip(&row[i..]).for_each(|(a, u)| *a -= l * u);
                }
            }
            row.iter_mut().for_each(|u| *u /= pivot);
        }
        let stride = n.next_multiple_of(LANES);
        let mut inverse = vec![0.0; n * stride];
        for (c, x) in inverse.chunks_exact_mut(stride.max(1)).enumerate() {
            let x = &mut x[..n];
            x[c] = 1.0;
            for k in 0..n {
                let (x_k, later) = (x[k], k + 1..n);
                if pivots[k] == 0.0 {
                    x[k] = 0.0;
                } else if x_k != 0.0 {
                    x[later].iter_mut().zip(&a[k * n + k + 1..]).for_each(|(x, l)| *x -= l * x_k);
                }
            }
            for k in (0..n).rev().filter(|&k| pivots[k] != 0.0) {
                let later: f64 = x[k + 1..].iter().zip(&a[k * n + k + 1..]).map(|(x, l)| x * l).sum();
                x[k] = x[k] * pivots[k] - later;
            }
        }
        if inverse.iter().any(|a| !(*a as f32).is_finite()) {
            return Err(SolveError::NotFinite { what: "the inverse of the coarsest matrix in 32 bits" });
        }
        Ok(Self { n, inverse })
    }

    /// Computes `x = A⁻¹ b`.
    pub fn solve(&self, b: &[f32], x: &mut [f32]) {
        let stride = self.n.next_multiple_of(LANES).max(1);
        for (chunk, x) in x.chunks_mut(LANES).enumerate() {
            let mut sums = [0.0_f64; LANES];
            // By columns, which equal the rows: the matrix is symmetric.
            for (&b, column) in b.iter().zip(self.inverse.chunks_exact(stride)) {
                let (b, column) = (f64::from(b), &column[chunk * LANES..][..LANES]);
                for l in 0..LANES {
                    sums[l] += column[l] * b;
                }
            }
            x.iter_mut().zip(sums).for_each(|(x, sum)| *x = sum as f32);
        }
    }

    /// Returns the allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.inverse.as_slice())
    }
}

#[cfg(test)]
mod tests;
