//! The light around the scene: a clear sky that is paler toward the horizon, and a sun that is larger and
//! softer than the real one, so that shadows have soft edges and highlights do not flicker.

use glam::Vec3;

/// Sunlight on a surface that faces the sun.
pub const SUN: Vec3 = Vec3::new(2.60, 2.40, 2.05);
/// Skylight on a horizontal surface.
pub const AMBIENT: Vec3 = Vec3::new(0.36, 0.45, 0.58);
/// Sine of the sun's angular radius.
pub const SUN_RADIUS: f32 = 0.035;

const ZENITH: Vec3 = Vec3::new(0.18, 0.46, 1.00);
const HORIZON: Vec3 = Vec3::new(1.12, 1.36, 1.58);
const HAZE: Vec3 = Vec3::new(0.70, 0.78, 0.84);
/// A broad light behind the scene that only shows in reflections and makes the shapes of waves visible.
const WINDOW: Vec3 = Vec3::new(0.85, 0.92, 1.0);

/// Returns the direction to the sun: to the left, so that shadows fall to the side.
pub fn sun() -> Vec3 {
    Vec3::new(-0.66, 0.74, -0.02).normalize()
}

/// Returns two unit vectors perpendicular to the direction to the sun.
pub fn sun_frame() -> (Vec3, Vec3) {
    let right = sun().cross(Vec3::Y).normalize();
    (right, right.cross(sun()))
}

/// Returns the color at the horizon, into which the floor fades.
pub fn horizon() -> Vec3 {
    HORIZON
}

/// Returns the light from a direction.
pub fn sky(dir: Vec3) -> Vec3 {
    let h = dir.y;
    let base = if h >= 0.0 {
        HORIZON.lerp(ZENITH, 1.0 - (-2.6 * h).exp())
    } else {
        HORIZON.lerp(HAZE, (-3.0 * h).min(1.0))
    };
    let cos = dir.dot(sun()).max(0.0);
    let glow = 0.35 * cos.powi(12) + 0.9 * cos.powi(120);
    base + SUN * (glow * 0.45 + 6.0 * smooth(0.9952, 0.9985, cos))
}

/// Returns the light from a direction for rays that were reflected or refracted.
pub fn sky_in_mirrors(dir: Vec3) -> Vec3 {
    sky(dir) + WINDOW * smooth(0.80, 0.97, dir.dot(Vec3::new(-0.42, 0.50, -0.757)))
}

/// Returns 0 below `a`, 1 above `b`, and a smooth transition between.
pub fn smooth(a: f32, b: f32, x: f32) -> f32 {
    let s = ((x - a) / (b - a)).clamp(0.0, 1.0);
    s * s * (3.0 - 2.0 * s)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brightest_at_the_sun_and_nowhere_dark() {
        let peak = sky(sun()).max_element();
        for i in 0..1000 {
            let (y, a) = (i as f32 / 500.0 - 1.0, i as f32 * 2.4);
            let r = (1.0 - y * y).max(0.0).sqrt();
            let c = sky(Vec3::new(r * a.cos(), y, r * a.sin()));
            assert!(c.min_element() > 0.1 && c.max_element() <= peak);
        }
    }

    #[test]
    fn sun_frame_is_across() {
        let (a, b) = sun_frame();
        assert!(a.dot(b).abs() < 1e-6 && a.dot(sun()).abs() < 1e-6 && b.dot(sun()).abs() < 1e-6);
        assert!(a.is_normalized() && b.is_normalized());
    }
}
