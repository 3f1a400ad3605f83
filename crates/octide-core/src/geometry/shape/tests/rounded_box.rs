//! Boxes with rounded corners.

use super::*;

#[test]
fn rounded_box_keeps_its_measures_and_rounds_its_corners() {
    let s = Shape::RoundedBox { min: DVec3::ZERO, max: DVec3::splat(2.0), radius: 0.5 };
    close(s.distance(dvec3(2.0, 1.0, 1.0)), 0.0, 1e-15);
    close(s.distance(DVec3::ONE), -1.0, 1e-15);
    close(s.distance(DVec3::splat(2.0)), 0.5 * 3f64.sqrt() - 0.5, 1e-15);
}

#[test]
fn a_rounded_box_may_be_round_across_its_shortest_side_whatever_the_rounding() {
    // All pairs of corners with two decimals: the radius is typed as half the side, which is exact in decimal
    // numbers only.
    let mut n_below = 0;
    for low in -100..100 {
        for side in 1..=100 {
            let typed = |hundredths: i32| f64::from(hundredths) / 100.0;
            let (min, max) = (typed(low), typed(low + side));
            let radius = f64::from(side) / 200.0;
            n_below += u32::from(0.5 * (max - min) < radius);
            let (min, max) = (DVec3::splat(min), dvec3(max, max + 1.0, max + 2.0));
            let good = Shape::RoundedBox { min, max, radius };
            good.validate().unwrap_or_else(|e| panic!("{min} to {max}: {e}"));
            // The surface is still where the box ends.
            let end = dvec3(max.x, 0.5 * (min.y + max.y), 0.5 * (min.z + max.z));
            close(good.distance(end), 0.0, 1e-15);
            Shape::RoundedBox { min, max, radius: radius * (1.0 + 1e-9) + 1e-12 }.validate().unwrap_err();
        }
    }
    assert!(n_below > 1000, "the plain comparison refuses only {n_below}");
    let bad = Shape::RoundedBox { min: DVec3::ZERO, max: DVec3::ONE, radius: f64::NAN };
    bad.validate().unwrap_err();
}
