use super::*;
use crate::Csr;
use crate::testing::*;

/// Returns the rows of each group.
fn members(a: &Csr) -> Vec<Vec<usize>> {
    let group_of = groups(a.rows());
    assert_eq!(group_of.len(), a.n_rows());
    let n_groups = group_of.iter().max().map_or(0, |&g| g as usize + 1);
    let mut members = vec![vec![]; n_groups];
    group_of.iter().enumerate().for_each(|(row, &g)| members[g as usize].push(row));
    members
}

#[test]
fn groups_have_up_to_eight_rows_that_hang_together() {
    for a in [poisson(9, true), poisson(16, false), t_junctions(300), chain(1000, 0.0)] {
        let members = members(&a);
        for rows in &members {
            assert!((1..=8).contains(&rows.len()), "{rows:?}");
            // Each row must be reachable from the first.
            let mut reached = vec![rows[0]];
            for _ in 0..8 {
                let next = |&i: &usize| a.get(i, i) != 0.0 && reached.iter().any(|&j| a.get(i, j) != 0.0);
                reached = rows.iter().copied().filter(next).collect();
            }
            assert_eq!(&reached, rows);
        }
        assert!(6 * members.len() <= a.n_rows(), "{} groups of {} rows", members.len(), a.n_rows());
        assert_eq!(groups(a.rows()), groups(a.rows()));
    }
}

#[test]
fn eight_cells_of_a_cube_make_a_group() {
    assert_eq!(groups(poisson(4, true).rows()), (0..64).map(|i| i / 8).collect::<Vec<u32>>());
}

#[test]
fn strong_couplings_go_first_and_weak_ones_never() {
    // 0 ═ 2 ─ 1 ═ 3, and 4 is weakly coupled to 3.
    let edges = [(0, 2, 10.0), (1, 2, 1.0), (1, 3, 10.0), (3, 4, 0.01)];
    let a = laplacian(5, &edges, &[0.0, 0.0, 0.0, 0.0, 1.0]);
    let (pair_of, n_pairs) = pairs(a.rows());
    assert_eq!((pair_of, n_pairs), (vec![0, 1, 0, 1, 2], 3));
    // For row 4 itself the weak coupling is its strongest, but its partner is taken.
    let a = laplacian(5, &edges, &[0.0; 5]);
    assert_eq!(members(&a), [vec![0, 1, 2, 3, 4]]);
}

#[test]
fn rows_that_repel_or_stand_alone_are_not_paired() {
    let a = matrix(4, &[(0, 0, 2.0), (0, 1, 1.0), (1, 0, 1.0), (1, 1, 2.0), (2, 2, 1.0), (3, 3, 1.0)]);
    assert_eq!(groups(a.rows()), [0, 1, 2, 3]);
    assert!(groups(matrix(0, &[]).rows()).is_empty());
}
