use super::*;
use crate::testing::{noise, on_each_thread_count};

/// Long enough to be spread over threads, with an odd end.
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
        [dot(&a, &b), square(&a, Some(&b)), norm].map(f64::to_bits)
    });
    assert!(sums.iter().all(|s| *s == sums[0]));
}
