use super::*;
use crate::multigrid::tests::cells_of_cube;
use crate::testing::noise;

/// Returns the same cells in a pseudorandom order, and their original indices.
fn shuffled(cells: &[Cell], seed: u64) -> (Vec<Cell>, Vec<usize>) {
    let random = noise(cells.len(), seed);
    let mut order: Vec<usize> = (0..cells.len()).collect();
    order.sort_by(|&i, &j| random[i].total_cmp(&random[j]));
    (order.iter().map(|&i| cells[i]).collect(), order)
}

/// Returns the cells of a cube around the origin, fine near it.
fn graded() -> Vec<Cell> {
    fn split(cell: Cell, leaves: &mut Vec<Cell>) {
        let size = 32 >> cell[0];
        let far = (1..4).any(|axis| {
            let (low, high) = (cell[axis] * size, (cell[axis] + 1) * size);
            low.max(-high) > size
        });
        if far || cell[0] == 5 {
            leaves.push(cell);
            return;
        }
        for child in 0..8 {
            let at = |axis: usize| 2 * cell[axis] + (child >> (3 - axis) & 1);
            split([cell[0] + 1, at(1), at(2), at(3)], leaves);
        }
    }
    let mut leaves = vec![];
    for child in 0..8 {
        split([0, -1 + (child >> 2), -1 + (child >> 1 & 1), -1 + (child & 1)], &mut leaves);
    }
    leaves
}

#[test]
fn cells_of_one_level_are_merged_by_eight() {
    let groups = octree_groups(&cells_of_cube(8), 1);
    assert_eq!(groups.len(), 3);
    for (groups, n) in groups.iter().zip([512, 64, 8]) {
        assert_eq!(groups, &(0..n).map(|i| i / 8).collect::<Vec<u32>>());
    }
    // Stops as soon as few enough are left.
    assert_eq!(octree_groups(&cells_of_cube(8), 8).len(), 2);
    assert_eq!(octree_groups(&cells_of_cube(8), 9).len(), 2);
    assert_eq!(octree_groups(&cells_of_cube(8), 7).len(), 3);
    assert!(octree_groups(&cells_of_cube(8), 512).is_empty());
}

#[test]
fn leaves_of_two_levels_are_merged_together() {
    // A root whose first child is split, and whose last is split and has its last child split, too.
    let children = |[l, x, y, z]: Cell| {
        (0..8).map(move |c| [l + 1, 2 * x + (c >> 2), 2 * y + (c >> 1 & 1), 2 * z + (c & 1)])
    };
    let mut cells: Vec<Cell> = children([1, 0, 0, 0]).collect();
    cells.extend(children([0, 0, 0, 0]).skip(1).take(6));
    cells.extend(children([1, 1, 1, 1]).take(7));
    cells.extend(children([2, 3, 3, 3]));
    let groups = octree_groups(&cells, 4);
    // Levels 3 and 2 are merged into their parents: eight, seven and eight. Level 1 stays as it is.
    let mut expected = vec![0; 8];
    expected.extend(1..=6);
    expected.extend([7; 7]);
    expected.extend([8; 8]);
    assert_eq!(groups[0], expected);
    // Then levels 2 and 1: the last eight are now in one cell of level 2, all others in cells of level 1.
    assert_eq!(groups[1], [0, 0, 0, 0, 0, 0, 0, 0, 1]);
    assert_eq!(groups.len(), 2);
}

#[test]
fn order_does_not_matter() {
    let moved = |cells: Vec<Cell>, by: i32| -> Vec<Cell> {
        cells.iter().map(|c| [c[0], c[1] + by, c[2] - 3 * by, c[3] + 5 * by]).collect()
    };
    let cases = [
        cells_of_cube(16),
        graded(),
        // Around the limit of coordinates that a sort by 21 bits distinguishes, and far beyond.
        moved(cells_of_cube(8), (1 << 21) - 4),
        moved(cells_of_cube(8), -(1 << 27)),
    ];
    for cells in cases {
        let groups = octree_groups(&cells, 1);
        for seed in 2..4 {
            let (mixed, order) = shuffled(&cells, seed);
            let of_mixed = octree_groups(&mixed, 1);
            assert_eq!(groups[1..], of_mixed[1..]);
            for (&i, &g) in order.iter().zip(&of_mixed[0]) {
                assert_eq!(groups[0][i], g, "{:?}", cells[i]);
            }
        }
    }
}

#[test]
fn groups_are_cells_of_one_parent() {
    let (cells, _) = shuffled(&graded(), 7);
    assert!(cells.iter().any(|c| c[1] < 0) && cells.iter().any(|c| c[0] != cells[0][0]));
    let groups = octree_groups(&cells, 100);
    let finest = 5;
    let target = |c: &Cell| {
        if c[0] >= finest - 1 { [c[0] - 1, c[1] >> 1, c[2] >> 1, c[3] >> 1] } else { *c }
    };
    for (a, &g) in cells.iter().zip(&groups[0]) {
        for (b, &h) in cells.iter().zip(&groups[0]) {
            assert_eq!(target(a) == target(b), g == h, "{a:?} {b:?}");
        }
    }
}

#[test]
fn nothing_one_and_strange_cells() {
    assert!(octree_groups(&[], 0).is_empty());
    assert!(octree_groups(&[[3, 1, 2, 3]], 1).is_empty());
    let one = octree_groups(&[[3, 1, 2, 3]], 0);
    assert!(one.iter().all(|groups| *groups == [0]));
    // The same cell twice is one group.
    assert_eq!(octree_groups(&[[3, 1, 2, 3]; 2], 1), [[0, 0]]);
    // Levels and positions at the limits of their range.
    for level in [i32::MIN, i32::MAX, 0] {
        for place in [i32::MIN, i32::MAX] {
            let cells =
                [[level, place, 0, 0], [0, 0, place, 0], [i32::MAX, 0, 0, place], [i32::MIN, 1, 1, 1]];
            for groups in octree_groups(&cells, 1) {
                assert!(groups.iter().all(|&g| g < 4));
            }
        }
    }
}
