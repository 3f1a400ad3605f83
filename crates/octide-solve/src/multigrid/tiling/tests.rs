use super::*;

/// Checks what holds for every cut except that groups are whole, and returns the tile of each row.
fn tiles(group_of: &[u32]) -> Vec<usize> {
    let (bounds, members) = cut(group_of);
    assert_eq!((bounds[0], bounds[bounds.len() - 1]), (0, group_of.len()));
    let mut tile_of = vec![usize::MAX; group_of.len()];
    for (t, bound) in bounds.windows(2).enumerate() {
        assert!(bound[0] < bound[1] && bound[1] - bound[0] <= TILE, "{bounds:?}");
        let rows: Vec<usize> = if members.is_empty() {
            (bound[0]..bound[1]).collect()
        } else {
            members[bound[0]..bound[1]].iter().map(|&row| row as usize).collect()
        };
        assert!(rows.is_sorted_by(|a, b| a < b));
        for row in rows {
            assert_eq!(tile_of[row], usize::MAX, "row {row} is in two tiles");
            tile_of[row] = t;
        }
    }
    tile_of
}

fn assert_whole(group_of: &[u32]) -> usize {
    let tile_of = tiles(group_of);
    let mut tile_of_group = vec![usize::MAX; group_of.len()];
    for (&tile, &g) in tile_of.iter().zip(group_of) {
        let of_group = &mut tile_of_group[g as usize];
        assert!(*of_group == usize::MAX || *of_group == tile, "group {g} is cut");
        *of_group = tile;
    }
    tile_of.iter().max().unwrap() + 1
}

#[test]
fn consecutive_groups_stay_consecutive() {
    let group_of: Vec<u32> = (0..20_000).map(|i| i / 7).collect();
    assert!(cut(&group_of).1.is_empty());
    // 585 groups of seven fit a tile.
    assert_eq!(cut(&group_of).0[..3], [0, 4095, 8190]);
    assert_eq!(assert_whole(&group_of), 5);
}

#[test]
fn rows_that_just_fit_make_one_tile() {
    for (n, n_tiles) in [(1, 1), (TILE, 1), (TILE + 1, 2), (2 * TILE, 2), (2 * TILE + 1, 3)] {
        assert_eq!(assert_whole(&(0..n as u32).collect::<Vec<_>>()), n_tiles);
    }
    assert_eq!(assert_whole(&[0; TILE]), 1);
    // The second group no longer fits into the first tile.
    let mut group_of = vec![0; 10];
    group_of.resize(10 + TILE, 1);
    assert_eq!(cut(&group_of), (vec![0, 10, 10 + TILE], vec![]));
}

#[test]
fn scattered_groups_are_gathered() {
    // Each group has rows from everywhere.
    let group_of: Vec<u32> = (0..20_000).map(|i| i % 2500).collect();
    let (bounds, members) = cut(&group_of);
    assert_eq!((bounds.len() - 1, members.len()), (5, 20_000));
    assert_eq!(assert_whole(&group_of), 5);
    // Unused group numbers do no harm.
    assert_eq!(assert_whole(&group_of.iter().map(|g| 3 * g).collect::<Vec<_>>()), 5);
    // Interleaved, but not widely: rows stay in place.
    let near: Vec<u32> = (0..20_000).map(|i| i / 1000 * 1000 + i % 100).collect();
    assert!(cut(&near).1.is_empty());
    assert_whole(&near);
}

#[test]
fn a_group_longer_than_a_tile_is_cut() {
    for group_of in [
        vec![0; 3 * TILE + 5],
        (0..3 * TILE as u32).map(|i| if i % 2 == 0 { 0 } else { i }).collect(),
        (0..3 * TILE as u32).map(|i| u32::from(i > 9 && i < 10 + TILE as u32 + 1)).collect(),
    ] {
        let tile_of = tiles(&group_of);
        assert_eq!(tile_of.iter().max().unwrap() + 1, group_of.len().div_ceil(TILE));
    }
}
