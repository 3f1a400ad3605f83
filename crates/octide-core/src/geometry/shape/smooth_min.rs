//! A smooth minimum of any number of distances that does not depend on their order.
//!
//! The quadratic blend of two distances, `min(a, b) − k/4 · (1 − |a − b|/k)²` where `|a − b| < k`, is the
//! number `f` with `√((a − f)/k) + √((b − f)/k) = 1`. Written as
//!
//! `Σ max(0, 1 − √((dᵢ − f)/k)) = 1`
//!
//! it applies to any number of distances: a single one gives `f = d`, two give the blend, and those farther
//! than `k` from `f` have no weight.

/// Returns the smooth minimum of `distances` with blend width `k`; infinite if there are none.
pub(super) fn smooth_min(distances: &mut [f64], k: f64) -> f64 {
    // Sorted, so that not even rounding depends on the order.
    distances.sort_unstable_by(f64::total_cmp);
    let Some(&least) = distances.first() else { return f64::INFINITY };
    if distances.len() == 1 || distances[1] - least >= k {
        return least;
    }
    // f = least − k x. The two nearest distances alone give a lower bound of x; more weight only raises it.
    let gap = (distances[1] - least) / k;
    let mut x = 0.25 * (1.0 - gap) * (1.0 - gap);
    // The left side is convex and falls with x, so Newton's method from below never overshoots.
    for _ in 0..30 {
        let (mut excess, mut slope) = (-1.0, 0.0);
        for d in distances.iter() {
            let root = (x + (d - least) / k).sqrt();
            if root >= 1.0 {
                break;
            }
            excess += 1.0 - root;
            slope += 0.5 / root;
        }
        let step = excess / slope;
        if step <= 1e-15 {
            break;
        }
        x += step;
    }
    least - k * x
}

/// Returns how far the smooth union of `n` shapes can extend beyond all of them.
pub(super) fn reach(n: usize, k: f64) -> f64 {
    let share = 1.0 - 1.0 / n.max(1) as f64;
    k * share * share
}
