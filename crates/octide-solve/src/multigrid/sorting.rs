//! Builds one tile: sorts the rows of a sketch by color, and within a color by the number of couplings to
//! later rows, so that they form long runs of equal loops, and stores the couplings.

use super::parents::{Edge, Parent, Parents};
use super::sketch::{LAST_COLOR, NONE, Sketch, Source};
use super::tile::{MASK, Run, Tile};
use crate::error::SolveError;

/// A tile and the data that the setup needs with it.
pub(super) struct BuiltTile {
    pub tile: Tile,
    /// The position of each row after sorting.
    pub position: Vec<u16>,
    pub parents: Parents,
    /// The group of each parent.
    pub groups: Vec<u32>,
}

/// Builds the tile of some rows; see [`Sketch::look`].
pub(super) fn build_tile(
    sketch: &mut Sketch,
    source: Source<'_>,
    rows: impl ExactSizeIterator<Item = u32> + Clone,
    place_of: impl Fn(u32) -> usize,
) -> Result<BuiltTile, SolveError> {
    let mut tile = Tile::default();
    sketch.look(source, rows.clone(), place_of, &mut tile)?;
    let groups = sketch.find_parents();
    tile.n_parents = groups.len();
    sort(sketch, &mut tile);
    let position = sketch.position[..sketch.len].to_vec();
    for row in tile.outer_rows.iter_mut().chain(tile.slack.iter_mut().map(|(row, _)| row)) {
        *row = position[usize::from(*row)];
    }
    store(sketch, &mut tile).map_err(|place| SolveError::NotSymmetric {
        row: rows.clone().nth(place).map_or(0, |row| row as usize),
    })?;
    let sums = finish_rows(sketch, &mut tile, source.scale)?;
    let parents = Parents::new(sums, &sketch.edges);
    Ok(BuiltTile { tile, position, parents, groups })
}

/// Sorts by color, then by the number of couplings to later rows. Sets the tile's order, parents and runs,
/// and the new position of each row.
fn sort(sketch: &mut Sketch, tile: &mut Tile) {
    let Sketch { len, colors, n_later, parent, position, .. } = sketch;
    let key = |k: usize| {
        // Rows of the last color may be coupled to each other, so they keep their order.
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
    tile.parents = vec![0; *len];
    for k in 0..*len {
        let at = &mut starts[key(k)];
        tile.order[usize::from(*at)] = k as u16;
        tile.parents[usize::from(*at)] = parent[k].min(tile.n_parents as u16);
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

/// Stores each coupling with the row that comes first, and collects those between parents. Fails with the
/// position of a row whose couplings do not match those of other rows to it.
#[inline(never)]
fn store(sketch: &mut Sketch, tile: &mut Tile) -> Result<(), usize> {
    let Sketch { len, parent, n_couplings, columns, values, position, next, edges, .. } = sketch;
    let (mut row, mut start) = (0, 0);
    for run in &tile.runs {
        for _ in 0..run.n_rows {
            next[row & MASK] = start;
            start += u32::from(run.n_couplings);
            row += 1;
        }
    }
    edges.resize(columns.len(), Edge::default());
    let mut n_edges = 0;
    let (mut columns, mut values) = (&columns[..], &values[..]);
    for k in 0..*len {
        let (own, own_parent) = (position[k & MASK], parent[k & MASK]);
        let n = usize::from(n_couplings[k & MASK]);
        let (own_columns, own_values);
        (own_columns, columns) = columns.split_at(n);
        (own_values, values) = values.split_at(n);
        for (&place, &value) in own_columns.iter().zip(own_values) {
            let place = usize::from(place) & MASK;
            let (other, to) = (position[place], parent[place]);
            let at = &mut next[usize::from(own.min(other)) & MASK];
            let (Some(column), Some(slot)) =
                (tile.columns.get_mut(*at as usize), tile.values.get_mut(*at as usize))
            else {
                return Err(k);
            };
            (*column, *slot) = (own.max(other), value);
            *at += 1;
            // Which couplings lead to another parent is unpredictable.
            let (from, to) = (own_parent.min(to), own_parent.max(to));
            edges[n_edges] = Edge { from, to, value };
            n_edges += usize::from((from < to) & (to != NONE));
        }
    }
    edges.truncate(n_edges);
    let (mut row, mut end) = (0, 0);
    for run in &tile.runs {
        for _ in 0..run.n_rows {
            end += u32::from(run.n_couplings);
            if next[row & MASK] != end {
                return Err(usize::from(tile.order[row]));
            }
            row += 1;
        }
    }
    Ok(())
}

/// Sorts the other data of rows, and sums it over parents.
fn finish_rows(sketch: &Sketch, tile: &mut Tile, scale: f64) -> Result<Vec<Parent>, SolveError> {
    let Sketch { len, parent, position, smoothed, excess, diagonal, .. } = sketch;
    let mut parents = vec![Parent::default(); tile.n_parents];
    (tile.inverse_diagonal, tile.excess) = (vec![0.0; *len], vec![0.0; *len]);
    for k in 0..*len {
        let at = usize::from(position[k]);
        tile.inverse_diagonal[at] = 1.0 / smoothed[k];
        tile.excess[at] = (excess[k] * scale) as f32;
        if let Some(parent) = parents.get_mut(usize::from(parent[k])) {
            parent.n_rows += 1;
            parent.excess += excess[k];
            parent.diagonal += diagonal[k];
        }
    }
    if tile.inverse_diagonal.iter().any(|inverse| !inverse.is_finite()) {
        return Err(SolveError::NotFinite { what: "a diagonal entry's inverse in 32 bits" });
    }
    Ok(parents)
}
