//! Prolongations that the caller passes: `x += P e` when ascending, `Pᵀ r` when descending, and `Pᵀ A P` as
//! the next matrix.

use super::coarse::{Coarse, ROUNDING};
use crate::csr::Rows;
use crate::error::{MatrixError, SolveError};
use rayon::prelude::*;

/// A matrix of weights `P` from the unknowns of one level, its rows, to those of the next, its columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Prolongation {
    n_coarse: usize,
    offsets: Vec<u32>,
    columns: Vec<u32>,
    weights: Vec<f64>,
}

impl Prolongation {
    /// Builds the matrix from its rows: row `i` has the entries `offsets[i] .. offsets[i + 1]`, with
    /// increasing columns. There are at most as many columns as rows.
    pub fn from_parts(
        n_coarse: usize,
        offsets: Vec<u32>,
        columns: Vec<u32>,
        weights: Vec<f64>,
    ) -> Result<Self, MatrixError> {
        let n = offsets.len().saturating_sub(1);
        if columns.len() != weights.len() {
            return Err(MatrixError::EntryCount { columns: columns.len(), values: weights.len() });
        }
        if offsets.is_empty() {
            return Err(MatrixError::OffsetCount { expected: 1, found: 0 });
        }
        if offsets[0] != 0 || offsets[n] as usize != columns.len() {
            return Err(MatrixError::Offsets { row: n.saturating_sub(1) });
        }
        // The number of columns decides how much memory is allocated.
        if n_coarse > n {
            return Err(MatrixError::TooLarge(n_coarse));
        }
        for row in 0..n {
            let range = offsets[row] as usize..offsets[row + 1] as usize;
            let (Some(columns), Some(weights)) = (columns.get(range.clone()), weights.get(range)) else {
                return Err(MatrixError::Offsets { row });
            };
            if let Some(&column) = columns.iter().find(|&&c| c as usize >= n_coarse) {
                return Err(MatrixError::Column { row, column });
            }
            if !columns.is_sorted_by(|a, b| a < b) {
                return Err(MatrixError::Unsorted { row });
            }
            if !weights.iter().all(|w| w.is_finite()) {
                return Err(MatrixError::NotFinite { row });
            }
        }
        Ok(Self { n_coarse, offsets, columns, weights })
    }

    /// Returns the number of fine unknowns.
    pub fn n_fine(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Returns the number of coarse unknowns.
    pub fn n_coarse(&self) -> usize {
        self.n_coarse
    }

    pub(super) fn row(&self, i: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = self.offsets[i] as usize..self.offsets[i + 1] as usize;
        self.columns[range.clone()].iter().zip(&self.weights[range]).map(|(&c, &w)| (c as usize, w))
    }

    /// Returns `Pᵀ`.
    fn transposed(&self) -> Self {
        let mut offsets = vec![0_u32; self.n_coarse + 1];
        for &c in &self.columns {
            offsets[c as usize + 1] += 1;
        }
        for c in 0..self.n_coarse {
            offsets[c + 1] += offsets[c];
        }
        let mut next = offsets.clone();
        let (mut columns, mut weights) = (vec![0; self.columns.len()], vec![0.0; self.columns.len()]);
        for i in 0..self.n_fine() {
            for (c, w) in self.row(i) {
                let at = next[c] as usize;
                (columns[at], weights[at]) = (i as u32, w);
                next[c] += 1;
            }
        }
        Self { n_coarse: self.n_fine(), offsets, columns, weights }
    }

    /// Returns `Pᵀ A P`.
    pub(super) fn galerkin(&self, a: Rows<'_>) -> Result<Coarse, SolveError> {
        if a.n() != self.n_fine() {
            let what = "a prolongation";
            return Err(SolveError::WrongSize { what, expected: a.n(), found: self.n_fine() });
        }
        let transposed = self.transposed();
        let row = |coarse: usize| {
            let mut sums: Vec<(u32, f64)> = vec![];
            let mut magnitude = 0.0;
            for (i, w) in transposed.row(coarse) {
                let (columns, values) = a.row(i);
                for (&j, &value) in columns.iter().zip(values) {
                    for (c, v) in self.row(j as usize) {
                        sums.push((c as u32, w * value * v));
                        magnitude += if c == coarse { (w * value * v).abs() } else { 0.0 };
                    }
                }
            }
            // Stable, so that the order of summation is fixed.
            sums.sort_by_key(|&(c, _)| c);
            sums.dedup_by(|next, kept| {
                let same = next.0 == kept.0;
                if same {
                    kept.1 += next.1;
                }
                same
            });
            // A closed pocket that was reduced to one unknown has no equation left, and its rounding error
            // must not become one.
            let own = sums.iter_mut().find(|(c, _)| *c as usize == coarse);
            if let Some((_, diagonal)) = own.filter(|(_, diagonal)| *diagonal <= ROUNDING * magnitude) {
                *diagonal = 0.0;
            }
            sums
        };
        let rows: Vec<Vec<(u32, f64)>> = (0..self.n_coarse).into_par_iter().map(row).collect();
        let mut offsets = vec![0];
        let (mut columns, mut values) = (vec![], vec![]);
        for row in rows {
            columns.extend(row.iter().map(|e| e.0));
            values.extend(row.iter().map(|e| e.1));
            let end = u32::try_from(columns.len())
                .map_err(|_| SolveError::TooLarge { what: "a coarse matrix", size: columns.len() })?;
            offsets.push(end);
        }
        Ok(Coarse { offsets, columns, values })
    }
}

/// A prolongation in use.
#[derive(Clone, Debug)]
pub(super) struct Transfer {
    up: Weights,
    down: Weights,
    /// A vector in the order of the fine rows.
    fine: Vec<f32>,
}

#[derive(Clone, Debug)]
struct Weights {
    offsets: Vec<u32>,
    columns: Vec<u32>,
    weights: Vec<f32>,
}

/// Number of rows in one task.
const CHUNK: usize = 4096;

impl Weights {
    fn new(p: &Prolongation) -> Self {
        let weights = p.weights.iter().map(|&w| w as f32).collect();
        Self { offsets: p.offsets.clone(), columns: p.columns.clone(), weights }
    }

    fn multiply(&self, x: &[f32], y: &mut [f32]) {
        y.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, y)| {
            for (k, y) in y.iter_mut().enumerate() {
                let row = chunk * CHUNK + k;
                let range = self.offsets[row] as usize..self.offsets[row + 1] as usize;
                let entries = self.columns[range.clone()].iter().zip(&self.weights[range]);
                *y = entries.map(|(&c, w)| w * x[c as usize]).sum();
            }
        });
    }

    fn bytes(&self) -> usize {
        size_of_val(&self.offsets[..]) + size_of_val(&self.columns[..]) + size_of_val(&self.weights[..])
    }
}

impl Transfer {
    pub fn new(p: &Prolongation) -> Self {
        Self { up: Weights::new(p), down: Weights::new(&p.transposed()), fine: vec![0.0; p.n_fine()] }
    }

    /// Computes `coarse = Pᵀ fine`, where `load` writes the fine vector.
    pub fn restrict(&mut self, load: impl FnOnce(&mut [f32]), coarse: &mut [f32]) {
        load(&mut self.fine);
        self.down.multiply(&self.fine, coarse);
    }

    /// Returns `P coarse`.
    pub fn prolong(&mut self, coarse: &[f32]) -> &[f32] {
        self.up.multiply(coarse, &mut self.fine);
        &self.fine
    }

    pub fn bytes(&self) -> usize {
        self.up.bytes() + self.down.bytes() + size_of_val(&self.fine[..])
    }
}

#[cfg(test)]
mod tests;
