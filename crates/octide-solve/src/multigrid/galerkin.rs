//! The matrix of the next level: `Pᵀ A P` for a `P` of ones and zeros, thinned.
//!
//! Two unknowns that are made of `m` rows each are `m^⅓` times as far apart as those rows are, but summing
//! couplings leaves the distance as it was: corrections come out too small by that factor. A usual remedy is
//! to scale the whole correction up by some 1.5. Here each coupling is thinned on its own, by
//! `(2 / (m_I^⅓ + m_J^⅓))^0.9`, because in a tree only the finest cells are merged and the others stay as they
//! are.
//! The excess `s = Σ_j a_ij` of a row, its tie to the fixed values beyond the surface, is in series with the
//! inside of the unknown in the same way: `s g / (s + g)` with `g` four times the strongest coupling, or half of
//! what couples its own rows if that is more: rows that are bound tightly have one value, which smoothing does
//! not tie down for them.
//!
//! Positive couplings are dropped and a negative excess is taken as none. The matrix is thus that of a graph
//! with positive weights and ties, and positive definite or, in a closed pocket, singular with constants as
//! its null space, whatever `A` was.

use super::setup::{NO_PARENT, Rows};
use rayon::prelude::*;

/// A matrix of a coarse level.
#[derive(Default)]
pub(super) struct Coarse {
    pub offsets: Vec<u32>,
    pub columns: Vec<u32>,
    pub values: Vec<f64>,
}

impl Coarse {
    pub fn n(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    pub fn rows(&self) -> Rows<'_> {
        // An empty matrix has an end, too.
        let offsets = if self.offsets.is_empty() { &[0] } else { &self.offsets[..] };
        Rows { offsets, columns: &self.columns, values: &self.values }
    }
}

/// How much couplings are thinned.
const THINNING: f64 = 0.9;

/// How well the inside of an unknown conducts, in strongest couplings.
const INSIDE: f64 = 4.0;

/// And in couplings between its own rows, each counted from both sides.
const BOUND: f64 = 0.5;

/// An excess below this part of what it is the sum of is none.
pub(super) const ROUNDING: f64 = 1e-13;

/// Sizes of unknowns that are told apart. From 14 rows on, corrections would be stretched by more than second
/// cycles bear.
const SIZES: usize = 13;

/// Rows in one task.
const CHUNK: usize = 1024;

/// Whether sums are thinned, as for a coarse level, or left alone.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Thinning {
    Full,
    None,
}

/// Sums the couplings of `a` over the rows and columns of each parent.
pub(super) fn sum(a: Rows<'_>, parent_of: &[u32], n_coarse: usize, thinning: Thinning) -> Coarse {
    // Rows by parent.
    let mut starts = vec![0_u32; n_coarse + 1];
    for &p in parent_of.iter().filter(|&&p| p != NO_PARENT) {
        starts[p as usize + 1] += 1;
    }
    for p in 0..n_coarse {
        starts[p + 1] += starts[p];
    }
    let mut members = vec![0_u32; starts[n_coarse] as usize];
    let mut next = starts.clone();
    for (row, &p) in parent_of.iter().enumerate().filter(|&(_, &p)| p != NO_PARENT) {
        members[next[p as usize] as usize] = row as u32;
        next[p as usize] += 1;
    }
    let size = |p: usize| ((starts[p + 1] - starts[p]) as usize).min(SIZES - 1);
    let width = |m: usize| (m.max(1) as f64).cbrt();
    let thin: Vec<f64> =
        (0..SIZES * SIZES).map(|k| (2.0 / (width(k / SIZES) + width(k % SIZES))).powf(THINNING)).collect();

    let sum_chunk = |marker: &mut Vec<u32>, chunk: usize| {
        let parents = chunk * CHUNK..n_coarse.min((chunk + 1) * CHUNK);
        let mut lengths = Vec::with_capacity(parents.len());
        let mut columns: Vec<u32> = Vec::with_capacity(8 * parents.len());
        let mut values: Vec<f64> = Vec::with_capacity(8 * parents.len());
        for p in parents {
            let start = columns.len();
            columns.push(p as u32);
            values.push(0.0);
            marker[p] = start as u32;
            let mut magnitude = 0.0;
            for &row in &members[starts[p] as usize..starts[p + 1] as usize] {
                let (row_columns, row_values) = a.row(row as usize);
                for (&j, &value) in row_columns.iter().zip(row_values) {
                    let q = parent_of[j as usize];
                    magnitude += value.max(0.0);
                    // None only where the matrix is not symmetric: a row without parent is coupled to none.
                    let Some(&at) = marker.get(q as usize) else { continue };
                    let at = at as usize;
                    if at >= start && at < columns.len() && columns[at] == q {
                        values[at] += value;
                    } else {
                        marker[q as usize] = columns.len() as u32;
                        columns.push(q);
                        values.push(value);
                    }
                }
            }
            if thinning == Thinning::None {
                lengths.push((columns.len() - start) as u32);
                continue;
            }
            let own_size = size(p);
            let own = values[start];
            let mut excess = own;
            let (mut strongest, mut ties) = (0.0_f64, 0.0);
            for at in start + 1..columns.len() {
                let value = values[at];
                excess += value;
                strongest = strongest.max(-value);
                let thin = thin[own_size * SIZES + size(columns[at] as usize)];
                values[at] = (value * thin).min(0.0);
                ties -= values[at];
            }
            if excess <= ROUNDING * magnitude {
                excess = 0.0;
            } else if own_size > 1 && strongest > 0.0 {
                let inner = (INSIDE * strongest).max(BOUND * (magnitude - own));
                excess *= inner / (excess + inner);
            }
            values[start] = ties + excess;
            lengths.push((columns.len() - start) as u32);
        }
        (lengths, columns, values)
    };
    let n_chunks = n_coarse.div_ceil(CHUNK);
    let parts: Vec<_> = if n_chunks > 1 && rayon::current_num_threads() > 1 {
        (0..n_chunks).into_par_iter().map_init(|| vec![0; n_coarse], sum_chunk).collect()
    } else {
        let mut marker = vec![0; n_coarse];
        (0..n_chunks).map(|chunk| sum_chunk(&mut marker, chunk)).collect()
    };
    let n_entries = parts.iter().map(|p| p.1.len()).sum();
    let mut offsets = Vec::with_capacity(n_coarse + 1);
    let (mut columns, mut values) = (Vec::with_capacity(n_entries), Vec::with_capacity(n_entries));
    offsets.push(0);
    let mut end = 0;
    for (lengths, c, v) in parts {
        for length in lengths {
            end += length;
            offsets.push(end);
        }
        columns.extend_from_slice(&c);
        values.extend_from_slice(&v);
    }
    Coarse { offsets, columns, values }
}

#[cfg(test)]
mod tests;
