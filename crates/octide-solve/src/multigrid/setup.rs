//! Builds a level from its matrix and its groups of rows.
//!
//! Rows are cut into tiles of whole groups and each tile is built independently; after that, columns that
//! lead out of a tile are resolved to positions in other tiles.

use super::coarse::{self, Coarse};
use super::level::Level;
use super::order::Order;
use super::sketch::{Sketch, Source};
use super::smoother::Smoother;
use super::sorting::{BuiltTile, build_tile};
use super::tile::{TILE, Tile};
use super::tiling::{Finder, cut, slots};
use crate::csr::Rows;
use crate::error::SolveError;
use rayon::prelude::*;

/// A level, and the data that the next one is built from.
pub(super) struct Built {
    pub level: Level,
    /// The next level's matrix.
    pub next: Coarse,
    /// The group that each of the next level's unknowns comes from.
    pub group_of_parent: Vec<u32>,
}

/// Checks that `a` is representable in 32 bits, and returns the scale factor for that.
pub(super) fn check(a: Rows<'_>) -> Result<f64, SolveError> {
    let largest = a.values.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    if !largest.is_finite() {
        return Err(SolveError::NotFinite { what: "a value of the matrix" });
    }
    let scale = 1.0 / largest;
    Ok(if scale.is_finite() { scale } else { 1.0 })
}

/// Checks the diagonal of a matrix that no level is built from.
pub(super) fn check_diagonal(a: Rows<'_>) -> Result<(), SolveError> {
    for row in 0..a.n() {
        let value = a.diagonal(row);
        if value <= 0.0 {
            return Err(SolveError::NonPositiveDiagonal { row, value });
        }
    }
    Ok(())
}

/// Builds the level of matrix `a`, times `scale`. Connected rows of one group become one unknown of the next
/// level; without groups, there is no next level.
pub(super) fn build(
    a: Rows<'_>,
    group_of: Option<&[u32]>,
    scale: f64,
    must_be_positive: bool,
) -> Result<Built, SolveError> {
    let n = a.n();
    let has_parents = group_of.is_some();
    let each_alone: Vec<u32> = if has_parents { vec![] } else { (0..n as u32).collect() };
    let group_of = group_of.unwrap_or(&each_alone);
    let (bounds, members) = cut(group_of);
    let n_tiles = bounds.len() - 1;
    // Positions are counted with tiles padded.
    if u32::try_from(n_tiles * TILE).is_err() {
        return Err(SolveError::TooLarge { what: "a level", size: n });
    }
    let parallel = n_tiles > 1 && rayon::current_num_threads() > 1;

    let slots = slots(&bounds, &members, n);
    let source = Source { rows: a, group_of, scale, must_be_positive };
    let build = |sketch: &mut Box<Sketch>, t: usize| {
        let (first, end) = (bounds[t], bounds[t + 1]);
        if members.is_empty() {
            let rows = first as u32..end as u32;
            build_tile(sketch, source, rows, |j| (j as usize).wrapping_sub(first))
        } else {
            let rows = members[first..end].iter().copied();
            let place_of = |j: u32| (slots[j as usize] as usize).wrapping_sub(t * TILE);
            build_tile(sketch, source, rows, place_of)
        }
    };
    let parts: Vec<Result<BuiltTile, SolveError>> = if parallel {
        (0..n_tiles).into_par_iter().map_init(Box::default, build).collect()
    } else {
        let mut sketch = Box::default();
        (0..n_tiles).map(|t| build(&mut sketch, t)).collect()
    };

    let mut tiles = Vec::with_capacity(n_tiles);
    let (mut positions, mut parents) = (Vec::with_capacity(n_tiles), Vec::with_capacity(n_tiles));
    let mut group_of_parent = vec![];
    for part in parts {
        let BuiltTile { mut tile, position, parents: of_tile, groups } = part?;
        positions.push(position);
        if has_parents {
            tile.first_parent = group_of_parent.len();
            group_of_parent.extend(groups);
            parents.push(of_tile);
        } else {
            tile.parents = vec![];
            tile.n_parents = 0;
        }
        tiles.push(tile);
    }
    let finder = Finder::new(&bounds, &slots);
    let rename = |tile: &mut Tile| {
        for column in &mut tile.outer_columns {
            let (t, place) = finder.find(*column as usize);
            *column = (t * TILE + usize::from(positions[t][place])) as u32;
        }
    };
    if parallel {
        tiles.par_iter_mut().for_each(rename);
    } else {
        tiles.iter_mut().for_each(rename);
    }
    let next = if has_parents { coarse::coarse(&tiles, &parents, scale) } else { Coarse::default() };

    let level = Level {
        order: Order { bounds, members, slots },
        smoother: Smoother::new(tiles),
        transfer: None,
        n_coarse: group_of_parent.len(),
    };
    Ok(Built { level, next, group_of_parent })
}

#[cfg(test)]
mod tests;
