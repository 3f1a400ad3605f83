use super::*;
use crate::Csr;
use crate::testing::*;

/// Returns `A⁻¹ b`, computed from the inverse of `A` times `scale`.
fn solve(a: &Csr, scale: f64, b: &[f64]) -> Vec<f64> {
    let b: Vec<f32> = b.iter().map(|&b| b as f32).collect();
    let mut x = vec![9.0; b.len()];
    Dense::new(a.rows(), scale).unwrap().solve(&b, &mut x);
    x.iter().map(|&x| f64::from(x) * scale).collect()
}

fn product(a: &Csr, x: &[f64]) -> Vec<f64> {
    dense(a).iter().map(|row| row.iter().zip(x).map(|(a, x)| a * x).sum()).collect()
}

#[test]
fn matches_elimination() {
    for a in [chain(1, 2.0), chain(2, 1.0), chain(23, 0.3), poisson(4, true), t_junctions(7)] {
        let b = noise(a.n_rows(), 1);
        for scale in [1.0, 0.1, 1e20] {
            let largest = solve_dense(&dense(&a), &b).iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            for (x, expected) in solve(&a, scale, &b).iter().zip(solve_dense(&dense(&a), &b)) {
                assert!((x - expected).abs() < 1e-6 * largest, "{x} {expected}");
            }
        }
    }
}

#[test]
fn nothing_has_nothing_to_solve() {
    let none = Dense::new(matrix(0, &[]).rows(), 1.0).unwrap();
    none.solve(&[], &mut []);
    assert_eq!(none.bytes(), 0);
}

#[test]
fn singular_pieces_get_one_of_their_answers() {
    // A closed triangle, a chain coupled to zero, a closed pair and an empty row.
    let edges = [(0, 1, 1.0), (1, 2, 0.3), (0, 2, 0.7), (3, 4, 1.0), (4, 5, 2.0), (6, 7, 0.1)];
    let a = laplacian(9, &edges, &[0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0]);
    let b = [0.5, -0.75, 0.25, 1.0, 2.0, 3.0, -0.125, 0.125, 0.0];
    let x = solve(&a, 1.0, &b);
    for (ax, b) in product(&a, &x).iter().zip(&b) {
        assert!((ax - b).abs() < 1e-5, "{ax} {b}");
    }
    assert_eq!([x[2], x[7], x[8]], [0.0; 3]);
}

#[test]
fn separate_pieces_do_not_see_each_other() {
    let edges = [(0, 2, 1.0), (2, 4, 1.0), (1, 3, 1e-6), (3, 5, 1e-6)];
    let a = laplacian(6, &edges, &[1.0, 1e-6, 0.0, 0.0, 0.0, 0.0]);
    let x = solve(&a, 1.0, &[1.0, 0.0, 2.0, 0.0, 3.0, 0.0]);
    assert_eq!([x[1], x[3], x[5]], [0.0; 3]);
    let alone = solve(&chain(3, 0.0), 1.0, &[0.0; 3]);
    assert_eq!(alone, [0.0; 3]);
    let expected =
        solve_dense(&dense(&laplacian(3, &[(0, 1, 1.0), (1, 2, 1.0)], &[1.0, 0.0, 0.0])), &[1.0, 2.0, 3.0]);
    for (x, expected) in [x[0], x[2], x[4]].iter().zip(expected) {
        assert!((x - expected).abs() < 1e-5, "{x} {expected}");
    }
}

#[test]
fn a_piece_that_is_hardly_tied_keeps_what_its_mean_hides() {
    // The inverse is 1e8 in every entry, and the differences between rows are below its rounding to 32 bits.
    let n = 40;
    let mut shift = vec![0.0; n];
    shift[0] = 1e-8;
    let edges: Vec<_> = (1..n).map(|i| (i - 1, i, 1.0)).collect();
    let a = laplacian(n, &edges, &shift);
    let mut b = vec![0.0; n];
    (b[7], b[31]) = (1.0, -1.0);
    let x = solve(&a, 1.0, &b);
    for (ax, b) in product(&a, &x).iter().zip(&b) {
        assert!((ax - b).abs() < 1e-4, "{ax} {b}");
    }
}

#[test]
fn an_inverse_beyond_32_bits_is_an_error() {
    let a = matrix(2, &[(0, 0, 1.0), (1, 1, 1e-39)]);
    assert!(matches!(Dense::new(a.rows(), 1.0), Err(SolveError::NotFinite { .. })));
}
