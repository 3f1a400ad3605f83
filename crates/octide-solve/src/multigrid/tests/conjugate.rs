//! Tests of [`MultigridPcg`]: everything that other solvers do, and hierarchies of a slightly different
//! matrix.

use super::*;
use crate::Operator;

/// Solves from zero, with a hierarchy of several levels built from the matrix alone.
fn from_zero(a: &Csr, b: &[f64], params: SolveParams) -> Result<(Vec<f64>, Report), SolveError> {
    let mut x = vec![0.0; b.len()];
    let report = MultigridPcg::new(params).solve(a, &mut multigrid(a), b, &mut x, None)?;
    Ok((x, report))
}

#[test]
fn matches_a_dense_solve() {
    let full: Vec<_> =
        (0..100).flat_map(|i| (0..i).map(move |j| (i, j, 0.1 + ((i * j) % 5) as f64))).collect();
    let cases = [
        ("cube", poisson(6, true)),
        ("chain", chain(40, 1.0)),
        ("T-junctions", t_junctions(30)),
        ("full", laplacian(100, &full, &[0.3; 100])),
        ("one unknown", chain(1, 3.0)),
        ("four unknowns", chain(4, 1.0)),
        ("five unknowns", chain(5, 1.0)),
    ];
    for (name, a) in cases {
        let n = a.n_rows();
        let b = noise(n, 7);
        let expected = solve_dense(&dense(&a), &b);
        let scale = expected.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        for norm in [Norm::Plain, Norm::Scaled] {
            let what = format!("{name}, {norm:?}");
            let mut x = noise(n, 8);
            let mut solver = MultigridPcg::new(SolveParams { norm, ..tolerance(1e-11) });
            let report = solver.solve(&a, &mut multigrid(&a), &b, &mut x, None).expect(&what);
            assert!((report.residual - residual(&a, &b, &x, norm)).abs() < 1e-14, "{what}");
            for (x, expected) in x.iter().zip(&expected) {
                assert!((x - expected).abs() < 1e-8 * scale, "{what}: {x} {expected}");
            }
        }
    }
}

#[test]
fn a_right_hand_side_whose_square_underflows_is_solved_like_any_other() {
    let (a, b) = (poisson(17, true), noise(17 * 17 * 17, 1));
    let (x, _) = from_zero(&a, &b, tolerance(1e-10)).unwrap();
    let largest = x.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    for scale in [1e-150, 1e-300] {
        let scaled: Vec<f64> = b.iter().map(|b| scale * b).collect();
        let (tiny, report) = from_zero(&a, &scaled, tolerance(1e-10)).unwrap();
        assert!(report.residual <= 1e-10);
        assert!(tiny.iter().zip(&x).all(|(tiny, x)| (tiny / scale - x).abs() < 1e-8 * largest), "{scale}");
    }
}

#[test]
fn no_answer_is_above_the_tolerance() {
    let tied = mapped(&poisson(17, true), |i, j, v| if i == j && i % 9 == 0 { v + 1e6 } else { v });
    for (name, a) in [("cube", poisson(17, true)), ("tied", tied), ("T-junctions", t_junctions(500))] {
        let b = noise(a.n_rows(), 1);
        for norm in [Norm::Plain, Norm::Scaled] {
            for goal in [1e-4, 1e-6, 1e-10, 1e-12] {
                let what = format!("{name}, {norm:?}, {goal}");
                match from_zero(&a, &b, SolveParams { norm, ..tolerance(goal) }) {
                    Ok((x, _)) => {
                        let reached = residual(&a, &b, &x, norm);
                        assert!(reached <= 1.01 * goal, "{what}: {reached}");
                    }
                    // Along this chain, solutions are so large that their product cannot be more accurate.
                    Err(SolveError::NotConverged { residual: reached, .. }) => {
                        assert!(
                            name == "T-junctions" && goal == 1e-12 && reached < 2e-12,
                            "{what}: {reached}"
                        );
                    }
                    Err(other) => panic!("{what}: {other}"),
                }
            }
        }
        // One round is enough for four digits.
        assert_eq!(from_zero(&a, &b, tolerance(1e-4)).unwrap().1.restarts, 0, "{name}");
    }
}

#[test]
fn an_unreachable_tolerance_ends_before_the_last_iteration() {
    for (name, a) in [("cube", poisson(10, true)), ("pair", chain(2, 1.0)), ("chain", chain(300, 1.0))] {
        let b = noise(a.n_rows(), 1);
        for norm in [Norm::Plain, Norm::Scaled] {
            for goal in [0.0, 1e-18] {
                let what = format!("{name}, {norm:?}, {goal}");
                let params = SolveParams { max_iterations: 1_000_000, norm, ..tolerance(goal) };
                let mut x = vec![0.0; b.len()];
                match MultigridPcg::new(params).solve(&a, &mut multigrid(&a), &b, &mut x, None) {
                    Err(SolveError::NotConverged { iterations, residual: reached, .. }) => {
                        assert!(iterations < 1000 && reached < 1e-13, "{what}: {iterations} {reached}");
                        let truth = residual(&a, &b, &x, norm);
                        assert!((reached - truth).abs() < 0.5 * reached, "{what}: {reached} {truth}");
                    }
                    Ok(report) => assert!(report.residual <= goal, "{what}"),
                    Err(other) => panic!("{what}: {other}"),
                }
            }
        }
    }
}

/// An operator whose products are off by a constant.
struct Shifted<'a>(&'a Csr, f64);

impl Operator for Shifted<'_> {
    fn size(&self) -> usize {
        self.0.size()
    }
    fn apply(&self, x: &[f64], y: &mut [f64]) {
        self.0.apply(x, y);
        y.iter_mut().for_each(|y| *y = y.round() + self.1);
    }
    fn diagonal(&self, d: &mut [f64]) {
        self.0.diagonal(d);
    }
}

#[test]
fn a_residual_that_is_constant_on_closed_pieces_ends_the_solve() {
    // Eight rows in a ring, whose products are whole numbers once they are nearly right.
    let edges: Vec<_> = (0..8).map(|i| (i, (i + 1) % 8, 1.0)).collect();
    let a = laplacian(8, &edges, &[0.0; 8]);
    let null_space = NullSpace::new(&[0; 8], &[true]).unwrap();
    let b = [3.0, -3.0, 1.0, 2.0, -1.0, -2.0, 5.0, -5.0];
    let mut solver = MultigridPcg::new(tolerance(1e-9));
    let outcome = solver.solve(&Shifted(&a, 0.125), &mut multigrid(&a), &b, &mut [0.0; 8], Some(&null_space));
    let Err(SolveError::NotConverged { residual, .. }) = outcome else { panic!("{outcome:?}") };
    assert!((residual - 0.125 * (8.0_f64 / 78.0).sqrt()).abs() < 1e-9, "{residual}");
}

#[test]
fn a_good_start_saves_the_work_and_a_far_one_is_won_back() {
    let a = poisson(12, true);
    let b = noise(a.n_rows(), 3);
    let (mut x, first) = from_zero(&a, &b, tolerance(1e-8)).unwrap();
    let mut solver = MultigridPcg::new(tolerance(1e-7));
    let again = solver.solve(&a, &mut multigrid(&a), &b, &mut x, None).unwrap();
    assert_eq!((again.iterations, again.residual), (0, first.residual));
    assert_eq!((first.initial_residual, again.initial_residual), (1.0, first.residual));
    x.iter_mut().zip(noise(b.len(), 2)).for_each(|(x, noise)| *x += 1e-4 * noise);
    let near = solver.solve(&a, &mut multigrid(&a), &b, &mut x, None).unwrap();
    assert!(0 < near.iterations && near.iterations < first.iterations, "{near:?}");
    let mut x: Vec<f64> = noise(b.len(), 2).iter().map(|x| 1e12 * x).collect();
    let far = solver.solve(&a, &mut multigrid(&a), &b, &mut x, None).unwrap();
    assert!(far.initial_residual > 1e11 && residual(&a, &b, &x, Norm::Scaled) <= 1.001e-7);
}

#[test]
fn a_history_has_one_entry_more_than_iterations() {
    let a = poisson(8, true);
    let b = noise(512, 2);
    let params = SolveParams { history: true, ..tolerance(1e-9) };
    let (x, report) = from_zero(&a, &b, params).unwrap();
    assert_eq!(report.history.len(), report.iterations + 1);
    assert_eq!(report.history[0], 1.0);
    let last = report.history[report.iterations];
    assert!((last - report.residual).abs() < 0.05 * last, "{report:?}");
    let (silent_x, silent) = from_zero(&a, &b, tolerance(1e-9)).unwrap();
    assert_eq!((silent, silent_x), (Report { history: vec![], ..report.clone() }, x));
    let cut = from_zero(&a, &b, SolveParams { max_iterations: 3, ..params }).unwrap_err();
    let SolveError::NotConverged { iterations: 3, history, .. } = cut else { panic!("{cut}") };
    assert_eq!(history, report.history[..4]);
    assert_eq!(from_zero(&a, &[0.0; 512], params).unwrap().1.history, [0.0]);
}

#[test]
fn the_hierarchy_may_come_from_a_matrix_that_has_changed_since() {
    let old = poisson(20, true);
    let random = noise(8000, 4);
    // Couplings changed by up to a tenth, and a diagonal that keeps the coupling to zero.
    let change = |i: usize, j: usize| 1.0 + 0.1 * random[(i.min(j) * 31 + i.max(j)) % 8000];
    let entries = (0..8000).flat_map(|i| old.row(i).0.iter().map(move |&j| (i, j as usize)));
    let edges: Vec<_> = entries.filter(|(i, j)| i < j).map(|(i, j)| (i, j, change(i, j))).collect();
    let ties: Vec<f64> = (0..8000).map(|i| old.row(i).1.iter().sum::<f64>() * change(i, i)).collect();
    let new = laplacian(8000, &edges, &ties);
    let b = noise(8000, 1);
    let params = MultigridParams::default();
    let mut own = Multigrid::new(&new, Coarsening::Matrix, &params).unwrap();
    let mut stale = Multigrid::new(&old, Coarsening::Matrix, &params).unwrap();
    for goal in [1e-4, 1e-8] {
        let [expected, other] = [&mut own, &mut stale].map(|multigrid| {
            let mut x = vec![0.0; 8000];
            let report = MultigridPcg::new(tolerance(goal)).solve(&new, multigrid, &b, &mut x, None).unwrap();
            assert!(residual(&new, &b, &x, Norm::Scaled) <= 1.001 * goal, "{report:?}");
            (x, report.iterations)
        });
        let ((expected, least), (other, count)) = (expected, other);
        // Rounds end where they would only continue to solve the old system.
        assert!(count <= least + 6, "{least} {count}");
        let off = expected.iter().zip(&other).fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
        assert!(off < 100.0 * goal, "{off}");
    }
}

#[test]
fn where_the_hierarchy_is_of_quite_another_matrix_conjugate_gradients_go_on() {
    let old = poisson(20, true);
    let one_tie = mapped(&old, |i, j, v| if (i, j) == (3, 3) { v + 100.0 } else { v });
    let others = [mapped(&old, |_, _, v| 1.6 * v), mapped(&old, |_, _, v| 0.45 * v), one_tie];
    let b = noise(8000, 1);
    let params = SolveParams { history: true, ..tolerance(1e-6) };
    for (k, new) in others.iter().enumerate() {
        let mut stale = Multigrid::new(&old, Coarsening::Matrix, &MultigridParams::default()).unwrap();
        let mut x = vec![0.0; 8000];
        let report = MultigridPcg::new(params).solve(new, &mut stale, &b, &mut x, None).unwrap();
        assert!(residual(new, &b, &x, Norm::Scaled) <= 1.001e-6, "{k}: {report:?}");
        assert!(report.iterations < 60, "{k}: {report:?}");
        assert_eq!((report.history.len(), report.initial_residual), (report.iterations + 1, 1.0), "{k}");
        // The limit on iterations also holds here.
        let params = SolveParams { max_iterations: report.iterations - 1, ..params };
        let error = MultigridPcg::new(params).solve(new, &mut stale, &b, &mut vec![0.0; 8000], None);
        let Err(SolveError::NotConverged { iterations, history, .. }) = error else { panic!("{error:?}") };
        assert_eq!((iterations, history.len()), (report.iterations - 1, report.iterations), "{k}");
    }
}

#[test]
fn scale_does_not_matter() {
    let plain = poisson(9, true);
    let b0 = noise(729, 1);
    let (x0, report0) = from_zero(&plain, &b0, tolerance(1e-9)).unwrap();
    for of_a in [1e-30, 1.0, 1e30] {
        for of_b in [1e-30, 1.0, 1e30] {
            let a = mapped(&plain, |_, _, v| v * of_a);
            let b: Vec<f64> = b0.iter().map(|b| b * of_b).collect();
            for outcome in solve_both(&a, &mut multigrid(&a), &b, 1e-9, None) {
                let (x, report) = outcome.unwrap();
                assert!(report.iterations.abs_diff(report0.iterations) <= 1, "{report:?} {report0:?}");
                assert!(x.iter().zip(&x0).all(|(x, x0)| (x * of_a / of_b - x0).abs() < 1e-7));
            }
        }
    }
}

#[test]
fn numbers_that_are_not_finite_are_errors() {
    let a = poisson(4, true);
    let params = SolveParams::default();
    for bad in [f64::NAN, f64::INFINITY, 1e200] {
        let mut b = noise(64, 1);
        b[17] = bad;
        let outcome = from_zero(&a, &b, params);
        assert!(matches!(outcome, Err(SolveError::NotFinite { .. })), "{outcome:?}");
    }
    let b = noise(64, 1);
    let mut x = [0.0; 64];
    x[3] = f64::NAN;
    let outcome = MultigridPcg::new(params).solve(&a, &mut multigrid(&a), &b, &mut x, None);
    assert!(matches!(outcome, Err(SolveError::NotFinite { .. })), "{outcome:?}");
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(from_zero(&a, &b, tolerance(bad)), Err(SolveError::Parameter { .. })));
    }
    // Without a null space, constants on the right-hand side of a closed system have no solution.
    let closed = poisson(6, false);
    let outcome = from_zero(&closed, &[1.0; 216], SolveParams { max_iterations: 200, ..params });
    assert!(
        matches!(outcome, Err(SolveError::NotConverged { .. } | SolveError::Breakdown { .. })),
        "{outcome:?}"
    );
}

#[test]
fn sizes_must_fit() {
    let a = poisson(4, true);
    let b = noise(64, 1);
    let small = NullSpace::new(&[0; 3], &[true]).unwrap();
    let (mut x, mut short) = ([0.0; 64], [0.0; 63]);
    let mut solver = MultigridPcg::default();
    let (mut own, mut other) = (multigrid(&a), multigrid(&chain(63, 1.0)));
    let misfits = [
        solver.solve(&a, &mut other, &b, &mut x, None),
        solver.solve(&a, &mut own, &b[1..], &mut x, None),
        solver.solve(&a, &mut own, &b, &mut short, None),
        solver.solve(&a, &mut own, &b, &mut x, Some(&small)),
    ];
    for misfit in misfits {
        assert!(matches!(misfit, Err(SolveError::WrongSize { expected: 64, .. })), "{misfit:?}");
    }
    for n in [0, 1, 4] {
        let a = if n == 0 { matrix(0, &[]) } else { chain(n, 1.0) };
        let outcome = solver.solve(&a, &mut own, &noise(n, 1), &mut vec![0.0; n], None);
        assert!(matches!(outcome, Err(SolveError::WrongSize { .. })), "{outcome:?}");
        let (x, report) = from_zero(&a, &noise(n, 1), tolerance(1e-9)).unwrap();
        assert!(x.len() == n && report.iterations <= 3);
    }
}

#[test]
fn a_solver_serves_hierarchies_of_any_size() {
    let mut solver = MultigridPcg::new(tolerance(1e-8));
    let mut most = 0;
    for m in [20, 3, 0, 17, 1, 20] {
        let a = if m == 0 { matrix(0, &[]) } else { poisson(m, true) };
        let b = noise(a.n_rows(), 1);
        let mut x = vec![0.0; b.len()];
        let report = solver.solve(&a, &mut multigrid(&a), &b, &mut x, None).unwrap();
        assert_eq!(x, from_zero(&a, &b, tolerance(1e-8)).unwrap().0, "{m}");
        most = most.max(report.bytes - multigrid(&a).bytes());
        assert!(solver.bytes() >= most && a.size() == b.len());
    }
}
