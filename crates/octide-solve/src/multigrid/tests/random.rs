//! Tests that any matrix with any groups gives a correct solution or an error.

use super::*;
use crate::{Operator, components};
use proptest::prelude::*;

/// Returns pseudorandom lists of groups, one for each number in `n_groups`.
fn random_groups(n: usize, n_groups: &[usize], seed: u64) -> Vec<Vec<u32>> {
    let mut size = n;
    let list = |(level, &n_groups): (usize, &usize)| {
        let n_groups = n_groups.min(size) as f64;
        let random = noise(size, seed + level as u64);
        size = n_groups as usize;
        random.iter().map(|r| (((r + 1.0) * 0.5 * n_groups) as u32).min(n_groups as u32 - 1)).collect()
    };
    n_groups.iter().enumerate().map(list).collect()
}

/// Solves with the cycle as preconditioner and inside it, and compares with elimination if the solution is
/// unique.
fn check(
    a: &Csr,
    coarsening: Coarsening<'_>,
    params: &MultigridParams,
    null_space: &NullSpace,
    seed: u64,
) -> Result<(), TestCaseError> {
    let mut b = noise(a.n_rows(), seed);
    let mut multigrid = Multigrid::new(a, coarsening, params).unwrap();
    let solve = SolveParams { max_iterations: 3000, ..tolerance(1e-8) };
    let (mut x, mut y) = (vec![0.0; b.len()], vec![0.0; b.len()]);
    let around = Pcg::new(solve).solve(a, &mut multigrid, &b, &mut x, Some(null_space));
    let within = MultigridPcg::new(solve).solve(a, &mut multigrid, &b, &mut y, Some(null_space));
    null_space.make_consistent(&mut b);
    for (what, outcome, x) in [("around", around, x), ("within", within, y)] {
        prop_assert!(outcome.is_ok(), "{what}, {:?}: {outcome:?}", multigrid.sizes());
        prop_assert!(b.iter().all(|&b| b == 0.0) || residual(a, &b, &x, Norm::Scaled) <= 1.01e-8);
        if null_space.n_pieces() == 0 {
            let expected = solve_dense(&dense(a), &b);
            // Conjugate gradients control the energy norm of the error.
            let e: Vec<f64> = x.iter().zip(&expected).map(|(x, e)| x - e).collect();
            let mut product = vec![0.0; x.len()];
            let error = a.apply_dot(&e, &mut product).max(0.0).sqrt();
            let energy = a.apply_dot(&expected, &mut product).sqrt();
            prop_assert!(error <= 1e-4 * energy, "{what}: {error} {energy}");
        }
    }
    Ok(())
}

fn regular(n: usize) -> NullSpace {
    NullSpace::new(&vec![0; n], &[false]).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..Default::default() })]

    /// Weighted graphs, each piece coupled to zero or not, with weights over four orders of magnitude.
    #[test]
    fn graphs_with_ties(
        n in 1_usize..150,
        picks in prop::collection::vec((0_usize..150, 0_usize..150, -2.0_f64..2.0), 0..400),
        ties in prop::collection::vec((0_usize..150, -2.0_f64..2.0), 0..20),
        n_groups in prop::collection::vec(1_usize..80, 0..4),
        (twice_from, coarsest) in (1_usize..4, 1_usize..20),
        seed in 0_u64..1000,
    ) {
        let edges: Vec<_> = picks.iter().map(|&(i, j, e)| (i % n, j % n, 10_f64.powf(e))).collect();
        let mut shift = vec![0.0; n];
        for (tie, e) in ties {
            shift[tie % n] += 10_f64.powf(e);
        }
        let (a, null_space) = tied(n, &edges, &mut shift);
        let groups = random_groups(n, &n_groups, seed);
        let params = MultigridParams { twice_from, coarsest };
        check(&a, Coarsening::Matrix, &params, &null_space, seed)?;
        check(&a, Coarsening::Groups(&groups), &params, &null_space, seed)?;
    }

    /// Couplings of both signs, with a barely dominant diagonal.
    #[test]
    fn both_signs(
        n in 1_usize..150,
        picks in prop::collection::vec((0_usize..150, 0_usize..150, -1.0_f64..1.0), 0..600),
        margin in -6.0_f64..1.0,
        n_groups in prop::collection::vec(1_usize..80, 0..4),
        (twice_from, coarsest) in (1_usize..4, 1_usize..20),
        seed in 0_u64..1000,
    ) {
        let mut full = vec![vec![0.0; n]; n];
        for (i, j, v) in picks {
            let (i, j) = (i % n, j % n);
            if i != j {
                (full[i][j], full[j][i]) = (v, v);
            }
        }
        let mut entries = vec![];
        for i in 0..n {
            let sum: f64 = full[i].iter().map(|v| v.abs()).sum();
            full[i][i] = sum + 10_f64.powf(margin);
            entries.extend((0..n).filter(|&j| full[i][j] != 0.0).map(|j| (i, j, full[i][j])));
        }
        let a = matrix(n, &entries);
        let groups = random_groups(n, &n_groups, seed);
        let params = MultigridParams { twice_from, coarsest };
        check(&a, Coarsening::Matrix, &params, &regular(n), seed)?;
        check(&a, Coarsening::Groups(&groups), &params, &regular(n), seed)?;
    }

    /// Pseudorandom weights, such that every unknown of the next level is used.
    #[test]
    fn any_weights(n in 6_usize..150, step in 2_usize..7, noisy in 0.0_f64..0.5, seed in 0_u64..1000) {
        let smooth = interpolation(n, step);
        let (mut offsets, mut columns, mut weights) = (vec![0], vec![], vec![]);
        let random = noise(2 * n, seed);
        for i in 0..n {
            for (c, w) in smooth.row(i) {
                columns.push(c as u32);
                weights.push(w + noisy * random[weights.len()]);
            }
            offsets.push(columns.len() as u32);
        }
        let given = [Prolongation::from_parts(smooth.n_coarse(), offsets, columns, weights).unwrap()];
        let a = chain(n, 0.5);
        check(&a, Coarsening::Prolongations(&given), &SMALL, &regular(n), seed)?;
    }
}

/// Returns the matrix and null space of a graph that is coupled to zero where `shift` is not zero. Empty rows
/// are not equations, and are coupled to zero first.
fn tied(n: usize, edges: &[(usize, usize, f64)], shift: &mut [f64]) -> (Csr, NullSpace) {
    for i in 0..n {
        if shift[i] == 0.0 && !edges.iter().any(|&(a, b, _)| a != b && (a == i || b == i)) {
            shift[i] = 1.0;
        }
    }
    let a = laplacian(n, edges, shift);
    let (labels, n_components) = components(&a);
    let mut is_singular = vec![true; n_components];
    (0..n).for_each(|i| is_singular[labels[i] as usize] &= shift[i] == 0.0);
    let null_space = NullSpace::new(&labels, &is_singular).unwrap();
    (a, null_space)
}

#[test]
fn graphs_with_hubs_and_closed_pieces() {
    // Hubs lead to many levels, and the part that rounding moves out of the range of a closed piece grows
    // with each level that is visited twice.
    for seed in [169, 176, 215, 272] {
        let random = noise(3000, seed);
        let below = |k: usize, n: usize| ((random[k] * 0.5 + 0.5) * n as f64) as usize % n;
        let (n, n_edges, n_ties) = (20 + below(0, 130), below(1, 400), below(2, 20));
        let pick = |k: usize| below(k, n);
        let edge = |k: usize| (pick(10 + 3 * k), pick(11 + 3 * k), 10_f64.powf(2.0 * random[12 + 3 * k]));
        let edges: Vec<_> = (0..n_edges).map(edge).collect();
        let mut shift = vec![0.0; n];
        (0..n_ties).for_each(|k| shift[pick(2000 + 2 * k)] += 10_f64.powf(2.0 * random[2001 + 2 * k]));
        let (a, null_space) = tied(n, &edges, &mut shift);
        for twice_from in 1..7 {
            for coarsest in [1, 4, 12] {
                let params = MultigridParams { twice_from, coarsest };
                let outcome = check(&a, Coarsening::Matrix, &params, &null_space, seed + 7);
                assert!(outcome.is_ok(), "{seed}, {params:?}: {outcome:?}");
            }
        }
    }
}

#[test]
fn full_matrices_have_more_couplings_and_colors_than_fit() {
    for (n, positive) in [(200, false), (200, true), (70, false), (64, true)] {
        let sign = |i: usize, j: usize| if positive && (i + j).is_multiple_of(3) { -0.1 } else { 1.0 };
        let weight = |i: usize, j: usize| sign(i, j) * (0.5 + ((i * j) % 7) as f64);
        let edges: Vec<_> = (0..n).flat_map(|i| (0..i).map(move |j| (i, j, weight(i, j)))).collect();
        let a = laplacian(n, &edges, &vec![0.1; n]);
        let of_twenty = [(0..n as u32).map(|i| i / 20).collect()];
        for coarsening in [Coarsening::Matrix, Coarsening::Groups(&of_twenty)] {
            let outcome = check(&a, coarsening, &SMALL, &regular(n), 1);
            assert!(outcome.is_ok(), "{n}, {positive}: {outcome:?}");
        }
    }
}

#[test]
fn long_rows_across_tiles() {
    // Two hubs that are coupled to every row, in separate tiles.
    let n = 9000;
    let mut edges: Vec<_> = (1..n - 1).flat_map(|i| [(0, i, 1.0), (i, n - 1, 0.5)]).collect();
    edges.extend((1..n - 1).map(|i| (i - 1, i, 2.0)));
    let mut shift = vec![0.0; n];
    shift[n / 2] = 3.0;
    let a = laplacian(n, &edges, &shift);
    let mut multigrid = Multigrid::new(&a, Coarsening::Matrix, &MultigridParams::default()).unwrap();
    let b = noise(n, 1);
    for outcome in solve_both(&a, &mut multigrid, &b, 1e-8, None) {
        let (x, _) = outcome.unwrap();
        assert!(residual(&a, &b, &x, Norm::Scaled) <= 1.01e-8);
    }
}

#[test]
fn rows_that_are_coupled_to_none_and_groups_that_say_nothing() {
    let diagonal: Vec<_> = (0..5000).map(|i| (i, i, 1.0 + i as f64)).collect();
    let a = matrix(5000, &diagonal);
    let (all, each) = ([vec![0; 5000]], [(0..5000).collect()]);
    for coarsening in [Coarsening::Matrix, Coarsening::Groups(&all), Coarsening::Groups(&each)] {
        let mut multigrid = Multigrid::new(&a, coarsening, &SMALL).unwrap();
        assert_eq!(multigrid.sizes(), [5000, 0]);
        for outcome in solve_both(&a, &mut multigrid, &vec![1.0; 5000], 1e-6, None) {
            assert!(outcome.unwrap().1.iterations <= 2);
        }
    }
    // The same groups repeatedly: from the second list on they change nothing.
    let a = poisson(12, true);
    let lists = vec![(0..1728).map(|i| i / 8).collect::<Vec<u32>>(), (0..216).collect(), (0..216).collect()];
    let mut multigrid = Multigrid::new(&a, Coarsening::Groups(&lists), &SMALL).unwrap();
    assert_eq!(multigrid.sizes()[..3], [1728, 216, 27]);
    let b = noise(1728, 1);
    assert!(solve_both(&a, &mut multigrid, &b, 1e-8, None).iter().all(Result::is_ok));
}
