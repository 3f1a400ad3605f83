//! Tests of conjugate gradients only.

use super::*;
use crate::testing::*;
use crate::{Csr, Jacobi, Mic0, Mic0Params, Norm, components};
use proptest::prelude::*;

/// Solves from zero.
fn solve(
    a: &Csr,
    precond: &mut dyn Preconditioner,
    b: &[f64],
    goal: f64,
) -> Result<(Vec<f64>, Report), SolveError> {
    let mut x = vec![0.0; b.len()];
    let report = Pcg::new(tolerance(goal)).solve(a, precond, b, &mut x, None)?;
    Ok((x, report))
}

#[test]
fn mic0_saves_iterations_over_jacobi() {
    let a = poisson(24, true);
    let b = noise(a.n_rows(), 1);
    let jacobi = solve(&a, &mut Jacobi::new(&a).unwrap(), &b, 1e-8).unwrap().1;
    let mic = solve(&a, &mut mic0(&a), &b, 1e-8).unwrap().1;
    assert!(mic.iterations * 2 < jacobi.iterations, "{} {}", mic.iterations, jacobi.iterations);
    assert!(mic.iterations <= 30, "{}", mic.iterations);
}

#[test]
fn mic0_takes_positive_couplings_and_triangles() {
    let a = t_junctions(400);
    assert!(a.is_symmetric() && (0..5).any(|i| (0..i).any(|j| a.get(i, j) > 0.0)));
    let b = noise(a.n_rows(), 2);
    let (x, report) = solve(&a, &mut mic0(&a), &b, 1e-9).unwrap();
    assert!(residual(&a, &b, &x, Norm::Scaled) <= 1e-9);
    let count = |precond: &mut dyn Preconditioner| solve(&a, precond, &b, 1e-9).unwrap().1.iterations;
    let ic = count(&mut Mic0::new(&a, &Mic0Params { tau: 0.0, ..Default::default() }).unwrap());
    let jacobi = count(&mut Jacobi::new(&a).unwrap());
    assert!(3 * report.iterations < 2 * ic && 3 * ic < jacobi, "{} {ic} {jacobi}", report.iterations);
}

#[test]
fn thousands_of_separate_pieces() {
    let (mut edges, mut shift) = (vec![], vec![]);
    while shift.len() < 20_000 {
        let (first, len) = (shift.len(), 1 + shift.len() % 7);
        edges.extend((1..len).map(|i| (first + i - 1, first + i, 0.5 + (first % 5) as f64)));
        shift.push(1.0 + (first % 11) as f64);
        shift.resize(first + len, 0.0);
    }
    let a = laplacian(shift.len(), &edges, &shift);
    assert!(components(&a).1 > 4000);
    let b = noise(shift.len(), 6);
    let (x, _) = solve(&a, &mut mic0(&a), &b, 1e-10).unwrap();
    assert!(residual(&a, &b, &x, Norm::Scaled) <= 1e-10);
}

#[test]
fn a_singular_system_is_made_consistent() {
    let (a, null_space, _) = pockets(3, 8);
    let b: Vec<f64> = noise(a.n_rows(), 9).iter().map(|b| b + 0.25).collect();
    let mut consistent = b.clone();
    let rhs_mean = null_space.make_consistent(&mut consistent);
    assert!(rhs_mean > 0.2);
    let mut x = vec![3.0; b.len()];
    let report = Pcg::new(tolerance(1e-9)).solve(&a, &mut mic0(&a), &b, &mut x, Some(&null_space)).unwrap();
    assert!(residual(&a, &consistent, &x, Norm::Scaled) <= 1.001e-9);
    assert_eq!(report.rhs_mean, rhs_mean);
}

#[test]
fn a_singular_system_that_only_sums_up_has_nothing_to_solve() {
    let a = chain(5000, 0.0);
    let null_space = NullSpace::new(&vec![0; 5000], &[true]).unwrap();
    let mut x = noise(5000, 1);
    let report =
        Pcg::default().solve(&a, &mut mic0(&a), &vec![0.1; 5000], &mut x, Some(&null_space)).unwrap();
    assert_eq!(report.iterations, 0);
    assert!(x.iter().all(|&x| x == 0.0));
}

/// An operator whose products are slightly off: its recurrence converges although the true residual does not.
struct Sloppy<'a>(&'a Csr);

impl Operator for Sloppy<'_> {
    fn size(&self) -> usize {
        self.0.size()
    }
    fn apply(&self, x: &[f64], y: &mut [f64]) {
        self.0.apply(x, y);
    }
    fn diagonal(&self, d: &mut [f64]) {
        self.0.diagonal(d);
    }
    fn apply_dot(&self, x: &[f64], y: &mut [f64]) -> f64 {
        self.0.apply(x, y);
        for (i, y) in y.iter_mut().enumerate() {
            *y *= 1.0 + 1e-3 * (i % 3) as f64;
        }
        vector::dot(x, y)
    }
}

#[test]
fn a_drifted_recurrence_starts_again_from_the_truth() {
    let a = poisson(10, true);
    let b = noise(1000, 1);
    let mut x = vec![0.0; 1000];
    let report = Pcg::new(tolerance(1e-9)).solve(&Sloppy(&a), &mut mic0(&a), &b, &mut x, None).unwrap();
    assert!(report.restarts >= 1);
    assert!(residual(&a, &b, &x, Norm::Scaled) <= 1.001e-9);
}

#[test]
fn a_matrix_that_is_not_definite_breaks_down() {
    // Positive diagonal, eigenvalues 3 and −1.
    let a = matrix(2, &[(0, 0, 1.0), (0, 1, 2.0), (1, 0, 2.0), (1, 1, 1.0)]);
    let outcome = solve(&a, &mut Jacobi::new(&a).unwrap(), &[1.0, -1.0], 1e-6);
    assert!(matches!(outcome, Err(SolveError::Breakdown { iterations: 0, what: "p·Ap", .. })));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..Default::default() })]

    /// Random weighted graphs, each piece coupled to zero or not, with weights over six orders of magnitude.
    #[test]
    fn random_graphs_are_solved(
        n in 1_usize..60,
        picks in prop::collection::vec((0_usize..60, 0_usize..60, -3.0_f64..3.0), 0..150),
        ties in prop::collection::vec(0_usize..60, 0..8),
        block_rows in 1_usize..40,
        seed in 0_u64..1000,
    ) {
        let edges: Vec<_> = picks.iter().map(|&(i, j, e)| (i % n, j % n, 10_f64.powf(e))).collect();
        let mut shift = vec![0.0; n];
        for tie in ties {
            shift[tie % n] += 1.0;
        }
        // Empty rows are not equations; couple them to zero.
        for i in 0..n {
            if shift[i] == 0.0 && !edges.iter().any(|&(a, b, _)| a != b && (a == i || b == i)) {
                shift[i] = 1.0;
            }
        }
        let a = laplacian(n, &edges, &shift);
        prop_assert!(a.is_symmetric());
        let (labels, n_components) = components(&a);
        let mut is_singular = vec![true; n_components];
        for i in 0..n {
            is_singular[labels[i] as usize] &= shift[i] == 0.0;
        }
        let null_space = NullSpace::new(&labels, &is_singular).unwrap();
        let mut b = noise(n, seed);
        let mut mic = Mic0::new(&a, &Mic0Params { block_rows, ..Default::default() }).unwrap();
        let mut x = vec![0.0; n];
        let mut solver = Pcg::new(tolerance(1e-7));
        let report = solver.solve(&a, &mut mic, &b, &mut x, Some(&null_space)).unwrap();
        null_space.make_consistent(&mut b);
        prop_assert!(residual(&a, &b, &x, Norm::Scaled) <= 1e-6, "{report:?}");

        if null_space.n_pieces() == 0 {
            let expected = solve_dense(&dense(&a), &b);
            // Conjugate gradients control the energy norm of the error.
            let e: Vec<f64> = x.iter().zip(&expected).map(|(x, e)| x - e).collect();
            let mut ae = vec![0.0; n];
            let error = a.apply_dot(&e, &mut ae).max(0.0).sqrt();
            let energy = a.apply_dot(&expected, &mut ae).sqrt();
            prop_assert!(error <= 1e-3 * energy, "{error} {energy}");
        }
    }
}
