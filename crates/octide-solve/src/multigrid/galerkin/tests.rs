use super::*;
use crate::Csr;
use crate::multigrid::coarse::tests::full;
use crate::testing::*;

/// Computes `Pᵀ A P` for a `P` of ones and zeros.
fn by_definition(a: &Csr, group_of: &[u32], n_groups: usize) -> Vec<Vec<f64>> {
    let mut sums = vec![vec![0.0; n_groups]; n_groups];
    for i in 0..a.n_rows() {
        for (&j, value) in a.row(i).0.iter().zip(a.row(i).1) {
            sums[group_of[i] as usize][group_of[j as usize] as usize] += value;
        }
    }
    sums
}

#[test]
fn unthinned_sums_are_those_of_the_definition() {
    for (a, n_groups) in
        [(poisson(6, true), 27), (poisson(13, false), 1500), (t_junctions(60), 77), (chain(9, 2.0), 1)]
    {
        let random = noise(a.n_rows(), 3);
        let mut group_of: Vec<u32> =
            random.iter().map(|r| ((r + 1.0) * 0.5 * n_groups as f64) as u32).collect();
        group_of.iter_mut().for_each(|p| *p = (*p).min(n_groups as u32 - 1));
        let sums = full(&sum(a.rows(), &group_of, n_groups));
        for (row, expected) in sums.iter().zip(by_definition(&a, &group_of, n_groups)) {
            for (value, expected) in row.iter().zip(expected) {
                assert!((value - expected).abs() < 1e-12, "{value} {expected}");
            }
        }
    }
}
