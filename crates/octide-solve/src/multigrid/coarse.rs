//! The matrix of the next level: `Pᵀ A P` for a `P` of ones and zeros, thinned.
//!
//! Only couplings between parents are summed, each once; what is inside a parent comes back as the sum of its
//! rows' excess.
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
use super::tile::Tile;
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
const SIZES: usize = 9;

/// What the parents of a tile are made of.
#[derive(Default)]
pub(super) struct Sums {
    pub parents: Vec<Parent>,
    /// Couplings from a parent to a later one of the same tile.
    pub edges: Vec<Edge>,
}

/// Sums over the rows of a parent.
#[derive(Clone, Copy, Default)]
pub(super) struct Parent {
    pub n_rows: u32,
    pub excess: f64,
    pub diagonal: f64,
}

/// A coupling between parents, counted from the tile's first.
#[derive(Clone, Copy, Default)]
pub(super) struct Edge {
    pub from: u16,
    pub to: u16,
    /// Times the matrix's scale.
    pub value: f32,
}

/// Couplings of each parent of a tile to later parents, equal ones summed.
struct Later {
    counts: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

/// The matrix of the parents of all tiles, whose values outside the tiles are `scale` times the matrix, and
/// whose columns there are rows.
pub(super) fn coarse(tiles: &[Tile], sums: &[Sums], parent_of: &[u32], scale: f64) -> Coarse {
    let later = |(tile, sums): (&Tile, &Sums)| later(tile, sums, parent_of, scale);
    let later: Vec<Later> = if tiles.len() > 1 && rayon::current_num_threads() > 1 {
        tiles.par_iter().zip(sums).map(later).collect()
    } else {
        tiles.iter().zip(sums).map(later).collect()
    };
    let parents: Vec<Parent> = sums.iter().flat_map(|sums| sums.parents.iter().copied()).collect();
    let n = parents.len();

    // Each coupling in both of its rows, after the diagonal.
    let mut offsets = vec![1_u32; n + 1];
    offsets[0] = 0;
    let mut row = 0;
    for part in &later {
        for &count in &part.counts {
            offsets[row + 1] += count;
            row += 1;
        }
        part.columns.iter().for_each(|&c| offsets[c as usize + 1] += 1);
    }
    for row in 0..n {
        offsets[row + 1] += offsets[row];
    }
    let n_entries = offsets[n] as usize;
    let (mut columns, mut values) = (vec![0_u32; n_entries], vec![0.0; n_entries]);
    let mut next: Vec<u32> = offsets[..n].iter().map(|&start| start + 1).collect();
    let mut row = 0;
    for Later { counts, columns: later_columns, values: later_values } in &later {
        let mut entries = later_columns.iter().zip(later_values);
        for &count in counts {
            columns[offsets[row] as usize] = row as u32;
            for (&column, &value) in entries.by_ref().take(count as usize) {
                for (row, column) in [(row, column), (column as usize, row as u32)] {
                    let at = next[row] as usize;
                    (columns[at], values[at]) = (column, value);
                    next[row] += 1;
                }
            }
            row += 1;
        }
    }
    let mut matrix = Coarse { offsets, columns, values };
    thin(&mut matrix, &parents);
    matrix
}

/// Sums equal couplings of a tile's parents.
fn later(tile: &Tile, sums: &Sums, parent_of: &[u32], scale: f64) -> Later {
    let n = tile.n_parents;
    let first = tile.first_parent as u32;
    let mut outer: Vec<(u16, u32, f32)> = Vec::with_capacity(tile.outer_columns.len());
    for (row, column, value) in tile.outer() {
        let (from, to) = (tile.parents[row], parent_of[column]);
        // Each coupling is met from both sides, and taken from one.
        if usize::from(from) < n && to != NO_PARENT && to > first + u32::from(from) {
            outer.push((from, to, value));
        }
    }
    let inner = sums.edges.iter().map(|e| (e.from, first + u32::from(e.to), e.value));
    let edges = inner.chain(outer);

    let mut starts = vec![0_u32; n + 1];
    edges.clone().for_each(|(from, ..)| starts[usize::from(from) + 1] += 1);
    for p in 0..n {
        starts[p + 1] += starts[p];
    }
    let mut sorted = vec![(0_u32, 0.0_f32); starts[n] as usize];
    let mut next = starts.clone();
    edges.for_each(|(from, to, value)| {
        let at = &mut next[usize::from(from)];
        sorted[*at as usize] = (to, value);
        *at += 1;
    });
    let mut later = Later {
        counts: Vec::with_capacity(n),
        columns: Vec::with_capacity(4 * n),
        values: Vec::with_capacity(4 * n),
    };
    for p in 0..n {
        let begin = later.columns.len();
        for &(to, value) in &sorted[starts[p] as usize..starts[p + 1] as usize] {
            // A handful at most.
            match later.columns[begin..].iter().position(|&c| c == to) {
                Some(at) => later.values[begin + at] += f64::from(value) / scale,
                None => {
                    later.columns.push(to);
                    later.values.push(f64::from(value) / scale);
                }
            }
        }
        later.counts.push((later.columns.len() - begin) as u32);
    }
    later
}

/// Thins couplings and excess, and sets the diagonal, which is the first entry of each row.
fn thin(matrix: &mut Coarse, parents: &[Parent]) {
    let width = |m: usize| (m.max(1) as f64).cbrt();
    let factors: [f64; SIZES * SIZES] =
        std::array::from_fn(|k| (2.0 / (width(k / SIZES) + width(k % SIZES))).powf(THINNING));
    let sizes: Vec<u8> = parents.iter().map(|p| p.n_rows.min(SIZES as u32 - 1) as u8).collect();
    for (row, parent) in parents.iter().enumerate() {
        let (start, end) = (matrix.offsets[row] as usize, matrix.offsets[row + 1] as usize);
        let of_size = &factors[usize::from(sizes[row]) * SIZES..][..SIZES];
        let (mut strongest, mut ties, mut outside) = (0.0_f64, 0.0, 0.0);
        for (value, &column) in matrix.values[start + 1..end].iter_mut().zip(&matrix.columns[start + 1..end])
        {
            strongest = strongest.max(-*value);
            outside -= *value;
            *value = (*value * of_size[usize::from(sizes[column as usize])]).min(0.0);
            ties -= *value;
        }
        let mut excess = parent.excess;
        if excess <= ROUNDING * parent.diagonal {
            excess = 0.0;
        } else if sizes[row] > 1 && strongest > 0.0 {
            let bound = parent.diagonal - outside - parent.excess;
            let inside = (INSIDE * strongest).max(BOUND * bound);
            excess *= inside / (excess + inside);
        }
        matrix.values[start] = ties + excess;
    }
}

#[cfg(test)]
pub(super) mod tests;
