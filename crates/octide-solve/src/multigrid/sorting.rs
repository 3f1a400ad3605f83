//! Builds one tile: colors its rows, finds the pieces of its groups, sorts, and stores the couplings.
//!
//! Rows are looked at in their order, and each takes the lowest color that no earlier neighbor has. Sorted by
//! color, and among one color by the number of couplings to later rows, they make long runs of equal loops.

use super::setup::Rows;
use super::tile::{MASK, NONE, OuterRow, Run, TILE, Tile};
use crate::error::SolveError;

/// Colors beyond this one are taken for it.
const LAST_COLOR: u8 = 63;

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
    /// The longest row of the matrix.
    longest: usize,
}

/// Builds the tile of some rows, and tells the group of each of its parents. `place_of` tells where in the tile
/// a column is, and something beyond its end for those that are not; couplings to these keep their column.
pub(super) fn build_tile(
    a: Rows<'_>,
    rows: impl ExactSizeIterator<Item = u32> + Clone,
    group_of: &[u32],
    place_of: impl Fn(u32) -> usize,
    scale: f64,
    must_be_positive: bool,
) -> Result<(Tile, Vec<u32>), SolveError> {
    let mut sketch = Sketch {
        len: rows.len(),
        colors: [0; TILE],
        n_later: [0; TILE],
        group: [0; TILE],
        leader: [0; TILE],
        parent: [NONE; TILE],
        longest: rows.clone().map(|row| a.row(row as usize).0.len()).max().unwrap_or(0),
    };
    color(a, rows.clone(), group_of, &place_of, &mut sketch);
    let groups = find_parents(&mut sketch);
    let mut tile = Tile::default();
    let mut position = [0; TILE];
    sort(&sketch, &mut tile, &mut position);
    tile.n_parents = groups.len();
    fill(a, rows, place_of, &position, &mut tile, sketch.longest, scale, must_be_positive)?;
    Ok((tile, groups))
}

#[inline(never)]
fn color(
    a: Rows<'_>,
    rows: impl Iterator<Item = u32>,
    group_of: &[u32],
    place_of: impl Fn(u32) -> usize,
    sketch: &mut Sketch,
) {
    let Sketch { colors, n_later, group, leader, parent, longest, .. } = sketch;
    let mut earlier = vec![0_u16; *longest];
    for (k, row) in rows.enumerate() {
        let k = k & MASK;
        let columns = a.row(row as usize).0;
        // Which come earlier cannot be guessed: each is written, and kept by moving on.
        let mut n = 0;
        for &j in columns {
            let place = place_of(j);
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
    place_of: impl Fn(u32) -> usize,
    position: &[u16; TILE],
    tile: &mut Tile,
    longest: usize,
    scale: f64,
    must_be_positive: bool,
) -> Result<(), SolveError> {
    let len = tile.order.len();
    // Where the couplings of each row begin.
    let mut starts = [0_u32; TILE];
    let (mut row, mut start) = (0, 0);
    for run in &tile.runs {
        for _ in 0..run.n_rows {
            starts[row] = start;
            start += u32::from(run.n_couplings);
            row += 1;
        }
    }
    let (mut inverse_diagonal, mut excesses) = (vec![0.0; len], vec![0.0; len]);
    let (mut own_columns, mut own_values) = (vec![0_u16; longest], vec![0.0_f32; longest]);
    for (place, row) in rows.enumerate() {
        let k = position[place & MASK];
        let (columns, values) = a.row(row as usize);
        let outer_start = tile.outer_columns.len();
        let (mut diagonal, mut outer, mut excess, mut n) = (0.0, 0.0, 0.0, 0);
        for (&j, &value) in columns.iter().zip(values) {
            excess += value;
            let other = place_of(j);
            if other >= len {
                tile.outer_columns.push(j);
                tile.outer_values.push((value * scale) as f32);
                outer += value.abs();
                continue;
            }
            let other = position[other & MASK];
            // Which it is cannot be guessed: written in any case, and kept by moving on.
            own_columns[n] = other;
            own_values[n] = (value * scale) as f32;
            n += usize::from(other > k);
            diagonal = if other == k { value } else { diagonal };
        }
        let k = usize::from(k);
        // Too few to call for a copy.
        let start = starts[k & MASK] as usize;
        let end = if k + 1 < len { starts[(k + 1) & MASK] as usize } else { tile.columns.len() };
        if start + n != end {
            return Err(SolveError::NotSymmetric { row: row as usize });
        }
        let kept = tile.columns[start..start + n].iter_mut().zip(&mut tile.values[start..start + n]);
        for ((column, value), (own_column, own_value)) in kept.zip(own_columns.iter().zip(&own_values)) {
            (*column, *value) = (*own_column, *own_value);
        }
        let slack = (outer - OUTER_SHARE * diagonal).max(0.0);
        if tile.outer_columns.len() > outer_start {
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
    Ok(())
}
