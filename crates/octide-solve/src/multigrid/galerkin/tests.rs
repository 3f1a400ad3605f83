use super::*;
use crate::Csr;
use crate::testing::*;

/// All entries, row by row.
fn full(a: &Coarse) -> Vec<Vec<f64>> {
    let n = a.n();
    let mut full = vec![vec![0.0; n]; n];
    for i in 0..n {
        let (columns, values) = a.rows().row(i);
        assert_eq!(columns[0] as usize, i, "the diagonal comes first");
        for (&j, &value) in columns.iter().zip(values) {
            assert_eq!(full[i][j as usize], 0.0, "twice the same column");
            full[i][j as usize] = value;
        }
    }
    full
}

/// `Pᵀ A P` for a `P` of ones and zeros.
fn by_definition(a: &Csr, parent_of: &[u32], n_coarse: usize) -> Vec<Vec<f64>> {
    let mut sums = vec![vec![0.0; n_coarse]; n_coarse];
    for i in 0..a.n_rows() {
        for (&j, value) in a.row(i).0.iter().zip(a.row(i).1) {
            if parent_of[i] != NO_PARENT && parent_of[j as usize] != NO_PARENT {
                sums[parent_of[i] as usize][parent_of[j as usize] as usize] += value;
            }
        }
    }
    sums
}

#[test]
fn unthinned_sums_are_those_of_the_definition() {
    for (a, n_coarse) in
        [(poisson(6, true), 27), (poisson(13, false), 1500), (t_junctions(60), 77), (chain(9, 2.0), 1)]
    {
        let random = noise(a.n_rows(), 3);
        let mut parent_of: Vec<u32> =
            random.iter().map(|r| ((r + 1.0) * 0.5 * n_coarse as f64) as u32).collect();
        parent_of.iter_mut().for_each(|p| *p = (*p).min(n_coarse as u32 - 1));
        let sums = full(&sum(a.rows(), &parent_of, n_coarse, Thinning::None));
        for (row, expected) in sums.iter().zip(by_definition(&a, &parent_of, n_coarse)) {
            for (value, expected) in row.iter().zip(expected) {
                assert!((value - expected).abs() < 1e-12, "{value} {expected}");
            }
        }
    }
}

#[test]
fn rows_without_a_parent_are_left_out() {
    let a = matrix(3, &[(0, 0, 2.0), (0, 2, -1.0), (1, 1, 5.0), (2, 0, -1.0), (2, 2, 3.0)]);
    let sums = sum(a.rows(), &[0, NO_PARENT, 0], 1, Thinning::None);
    assert_eq!(full(&sums), [[3.0]]);
    assert_eq!(sum(a.rows(), &[NO_PARENT; 3], 0, Thinning::Full).n(), 0);
}

#[test]
fn thinned_sums_are_a_graph_with_ties() {
    for a in [poisson(8, true), poisson(8, false), t_junctions(100)] {
        let parent_of: Vec<u32> = (0..a.n_rows() as u32).map(|i| i / 7).collect();
        let n_coarse = a.n_rows().div_ceil(7);
        let (thin, plain) = (
            full(&sum(a.rows(), &parent_of, n_coarse, Thinning::Full)),
            by_definition(&a, &parent_of, n_coarse),
        );
        for i in 0..n_coarse {
            let (excess, plain_excess): (f64, f64) = (thin[i].iter().sum(), plain[i].iter().sum());
            assert!(excess > -1e-12 && excess <= plain_excess.max(0.0) + 1e-12, "{excess} {plain_excess}");
            for j in (0..n_coarse).filter(|&j| j != i) {
                assert!((thin[i][j] - thin[j][i]).abs() < 1e-12);
                assert!(thin[i][j] <= 0.0 && thin[i][j] >= plain[i][j].min(0.0));
            }
        }
    }
}

#[test]
fn a_cube_of_eight_is_thinned_by_half_to_the_power() {
    // 8³ cells in Morton order: groups of eight, four couplings between neighbors.
    let a = poisson(8, true);
    let parent_of: Vec<u32> = (0..512).map(|i| i / 8).collect();
    let thin = full(&sum(a.rows(), &parent_of, 64, Thinning::Full));
    let coupling = 4.0 * 0.5_f64.powf(THINNING);
    assert!((thin[0][1] + coupling).abs() < 1e-12 && (thin[0][4] + coupling).abs() < 1e-12);
    // A corner: twelve ties of one, in series with four times four couplings.
    let tie = 12.0 * 16.0 / (12.0 + 16.0);
    assert!((thin[0][0] - 3.0 * coupling - tie).abs() < 1e-12, "{}", thin[0][0]);
}

#[test]
fn rows_that_are_bound_tightly_keep_their_ties() {
    // Two groups of two, bound by a thousand each, coupled by one, and tied by a hundred.
    let a = laplacian(4, &[(0, 1, 1000.0), (2, 3, 1000.0), (1, 2, 1.0)], &[100.0, 0.0, 0.0, 100.0]);
    let thin = full(&sum(a.rows(), &[0, 0, 1, 1], 2, Thinning::Full));
    let excess = thin[0][0] + thin[0][1];
    assert!(excess > 0.9 * 100.0 && excess < 100.0, "{excess}");
}

#[test]
fn closed_pockets_stay_closed() {
    // Weights that do not sum to zero in floating point.
    let edges: Vec<_> = (0..40).map(|i| (i, (i * 7 + 1) % 40, 0.1 + (i as f64).sqrt())).collect();
    let a = laplacian(40, &edges, &[0.0; 40]);
    for group in [3, 40] {
        let parent_of: Vec<u32> = (0..40).map(|i| i / group).collect();
        let thin = full(&sum(a.rows(), &parent_of, 40_usize.div_ceil(group as usize), Thinning::Full));
        for row in &thin {
            assert!(
                row.iter().sum::<f64>().abs() <= 1e-13 * row.iter().fold(0.0, |m: f64, v| m.max(v.abs()))
            );
        }
        assert!(group == 3 || thin == [[0.0]]);
    }
}
