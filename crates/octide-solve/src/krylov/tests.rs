//! Tests of every solver with every preconditioner.

use crate::testing::*;
use crate::{
    BiCgStab, Csr, Jacobi, Mic0, Mic0Params, Norm, NullSpace, Operator, Pcg, Preconditioner, Report,
    SolveError, SolveParams, vector,
};

mod failures;

/// Solves from zero with MIC(0).
fn from_zero(
    solve: Solve,
    a: &Csr,
    b: &[f64],
    params: SolveParams,
) -> Result<(Vec<f64>, Report), SolveError> {
    let mut x = vec![0.0; b.len()];
    let report = solve(params, a, &mut mic0(a), b, &mut x, None)?;
    Ok((x, report))
}

#[test]
fn all_combinations_match_a_dense_solve() {
    let free = Stencil { m: 7, wind: [0.0; 2] };
    let same = stored(&free);
    let (cube, long, single, mesh) = (poisson(4, true), chain(40, 1.0), chain(1, 3.0), t_junctions(8));
    let cases: [(&str, &dyn Operator, &Csr); 6] = [
        ("stencil", &free, &same),
        ("stored stencil", &same, &same),
        ("cube", &cube, &cube),
        ("chain", &long, &long),
        ("one unknown", &single, &single),
        ("T-junctions", &mesh, &mesh),
    ];
    for (name, op, a) in cases {
        let n = a.n_rows();
        let b = noise(n, 7);
        let expected = solve_dense(&dense(a), &b);
        let scale = expected.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        for (solver, solve) in SOLVERS {
            for (precond, prepare) in PRECONDITIONERS {
                for norm in [Norm::Plain, Norm::Scaled] {
                    let what = format!("{name}, {solver}, {precond}, {norm:?}");
                    let params = SolveParams { norm, ..tolerance(1e-11) };
                    let mut x = noise(n, 8);
                    let report = solve(params, op, prepare(a).as_mut(), &b, &mut x, None).expect(&what);
                    assert!((report.residual - residual(a, &b, &x, norm)).abs() < 1e-14, "{what}");
                    for (x, expected) in x.iter().zip(&expected) {
                        assert!((x - expected).abs() < 1e-8 * scale, "{what}: {x} {expected}");
                    }
                }
            }
        }
    }
}

#[test]
fn singular_pieces_get_an_answer_of_mean_zero() {
    let (a, null_space, labels) = pockets(4, 5);
    let n = a.n_rows();
    let mut b = noise(n, 9);
    null_space.make_consistent(&mut b);
    for (solver, solve) in SOLVERS {
        for (precond, prepare) in PRECONDITIONERS {
            let mut x: Vec<f64> = noise(n, 1).iter().map(|x| x + 3.0).collect();
            let report =
                solve(tolerance(1e-9), &a, prepare(&a).as_mut(), &b, &mut x, Some(&null_space)).unwrap();
            let what = format!("{solver}, {precond}: {report:?}");
            assert!(residual(&a, &b, &x, Norm::Scaled) <= 1.001e-9, "{what}");
            assert!(report.iterations < 100 && report.rhs_mean < 1e-15, "{what}");
            for piece in 1..4 {
                let sum: f64 = (0..n).filter(|&i| labels[i] == piece).map(|i| x[i]).sum();
                assert!(sum.abs() < 1e-9, "{what}: {sum}");
            }
        }
    }
}

#[test]
fn a_good_start_saves_the_work() {
    let a = poisson(12, true);
    let b = noise(a.n_rows(), 3);
    for (_, solve) in SOLVERS {
        let (mut x, first) = from_zero(solve, &a, &b, tolerance(1e-8)).unwrap();
        let again = solve(tolerance(1e-7), &a, &mut mic0(&a), &b, &mut x, None).unwrap();
        assert_eq!((again.iterations, again.residual), (0, first.residual));
        assert_eq!((first.initial_residual, again.initial_residual), (1.0, first.residual));
    }
}

#[test]
fn nothing_on_the_right_gives_zero_at_once() {
    let a = poisson(4, true);
    let null_space = NullSpace::new(&[0; 64], &[true]).unwrap();
    for (_, solve) in SOLVERS {
        for null_space in [None, Some(&null_space)] {
            let mut x = noise(64, 1);
            let report =
                solve(SolveParams::default(), &a, &mut mic0(&a), &[0.0; 64], &mut x, null_space).unwrap();
            assert_eq!((report.iterations, report.residual), (0, 0.0));
            assert!(x.iter().all(|&x| x == 0.0));
        }
    }
}

/// The answer is that of the same system with a right-hand side of usual size, times the scale.
#[test]
fn a_right_hand_side_whose_square_underflows_is_solved_like_any_other() {
    let (a, b) = (poisson(6, true), noise(216, 1));
    let (closed, null_space, _) = pockets(3, 4);
    let mut consistent = noise(closed.n_rows(), 2);
    null_space.make_consistent(&mut consistent);
    for (solver, solve) in SOLVERS {
        for (a, b, null_space) in [(&a, &b, None), (&closed, &consistent, Some(&null_space))] {
            let run = |scale: f64, start: f64| {
                let scaled: Vec<f64> = b.iter().map(|b| scale * b).collect();
                let mut x = vec![start; b.len()];
                solve(tolerance(1e-10), a, &mut mic0(a), &scaled, &mut x, null_space).unwrap();
                x
            };
            let x = run(1.0, 0.0);
            let largest = x.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            for scale in [1e-150, 1e-170, 1e-300] {
                let tiny = run(scale, 1e-3 * scale);
                for (tiny, x) in tiny.iter().zip(&x) {
                    assert!((tiny / scale - x).abs() < 1e-8 * largest, "{solver}, {scale}: {tiny} {x}");
                }
            }
            // Subnormal numbers have few digits, too few to be consistent with a null space.
            assert!(null_space.is_some() || run(1e-318, 0.0).iter().all(|x| x.is_finite()));
        }
    }
}

#[test]
fn systems_of_none_and_of_one_unknown() {
    for (_, solve) in SOLVERS {
        let (x, report) = from_zero(solve, &matrix(0, &[]), &[], tolerance(0.0)).unwrap();
        assert_eq!((x.len(), report.iterations), (0, 0));
        let (x, report) = from_zero(solve, &matrix(1, &[(0, 0, 4.0)]), &[2.0], tolerance(0.0)).unwrap();
        assert_eq!((x, report.iterations), (vec![0.5], 1));
    }
}

#[test]
fn a_solver_serves_systems_of_any_size() {
    let (mut pcg, mut bicgstab) = (Pcg::default(), BiCgStab::default());
    for m in [9, 3, 0, 6] {
        let a = poisson(m, true);
        let b = noise(a.n_rows(), 1);
        let [fresh_pcg, fresh_bicgstab] =
            SOLVERS.map(|(_, solve)| from_zero(solve, &a, &b, SolveParams::default()).unwrap().0);
        let mut x = vec![0.0; b.len()];
        let report = pcg.solve(&a, &mut mic0(&a), &b, &mut x, None).unwrap();
        assert_eq!(x, fresh_pcg);
        // r, z, p, q and the weights of the largest system so far.
        assert_eq!(pcg.bytes(), 5 * 8 * 729);
        assert_eq!(report.bytes, pcg.bytes() + mic0(&a).bytes());
        x.fill(0.0);
        let report = bicgstab.solve(&a, &mut mic0(&a), &b, &mut x, None).unwrap();
        assert_eq!(x, fresh_bicgstab);
        assert_eq!(bicgstab.bytes(), 8 * 8 * 729);
        assert_eq!(report.bytes, bicgstab.bytes() + mic0(&a).bytes());
    }
}

#[test]
fn parameters_may_change_between_solves() {
    let a = poisson(6, true);
    let b = noise(216, 1);
    let mut solver = Pcg::new(tolerance(1e-3));
    let mut x = vec![0.0; 216];
    let coarse = solver.solve(&a, &mut mic0(&a), &b, &mut x, None).unwrap();
    solver.params.tolerance = 1e-9;
    let fine = solver.solve(&a, &mut mic0(&a), &b, &mut x, None).unwrap();
    assert!(coarse.residual > 1e-6 && fine.residual <= 1e-9 && fine.initial_residual == coarse.residual);
}

#[test]
fn scaled_rows_count_as_much_as_others() {
    // Symmetric scaling S A S with S = 1024 on every third row: its rows grow by up to 1e6. The factor is a
    // power of two, so that every number of the recurrence is scaled without rounding.
    let n = 512;
    let scale = |i: usize| if i.is_multiple_of(3) { 1024.0 } else { 1.0 };
    let plain = poisson(8, true);
    let mut entries = vec![];
    for i in 0..n {
        let (columns, values) = plain.row(i);
        entries.extend(
            columns.iter().zip(values).map(|(&j, v)| (i, j as usize, v * scale(i) * scale(j as usize))),
        );
    }
    let a = matrix(n, &entries);
    let b0 = noise(n, 4);
    let b: Vec<f64> = b0.iter().enumerate().map(|(i, b)| b * scale(i)).collect();
    for (solver, solve) in SOLVERS {
        let (mut x0, mut x) = (vec![0.0; n], vec![0.0; n]);
        let (mut jacobi0, mut jacobi) = (Jacobi::new(&plain).unwrap(), Jacobi::new(&a).unwrap());
        let report0 = solve(SolveParams::default(), &plain, &mut jacobi0, &b0, &mut x0, None).unwrap();
        let report = solve(SolveParams::default(), &a, &mut jacobi, &b, &mut x, None).unwrap();
        assert_eq!(report, report0, "{solver}");
        assert!((0..n).all(|i| x[i] * scale(i) == x0[i]), "{solver}");

        // MIC(0) lumps fill from row to row, so scaled rows change it, but do not make it worse.
        let (_, report0) = from_zero(solve, &plain, &b0, SolveParams::default()).unwrap();
        let (x, report) = from_zero(solve, &a, &b, SolveParams::default()).unwrap();
        let counts = (report.iterations, report0.iterations);
        assert!(counts.0.abs_diff(counts.1) <= 2, "{solver}: {counts:?}");
        assert!((0..n).all(|i| (x[i] * scale(i) - x0[i]).abs() < 1e-5), "{solver}");
        assert!(residual(&a, &b, &x, Norm::Scaled) <= 1.001e-6);
        // The plain norm only sees the large rows and stops while the small ones are still wrong.
        let (coarse, _) =
            from_zero(solve, &a, &b, SolveParams { norm: Norm::Plain, ..tolerance(1e-2) }).unwrap();
        assert!(residual(&a, &b, &coarse, Norm::Scaled) > 1e-2);
    }
}

/// An operator that panics if its diagonal is read.
struct WithoutDiagonal<'a>(&'a Csr);

impl Operator for WithoutDiagonal<'_> {
    fn size(&self) -> usize {
        self.0.size()
    }
    fn apply(&self, x: &[f64], y: &mut [f64]) {
        self.0.apply(x, y);
    }
    fn diagonal(&self, _: &mut [f64]) {
        panic!("the plain norm needs no diagonal");
    }
}

#[test]
fn the_plain_norm_reads_no_diagonal() {
    let a = poisson(5, true);
    let b = noise(125, 1);
    for (_, solve) in SOLVERS {
        let params = SolveParams { norm: Norm::Plain, ..Default::default() };
        solve(params, &WithoutDiagonal(&a), &mut mic0(&a), &b, &mut [0.0; 125], None).unwrap();
    }
}

#[test]
fn a_history_has_one_entry_more_than_iterations() {
    let a = poisson(8, true);
    let b = noise(512, 2);
    for (solver, solve) in SOLVERS {
        let params = SolveParams { history: true, ..tolerance(1e-8) };
        let (x, report) = from_zero(solve, &a, &b, params).unwrap();
        assert_eq!(report.history.len(), report.iterations + 1);
        assert_eq!(report.history[0], report.initial_residual);
        let last = report.history[report.iterations];
        assert!((last - report.residual).abs() < 1e-6 * last, "{solver}: {report:?}");
        assert!(report.history[..report.iterations].iter().all(|r| *r > 1e-8));
        let (silent_x, silent) = from_zero(solve, &a, &b, tolerance(1e-8)).unwrap();
        assert_eq!(silent, Report { history: vec![], ..report.clone() });
        assert_eq!(x, silent_x);

        let (_, zero) = from_zero(solve, &a, &[0.0; 512], params).unwrap();
        assert_eq!(zero.history, [0.0]);
        let cut = from_zero(solve, &a, &b, SolveParams { max_iterations: 3, ..params }).unwrap_err();
        let SolveError::NotConverged { history, .. } = cut else { panic!("{solver}: {cut}") };
        assert_eq!(history, report.history[..4]);
    }
}

#[test]
fn a_far_start_loses_digits_that_a_restart_wins_back() {
    let a = poisson(8, true);
    let b = noise(512, 1);
    for (solver, solve) in SOLVERS {
        let mut x: Vec<f64> = noise(512, 2).iter().map(|x| 1e12 * x).collect();
        let params = SolveParams { history: true, ..tolerance(1e-9) };
        let report = solve(params, &a, &mut mic0(&a), &b, &mut x, None).unwrap();
        assert!(report.initial_residual > 1e11 && report.restarts >= 1, "{solver}: {report:?}");
        assert!(residual(&a, &b, &x, Norm::Scaled) <= 1.001e-9);
        assert_eq!(report.history.len(), report.iterations + 1);
    }
}

#[test]
fn the_same_bytes_on_any_number_of_threads() {
    let (a, null_space, _) = pockets(2, 36);
    let b = noise(a.n_rows(), 5);
    assert!(a.n_rows() > 16 * vector::CHUNK);
    for (_, solve) in SOLVERS {
        for null_space in [None, Some(&null_space)] {
            let results = on_each_thread_count(|| {
                let mut x = vec![0.0; b.len()];
                let block = Mic0Params { block_rows: 8192, ..Default::default() };
                let mut precond = Mic0::new(&a, &block).unwrap();
                let params = SolveParams { max_iterations: 8, history: true, ..tolerance(1e-12) };
                let outcome = solve(params, &a, &mut precond, &b, &mut x, null_space);
                assert!(matches!(outcome, Err(SolveError::NotConverged { iterations: 8, .. })));
                (x, format!("{outcome:?}"))
            });
            assert!(results.iter().all(|result| *result == results[0]));
        }
    }
}
