use super::*;
use crate::testing::*;

fn apply(mic: &mut Mic0, r: &[f64]) -> Vec<f64> {
    let mut z = vec![9.0; r.len()];
    mic.apply(r, &mut z);
    z
}

/// Computes MIC(0) on full matrices, directly from the definition: eliminate, keep entries in the pattern,
/// lump the rest. Returns `M`.
fn dense_mic0(a: &Csr, params: &Mic0Params) -> Vec<Vec<f64>> {
    let n = a.n_rows();
    let original = dense(a);
    let mut work = original.clone();
    let mut l = vec![vec![0.0; n]; n];
    let mut d = vec![0.0; n];
    for k in 0..n {
        d[k] = if work[k][k] < params.sigma * original[k][k] { original[k][k] } else { work[k][k] };
        l[k][k] = 1.0;
        for i in k + 1..n {
            l[i][k] = f64::from((work[i][k] / d[k]) as f32);
        }
        for i in k + 1..n {
            for j in k + 1..n {
                let change = work[i][k] * work[j][k] / d[k];
                if i == j || original[i][j] != 0.0 {
                    work[i][j] -= change;
                } else {
                    work[i][i] -= params.tau * change;
                }
            }
        }
    }
    let entry = |i: usize, j: usize| (0..n).map(|k| l[i][k] * d[k] * l[j][k]).sum();
    (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect()
}

/// Returns a connected graph with triangles, a square with one diagonal, a positive coupling and a loose end.
fn tangle() -> Csr {
    let edges = [
        (0, 1, 1.0),
        (0, 2, 2.0),
        (1, 2, 0.5),
        (1, 3, 1.5),
        (2, 4, 1.0),
        (3, 4, -0.2),
        (0, 5, 0.7),
        (4, 5, 1.1),
        (3, 6, 0.9),
        (5, 6, 0.3),
    ];
    laplacian(7, &edges, &[0.5, 0.0, 0.1, 0.6, 0.3, 0.0, 0.2])
}

#[test]
fn matches_the_definition_on_full_matrices() {
    for a in [tangle(), chain(9, 1.0), t_junctions(3), poisson(3, true), poisson(3, false)] {
        for (tau, sigma) in [(0.97, 0.25), (0.0, 0.25), (1.0, 0.6)] {
            let params = Mic0Params { tau, sigma, ..Default::default() };
            let r = noise(a.n_rows(), 4);
            let z = apply(&mut Mic0::new(&a, &params).unwrap(), &r);
            let expected = solve_dense(&dense_mic0(&a, &params), &r);
            for (z, expected) in z.iter().zip(&expected) {
                assert!((z - expected).abs() < 1e-10 * (1.0 + expected.abs()), "{z} {expected}");
            }
        }
    }
}

#[test]
fn is_exact_where_nothing_fills_in() {
    let a = chain(50, 1.0);
    let r = noise(50, 2);
    let z = apply(&mut Mic0::new(&a, &Mic0Params::default()).unwrap(), &r);
    for (z, x) in z.iter().zip(solve_dense(&dense(&a), &r)) {
        assert!((z - x).abs() < 1e-5 * x.abs().max(1.0), "32-bit factors: {z} {x}");
    }
}

/// `M 1` is `A 1`: dropped fill is added to the diagonals, so that rows of `M` and `A` have the same sum.
#[test]
fn rows_sum_to_those_of_the_matrix() {
    let kept = Mic0Params { tau: 1.0, sigma: 1e-3, ..Mic0Params::whole() };
    let a = poisson(12, true);
    let sums: Vec<f64> = (0..a.n_rows()).map(|i| a.row(i).1.iter().sum()).collect();
    let ones = apply(&mut Mic0::new(&a, &kept).unwrap(), &sums);
    // The tolerance allows for the rounding of the factor to 32 bits.
    assert!(
        ones.iter().all(|z| (z - 1.0).abs() < 1e-4),
        "{:?}",
        ones.iter().fold(0.0, |w: f64, z| w.max((z - 1.0).abs()))
    );
    let dropped = Mic0Params { tau: 0.0, ..kept };
    let others = apply(&mut Mic0::new(&a, &dropped).unwrap(), &sums);
    assert!(others.iter().any(|z| (z - 1.0).abs() > 0.1));
    // The definition itself, on full matrices, where neighbors are neighbors of each other.
    for a in [tangle(), t_junctions(3), poisson(3, true)] {
        let m = dense_mic0(&a, &kept);
        for i in 0..a.n_rows() {
            let (own, of_m): (f64, f64) = (a.row(i).1.iter().sum(), m[i].iter().sum());
            assert!((own - of_m).abs() < 1e-6 * a.get(i, i), "row {i}: {own} {of_m}");
        }
    }
}

#[test]
fn long_blocks_are_as_short_ones() {
    // 44³ rows exceed 16 bits. Cut into the same blocks, both formats agree to the last bit.
    let a = poisson(44, true);
    let r = noise(a.n_rows(), 5);
    let half = a.n_rows() / 2;
    let blocks = |block_rows| Mic0Params { block_rows, ..Default::default() };
    let short = Mic0::new(&a, &blocks(half)).unwrap();
    assert!(matches!(short.blocks, Blocks::Short(_)));
    let long = Mic0 { blocks: Blocks::Long(Block::all(&a, half, 0.97, 0.25).unwrap()), ..short.clone() };
    assert_eq!(apply(&mut short.clone(), &r), apply(&mut long.clone(), &r));
    assert!(long.bytes() > short.bytes());

    let whole = Mic0::new(&a, &Mic0Params::whole()).unwrap();
    assert!(matches!(&whole.blocks, Blocks::Long(blocks) if blocks.len() == 1));
    let count = |mic: &mut Mic0| {
        let mut x = vec![0.0; r.len()];
        crate::Pcg::new(tolerance(1e-10)).solve(&a, mic, &r, &mut x, None).unwrap().iterations
    };
    let (whole, short) = (count(&mut whole.clone()), count(&mut short.clone()));
    assert!(whole < short, "{whole} {short}");
}

#[test]
fn blocks_are_factored_as_if_alone() {
    // 10 rows in blocks of at most 4 make blocks of 4, 4, 2: three chains cut out of one.
    let mut mic = Mic0::new(&chain(10, 1.0), &Mic0Params { block_rows: 4, ..Default::default() }).unwrap();
    let r = noise(10, 3);
    let z = apply(&mut mic, &r);
    for (start, end) in [(0, 4), (4, 8), (8, 10)] {
        let full = dense(&chain(10, 1.0));
        let part: Vec<Vec<f64>> = full[start..end].iter().map(|row| row[start..end].to_vec()).collect();
        for (z, x) in z[start..end].iter().zip(solve_dense(&part, &r[start..end])) {
            assert!((z - x).abs() < 1e-5, "{z} {x}");
        }
    }
}

#[test]
fn stays_positive_on_singular_systems() {
    // Without the safeguard, the last pivot of a closed chain is 1 − 1 = 0.
    let a = chain(30, 0.0);
    let z = apply(&mut Mic0::new(&a, &Mic0Params::default()).unwrap(), &[1.0; 30]);
    assert!(z.iter().all(|z| z.is_finite() && *z > 0.0 && *z < 1e4), "{z:?}");
}

#[test]
fn is_symmetric_and_the_same_on_any_number_of_threads() {
    let a = poisson(44, true);
    let (r, s) = (noise(a.n_rows(), 1), noise(a.n_rows(), 2));
    let results = on_each_thread_count(|| {
        let mut mic = Mic0::new(&a, &Mic0Params { block_rows: 9000, ..Default::default() }).unwrap();
        let mut z = vec![0.0; r.len()];
        let dot = mic.apply_dot(&r, &mut z);
        assert_eq!(z, apply(&mut mic, &r));
        let (sz, rz) = (vector::dot(&s, &z), vector::dot(&r, &apply(&mut mic, &s)));
        assert!((sz - rz).abs() < 1e-11 * dot, "{sz} {rz}");
        assert!((dot - vector::dot(&r, &z)).abs() < 1e-12 * dot);
        (z, dot.to_bits())
    });
    assert!(results.iter().all(|result| *result == results[0]));
}

#[test]
fn counts_its_bytes() {
    // 3 rows of 2 + 8 bytes and 2 couplings of 2 + 4.
    assert_eq!(Mic0::new(&chain(3, 1.0), &Mic0Params::default()).unwrap().bytes(), 42);
    assert_eq!(Mic0::new(&matrix(0, &[]), &Mic0Params::default()).unwrap().bytes(), 0);
}

#[test]
fn names_what_it_cannot_factor() {
    let defaults = Mic0Params::default();
    let bad_row = matrix(6, &[0, 1, 2, 3, 4].map(|i| (i, i, if i == 4 { -2.0 } else { 1.0 })));
    let error = Mic0::new(&bad_row, &Mic0Params { block_rows: 2, ..defaults }).unwrap_err();
    assert_eq!(error, SolveError::NonPositiveDiagonal { row: 4, value: -2.0 });
    let huge_ratio = matrix(2, &[(0, 0, 1e-30), (0, 1, 1e20), (1, 0, 1e20), (1, 1, 1e80)]);
    assert!(matches!(Mic0::new(&huge_ratio, &defaults), Err(SolveError::NotFinite { .. })));
    for params in [
        Mic0Params { block_rows: 0, ..defaults },
        Mic0Params { tau: 1.1, ..defaults },
        Mic0Params { tau: f64::NAN, ..defaults },
        Mic0Params { sigma: 0.0, ..defaults },
        Mic0Params { sigma: f64::NAN, ..defaults },
    ] {
        assert!(
            matches!(Mic0::new(&chain(2, 1.0), &params), Err(SolveError::Parameter { .. })),
            "{params:?}"
        );
    }
}
