//! Reflection and refraction of light at the boundary of air and water: Snell's and Fresnel's laws.
//!
//! Interpolated normals differ from that of the triangle that was hit. Rays could then start on the wrong
//! side and leave dark borders, so both the normal and the directions are corrected.

use glam::Vec3;

/// Index of refraction of water in air.
pub const WATER: f32 = 1.33;

/// Minimum cosine between a shading normal and the direction to the viewer.
const GRAZING: f32 = 0.03;

/// Turns the shading normal `n`, if necessary, until it faces the viewer. `d` points into the surface.
pub fn facing(n: Vec3, d: Vec3) -> Vec3 {
    let cos = -n.dot(d);
    if cos >= GRAZING { n } else { (n - d * (GRAZING - cos)).normalize() }
}

/// Returns the reflected direction, kept on the side of the normal `ng` of the triangle.
pub fn reflect(d: Vec3, n: Vec3, ng: Vec3) -> Vec3 {
    let r = d - 2.0 * d.dot(n) * n;
    let out = r.dot(ng);
    if out > 1e-3 { r } else { (r + (1e-2 - out) * ng).normalize() }
}

/// Returns the refracted direction for `eta = n_from / n_to`, kept on the far side of the triangle; `None`
/// under total reflection.
pub fn refract(d: Vec3, n: Vec3, ng: Vec3, eta: f32) -> Option<Vec3> {
    let cos_i = -d.dot(n);
    let k = 1.0 - eta * eta * (1.0 - cos_i * cos_i);
    if k < 0.0 {
        return None;
    }
    let t = eta * d + (eta * cos_i - k.sqrt()) * n;
    let through = t.dot(ng);
    Some(if through < -1e-3 { t.normalize() } else { (t - (through + 1e-2) * ng).normalize() })
}

/// Returns the fraction of unpolarized light that is reflected; 1 under total reflection.
pub fn fresnel(cos_i: f32, eta: f32) -> f32 {
    let cos_i = cos_i.clamp(0.0, 1.0);
    let k = 1.0 - eta * eta * (1.0 - cos_i * cos_i);
    if k <= 0.0 {
        return 1.0;
    }
    let cos_t = k.sqrt();
    let s = (eta * cos_i - cos_t) / (eta * cos_i + cos_t);
    let p = (cos_i - eta * cos_t) / (cos_i + eta * cos_t);
    0.5 * (s * s + p * p)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn fresnel_at_known_angles() {
        let normal = ((WATER - 1.0) / (WATER + 1.0)).powi(2);
        assert!((fresnel(1.0, 1.0 / WATER) - normal).abs() < 1e-6);
        assert!((fresnel(1.0, WATER) - normal).abs() < 1e-6);
        assert!(fresnel(0.0, 1.0 / WATER) > 0.999);
        assert!(fresnel(0.6, WATER) > 0.999); // past the critical angle of 48.8°
        // At Brewster's angle only one polarization is reflected.
        let brewster = WATER.atan().cos();
        let s = ((1.0 - WATER * WATER) / (1.0 + WATER * WATER)).powi(2);
        assert!((fresnel(brewster, 1.0 / WATER) - 0.5 * s).abs() < 1e-5);
    }

    #[test]
    fn snell() {
        let d = Vec3::new(0.6, -0.8, 0.0);
        let t = refract(d, Vec3::Y, Vec3::Y, 1.0 / WATER).unwrap();
        assert!((t.x * WATER - 0.6).abs() < 1e-6 && t.y < 0.0);
        assert!(refract(Vec3::new(0.9, -0.19f32.sqrt(), 0.0), Vec3::Y, Vec3::Y, WATER).is_none());
    }

    proptest! {
        #[test]
        fn rays_stay_on_their_side(
            x in -1.0f32..1.0, y in -1.0f32..1.0, a in -1.5f32..1.5, b in -1.5f32..1.5, inward in any::<bool>(),
        ) {
            let ng = Vec3::Y;
            let d = Vec3::new(x, -0.01 - 0.5 * (x * y).abs(), y).normalize();
            let n = facing(Vec3::new(a, 1.0, b).normalize(), d);
            prop_assert!(n.is_normalized() && n.dot(d) < 0.0);
            let r = reflect(d, n, ng);
            prop_assert!(r.is_normalized() && r.dot(ng) > 0.0);
            if let Some(t) = refract(d, n, ng, if inward { 1.0 / WATER } else { WATER }) {
                prop_assert!(t.is_normalized() && t.dot(ng) < 0.0);
            }
        }
    }
}
