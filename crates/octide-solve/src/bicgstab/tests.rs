//! Systems that BiCGStab solves and conjugate gradients cannot.

use super::*;
use crate::testing::*;
use crate::{Csr, Jacobi, Norm};
use proptest::prelude::*;

fn plain(tolerance: f64) -> SolveParams {
    SolveParams { norm: Norm::Plain, tolerance, ..Default::default() }
}

/// Returns the identity as a preconditioner.
fn identity(n: usize) -> Jacobi {
    Jacobi::new(&matrix(n, &(0..n).map(|i| (i, i, 1.0)).collect::<Vec<_>>())).unwrap()
}

/// Returns the matrix with row `i` times `factor(i)`.
fn scale_rows(a: &Csr, factor: impl Fn(usize) -> f64) -> Csr {
    let row = |i: usize| a.row(i).0.iter().zip(a.row(i).1).map(move |(&j, v)| (i, j as usize, *v));
    let entries: Vec<_> = (0..a.n_rows()).flat_map(row).map(|(i, j, v)| (i, j, factor(i) * v)).collect();
    matrix(a.n_rows(), &entries)
}

#[test]
fn upwind_convection_matches_a_dense_solve() {
    for wind in [[0.5, 0.0], [20.0, -7.0], [-300.0, 300.0], [1e4, 1.0]] {
        let free = Stencil { m: 12, wind };
        let a = stored(&free);
        assert!(!a.is_symmetric());
        let b = noise(144, 3);
        let expected = solve_dense(&dense(&a), &b);
        let scale = expected.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        for (precond, prepare) in FOR_ANY_MATRIX {
            for norm in [Norm::Plain, Norm::Scaled] {
                let what = format!("{wind:?}, {precond}, {norm:?}");
                let params = SolveParams { norm, ..tolerance(1e-11) };
                let ops: [&dyn Operator; 2] = [&free, &a];
                for op in ops {
                    let mut x = noise(144, 4);
                    let mut solver = BiCgStab::new(params);
                    let report = solver.solve(op, prepare(&a).as_mut(), &b, &mut x, None).expect(&what);
                    assert!((report.residual - residual(&a, &b, &x, norm)).abs() < 1e-13, "{what}");
                    for (x, expected) in x.iter().zip(&expected) {
                        assert!((x - expected).abs() < 1e-8 * scale, "{what}: {x} {expected}");
                    }
                }
            }
        }
    }
}

#[test]
fn the_recurrence_is_that_of_the_definition() {
    // One iteration by hand, with dot products weighted by 1 / D.
    let a = matrix(2, &[(0, 0, 2.0), (0, 1, 1.0), (1, 0, -0.5), (1, 1, 4.0)]);
    let (b, d) = ([2.0, 3.0], [2.0, 4.0]);
    let product = |x: [f64; 2]| [2.0 * x[0] + x[1], 4.0 * x[1] - 0.5 * x[0]];
    let precondition = |r: [f64; 2]| [r[0] / d[0], r[1] / d[1]];
    let dot = |u: [f64; 2], v: [f64; 2]| u[0] * v[0] / d[0] + u[1] * v[1] / d[1];
    let minus = |u: [f64; 2], c: f64, v: [f64; 2]| [u[0] - c * v[0], u[1] - c * v[1]];
    let v = product(precondition(b));
    let alpha = dot(b, b) / dot(b, v);
    let s = minus(b, alpha, v);
    let t = product(precondition(s));
    let omega = dot(t, s) / dot(t, t);
    let r = minus(s, omega, t);

    let params = SolveParams { max_iterations: 1, history: true, ..tolerance(1e-12) };
    let mut x = [0.0; 2];
    let outcome = BiCgStab::new(params).solve(&a, &mut Jacobi::new(&a).unwrap(), &b, &mut x, None);
    let Err(SolveError::NotConverged { residual, history, .. }) = outcome else { panic!("{outcome:?}") };
    let expected = (dot(r, r) / dot(b, b)).sqrt();
    assert!((residual - expected).abs() < 1e-14 && (history[1] - expected).abs() < 1e-14, "{history:?}");
    let x_expected = minus(precondition(b).map(|z| alpha * z), -omega, precondition(s));
    assert!((x[0] - x_expected[0]).abs() + (x[1] - x_expected[1]).abs() < 1e-14);
}

#[test]
fn rows_without_a_positive_diagonal_are_solved_in_the_plain_norm() {
    let entries = [(0, 0, -3.0), (0, 1, 1.0), (1, 0, 2.0), (1, 2, 5.0), (2, 1, -4.0), (2, 2, 1.0)];
    let a = matrix(3, &entries);
    let mut x = [0.0; 3];
    BiCgStab::new(plain(1e-12)).solve(&a, &mut identity(3), &[1.0, 2.0, 3.0], &mut x, None).unwrap();
    for (x, expected) in x.iter().zip(solve_dense(&dense(&a), &[1.0, 2.0, 3.0])) {
        assert!((x - expected).abs() < 1e-10, "{x} {expected}");
    }
}

#[test]
fn a_breakdown_is_survived_with_another_shadow() {
    // A swap of two unknowns: r̂·Ar = 0 at the start, where r̂ = r.
    let a = matrix(2, &[(0, 1, 1.0), (1, 0, 1.0)]);
    let mut x = [0.0; 2];
    let params = SolveParams { history: true, ..plain(1e-10) };
    let report = BiCgStab::new(params).solve(&a, &mut identity(2), &[1.0, 0.0], &mut x, None).unwrap();
    assert!(x[0].abs() < 1e-9 && (x[1] - 1.0).abs() < 1e-9, "{x:?}");
    assert!(report.restarts >= 1);
    assert_eq!(report.history.len(), report.iterations + 1);
}

#[test]
fn a_breakdown_that_comes_again_is_an_error() {
    let zero = matrix(2, &[(0, 0, 0.0), (1, 1, 0.0)]);
    let outcome = BiCgStab::new(plain(1e-6)).solve(&zero, &mut identity(2), &[1.0; 2], &mut [0.0; 2], None);
    assert!(matches!(outcome, Err(SolveError::Breakdown { iterations: 0, what: "r̂·AM⁻¹p", .. })));
    // A rotation by 90° has no symmetric part: t·s = 0 whatever s is.
    let turn = matrix(2, &[(0, 1, 1.0), (1, 0, -1.0)]);
    let outcome = BiCgStab::new(plain(1e-6)).solve(&turn, &mut identity(2), &[1.0; 2], &mut [0.0; 2], None);
    assert!(matches!(outcome, Err(SolveError::Breakdown { what: "AM⁻¹s·s", .. })), "{outcome:?}");
}

#[test]
fn the_range_of_a_singular_matrix_is_not_what_sums_to_zero() {
    // Rows of closed pockets, scaled: A 1 = 0 on each, but 1ᵀ A ≠ 0.
    let (symmetric, null_space, labels) = pockets(3, 5);
    let n = symmetric.n_rows();
    let a = scale_rows(&symmetric, |i| 1.0 + (i % 4) as f64);
    let solution = noise(n, 6);
    let mut b = vec![0.0; n];
    a.apply(&solution, &mut b);
    let mut shifted = b.clone();
    assert!(null_space.make_consistent(&mut shifted) > 1e-2);
    for (precond, prepare) in FOR_ANY_MATRIX {
        let mut solver = BiCgStab::new(tolerance(1e-10));
        let mut x = vec![5.0; n];
        let report = solver.solve(&a, prepare(&a).as_mut(), &b, &mut x, Some(&null_space)).expect(precond);
        assert_eq!(report.rhs_mean, 0.0);
        assert!(residual(&a, &b, &x, Norm::Scaled) <= 1.001e-10);
        let mut expected = solution.clone();
        null_space.project(&mut expected);
        for i in 0..n {
            assert!((x[i] - expected[i]).abs() < 1e-7, "{precond}, piece {}: {}", labels[i], x[i]);
        }
        // Vectors that sum to zero are outside the range.
        solver.params.max_iterations = 100;
        let outcome = solver.solve(&a, prepare(&a).as_mut(), &shifted, &mut x, Some(&null_space));
        assert!(
            matches!(outcome, Err(SolveError::NotConverged { .. } | SolveError::Breakdown { .. })),
            "{outcome:?}"
        );
    }
}

#[test]
fn the_shadow_noise_is_spread_and_differs_each_time() {
    for seed in 1..4 {
        let (n, mut sum, mut square, mut product) = (10_000, 0.0, 0.0, 0.0);
        for i in 0..n {
            let h = hashed(i, seed);
            assert!((-1.0..=1.0).contains(&h));
            sum += h;
            square += h * h;
            product += h * hashed(i, seed + 1);
        }
        let n = n as f64;
        assert!(
            (sum / n).abs() < 0.02 && (square / n - 1.0 / 3.0).abs() < 0.02 && (product / n).abs() < 0.02
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..Default::default() })]

    /// Random matrices with dominant diagonals and rows scaled over six orders of magnitude.
    #[test]
    fn random_dominant_matrices_are_solved(
        n in 1_usize..50,
        picks in prop::collection::vec((0_usize..50, 0_usize..50, -1.0_f64..1.0), 0..300),
        scales in prop::collection::vec(-3.0_f64..3.0, 50),
        seed in 0_u64..1000,
    ) {
        let mut full = vec![vec![0.0; n]; n];
        for (i, j, v) in picks {
            full[i % n][j % n] = v;
        }
        let mut entries = vec![];
        for i in 0..n {
            full[i][i] = 0.0;
            full[i][i] = 0.1 + 1.1 * full[i].iter().map(|v: &f64| v.abs()).sum::<f64>();
            full[i].iter_mut().for_each(|v| *v *= 10_f64.powf(scales[i]));
            entries.extend((0..n).filter(|&j| full[i][j] != 0.0).map(|j| (i, j, full[i][j])));
        }
        let a = matrix(n, &entries);
        let b: Vec<f64> =
            noise(n, seed).iter().zip(&scales).map(|(b, e)| b * 10_f64.powf(*e)).collect();
        let expected = solve_dense(&full, &b);
        let scale = expected.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let mut x = vec![0.0; n];
        let mut jacobi = Jacobi::new(&a).unwrap();
        let report = BiCgStab::new(tolerance(1e-13)).solve(&a, &mut jacobi, &b, &mut x, None).unwrap();
        prop_assert!(residual(&a, &b, &x, Norm::Scaled) <= 1.1e-13, "{report:?}");
        for (x, expected) in x.iter().zip(&expected) {
            prop_assert!((x - expected).abs() < 1e-7 * scale, "{x} {expected}");
        }
    }
}
