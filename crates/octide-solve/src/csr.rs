//! A square sparse matrix, row by row: row `i` holds the entries `offsets[i] .. offsets[i + 1]` of `columns`
//! and `values`, with increasing columns. It takes 12 bytes per entry and 4 per row.

use crate::error::MatrixError;
use crate::operator::Operator;
use crate::vector::{self, CHUNK};
use rayon::prelude::*;

/// Number of chunks of rows that are built in parallel before they are joined.
const BLOCK: usize = 64;

/// A square sparse matrix in compressed rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Csr {
    offsets: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

/// A borrowed matrix by rows, with columns in any order.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    pub offsets: &'a [u32],
    pub columns: &'a [u32],
    pub values: &'a [f64],
}

impl<'a> Rows<'a> {
    /// Returns the number of rows.
    pub fn n(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Returns the columns and values of row `i`.
    #[inline]
    pub fn row(&self, i: usize) -> (&'a [u32], &'a [f64]) {
        let range = self.offsets[i] as usize..self.offsets[i + 1] as usize;
        (&self.columns[range.clone()], &self.values[range])
    }

    /// Returns the diagonal entry of row `i`; 0 if none is stored.
    pub fn diagonal(&self, i: usize) -> f64 {
        let (columns, values) = self.row(i);
        columns.iter().position(|&j| j as usize == i).map_or(0.0, |at| values[at])
    }
}

impl Csr {
    /// Builds a matrix of `n` rows from its parts, after checking every index and value.
    pub fn from_parts(
        n: usize,
        offsets: Vec<u32>,
        columns: Vec<u32>,
        values: Vec<f64>,
    ) -> Result<Self, MatrixError> {
        // The last index marks "none" elsewhere, so it cannot be a row.
        if n >= u32::MAX as usize || columns.len() > u32::MAX as usize {
            return Err(MatrixError::TooLarge(n.max(columns.len())));
        }
        if offsets.len() != n + 1 {
            return Err(MatrixError::OffsetCount { expected: n + 1, found: offsets.len() });
        }
        if columns.len() != values.len() {
            return Err(MatrixError::EntryCount { columns: columns.len(), values: values.len() });
        }
        if offsets[0] != 0 {
            return Err(MatrixError::Offsets { row: 0 });
        }
        if offsets[n] as usize != columns.len() {
            return Err(MatrixError::Offsets { row: n.saturating_sub(1) });
        }
        let check = |row: usize| check_row(row, &offsets, &columns, &values);
        let fault = if vector::is_parallel(n) {
            (0..n).into_par_iter().with_min_len(CHUNK).find_map_first(check)
        } else {
            (0..n).find_map(check)
        };
        match fault {
            Some(error) => Err(error),
            None => Ok(Self { offsets, columns, values }),
        }
    }

    /// Builds a matrix row by row: `fill` lists the entries of a row as column and value, each column once
    /// and in any order. Also returns the results of `fill`, one per row. Rows are built in chunks of a fixed
    /// length, in parallel if there are threads.
    pub fn from_rows<T: Send>(
        n: usize,
        fill: impl Fn(usize, &mut Vec<(u32, f64)>) -> T + Sync,
    ) -> Result<(Self, Vec<T>), MatrixError> {
        let chunk = |c: usize| {
            let (mut lengths, mut columns, mut values, mut others) = (vec![], vec![], vec![], vec![]);
            let mut row = Vec::new();
            for i in c * CHUNK..((c + 1) * CHUNK).min(n) {
                row.clear();
                others.push(fill(i, &mut row));
                row.sort_unstable_by_key(|&(column, _)| column);
                lengths.push(row.len());
                columns.extend(row.iter().map(|e| e.0));
                values.extend(row.iter().map(|e| e.1));
            }
            (lengths, columns, values, others)
        };
        let mut offsets = Vec::with_capacity(n + 1);
        offsets.push(0);
        let (mut columns, mut values) = (Vec::new(), Vec::new());
        let mut all = Vec::with_capacity(n);
        let mut end = 0usize;
        // Block by block, so that not everything is held twice.
        let n_chunks = n.div_ceil(CHUNK);
        for first in (0..n_chunks).step_by(BLOCK) {
            let chunks: Vec<_> = (first..(first + BLOCK).min(n_chunks)).into_par_iter().map(chunk).collect();
            for (lengths, c, v, others) in chunks {
                for length in lengths {
                    end += length;
                    offsets.push(end as u32);
                }
                columns.extend(c);
                values.extend(v);
                all.extend(others);
            }
            if end > u32::MAX as usize {
                return Err(MatrixError::TooLarge(end));
            }
        }
        columns.shrink_to_fit();
        values.shrink_to_fit();
        Ok((Self::from_parts(n, offsets, columns, values)?, all))
    }

    /// Returns the number of rows.
    pub fn n_rows(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Returns the number of stored entries.
    pub fn n_entries(&self) -> usize {
        self.columns.len()
    }

    /// Returns the columns and values of row `i`.
    #[inline]
    pub fn row(&self, i: usize) -> (&[u32], &[f64]) {
        let range = self.offsets[i] as usize..self.offsets[i + 1] as usize;
        (&self.columns[range.clone()], &self.values[range])
    }

    /// Returns the entry at `(i, j)`; 0 if none is stored.
    pub fn get(&self, i: usize, j: usize) -> f64 {
        let (columns, values) = self.row(i);
        let stored = u32::try_from(j).ok().and_then(|j| columns.binary_search(&j).ok());
        stored.map_or(0.0, |k| values[k])
    }

    /// Returns whether `A = Aᵀ` exactly; entries that are stored on one side only count as different.
    pub fn is_symmetric(&self) -> bool {
        (0..self.n_rows()).all(|i| {
            let (columns, values) = self.row(i);
            columns.iter().zip(values).all(|(&j, value)| {
                let (mirror, mirror_values) = self.row(j as usize);
                match mirror.binary_search(&(i as u32)) {
                    Ok(k) => mirror_values[k].to_bits() == value.to_bits(),
                    Err(_) => false,
                }
            })
        })
    }

    pub(crate) fn rows(&self) -> Rows<'_> {
        Rows { offsets: &self.offsets, columns: &self.columns, values: &self.values }
    }

    /// Returns the allocated memory in bytes.
    pub fn bytes(&self) -> usize {
        4 * self.offsets.len() + 12 * self.columns.len()
    }

    /// Returns offsets, columns and values, so that the next matrix can reuse their memory.
    pub fn into_parts(self) -> (Vec<u32>, Vec<u32>, Vec<f64>) {
        (self.offsets, self.columns, self.values)
    }

    /// Computes `y = A x` for the rows from `first` on.
    fn apply_rows(&self, first: usize, x: &[f64], y: &mut [f64]) {
        let offsets = &self.offsets[first..=first + y.len()];
        for (y, range) in y.iter_mut().zip(offsets.windows(2)) {
            let range = range[0] as usize..range[1] as usize;
            let entries = self.columns[range.clone()].iter().zip(&self.values[range]);
            let mut sum = 0.0;
            for (&j, value) in entries {
                sum += value * x[j as usize];
            }
            *y = sum;
        }
    }
}

/// Returns what is wrong with a row, if anything.
fn check_row(row: usize, offsets: &[u32], columns: &[u32], values: &[f64]) -> Option<MatrixError> {
    let n = offsets.len() - 1;
    let range = offsets[row] as usize..offsets[row + 1] as usize;
    let (Some(columns), Some(values)) = (columns.get(range.clone()), values.get(range)) else {
        return Some(MatrixError::Offsets { row });
    };
    if let Some(&column) = columns.iter().find(|&&c| c as usize >= n) {
        return Some(MatrixError::Column { row, column });
    }
    if !columns.is_sorted_by(|a, b| a < b) {
        return Some(MatrixError::Unsorted { row });
    }
    if !values.iter().all(|v| v.is_finite()) {
        return Some(MatrixError::NotFinite { row });
    }
    None
}

impl Operator for Csr {
    fn size(&self) -> usize {
        self.n_rows()
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        let kernel = |(c, y): (usize, &mut [f64])| self.apply_rows(c * CHUNK, x, y);
        if vector::is_parallel(y.len()) {
            y.par_chunks_mut(CHUNK).enumerate().for_each(kernel);
        } else {
            kernel((0, y));
        }
    }

    fn diagonal(&self, d: &mut [f64]) {
        for (i, d) in d.iter_mut().enumerate() {
            *d = self.get(i, i);
        }
    }

    fn apply_dot(&self, x: &[f64], y: &mut [f64]) -> f64 {
        let kernel = |((c, y), x_own): ((usize, &mut [f64]), &[f64])| {
            self.apply_rows(c * CHUNK, x, y);
            vector::dot_chunk(x_own, y)
        };
        if vector::is_parallel(y.len()) {
            vector::ordered_sum(y.par_chunks_mut(CHUNK).enumerate().zip(x.par_chunks(CHUNK)).map(kernel))
        } else {
            y.chunks_mut(CHUNK).enumerate().zip(x.chunks(CHUNK)).map(kernel).sum()
        }
    }
}

#[cfg(test)]
mod tests;
