//! The coarsest system: a handful of unknowns, inverted once in full.
//!
//! `A = L D Lᵀ` by elimination, then `A⁻¹` column by column. A pivot that is lost to rounding marks a piece
//! without a fixed value, as in a closed pocket: its last unknown is held at zero, which gives one of the
//! solutions of a consistent system.

use super::setup::Rows;

/// Pivots below this part of their diagonal entry are rounding.
const LOST: f64 = 1e-9;

/// `x = A⁻¹ b` for a small symmetric matrix.
#[derive(Clone, Debug)]
pub(super) struct Dense {
    n: usize,
    inverse: Vec<f32>,
}

impl Dense {
    /// Inverts `matrix`, times `scale`.
    pub fn new(matrix: Rows<'_>, scale: f64) -> Self {
        let n = matrix.n();
        let mut a = vec![0.0; n * n];
        for i in 0..n {
            let (columns, values) = matrix.row(i);
            for (&j, &value) in columns.iter().zip(values) {
                a[i * n + j as usize] = value * scale;
            }
        }
        let diagonal: Vec<f64> = (0..n).map(|i| a[i * n + i]).collect();
        let mut pivots = vec![0.0; n];
        for k in 0..n {
            let pivot = a[k * n + k];
            if pivot <= LOST * diagonal[k] {
                continue; // 1/d = 0
            }
            pivots[k] = 1.0 / pivot;
            for i in k + 1..n {
                let l = a[i * n + k] / pivot;
                if l != 0.0 {
                    for j in k + 1..=i {
                        a[i * n + j] -= l * a[j * n + k];
                    }
                }
            }
            for i in k + 1..n {
                a[i * n + k] /= pivot;
            }
        }
        let mut inverse = vec![0.0; n * n];
        let mut x = vec![0.0; n];
        for c in 0..n {
            x.fill(0.0);
            x[c] = 1.0;
            for k in 0..n {
                if pivots[k] == 0.0 {
                    x[k] = 0.0;
                    continue;
                }
                for i in k + 1..n {
                    x[i] -= a[i * n + k] * x[k];
                }
            }
            for k in (0..n).rev() {
                if pivots[k] == 0.0 {
                    x[k] = 0.0;
                    continue;
                }
                let later: f64 = (k + 1..n).map(|i| a[i * n + k] * x[i]).sum();
                x[k] = x[k] * pivots[k] - later;
            }
            for i in 0..n {
                inverse[i * n + c] = x[i] as f32;
            }
        }
        Self { n, inverse }
    }

    /// `x = A⁻¹ b`.
    pub fn solve(&self, b: &[f32], x: &mut [f32]) {
        x.fill(0.0);
        // By columns, which are rows: the matrix is symmetric.
        for (b, column) in b.iter().zip(self.inverse.chunks_exact(self.n.max(1))) {
            for (x, a) in x.iter_mut().zip(column) {
                *x += a * b;
            }
        }
    }

    /// Memory held, in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.inverse.as_slice())
    }
}
