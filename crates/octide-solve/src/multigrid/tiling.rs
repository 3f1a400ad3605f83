//! Which rows go together in a tile.

use super::tile::TILE;

/// Cuts rows into tiles of whole groups, as long as they fit: where tiles begin and the last one ends, and the
/// rows tile by tile, which are none where tiles are just consecutive rows.
pub(super) fn cut(group_of: &[u32]) -> (Vec<usize>, Vec<u32>) {
    let n_groups = group_of.iter().max().map_or(0, |&g| g as usize + 1);
    let mut last_row = vec![0_u32; n_groups];
    for (i, &g) in group_of.iter().enumerate() {
        last_row[g as usize] = i as u32;
    }
    if let Some(bounds) = tile_bounds(group_of.iter().map(|&g| last_row[g as usize] as usize)) {
        return (bounds, vec![]);
    }
    let mut starts = vec![0_u32; n_groups + 1];
    for &g in group_of {
        starts[g as usize + 1] += 1;
    }
    for g in 0..n_groups {
        starts[g + 1] += starts[g];
    }
    let mut members = vec![0; group_of.len()];
    let mut next = starts.clone();
    for (i, &g) in group_of.iter().enumerate() {
        members[next[g as usize] as usize] = i as u32;
        next[g as usize] += 1;
    }
    let last = |row: &u32| starts[group_of[*row as usize] as usize + 1] as usize - 1;
    let bounds = tile_bounds(members.iter().map(last)).unwrap_or_else(|| {
        // A group longer than a tile, which is then cut like any other rows.
        (0..members.len()).step_by(TILE).chain([members.len()]).collect()
    });
    // Within a tile rows keep their order, so that they are read in runs.
    bounds.windows(2).for_each(|bound| members[bound[0]..bound[1]].sort_unstable());
    (bounds, members)
}

/// Where tiles begin and the last one ends, given the last row of each row's group; `None` if groups are
/// scattered too widely.
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
