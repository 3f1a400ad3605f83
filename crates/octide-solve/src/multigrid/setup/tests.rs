//! Tests of which rows of a group become one unknown.

use super::*;
use crate::Csr;
use crate::multigrid::level::{self, tests::NO_PARENT};
use crate::testing::*;

/// Returns the unknown of each row, and the group of each unknown.
fn parents(a: &Csr, group_of: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let Built { level, group_of_parent, .. } = build(a.rows(), Some(group_of), 1.0, true).unwrap();
    let parent_of = level::tests::parents(&level, a.n_rows());
    assert_eq!(level.n_coarse, group_of_parent.len());
    assert_eq!(level.smoother.tiles.iter().map(|tile| tile.n_parents).sum::<usize>(), level.n_coarse);
    (parent_of, group_of_parent)
}

/// Returns the matrix of a graph of unit weights, with every row coupled to zero.
fn graph(n: usize, edges: &[(usize, usize)]) -> Csr {
    let edges: Vec<_> = edges.iter().map(|&(i, j)| (i, j, 1.0)).collect();
    laplacian(n, &edges, &vec![1.0; n])
}

#[test]
fn separate_pieces_of_a_group_are_kept_apart() {
    let a = graph(6, &[(0, 1), (2, 3), (4, 5)]);
    assert_eq!(parents(&a, &[0, 0, 0, 0, 1, 1]), (vec![0, 0, 1, 1, 2, 2], vec![0, 0, 1]));
}

#[test]
fn what_hangs_together_through_another_group_is_kept_apart() {
    // 0 ─ 1 ─ 2 with the middle in another group, and a longer path that connects 0 and 2.
    let a = graph(5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]);
    assert_eq!(parents(&a, &[0, 1, 0, 1, 1]), (vec![0, 1, 2, 3, 3], vec![0, 1, 0, 1]));
}

#[test]
fn pieces_that_meet_late_are_one() {
    // Rows 0 to 3 are not coupled to each other, and row 4 joins them; row 5 joins two such stars.
    let a = graph(11, &[(0, 4), (1, 4), (2, 4), (3, 4), (6, 10), (7, 10), (4, 5), (5, 10), (8, 9)]);
    let (parent_of, group_of_parent) = parents(&a, &[0; 11]);
    assert_eq!(parent_of, [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0]);
    assert_eq!(group_of_parent, [0, 0]);
    // A comb whose teeth are numbered first: every pair of neighbors is connected through the back.
    let teeth = 1000;
    let edges: Vec<_> = (0..teeth)
        .map(|i| (i, 2 * teeth - 1 - i))
        .chain((1..teeth).map(|i| (teeth + i - 1, teeth + i)))
        .collect();
    assert_eq!(parents(&graph(2 * teeth, &edges), &vec![7; 2 * teeth]), (vec![0; 2 * teeth], vec![7]));
}

#[test]
fn rows_that_are_coupled_to_none_have_no_unknown() {
    let a = graph(4, &[(0, 3)]);
    assert_eq!(parents(&a, &[0; 4]), (vec![0, NO_PARENT, NO_PARENT, 0], vec![0]));
    assert_eq!(parents(&graph(3, &[]), &[0, 1, 2]), (vec![NO_PARENT; 3], vec![]));
}

#[test]
fn scattered_groups_are_split_too() {
    // Pairs i, i + n/2 make chains of two; groups take two pairs each from far apart.
    let n = 12_000;
    let edges: Vec<_> = (0..n / 2).map(|i| (i, i + n / 2)).collect();
    let group_of: Vec<u32> = (0..n).map(|i| (i % (n / 4)) as u32).collect();
    let (parent_of, group_of_parent) = parents(&graph(n, &edges), &group_of);
    assert_eq!(group_of_parent.len(), n / 2);
    for i in 0..n / 2 {
        assert_eq!(parent_of[i], parent_of[i + n / 2]);
        assert_eq!(group_of_parent[parent_of[i] as usize], group_of[i]);
    }
    let mut once = parent_of[..n / 2].to_vec();
    once.sort_unstable();
    assert_eq!(once, (0..n as u32 / 2).collect::<Vec<_>>());
}

#[test]
fn every_coupling_is_stored_once_and_rows_of_a_color_are_not_coupled() {
    for a in [poisson(20, true), t_junctions(900)] {
        let groups: Vec<u32> = (0..a.n_rows() as u32).map(|i| i / 8).collect();
        let level = build(a.rows(), Some(&groups), 1.0, true).unwrap().level;
        let tiles = &level.smoother.tiles;
        let (inner, outer): (usize, usize) =
            tiles.iter().fold((0, 0), |sum, t| (sum.0 + t.columns.len(), sum.1 + t.outer_columns.len()));
        assert_eq!(2 * inner + outer, a.n_entries() - a.n_rows());
        assert!(outer > 0);
        for tile in tiles {
            // Within a run, a row's couplings lead beyond the rows it could depend on.
            let mut couplings = tile.columns.iter();
            let mut row = 0;
            for run in &tile.runs {
                for _ in 0..run.n_rows {
                    for &column in couplings.by_ref().take(run.n_couplings.into()) {
                        assert!(column > row, "{column} {row}");
                    }
                    row += 1;
                }
            }
            assert_eq!(usize::from(row), tile.len());
        }
    }
}
