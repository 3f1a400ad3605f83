//! Every failure is returned as an error.

use super::*;
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn too_few_iterations_are_not_enough() {
    let a = poisson(4, true);
    let b = noise(64, 1);
    for (_, solve) in SOLVERS {
        let few = from_zero(solve, &a, &b, SolveParams { max_iterations: 2, ..tolerance(1e-10) });
        assert!(
            matches!(few, Err(SolveError::NotConverged { iterations: 2, residual, .. }) if residual > 1e-10)
        );
        let none = SolveParams { max_iterations: 0, history: true, ..tolerance(1e-10) };
        assert_eq!(
            from_zero(solve, &a, &b, none).unwrap_err(),
            SolveError::NotConverged { iterations: 0, residual: 1.0, history: vec![1.0] }
        );
        // An initial guess that is good enough needs no iterations.
        let (mut x, _) = from_zero(solve, &a, &b, tolerance(1e-11)).unwrap();
        assert!(solve(none, &a, &mut mic0(&a), &b, &mut x, None).is_ok());
    }
}

#[test]
fn an_unreachable_tolerance_ends_before_the_last_iteration() {
    let cube = poisson(10, true);
    for (name, a) in [("cube", cube), ("pair", chain(2, 1.0)), ("chain", chain(300, 1.0))] {
        let b = noise(a.n_rows(), 1);
        for (solver, solve) in SOLVERS {
            for norm in [Norm::Plain, Norm::Scaled] {
                for goal in [0.0, 1e-18] {
                    let what = format!("{name}, {solver}, {norm:?}, {goal}");
                    let params = SolveParams { max_iterations: 1_000_000, norm, ..tolerance(goal) };
                    let mut x = vec![0.0; b.len()];
                    match solve(params, &a, &mut mic0(&a), &b, &mut x, None) {
                        Err(SolveError::NotConverged { iterations, residual: reached, .. }) => {
                            assert!(iterations < 1000 && reached < 1e-13, "{what}: {iterations} {reached}");
                            let true_one = residual(&a, &b, &x, norm);
                            assert!(
                                (reached - true_one).abs() < 0.5 * reached,
                                "{what}: {reached} {true_one}"
                            );
                        }
                        // This combination may be solved to the last bit.
                        Ok(report) => assert!(report.residual <= goal, "{what}"),
                        Err(other) => panic!("{what}: {other}"),
                    }
                }
            }
        }
    }
}

/// An operator whose products in the recurrence of conjugate gradients are too small by a factor, except in
/// the first round.
struct Worsening<'a>(&'a Csr, AtomicUsize);

impl Operator for Worsening<'_> {
    fn size(&self) -> usize {
        self.0.size()
    }
    fn apply(&self, x: &[f64], y: &mut [f64]) {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.apply(x, y);
    }
    fn diagonal(&self, d: &mut [f64]) {
        self.0.diagonal(d);
    }
    fn apply_dot(&self, x: &[f64], y: &mut [f64]) -> f64 {
        self.0.apply(x, y);
        let factor = if self.1.load(Ordering::Relaxed) == 0 { 1.001 } else { 0.2 };
        y.iter_mut().for_each(|y| *y *= factor);
        vector::dot(x, y)
    }
}

#[test]
fn the_best_restart_is_kept() {
    let a = poisson(6, true);
    let b = noise(216, 1);
    let mut x = vec![0.0; 216];
    let op = Worsening(&a, AtomicUsize::new(0));
    let outcome = Pcg::new(tolerance(1e-6)).solve(&op, &mut mic0(&a), &b, &mut x, None);
    let Err(SolveError::NotConverged { residual: reached, .. }) = outcome else { panic!("{outcome:?}") };
    assert!((reached - 1e-3).abs() < 1e-5, "{reached}");
    assert!((residual(&a, &b, &x, Norm::Scaled) - reached).abs() < 1e-12);
}

#[test]
fn an_inconsistent_system_is_never_called_solved() {
    let a = poisson(6, false);
    for (_, solve) in SOLVERS {
        let params = SolveParams { max_iterations: 200, ..tolerance(1e-6) };
        let outcome = from_zero(solve, &a, &[1.0; 216], params);
        assert!(
            matches!(outcome, Err(SolveError::NotConverged { .. } | SolveError::Breakdown { .. })),
            "{outcome:?}"
        );
    }
}

/// A wrapper that writes a bad number into its product.
struct Spoiled<T>(T, f64);

impl Operator for Spoiled<&Csr> {
    fn size(&self) -> usize {
        self.0.size()
    }
    fn apply(&self, x: &[f64], y: &mut [f64]) {
        self.0.apply(x, y);
        y[7] = self.1;
    }
    fn diagonal(&self, d: &mut [f64]) {
        self.0.diagonal(d);
    }
}

impl Preconditioner for Spoiled<Jacobi> {
    fn size(&self) -> usize {
        self.0.size()
    }
    fn apply(&mut self, r: &[f64], z: &mut [f64]) {
        self.0.apply(r, z);
        z[7] = self.1;
    }
    fn bytes(&self) -> usize {
        0
    }
}

#[test]
fn numbers_that_are_not_finite_are_errors() {
    let a = poisson(4, true);
    let b = noise(64, 1);
    let params = SolveParams::default();
    for (solver, solve) in SOLVERS {
        let bad_number = |what: &str, outcome: Result<Report, SolveError>| {
            assert!(matches!(outcome, Err(SolveError::NotFinite { .. })), "{solver}, {what}: {outcome:?}");
        };
        for bad in [f64::NAN, f64::INFINITY, 1e200] {
            let mut b = b.clone();
            b[17] = bad;
            bad_number("b", solve(params, &a, &mut mic0(&a), &b, &mut [0.0; 64], None));
        }
        for bad in [f64::NAN, f64::NEG_INFINITY] {
            let mut x = [0.0; 64];
            x[3] = bad;
            bad_number("x", solve(params, &a, &mut mic0(&a), &b, &mut x, None));
            let mut x = [0.0; 64];
            bad_number("A", solve(params, &Spoiled(&a, bad), &mut mic0(&a), &b, &mut x, None));
            let mut precond = Spoiled(Jacobi::new(&a).unwrap(), bad);
            bad_number("M", solve(params, &a, &mut precond, &b, &mut x, None));
        }
        for bad in [-1.0, f64::NAN, f64::INFINITY] {
            assert!(matches!(from_zero(solve, &a, &b, tolerance(bad)), Err(SolveError::Parameter { .. })));
        }
    }
}

#[test]
fn the_scaled_norm_asks_for_a_positive_diagonal() {
    let mut other = Jacobi::new(&chain(2, 1.0)).unwrap();
    for (_, solve) in SOLVERS {
        for value in [-1.0, 0.0] {
            let a = matrix(2, &[(0, 0, 1.0), (1, 1, value)]);
            let outcome = solve(SolveParams::default(), &a, &mut other, &[1.0; 2], &mut [0.0; 2], None);
            assert_eq!(outcome.unwrap_err(), SolveError::NonPositiveDiagonal { row: 1, value });
        }
    }
}

#[test]
fn sizes_must_fit() {
    let a = poisson(4, true);
    let b = noise(64, 1);
    let small = NullSpace::new(&[0; 3], &[true]).unwrap();
    let mut smaller = mic0(&chain(63, 1.0));
    let (mut x, mut short) = ([0.0; 64], [0.0; 63]);
    let params = SolveParams::default();
    for (_, solve) in SOLVERS {
        let misfits = [
            solve(params, &a, &mut smaller, &b, &mut x, None),
            solve(params, &a, &mut mic0(&a), &b[1..], &mut x, None),
            solve(params, &a, &mut mic0(&a), &b, &mut short, None),
            solve(params, &a, &mut mic0(&a), &b, &mut x, Some(&small)),
        ];
        for misfit in misfits {
            assert!(matches!(misfit, Err(SolveError::WrongSize { expected: 64, .. })), "{misfit:?}");
        }
    }
}
