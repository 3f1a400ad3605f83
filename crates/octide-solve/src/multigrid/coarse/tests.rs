use super::*;
use crate::Csr;
use crate::multigrid::tests::lexicographic;
use crate::multigrid::{level, matching, octree_groups, setup};
use crate::testing::*;

/// Returns all entries, row by row.
pub fn full(a: &Coarse) -> Vec<Vec<f64>> {
    let n = a.n();
    let mut full = vec![vec![0.0; n]; n];
    for i in 0..n {
        let (columns, values) = a.rows().row(i);
        for (&j, &value) in columns.iter().zip(values) {
            assert_eq!(full[i][j as usize], 0.0, "twice the same column");
            full[i][j as usize] = value;
        }
    }
    full
}

/// Returns the next level's matrix for connected groups.
fn next(a: &Csr, group_of: &[u32]) -> Vec<Vec<f64>> {
    full(&setup::build(a.rows(), Some(group_of), 0.3, true).unwrap().next)
}

#[test]
fn couplings_are_those_of_the_definition_but_for_thinning() {
    let (rows, cells) = lexicographic(20, true);
    let by_rows = octree_groups(&cells, 96).swap_remove(0);
    let cases = [
        (poisson(20, true), (0..8000).map(|i| i / 8).collect()),
        (poisson(20, false), (0..8000).map(|i| i / 5).collect()),
        (rows.clone(), by_rows),
        (rows.clone(), matching::groups(rows.rows())),
    ];
    for (a, groups) in cases {
        let built = setup::build(a.rows(), Some(&groups), 0.3, true).unwrap();
        let parent_of = level::tests::parents(&built.level, a.n_rows());
        let n = built.next.n();
        let (mut plain, mut sizes) = (vec![vec![0.0; n]; n], vec![0_usize; n]);
        for i in 0..a.n_rows() {
            sizes[parent_of[i] as usize] += 1;
            for (&j, value) in a.row(i).0.iter().zip(a.row(i).1) {
                plain[parent_of[i] as usize][parent_of[j as usize] as usize] += value;
            }
        }
        let width = |p: usize| (sizes[p] as f64).cbrt();
        let thin = full(&built.next);
        for i in 0..n {
            for j in (0..n).filter(|&j| j != i) {
                let expected = plain[i][j] * (2.0 / (width(i) + width(j))).powf(THINNING);
                assert!((thin[i][j] - expected).abs() < 1e-6, "{i} {j}: {} {expected}", thin[i][j]);
            }
        }
    }
}

#[test]
fn it_is_a_graph_with_ties() {
    for a in [poisson(8, true), poisson(8, false), t_junctions(100), poisson(20, true)] {
        let groups: Vec<u32> = (0..a.n_rows() as u32).map(|i| i / 7).collect();
        let thin = next(&a, &groups);
        for i in 0..thin.len() {
            assert!(thin[i].iter().sum::<f64>() > -1e-12);
            for j in (0..thin.len()).filter(|&j| j != i) {
                assert!((thin[i][j] - thin[j][i]).abs() < 1e-12 && thin[i][j] <= 0.0);
            }
        }
    }
}

#[test]
fn a_cube_of_eight_is_thinned_by_half_to_the_power() {
    // 20³ cells in Morton order would not all be cubes of eight; 16³ are, in one tile.
    let a = poisson(16, true);
    let thin = next(&a, &(0..4096).map(|i| i / 8).collect::<Vec<u32>>());
    let coupling = 4.0 * 0.5_f64.powf(THINNING);
    assert!((thin[0][1] + coupling).abs() < 1e-6 && (thin[0][4] + coupling).abs() < 1e-6);
    // A corner: twelve unit couplings to zero, in series with four times four couplings.
    let tie = 12.0 * 16.0 / (12.0 + 16.0);
    assert!((thin[0][0] - 3.0 * coupling - tie).abs() < 1e-6, "{}", thin[0][0]);
    // Couplings within a tile and between tiles are all included: rows of interior cells sum to zero.
    let inside = thin.iter().filter(|row| row.iter().filter(|v| **v < 0.0).count() == 6);
    assert_eq!(inside.filter(|row| row.iter().sum::<f64>().abs() < 1e-5).count(), 6 * 6 * 6);
}

#[test]
fn rows_that_are_bound_tightly_keep_their_ties() {
    // Two groups of two, coupled by a thousand within each, by one to each other, and by a hundred to zero.
    let a = laplacian(4, &[(0, 1, 1000.0), (2, 3, 1000.0), (1, 2, 1.0)], &[100.0, 0.0, 0.0, 100.0]);
    let thin = next(&a, &[0, 0, 1, 1]);
    let excess = thin[0][0] + thin[0][1];
    assert!(excess > 0.9 * 100.0 && excess < 100.0, "{excess}");
}

#[test]
fn closed_pockets_stay_closed() {
    // Weights that do not sum to zero in floating point.
    let edges: Vec<_> = (0..40).map(|i| (i, (i * 7 + 1) % 40, 0.1 + (i as f64).sqrt())).collect();
    let a = laplacian(40, &edges, &[0.0; 40]);
    for group in [3, 40] {
        let groups: Vec<u32> = (0..40).map(|i| i / group).collect();
        let thin = next(&a, &groups);
        for row in &thin {
            let largest = row.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
            assert!(row.iter().sum::<f64>().abs() <= 1e-13 * largest);
        }
    }
}
