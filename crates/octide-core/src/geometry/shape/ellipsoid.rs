//! The exact distance to an ellipsoid.
//!
//! The closest point is `xᵢ = eᵢ² yᵢ / (t + eᵢ²)`, where `t` is the largest root of `Σ (eᵢ yᵢ / (t + eᵢ²))² =
//! 1`. With `m` the shortest radius, `rᵢ = (eᵢ/m)²`, `zᵢ = |yᵢ|/eᵢ` and `w = t/m² + 1 ≥ 0`, this becomes
//! `S(w) = Σ (rᵢ zᵢ / (w + rᵢ − 1))² = 1`, free of cancellation at the pole. `S^(−1/2)` is concave and nearly
//! straight, so Newton's method on it converges from below without overshooting, in a few steps.

use glam::DVec3;

/// Returns the signed distance of `y` to the ellipsoid around the origin with semi-axes `radii`.
pub(super) fn distance(y: DVec3, radii: DVec3) -> f64 {
    closest(y, radii).0
}

/// Returns the same with its gradient, the normal at the closest point.
pub(super) fn distance_and_gradient(y: DVec3, radii: DVec3) -> (f64, DVec3) {
    let (d, x) = closest(y, radii);
    (d, (x / radii / radii * y.signum()).normalize_or_zero())
}

/// Returns the signed distance of `y`, and the closest point for the absolute values of its coordinates.
#[inline]
fn closest(y: DVec3, radii: DVec3) -> (f64, DVec3) {
    let shortest = radii.min_element();
    let y = y.abs();
    let z = y / radii;
    let r = (radii / shortest) * (radii / shortest);
    let pole = r - DVec3::ONE;
    let rz = r * z;

    // If S < 1 already at w = 0, the point lies in the symmetry plane perpendicular to the shortest axis,
    // inside the focal curve: the closest point lies off that plane, at a height that satisfies the
    // ellipsoid's equation.
    let mut at_pole = DVec3::ZERO;
    let mut sum_at_pole = 0.0;
    for a in 0..3 {
        if rz[a] > 0.0 {
            let q = if pole[a] > 0.0 { rz[a] / pole[a] } else { f64::INFINITY };
            at_pole[a] = q;
            sum_at_pole += q * q;
        }
    }
    let inside = z.length_squared() < 1.0;
    if sum_at_pole < 1.0 {
        let height = shortest * (1.0 - sum_at_pole).sqrt();
        let offset =
            (0..3).filter(|&a| pole[a] > 0.0).map(|a| (at_pole[a] * radii[a] - y[a]).powi(2)).sum::<f64>();
        let mut x = at_pole * radii;
        x[radii.min_position()] = height;
        return (-(offset + height * height).sqrt(), x);
    }

    // No term of S exceeds 1 at the root, which gives a lower bound of the root.
    let mut w = (rz - pole).max_element().max(f64::MIN_POSITIVE);
    for _ in 0..100 {
        let (mut s, mut d) = (0.0, 0.0);
        for a in 0..3 {
            if rz[a] > 0.0 {
                let q = rz[a] / (w + pole[a]);
                s += q * q;
                d += q * q / (w + pole[a]);
            }
        }
        let norm = s.sqrt();
        let step = (norm - 1.0) * s / d;
        if step <= 1e-16 * w {
            break;
        }
        w += step;
    }
    // y − x, in a form without cancellation if the two are close.
    let gap = (y * (w - 1.0) / (pole + DVec3::splat(w))).length();
    (if inside { -gap } else { gap }, y * r / (pole + DVec3::splat(w)))
}
