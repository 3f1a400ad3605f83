use super::*;
use crate::testing::{noise, on_each_thread_count};

/// Long enough to run in parallel, with a partial chunk at the end.
const LONG: usize = PARALLEL_FROM + 3 * CHUNK + 13;

#[test]
fn kernels_match_plain_loops() {
    for n in [0, 1, 7, 8, 9, CHUNK + 5, LONG] {
        let (a, b) = (noise(n, 1), noise(n, 2));
        let w: Vec<f64> = noise(n, 3).iter().map(|w| w + 1.5).collect();
        let close = |x: f64, y: f64| assert!((x - y).abs() <= 1e-12 * (n as f64 + 1.0), "{n}: {x} {y}");
        close(dot(&a, &b), a.iter().zip(&b).map(|(a, b)| a * b).sum());
        close(square(&a, Some(&w)), a.iter().zip(&w).map(|(a, w)| w * a * a).sum());

        let (mut r, mut x, mut p) = (a.clone(), b.clone(), w.clone());
        let expected: Vec<f64> = a.iter().zip(&b).map(|(a, b)| a - 0.3 * b).collect();
        close(reduce_residual(&mut r, 0.3, &b, Some(&w)), square(&expected, Some(&w)));
        assert_eq!(r, expected);
        r.copy_from_slice(&a);
        close(reduce_residual(&mut r, 0.3, &b, None), dot(&expected, &expected));
        assert_eq!(r, expected);

        advance(&mut x, 0.3, &mut p, &a, 0.7);
        for i in 0..n {
            assert_eq!((x[i], p[i]), (b[i] + 0.3 * w[i], a[i] + 0.7 * w[i]));
        }
        r.copy_from_slice(&a);
        for weights in [None, Some(w.as_slice())] {
            let [norm, product] = reduce_residual_dot(&mut r, 0.3, &b, weights, &w);
            assert_eq!(r, expected);
            assert_eq!([norm, product], [square(&r, weights), dot(&r, &w)]);
            let [product, norm] = dot_and_square(&a, &b, weights);
            close(product, (0..n).map(|i| weights.map_or(1.0, |w| w[i]) * a[i] * b[i]).sum());
            assert_eq!(norm, square(&a, weights));
            r.copy_from_slice(&a);
        }
        r.copy_from_slice(&expected);

        p.copy_from_slice(&w);
        turn(&mut p, &a, 0.7, 0.2, &b);
        x.copy_from_slice(&b);
        add_two_scaled(&mut x, 0.3, &a, 0.6, &w);
        let mut y = w.clone();
        update(&mut y, |i, y| *y += a[i]);
        for i in 0..n {
            assert_eq!(p[i], a[i] + 0.7 * (w[i] - 0.2 * b[i]));
            assert_eq!(x[i], b[i] + (0.3 * a[i] + 0.6 * w[i]));
            assert_eq!(y[i], w[i] + a[i]);
        }
        add_scaled(&mut r, 2.0, &a);
        subtract_from(&mut r, &b);
        for i in 0..n {
            assert_eq!(r[i], b[i] - (expected[i] + 2.0 * a[i]));
        }
    }
}

#[test]
fn sums_have_the_same_bytes_on_any_number_of_threads() {
    let (a, b) = (noise(LONG, 1), noise(LONG, 2));
    let sums = on_each_thread_count(|| {
        let mut r = a.clone();
        let norm = reduce_residual(&mut r, 0.1, &b, Some(&a));
        let [product, square_a] = dot_and_square(&a, &b, Some(&b));
        let [norm_again, shadow] = reduce_residual_dot(&mut r, 0.1, &b, Some(&a), &b);
        let sums = [dot(&a, &b), square(&a, Some(&b)), norm, product, square_a, norm_again, shadow];
        sums.map(f64::to_bits)
    });
    assert!(sums.iter().all(|s| *s == sums[0]));
}
