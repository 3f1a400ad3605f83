//! The assignment of rows to tiles.

use super::tile::TILE;

/// Cuts rows into tiles of whole groups, as long as they fit. Returns where tiles begin and the last one
/// ends, and the rows tile by tile, which is empty if tiles are consecutive rows.
pub(super) fn cut(group_of: &[u32]) -> (Vec<usize>, Vec<u32>) {
    let n_groups = group_of.iter().max().map_or(0, |&g| g as usize + 1);
    let mut last_row = vec![0_u32; n_groups];
    for (i, &g) in group_of.iter().enumerate() {
        last_row[g as usize] = i as u32;
    }
    if let Some(bounds) = tile_bounds(group_of.iter().map(|&g| last_row[g as usize] as usize)) {
        return (bounds, vec![]);
    }
    let mut sizes = vec![0_u32; n_groups];
    group_of.iter().for_each(|&g| sizes[g as usize] += 1);
    if sizes.iter().any(|&size| size as usize > TILE) {
        // A group longer than a tile is cut like any other rows.
        let n = group_of.len();
        return ((0..n).step_by(TILE).chain([n]).collect(), vec![]);
    }
    // Groups in the order of their number, as many per tile as fit.
    let mut bounds = vec![0];
    let (mut start, mut end) = (0, 0);
    let mut tile_of_group = Vec::with_capacity(n_groups);
    for &size in &sizes {
        if end + size as usize - start > TILE {
            bounds.push(end);
            start = end;
        }
        end += size as usize;
        tile_of_group.push(bounds.len() as u32 - 1);
    }
    bounds.push(end);
    // Within a tile rows keep their order, so that they are read in runs.
    let mut next = bounds.clone();
    let mut members = vec![0; group_of.len()];
    for (i, &g) in group_of.iter().enumerate() {
        let at = &mut next[tile_of_group[g as usize] as usize];
        members[*at] = i as u32;
        *at += 1;
    }
    (bounds, members)
}

/// Returns the position of each row, with tiles padded to [`TILE`], given the rows tile by tile; empty if
/// these are consecutive.
pub(super) fn slots(bounds: &[usize], members: &[u32], n: usize) -> Vec<u32> {
    if members.is_empty() {
        return vec![];
    }
    let mut slots = vec![0; n];
    for (t, bound) in bounds.windows(2).enumerate() {
        for (k, &row) in members[bound[0]..bound[1]].iter().enumerate() {
            slots[row as usize] = (t * TILE + k) as u32;
        }
    }
    slots
}

/// Finds a row's tile, and its position in the tile.
pub(super) struct Finder<'a> {
    bounds: &'a [usize],
    slots: &'a [u32],
    /// The tile of each `TILE`-th row.
    tiles: Vec<u32>,
}

impl<'a> Finder<'a> {
    /// Builds the lookup from the results of [`cut`] and [`slots`].
    pub fn new(bounds: &'a [usize], slots: &'a [u32]) -> Self {
        let n = bounds.last().copied().unwrap_or(0);
        let tile = |row: usize| bounds.partition_point(|&bound| bound <= row) as u32 - 1;
        Self { bounds, slots, tiles: (0..n).step_by(TILE).map(tile).collect() }
    }

    /// Returns the tile of a row, and its position in the tile.
    pub fn find(&self, row: usize) -> (usize, usize) {
        if let Some(&slot) = self.slots.get(row) {
            return (slot as usize / TILE, slot as usize % TILE);
        }
        let mut t = self.tiles[row / TILE] as usize;
        while self.bounds[t + 1] <= row {
            t += 1;
        }
        (t, row - self.bounds[t])
    }
}

/// Returns where tiles begin and the last one ends, given the last row of each row's group; `None` if groups
/// are scattered too widely.
fn tile_bounds(last_of_group: impl ExactSizeIterator<Item = usize>) -> Option<Vec<usize>> {
    let n = last_of_group.len();
    let mut bounds = vec![0];
    let (mut start, mut candidate, mut reach) = (0, 0, 0);
    for (k, last) in last_of_group.enumerate() {
        reach = reach.max(last);
        if k + 1 - start > TILE {
            if candidate == start {
                return None;
            }
            bounds.push(candidate);
            start = candidate;
        }
        if reach == k {
            candidate = k + 1;
        }
    }
    bounds.push(n);
    Some(bounds)
}

#[cfg(test)]
mod tests;
