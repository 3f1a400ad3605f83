//! Pieces of a system whose rows sum to zero: there `A 1 = 0`, the solution is determined up to a constant,
//! and exists only if the right-hand side is in the range of `A`. Pressure in a pocket closed by walls is an
//! example.
//!
//! If `A` is symmetric, columns sum to zero as rows do, and the range consists of the vectors that sum to
//! zero on each piece: [`NullSpace::make_consistent`] projects a right-hand side into it, and
//! [`Pcg`](crate::Pcg) does so itself. If `A` is not symmetric, the range is orthogonal to the null vectors
//! of `Aᵀ`, which are not known here and in general not constant. Subtracting the mean would move a
//! right-hand side out of the range, so [`BiCgStab`](crate::BiCgStab) does not change it.

use crate::components::components;
use crate::csr::Csr;
use crate::error::SolveError;
use crate::vector::{self, CHUNK};
use rayon::prelude::*;
use std::ops::Range;

/// Marks rows outside all singular pieces.
const REGULAR: u32 = u32::MAX;

/// The constants on each singular piece.
#[derive(Clone, Debug)]
pub struct NullSpace {
    /// The singular piece of each row, or [`REGULAR`].
    piece: Vec<u32>,
    /// The number of rows of each singular piece.
    sizes: Vec<f64>,
    /// The rows of singular pieces, piece by piece.
    rows: Vec<u32>,
    /// Ranges of `rows` within one piece, with the piece, none longer than a chunk.
    spans: Vec<(u32, Range<usize>)>,
}

impl NullSpace {
    /// Builds the null space from each row's component, as numbered by [`components`](crate::components()),
    /// and whether each component is singular.
    pub fn new(labels: &[u32], is_singular: &[bool]) -> Result<Self, SolveError> {
        let mut sizes_by_label = vec![0_usize; is_singular.len()];
        for &label in labels {
            let Some(size) = sizes_by_label.get_mut(label as usize) else {
                return Err(SolveError::WrongSize {
                    what: "the list of singular components",
                    expected: label as usize + 1,
                    found: is_singular.len(),
                });
            };
            *size += 1;
        }
        let mut piece_of_label = vec![REGULAR; is_singular.len()];
        let (mut sizes, mut spans, mut starts) = (Vec::new(), Vec::new(), Vec::new());
        let mut start = 0;
        for (label, &size) in sizes_by_label.iter().enumerate() {
            if !is_singular[label] || size == 0 {
                continue;
            }
            let piece = sizes.len() as u32;
            let end = start + size;
            piece_of_label[label] = piece;
            sizes.push(size as f64);
            starts.push(start);
            spans.extend((start..end).step_by(CHUNK).map(|s| (piece, s..(s + CHUNK).min(end))));
            start = end;
        }
        let piece: Vec<u32> = labels.iter().map(|&l| piece_of_label[l as usize]).collect();
        let mut rows = vec![0; start];
        for (i, &piece) in piece.iter().enumerate() {
            if piece != REGULAR {
                let at = &mut starts[piece as usize];
                rows[*at] = i as u32;
                *at += 1;
            }
        }
        Ok(Self { piece, sizes, rows, spans })
    }

    /// Finds the components of a matrix ([`components`](crate::components())) whose rows all sum to zero
    /// within `tolerance` times their diagonal.
    pub fn from_row_sums(a: &Csr, tolerance: f64) -> Result<Self, SolveError> {
        if tolerance.is_nan() || tolerance < 0.0 {
            return Err(SolveError::Parameter { name: "tolerance", value: tolerance });
        }
        let (labels, n) = components(a);
        let mut is_singular = vec![true; n];
        for (i, &label) in labels.iter().enumerate() {
            let sum: f64 = a.row(i).1.iter().sum();
            if sum.abs() > tolerance * a.get(i, i).abs() {
                is_singular[label as usize] = false;
            }
        }
        Self::new(&labels, &is_singular)
    }

    /// Returns the number of rows of the whole system.
    pub fn size(&self) -> usize {
        self.piece.len()
    }

    /// Returns the number of singular pieces.
    pub fn n_pieces(&self) -> usize {
        self.sizes.len()
    }

    /// Subtracts the mean from `v` on each singular piece.
    ///
    /// # Panics
    ///
    /// If `v` is shorter than the system.
    pub fn project(&self, v: &mut [f64]) {
        if !self.sizes.is_empty() {
            self.subtract(&self.means(v), v);
        }
    }

    /// Makes a right-hand side sum to zero on each singular piece and returns the largest absolute value of
    /// the means that were subtracted. This makes it consistent only if the columns of the matrix sum to zero
    /// there, as in a symmetric one.
    ///
    /// # Panics
    ///
    /// If `b` is shorter than the system.
    pub fn make_consistent(&self, b: &mut [f64]) -> f64 {
        let means = self.means(b);
        self.subtract(&means, b);
        // Removes the rounding error of the first mean.
        self.project(b);
        // A constant must become exactly zero, not noise that a solver would then try to fit.
        for (b, &piece) in b.iter_mut().zip(&self.piece) {
            if piece != REGULAR && b.abs() <= 4.0 * f64::EPSILON * means[piece as usize].abs() {
                *b = 0.0;
            }
        }
        self.project(b);
        means.iter().fold(0.0, |largest, mean| mean.abs().max(largest))
    }

    /// Returns the mean of `v` on each singular piece, summed in a fixed order.
    fn means(&self, v: &[f64]) -> Vec<f64> {
        let span_sum = |(_, span): &(u32, Range<usize>)| -> f64 {
            self.rows[span.clone()].iter().map(|&i| v[i as usize]).sum()
        };
        let sums: Vec<f64> = if vector::is_parallel(self.rows.len()) {
            self.spans.par_iter().with_min_len(4).map(span_sum).collect()
        } else {
            self.spans.iter().map(span_sum).collect()
        };
        let mut means = vec![0.0; self.sizes.len()];
        for ((piece, _), sum) in self.spans.iter().zip(sums) {
            means[*piece as usize] += sum;
        }
        for (mean, size) in means.iter_mut().zip(&self.sizes) {
            *mean /= size;
        }
        means
    }

    fn subtract(&self, means: &[f64], v: &mut [f64]) {
        let kernel = |(v, piece): (&mut [f64], &[u32])| {
            for (v, &piece) in v.iter_mut().zip(piece) {
                if piece != REGULAR {
                    *v -= means[piece as usize];
                }
            }
        };
        if vector::is_parallel(v.len()) {
            v.par_chunks_mut(CHUNK).zip(self.piece.par_chunks(CHUNK)).for_each(kernel);
        } else {
            kernel((v, &self.piece));
        }
    }
}

#[cfg(test)]
mod tests;
