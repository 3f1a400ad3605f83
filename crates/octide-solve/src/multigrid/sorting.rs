//! Builds one tile: colors its rows, finds the pieces of its groups, sorts, and stores the couplings.
//!
//! Rows are looked at in their order, and each takes the lowest color that no earlier neighbor has. Sorted by
//! color, and among one color by the number of couplings to later rows, they make long runs of equal loops.

use super::coarse::{Edge, Parent, Sums};
use super::setup::Rows;
use super::tile::{MASK, OuterRow, Run, TILE, Tile};
use crate::error::SolveError;

/// Colors beyond this one are taken for it.
const LAST_COLOR: u8 = 63;

/// No parent, or no leader.
const NONE: u16 = u16::MAX;

/// The part of the diagonal that couplings out of a tile may add up to before `Λ` makes up for them.
const OUTER_SHARE: f64 = 0.5;

/// What is known of a tile's rows before they are sorted.
struct Sketch {
    len: usize,
    colors: [u8; TILE],
    /// Couplings to rows that come later once sorted.
    n_later: [u16; TILE],
    group: [u32; TILE],
    /// An earlier row of the same piece of a group, or the row itself.
    leader: [u16; TILE],
    /// The parent, counted from the tile's first.
    parent: [u16; TILE],
    /// Where in the tile each column of each row is, or [`NONE`].
    places: Vec<u16>,
    /// The longest row of the matrix.
    longest: usize,
}

/// A tile, the group of each of its parents, and what parents are made of.
pub(super) type Built = (Tile, Vec<u32>, Sums);

/// Builds the tile of some rows. `place_of` tells where in the tile
/// a column is, and something beyond its end for those that are not; couplings to these keep their column.
pub(super) fn build_tile(
    a: Rows<'_>,
    rows: impl ExactSizeIterator<Item = u32> + Clone,
    group_of: &[u32],
    place_of: impl Fn(u32) -> usize,
    scale: f64,
    must_be_positive: bool,
) -> Result<Built, SolveError> {
    let lengths = || rows.clone().map(|row| a.row(row as usize).0.len());
    let mut sketch = Sketch {
        len: rows.len(),
        colors: [0; TILE],
        n_later: [0; TILE],
        group: [0; TILE],
        leader: [0; TILE],
        parent: [NONE; TILE],
        places: vec![0; lengths().sum()],
        longest: lengths().max().unwrap_or(0),
    };
    color(a, rows.clone(), group_of, place_of, &mut sketch);
    let groups = find_parents(&mut sketch);
    let mut tile = Tile::default();
    let mut position = [0; TILE];
    sort(&sketch, &mut tile, &mut position);
    tile.n_parents = groups.len();
    tile.parents.iter_mut().filter(|p| **p == NONE).for_each(|p| *p = groups.len() as u16);
    let sums = fill(a, rows, &position, &sketch, &mut tile, scale, must_be_positive)?;
    Ok((tile, groups, sums))
}

#[inline(never)]
fn color(
    a: Rows<'_>,
    rows: impl Iterator<Item = u32>,
    group_of: &[u32],
    place_of: impl Fn(u32) -> usize,
    sketch: &mut Sketch,
) {
    let Sketch { len, colors, n_later, group, leader, parent, places, longest } = sketch;
    let mut places = &mut places[..];
    let mut earlier = vec![0_u16; *longest];
    for (k, row) in rows.enumerate() {
        let k = k & MASK;
        let columns = a.row(row as usize).0;
        // Which come earlier cannot be guessed: each is written, and kept by moving on.
        let (row_places, rest) = places.split_at_mut(columns.len());
        places = rest;
        let earlier = &mut earlier[..columns.len()];
        let mut n = 0;
        for (&j, own) in columns.iter().zip(row_places) {
            let place = place_of(j);
            *own = if place < *len { place as u16 } else { NONE };
            earlier[n] = place as u16;
            n += usize::from(place < k);
        }
        let earlier = &earlier[..n];

        let own_group = group_of[row as usize];
        let mut used = 0_u64;
        let (mut lowest, mut highest) = (NONE, 0);
        for &place in earlier {
            let place = usize::from(place) & MASK;
            used |= 1 << (colors[place] & LAST_COLOR);
            let is_same = group[place] == own_group;
            lowest = lowest.min(if is_same { leader[place] } else { NONE });
            highest = highest.max(if is_same { leader[place] } else { 0 });
        }
        let color = (used.trailing_ones() as u8).min(LAST_COLOR);
        for &place in earlier {
            let place = usize::from(place) & MASK;
            n_later[if colors[place] <= color { place } else { k }] += 1;
        }
        colors[k] = color;
        group[k] = own_group;
        leader[k] = if lowest == NONE { k as u16 } else { lowest };
        if lowest < highest {
            for &place in earlier.iter().filter(|&&place| group[usize::from(place)] == own_group) {
                unite(leader, k, usize::from(place));
            }
        }
        // 0 where there is anything to be coupled to.
        parent[k] = if columns.len() < 2 { NONE } else { 0 };
    }
}

/// Numbers the pieces of groups, and tells the group of each.
fn find_parents(sketch: &mut Sketch) -> Vec<u32> {
    let Sketch { len, group, leader, parent, .. } = sketch;
    let mut groups = Vec::with_capacity(*len / 4);
    for k in 0..*len {
        let first = find(leader, k);
        if parent[k] == NONE {
            continue;
        }
        parent[k] = if first == k { groups.len() as u16 } else { parent[first] };
        if first == k {
            groups.push(group[k]);
        }
    }
    groups
}

/// The first row of the piece that `k` is in.
fn find(leader: &mut [u16; TILE], mut k: usize) -> usize {
    while usize::from(leader[k]) != k {
        let next = leader[usize::from(leader[k])];
        leader[k] = next;
        k = usize::from(next);
    }
    k
}

/// Makes one piece of those that `a` and `b` are in.
fn unite(leader: &mut [u16; TILE], a: usize, b: usize) {
    let (a, b) = (find(leader, a), find(leader, b));
    leader[a.max(b)] = a.min(b) as u16;
}

/// Sorts by color, then by the number of couplings to later rows: the tile's order, parents and runs, and the
/// new position of each row.
fn sort(sketch: &Sketch, tile: &mut Tile, position: &mut [u16; TILE]) {
    let Sketch { len, colors, n_later, parent, .. } = sketch;
    let key = |k: usize| {
        // Rows of the last color may be coupled to each other: they keep their order.
        let n = if colors[k] == LAST_COLOR { 0 } else { n_later[k].min(15) };
        usize::from(colors[k]) << 4 | usize::from(n)
    };
    let mut starts = [0_u16; 16 * (LAST_COLOR as usize + 1)];
    for k in 0..*len {
        starts[key(k)] += 1;
    }
    let mut sum = 0;
    for start in &mut starts {
        sum += std::mem::replace(start, sum);
    }
    tile.order = vec![0; *len];
    tile.parents = vec![NONE; *len];
    for k in 0..*len {
        let at = &mut starts[key(k)];
        tile.order[usize::from(*at)] = k as u16;
        tile.parents[usize::from(*at)] = parent[k];
        position[k] = *at;
        *at += 1;
    }
    let mut n_couplings = 0;
    for &place in &tile.order {
        let n = n_later[usize::from(place)];
        n_couplings += usize::from(n);
        match tile.runs.last_mut() {
            Some(run) if run.n_couplings == n => run.n_rows += 1,
            _ => tile.runs.push(Run { n_rows: 1, n_couplings: n }),
        }
    }
    tile.columns = vec![0; n_couplings];
    tile.values = vec![0.0; n_couplings];
}

/// Stores the couplings of a tile whose rows are sorted.
#[inline(never)]
fn fill(
    a: Rows<'_>,
    rows: impl Iterator<Item = u32>,
    position: &[u16; TILE],
    sketch: &Sketch,
    tile: &mut Tile,
    scale: f64,
    must_be_positive: bool,
) -> Result<Sums, SolveError> {
    let &Sketch { len, longest, ref parent, ref places, .. } = sketch;
    let mut places = &places[..];
    let mut parents = vec![Parent::default(); tile.n_parents];
    // Each coupling is met from both sides, so that half of those within the tile may lead to later parents;
    // rows overwrite what they do not keep.
    let mut edges = vec![Edge::default(); tile.columns.len() + longest];
    let mut n_edges = 0;
    // Where the couplings of each row begin.
    let mut starts = [0_u32; TILE + 1];
    let (mut row, mut start) = (0, 0);
    for run in &tile.runs {
        for _ in 0..run.n_rows {
            starts[row] = start;
            start += u32::from(run.n_couplings);
            row += 1;
        }
    }
    starts[row] = start;
    let (mut inverse_diagonal, mut excesses) = (vec![0.0; len], vec![0.0; len]);
    let (mut own_columns, mut own_values) = (vec![0_u16; longest], vec![0.0_f32; longest]);
    for (place, row) in rows.enumerate() {
        let k = position[place & MASK];
        let own_parent = parent[place & MASK];
        let (columns, values) = a.row(row as usize);
        if edges.len() < n_edges + columns.len() {
            // Only where the matrix is not symmetric.
            edges.resize(2 * edges.len() + columns.len(), Edge::default());
        }
        let row_edges = &mut edges[n_edges..n_edges + columns.len()];
        let row_columns = &mut own_columns[..columns.len()];
        let row_values = &mut own_values[..columns.len()];
        let (mut diagonal, mut excess, mut n, mut n_inside) = (0.0, 0.0, 0, 0);
        let row_places;
        (row_places, places) = places.split_at(columns.len());
        for (&place, &value) in row_places.iter().zip(values) {
            excess += value;
            let is_inside = place != NONE;
            let place = usize::from(place) & MASK;
            let other = position[place];
            // Which it is cannot be guessed: written in any case, and kept by moving on.
            row_columns[n] = other;
            row_values[n] = (value * scale) as f32;
            n += usize::from(is_inside & (other > k));
            n_inside += usize::from(is_inside);
            diagonal = if is_inside & (other == k) { value } else { diagonal };
        }
        // A loop of its own: one that did both would have to keep half its numbers in memory.
        let mut n_row_edges = 0;
        for (&place, &value) in row_places.iter().zip(values) {
            // Rows outside read something that is not kept.
            let to = if place == NONE { 0 } else { parent[usize::from(place) & MASK] };
            row_edges[n_row_edges] = Edge { from: own_parent, to, value };
            n_row_edges += usize::from((to > own_parent) & (to != NONE));
        }
        n_edges += n_row_edges;
        if let Some(parent) = parents.get_mut(usize::from(own_parent)) {
            parent.n_rows += 1;
            parent.excess += excess;
            parent.diagonal += diagonal;
        }
        let mut outer = 0.0;
        if n_inside < columns.len() {
            for ((&j, &value), _) in
                columns.iter().zip(values).zip(row_places).filter(|&(_, &place)| place == NONE)
            {
                tile.outer_columns.push(j);
                tile.outer_values.push((value * scale) as f32);
                outer += value.abs();
            }
        }
        let k = usize::from(k);
        // Too few to call for a copy.
        let start = starts[k & MASK] as usize;
        if start + n != starts[(k & MASK) + 1] as usize {
            return Err(SolveError::NotSymmetric { row: row as usize });
        }
        let kept = tile.columns[start..start + n].iter_mut().zip(&mut tile.values[start..start + n]);
        for ((column, value), (own_column, own_value)) in kept.zip(own_columns.iter().zip(&own_values)) {
            (*column, *value) = (*own_column, *own_value);
        }
        let slack = (outer - OUTER_SHARE * diagonal).max(0.0);
        if n_inside < columns.len() {
            let end = tile.outer_columns.len() as u32;
            tile.outer.push(OuterRow { row: k as u16, end, slack: (slack * scale) as f32 });
        }
        excesses[k] = (excess * scale) as f32;
        // A closed pocket that has come down to one unknown has no equation left.
        if diagonal > 0.0 {
            inverse_diagonal[k] = (1.0 / ((diagonal + slack) * scale)) as f32;
            if !inverse_diagonal[k].is_finite() {
                return Err(SolveError::NotFinite { what: "a diagonal entry's inverse in 32 bits" });
            }
        } else if must_be_positive {
            return Err(SolveError::NonPositiveDiagonal { row: row as usize, value: diagonal });
        }
    }
    (tile.inverse_diagonal, tile.excess) = (inverse_diagonal, excesses);
    edges.truncate(n_edges);
    Ok(Sums { parents, edges })
}
