//! The matrix of the next level: `Pᵀ A P` for a `P` of ones and zeros, with weakened couplings.
//!
//! Only couplings between parents are summed, each once; a parent's diagonal then follows from these
//! couplings and the sum of its rows' excess.
//!
//! Two unknowns that consist of `m` rows each are `m^⅓` times as far apart as those rows are, but summing
//! couplings does not account for the larger distance: corrections come out too small by that factor. A
//! common remedy is to scale the whole correction up by some 1.5. Here each coupling is weakened
//! individually, by `(2 / (m_I^⅓ + m_J^⅓))^0.9`, because in a tree only the finest cells are merged and the
//! others stay as they are. The excess `s = Σ_j a_ij` of a row, its coupling to the fixed values beyond the
//! surface, is in series with the interior of the unknown in the same way: `s g / (s + g)`, where `g` is four
//! times the strongest coupling, or half of the couplings between the unknown's own rows if that is larger:
//! tightly coupled rows share one value, and smoothing does not determine that value.
//!
//! Positive couplings are dropped and a negative excess is set to zero. The matrix is thus that of a graph
//! with positive weights and ties to fixed values: whatever `A` was, it is positive definite or, in a closed
//! pocket, singular with constants as its null space.

use super::parents::{Parent, Parents};
use super::tile::{TILE, Tile};
use crate::csr::Rows;
use rayon::prelude::*;

/// A matrix of a coarse level; columns in any order.
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
        // Even an empty matrix needs its end offset.
        let offsets = if self.offsets.is_empty() { &[0] } else { &self.offsets[..] };
        Rows { offsets, columns: &self.columns, values: &self.values }
    }
}

/// Exponent of the weakening of couplings.
const THINNING: f64 = 0.9;

/// Conductance of the interior of an unknown, in multiples of its strongest coupling.
const INSIDE: f64 = 4.0;

/// The same in multiples of the couplings between its own rows, each counted from both sides.
const BOUND: f64 = 0.5;

/// An excess below this fraction of the terms it is the sum of is treated as zero.
pub(super) const ROUNDING: f64 = 1e-13;

/// Number of sizes of unknowns that are distinguished; larger ones count as the largest. From 14 rows on,
/// corrections would be scaled up by more than second cycles tolerate.
const SIZES: usize = 9;

/// Up to this many couplings of a parent out of its tile are searched linearly.
const MANY: usize = 32;

/// Some rows of the matrix.
struct Part {
    lengths: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

/// Builds the matrix of the parents of all tiles, whose values are `scale` times the matrix.
pub(super) fn coarse(tiles: &[Tile], parents: &[Parents], scale: f64) -> Coarse {
    let size = |parent: &Parent| parent.n_rows.min(SIZES as u32 - 1) as u8;
    let sizes: Vec<u8> = parents.iter().flat_map(|of_tile| of_tile.sums.iter().map(size)).collect();
    let width = |m: usize| (m.max(1) as f64).cbrt();
    let factors: [f64; SIZES * SIZES] =
        std::array::from_fn(|k| (2.0 / (width(k / SIZES) + width(k % SIZES))).powf(THINNING));
    let part = |t: usize| {
        let mut part = rows(tiles, t, &parents[t], scale);
        thin(&mut part, tiles[t].first_parent, &parents[t].sums, &sizes, &factors);
        part
    };
    let parts: Vec<Part> = if tiles.len() > 1 && rayon::current_num_threads() > 1 {
        (0..tiles.len()).into_par_iter().map(part).collect()
    } else {
        (0..tiles.len()).map(part).collect()
    };
    let n_entries = parts.iter().map(|part| part.columns.len()).sum();
    let mut matrix = Coarse {
        offsets: Vec::with_capacity(sizes.len() + 1),
        columns: Vec::with_capacity(n_entries),
        values: Vec::with_capacity(n_entries),
    };
    let mut end = 0;
    matrix.offsets.push(0);
    for part in &parts {
        matrix.offsets.extend(part.lengths.iter().map(|length| {
            end += length;
            end
        }));
        matrix.columns.extend_from_slice(&part.columns);
        matrix.values.extend_from_slice(&part.values);
    }
    matrix
}

/// Builds the rows of the parents of tile `t` before weakening: the diagonal, whose value is set later,
/// couplings within the tile, and couplings that leave it.
fn rows(tiles: &[Tile], t: usize, parents: &Parents, scale: f64) -> Part {
    let tile = &tiles[t];
    let unscale = 1.0 / scale;
    let first = tile.first_parent as u32;
    let n = tile.n_parents;
    // Reserves space for each coupling; those that leave the tile are counted once per row that has them.
    let mut starts = vec![1_u32; n + 1];
    starts[0] = 0;
    for (p, &count) in parents.n_couplings.iter().enumerate() {
        starts[p + 1] += u32::from(count);
    }
    for &c in &parents.columns {
        starts[usize::from(c) + 1] += 1;
    }
    for &row in &tile.outer_rows {
        let from = usize::from(tile.parents[usize::from(row)]);
        if from < n {
            starts[from + 1] += 1;
        }
    }
    for p in 0..n {
        starts[p + 1] += starts[p];
    }
    let room = starts[n] as usize;
    let (mut columns, mut values) = (vec![0_u32; room], vec![0.0; room]);
    let mut ends: Vec<u32> = starts[..n].to_vec();
    let mut push = |p: usize, column: u32, value: f64| {
        let at = ends[p] as usize;
        (columns[at], values[at]) = (column, value * unscale);
        ends[p] += 1;
    };
    for p in 0..n {
        push(p, first + p as u32, 0.0);
    }
    let mut entries = parents.columns.iter().zip(&parents.values);
    for (p, &count) in parents.n_couplings.iter().enumerate() {
        for (&c, &value) in entries.by_ref().take(usize::from(count)) {
            push(p, first + u32::from(c), value);
            push(usize::from(c), first + p as u32, value);
        }
    }
    let inner_ends = ends.clone();
    for (row, slot, value) in tile.outer() {
        let from = usize::from(tile.parents[row]);
        let other = &tiles[slot / TILE];
        let to = usize::from(other.parents[slot % TILE]);
        if from >= n || to >= other.n_parents {
            continue;
        }
        let at = ends[from] as usize;
        (columns[at], values[at]) = ((other.first_parent + to) as u32, f64::from(value) * unscale);
        ends[from] += 1;
    }
    // Sums couplings that leave the tile to the same column, and closes the gaps.
    let mut end = 0;
    for p in 0..n {
        let begin = end;
        for at in starts[p] as usize..inner_ends[p] as usize {
            (columns[end], values[end]) = (columns[at], values[at]);
            end += 1;
        }
        let outer = inner_ends[p] as usize..ends[p] as usize;
        if outer.len() > MANY {
            sort(&mut columns[outer.clone()], &mut values[outer.clone()]);
        }
        let first = end;
        for at in outer.clone() {
            let (column, value) = (columns[at], values[at]);
            // A long list is sorted, so only its last entry needs checking.
            let look_from = if outer.len() > MANY { first.max(end.saturating_sub(1)) } else { first };
            match columns[look_from..end].iter().position(|&c| c == column) {
                Some(at) => values[look_from + at] += value,
                None => {
                    (columns[end], values[end]) = (column, value);
                    end += 1;
                }
            }
        }
        ends[p] = (end - begin) as u32;
    }
    columns.truncate(end);
    values.truncate(end);
    Part { lengths: ends, columns, values }
}

/// Sorts by column; equal columns keep their order.
fn sort(columns: &mut [u32], values: &mut [f64]) {
    let mut entries: Vec<(u32, f64)> = columns.iter().copied().zip(values.iter().copied()).collect();
    entries.sort_by_key(|&(column, _)| column);
    for ((column, value), entry) in columns.iter_mut().zip(values).zip(entries) {
        (*column, *value) = entry;
    }
}

/// Weakens couplings and excess, and sets the diagonal, which is the first entry of each row.
fn thin(part: &mut Part, first: usize, parents: &[Parent], sizes: &[u8], factors: &[f64; SIZES * SIZES]) {
    let mut start = 0;
    for ((parent, &size), &length) in parents.iter().zip(&sizes[first..]).zip(&part.lengths) {
        let end = start + length as usize;
        let of_size = &factors[usize::from(size) * SIZES..][..SIZES];
        let (mut strongest, mut ties, mut outside) = (0.0_f64, 0.0, 0.0);
        for (value, &column) in part.values[start + 1..end].iter_mut().zip(&part.columns[start + 1..end]) {
            strongest = strongest.max(-*value);
            outside -= *value;
            *value = (*value * of_size[usize::from(sizes[column as usize])]).min(0.0);
            ties -= *value;
        }
        let mut excess = parent.excess;
        if excess <= ROUNDING * parent.diagonal {
            excess = 0.0;
        } else if size > 1 && strongest > 0.0 {
            let bound = parent.diagonal - outside - parent.excess;
            let inside = (INSIDE * strongest).max(BOUND * bound);
            excess *= inside / (excess + inside);
        }
        part.values[start] = ties + excess;
        start = end;
    }
}

#[cfg(test)]
pub(super) mod tests;
