use super::*;
use proptest::prelude::*;

proptest! {
    #[test]
    fn power_laws_have_their_order(p in -3.0..4.0f64, c in 1e-6..1e6f64, n in 2..8usize) {
        let points: Vec<_> = (0..n).map(|i| 0.1 * 0.7f64.powi(i as i32)).map(|h| (h, c * h.powf(p))).collect();
        prop_assert!((order(&points) - p).abs() < 1e-9);
    }
}

#[test]
fn what_has_no_order_is_not_a_number() {
    for points in [&[][..], &[(0.1, 1.0)], &[(0.1, 1.0), (0.1, 2.0)], &[(0.1, 0.0), (0.2, 1.0)]] {
        assert!(order(points).is_nan(), "{points:?}");
    }
    assert!(
        order(&[(0.1, f64::NAN), (0.2, 1.0)]).is_nan() && order(&[(0.1, f64::INFINITY), (0.2, 1.0)]).is_nan()
    );
}

#[test]
fn the_fit_weighs_all_grids() {
    // Orders 1 and 3 between the pairs of equal spacing: 2 over all.
    let points = [(1.0, 1.0), (0.5, 0.5), (0.25, 0.0625)];
    assert!((order(&points) - 2.0).abs() < 1e-12);
}

#[test]
fn norms_are_means_over_the_volume() {
    let n = norms([(-1.0, 3.0), (2.0, 1.0)]);
    assert_eq!((n.l1, n.l2, n.max), (1.25, 7.0f64.sqrt() / 2.0, 2.0));
    assert_eq!(norms([]), Norms::default());
    let bad = norms([(f64::NAN, 1.0), (2.0, 1.0)]);
    assert!(bad.l1.is_nan() && bad.l2.is_nan() && bad.max.is_nan());
    assert!(norms([(2.0, 1.0), (f64::NAN, 1.0), (3.0, 1.0)]).max.is_nan());
}

#[test]
fn tables_have_orders_between_rows_and_over_all() {
    let mut c = Convergence::new(&["L1", "max"]);
    for (n, h) in [(8, 0.125), (16, 0.0625), (32, 0.03125)] {
        c.add(n, h, &[h * h, h]);
    }
    let t = c.table("t", "cells");
    assert_eq!(t.columns, ["cells", "L1", "order", "max", "order"]);
    assert_eq!(t.rows.len(), 4);
    assert!(t.rows.iter().all(|r| r.len() == 5));
    assert_eq!((t.rows[0][2].as_str(), t.rows[1][2].as_str(), t.rows[3][4].as_str()), ("", "2.00", "1.00"));
    assert_eq!((c.order(0), c.last(1)), (2.0, 0.03125));
    let p = c.plot("p", "cells", "error", 2.0);
    assert_eq!(p.series.len(), 3);
    // The order's line has its slope and lies below all.
    let line = &p.series[2].points;
    assert!((line[0][1] / line[1][1] - 16.0).abs() < 1e-9 && line[1][1] < c.last(0));
    assert_eq!(Convergence::new(&["x"]).plot("", "", "", 2.0).series.len(), 1);
    assert!(Convergence::new(&["x"]).last(0).is_nan());
}
