use super::*;
use crate::testing::*;
use crate::{Csr, Jacobi, Mic0, Mic0Params, components};
use proptest::prelude::*;

fn params(tolerance: f64) -> PcgParams {
    PcgParams { tolerance, ..Default::default() }
}

fn mic0(a: &Csr) -> Mic0 {
    Mic0::new(a, &Mic0Params::default()).unwrap()
}

/// Solves from zero with MIC(0).
fn solve(a: &Csr, b: &[f64], params: &PcgParams) -> Result<(Vec<f64>, Report), SolveError> {
    let mut x = vec![0.0; b.len()];
    let report = pcg(a, &mut mic0(a), b, &mut x, params, None, &mut Workspace::default())?;
    Ok((x, report))
}

/// The relative residual by plain loops.
fn residual(a: &Csr, b: &[f64], x: &[f64], norm: Norm) -> f64 {
    let (mut r2, mut b2) = (0.0, 0.0);
    for i in 0..b.len() {
        let (columns, values) = a.row(i);
        let ax: f64 = columns.iter().zip(values).map(|(&j, v)| v * x[j as usize]).sum();
        let w = if norm == Norm::Plain { 1.0 } else { 1.0 / a.get(i, i) };
        r2 += w * (b[i] - ax).powi(2);
        b2 += w * b[i] * b[i];
    }
    (r2 / b2).sqrt()
}

/// A mesh like that of an octree's T-junctions: groups of four small cells that are coupled with each other,
/// two of the couplings positive, and with one large cell.
fn t_junctions(n_groups: usize) -> Csr {
    let mut edges = vec![];
    for g in 0..n_groups {
        let large = 5 * g;
        for s in 1..5 {
            edges.push((large, large + s, 1.0));
            for t in s + 1..5 {
                edges.push((large + s, large + t, if s + t == 5 { -0.08 } else { 0.05 }));
            }
            if g > 0 {
                edges.push((large + s - 5, large + s, 0.7));
            }
        }
    }
    let mut shift = vec![0.0; 5 * n_groups];
    shift[0] = 1.0;
    laplacian(5 * n_groups, &edges, &shift)
}

#[test]
fn matches_a_dense_solve_with_every_preconditioner() {
    let cases = [poisson(4, true), chain(40, 1.0), chain(1, 3.0), t_junctions(8)];
    for a in &cases {
        let n = a.n_rows();
        let b = noise(n, 7);
        let expected = solve_dense(&dense(a), &b);
        let scale = expected.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let mut short_blocks = Mic0::new(a, &Mic0Params { block_rows: 7, ..Default::default() }).unwrap();
        let mut jacobi = Jacobi::new(a).unwrap();
        let preconds: [&mut dyn Preconditioner; 3] = [&mut jacobi, &mut mic0(a), &mut short_blocks];
        for precond in preconds {
            for norm in [Norm::Plain, Norm::Scaled] {
                let params = PcgParams { norm, ..params(1e-11) };
                let mut x = noise(n, 8);
                let report = pcg(a, precond, &b, &mut x, &params, None, &mut Workspace::default()).unwrap();
                assert!((report.residual - residual(a, &b, &x, norm)).abs() < 1e-14);
                for (x, expected) in x.iter().zip(&expected) {
                    assert!((x - expected).abs() < 1e-8 * scale, "{x} {expected}");
                }
            }
        }
    }
}

#[test]
fn mic0_saves_iterations_over_jacobi() {
    let a = poisson(24, true);
    let b = noise(a.n_rows(), 1);
    let mut x = vec![0.0; b.len()];
    let ws = &mut Workspace::default();
    let jacobi = pcg(&a, &mut Jacobi::new(&a).unwrap(), &b, &mut x, &params(1e-8), None, ws).unwrap();
    let mic = solve(&a, &b, &params(1e-8)).unwrap().1;
    assert!(mic.iterations * 2 < jacobi.iterations, "{} {}", mic.iterations, jacobi.iterations);
    assert!(mic.iterations <= 30, "{}", mic.iterations);
}

#[test]
fn mic0_takes_positive_couplings_and_triangles() {
    let a = t_junctions(400);
    assert!(a.is_symmetric() && (0..5).any(|i| (0..i).any(|j| a.get(i, j) > 0.0)));
    let b = noise(a.n_rows(), 2);
    let (x, report) = solve(&a, &b, &params(1e-9)).unwrap();
    assert!(residual(&a, &b, &x, Norm::Scaled) <= 1e-9);
    let ws = &mut Workspace::default();
    let mut count = |precond: &mut dyn Preconditioner| {
        let mut x = vec![0.0; b.len()];
        pcg(&a, precond, &b, &mut x, &params(1e-9), None, ws).unwrap().iterations
    };
    let ic = count(&mut Mic0::new(&a, &Mic0Params { tau: 0.0, ..Default::default() }).unwrap());
    let jacobi = count(&mut Jacobi::new(&a).unwrap());
    assert!(3 * report.iterations < 2 * ic && 3 * ic < jacobi, "{} {ic} {jacobi}", report.iterations);
}

#[test]
fn a_good_start_saves_the_work() {
    let a = poisson(12, true);
    let b = noise(a.n_rows(), 3);
    let (mut x, first) = solve(&a, &b, &params(1e-8)).unwrap();
    let again = pcg(&a, &mut mic0(&a), &b, &mut x, &params(1e-7), None, &mut Workspace::default()).unwrap();
    assert_eq!((again.iterations, again.residual), (0, first.residual));
    assert_eq!((first.initial_residual, again.initial_residual), (1.0, first.residual));
}

#[test]
fn nothing_on_the_right_gives_zero_at_once() {
    let a = poisson(4, true);
    let mut x = noise(64, 1);
    let report =
        pcg(&a, &mut mic0(&a), &[0.0; 64], &mut x, &params(1e-8), None, &mut Workspace::default()).unwrap();
    assert_eq!((report.iterations, report.residual), (0, 0.0));
    assert!(x.iter().all(|&x| x == 0.0));
}

#[test]
fn systems_of_none_and_of_one_unknown() {
    let (x, report) = solve(&matrix(0, &[]), &[], &params(1e-8)).unwrap();
    assert_eq!((x.len(), report.iterations), (0, 0));
    let (x, report) = solve(&matrix(1, &[(0, 0, 4.0)]), &[2.0], &params(1e-8)).unwrap();
    assert_eq!((x, report.iterations), (vec![0.5], 1));
}

#[test]
fn a_workspace_serves_systems_of_any_size() {
    let mut ws = Workspace::default();
    for m in [9, 3, 6] {
        let a = poisson(m, true);
        let b = noise(a.n_rows(), 1);
        let (fresh, _) = solve(&a, &b, &params(1e-8)).unwrap();
        let mut x = vec![0.0; b.len()];
        pcg(&a, &mut mic0(&a), &b, &mut x, &params(1e-8), None, &mut ws).unwrap();
        assert_eq!(x, fresh);
    }
    assert!(ws.bytes() >= 5 * 8 * 729);
}

#[test]
fn scaled_rows_count_as_much_as_others() {
    // Symmetric scaling S A S with S = 1000 on every third row: its rows grow by up to 1e6.
    let n = 512;
    let scale = |i: usize| if i.is_multiple_of(3) { 1000.0 } else { 1.0 };
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
    let (x0, report0) = solve(&plain, &b0, &params(1e-6)).unwrap();
    let (x, report) = solve(&a, &b, &params(1e-6)).unwrap();
    assert!(report.iterations.abs_diff(report0.iterations) <= 2);
    for i in 0..n {
        assert!((x[i] * scale(i) - x0[i]).abs() < 1e-5, "{} {}", x[i] * scale(i), x0[i]);
    }
    assert!(residual(&a, &b, &x, Norm::Scaled) <= 1.001e-6);
    // The plain norm sees the large rows only and stops while the small ones are still wrong.
    let (coarse, _) = solve(&a, &b, &PcgParams { norm: Norm::Plain, ..params(1e-3) }).unwrap();
    assert!(residual(&a, &b, &coarse, Norm::Scaled) > 1e-3);
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
    let (x, _) = solve(&a, &b, &params(1e-10)).unwrap();
    assert!(residual(&a, &b, &x, Norm::Scaled) <= 1e-10);
}

/// Closed cubes next to each other, the first of them tied down at one cell.
fn pockets(n_pockets: usize, m: usize) -> (Csr, NullSpace, Vec<u32>) {
    let cube = poisson(m, false);
    let size = cube.n_rows();
    let mut entries = vec![];
    for pocket in 0..n_pockets {
        for i in 0..size {
            let (columns, values) = cube.row(i);
            let at = pocket * size;
            entries.extend(columns.iter().zip(values).map(|(&j, &v)| (at + i, at + j as usize, v)));
        }
    }
    entries[0].2 += 1.0;
    let a = matrix(n_pockets * size, &entries);
    let (labels, n) = components(&a);
    assert_eq!(n, n_pockets);
    let null_space = NullSpace::from_row_sums(&a, &labels, n, 1e-12).unwrap();
    assert_eq!(null_space.n_pieces(), n_pockets - 1);
    (a, null_space, labels)
}

#[test]
fn singular_systems_are_made_consistent_and_solved() {
    let (a, null_space, labels) = pockets(3, 8);
    let n = a.n_rows();
    let b: Vec<f64> = noise(n, 9).iter().map(|b| b + 0.25).collect();
    let mut consistent = b.clone();
    let rhs_mean = null_space.make_consistent(&mut consistent);
    assert!(rhs_mean > 0.2);
    let mut short_blocks = Mic0::new(&a, &Mic0Params { block_rows: 100, ..Default::default() }).unwrap();
    let mut jacobi = Jacobi::new(&a).unwrap();
    let preconds: [&mut dyn Preconditioner; 3] = [&mut jacobi, &mut mic0(&a), &mut short_blocks];
    for precond in preconds {
        let mut x = vec![3.0; n];
        let ws = &mut Workspace::default();
        let report = pcg(&a, precond, &b, &mut x, &params(1e-9), Some(&null_space), ws).unwrap();
        assert!(residual(&a, &consistent, &x, Norm::Scaled) <= 1.001e-9);
        assert_eq!(report.rhs_mean, rhs_mean);
        assert!(report.iterations < 100, "{}", report.iterations);
        for piece in 1..3 {
            let sum: f64 = (0..n).filter(|&i| labels[i] == piece).map(|i| x[i]).sum();
            assert!(sum.abs() < 1e-9, "{sum}");
        }
    }
}

#[test]
fn a_singular_system_that_only_sums_up_has_nothing_to_solve() {
    let a = chain(5000, 0.0);
    let null_space = NullSpace::new(&vec![0; 5000], &[true]).unwrap();
    let mut x = noise(5000, 1);
    let ws = &mut Workspace::default();
    let report =
        pcg(&a, &mut mic0(&a), &vec![0.1; 5000], &mut x, &params(1e-8), Some(&null_space), ws).unwrap();
    assert_eq!(report.iterations, 0);
    assert!(x.iter().all(|&x| x == 0.0));
}

#[test]
fn an_inconsistent_system_is_never_called_solved() {
    let a = poisson(6, false);
    let outcome = solve(&a, &vec![1.0; 216], &PcgParams { max_iterations: 200, ..params(1e-6) });
    assert!(
        matches!(outcome, Err(SolveError::NotConverged { .. } | SolveError::Breakdown { .. })),
        "{outcome:?}"
    );
}

#[test]
fn the_same_bytes_on_any_number_of_threads() {
    let (a, null_space, _) = pockets(2, 36);
    let b = noise(a.n_rows(), 5);
    for null_space in [None, Some(&null_space)] {
        let results = on_each_thread_count(|| {
            let mut x = vec![0.0; b.len()];
            let mut precond = Mic0::new(&a, &Mic0Params { block_rows: 8192, ..Default::default() }).unwrap();
            let params = PcgParams { max_iterations: 12, ..params(1e-12) };
            let outcome = pcg(&a, &mut precond, &b, &mut x, &params, null_space, &mut Workspace::default());
            assert!(matches!(outcome, Err(SolveError::NotConverged { iterations: 12, .. })));
            (x, format!("{outcome:?}"))
        });
        assert!(results.iter().all(|result| *result == results[0]));
    }
}

/// An operator whose products are off by a little: its recurrence says converged when the truth does not.
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
    let report =
        pcg(&Sloppy(&a), &mut mic0(&a), &b, &mut x, &params(1e-9), None, &mut Workspace::default()).unwrap();
    assert!(report.restarts >= 1);
    assert!(residual(&a, &b, &x, Norm::Scaled) <= 1.001e-9);
}

#[test]
fn an_unreachable_tolerance_ends_before_the_last_iteration() {
    let a = poisson(10, true);
    let b = noise(1000, 1);
    let many = PcgParams { max_iterations: 1_000_000, ..params(1e-18) };
    match solve(&a, &b, &many) {
        Err(SolveError::NotConverged { iterations, residual }) => {
            assert!(iterations < 1000 && residual < 1e-14, "{iterations} {residual}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn failures_are_values() {
    let a = poisson(4, true);
    let b = noise(64, 1);
    let not_converged = solve(&a, &b, &PcgParams { max_iterations: 2, ..params(1e-10) });
    assert!(
        matches!(not_converged, Err(SolveError::NotConverged { iterations: 2, residual }) if residual > 1e-10)
    );
    let none_allowed = solve(&a, &b, &PcgParams { max_iterations: 0, ..params(1e-10) });
    assert_eq!(none_allowed.unwrap_err(), SolveError::NotConverged { iterations: 0, residual: 1.0 });

    for bad in [f64::NAN, f64::INFINITY, 1e200] {
        let mut b = b.clone();
        b[17] = bad;
        assert!(matches!(solve(&a, &b, &params(1e-6)), Err(SolveError::NotFinite { .. })), "{bad}");
    }
    assert!(matches!(solve(&a, &[1e-170; 64], &params(1e-6)), Err(SolveError::TooSmall { .. })));
    for tolerance in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(solve(&a, &b, &params(tolerance)), Err(SolveError::Parameter { .. })));
    }

    let ws = &mut Workspace::default();
    let mut bad_start = [f64::NAN; 64];
    let outcome = pcg(&a, &mut mic0(&a), &b, &mut bad_start, &params(1e-6), None, ws);
    assert!(matches!(outcome, Err(SolveError::NotFinite { .. })));

    let small = NullSpace::new(&[0; 3], &[true]).unwrap();
    let (mut x, mut short) = ([0.0; 64], [0.0; 63]);
    let mut smaller = mic0(&chain(63, 1.0));
    let misfits = [
        pcg(&a, &mut smaller, &b, &mut x, &params(1e-6), None, ws),
        pcg(&a, &mut mic0(&a), &b[1..], &mut x, &params(1e-6), None, ws),
        pcg(&a, &mut mic0(&a), &b, &mut short, &params(1e-6), None, ws),
        pcg(&a, &mut mic0(&a), &b, &mut x, &params(1e-6), Some(&small), ws),
    ];
    for misfit in misfits {
        assert!(matches!(misfit, Err(SolveError::WrongSize { expected: 64, .. })), "{misfit:?}");
    }
}

#[test]
fn a_matrix_that_is_not_definite_breaks_down() {
    // Positive diagonal, eigenvalues 3 and −1.
    let a = matrix(2, &[(0, 0, 1.0), (0, 1, 2.0), (1, 0, 2.0), (1, 1, 1.0)]);
    let mut x = [0.0; 2];
    let ws = &mut Workspace::default();
    let outcome = pcg(&a, &mut Jacobi::new(&a).unwrap(), &[1.0, -1.0], &mut x, &params(1e-6), None, ws);
    assert!(matches!(outcome, Err(SolveError::Breakdown { iterations: 0, what: "p·Ap", .. })));
    // The scaled norm asks for a positive diagonal even if the preconditioner does not.
    let negative = matrix(2, &[(0, 0, 1.0), (1, 1, -1.0)]);
    let mut other = Jacobi::new(&a).unwrap();
    let outcome = pcg(&negative, &mut other, &[1.0, 1.0], &mut x, &params(1e-6), None, ws);
    assert_eq!(outcome.unwrap_err(), SolveError::NonPositiveDiagonal { row: 1, value: -1.0 });
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..Default::default() })]

    /// Random weighted graphs, each piece tied down or not, weights over six orders.
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
        // Rows without any entry are no equations; tie them.
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
        let ws = &mut Workspace::default();
        let report = pcg(&a, &mut mic, &b, &mut x, &params(1e-7), Some(&null_space), ws).unwrap();
        null_space.make_consistent(&mut b);
        prop_assert!(residual(&a, &b, &x, Norm::Scaled) <= 1e-6, "{report:?}");

        if null_space.n_pieces() == 0 {
            let expected = solve_dense(&dense(&a), &b);
            // The energy norm of the error is what conjugate gradients control.
            let e: Vec<f64> = x.iter().zip(&expected).map(|(x, e)| x - e).collect();
            let mut ae = vec![0.0; n];
            let error = a.apply_dot(&e, &mut ae).max(0.0).sqrt();
            let energy = a.apply_dot(&expected, &mut ae).sqrt();
            prop_assert!(error <= 1e-3 * energy, "{error} {energy}");
        }
    }
}
