//! Tiles in two shades with joints between them, averaged over the footprint of a ray, so that they become a
//! uniform gray in the distance instead of flickering.

use glam::{Vec2, Vec3};

const LIGHT: Vec3 = Vec3::new(0.50, 0.49, 0.47);
const DARK: Vec3 = Vec3::new(0.40, 0.395, 0.385);
const JOINT: Vec3 = Vec3::new(0.27, 0.27, 0.27);
/// Width of a joint, as a fraction of a tile's side.
const JOINT_WIDTH: f32 = 0.03;

/// Returns the color at a point counted in tiles, averaged over a width.
pub fn tiles(at: Vec2, width: f32) -> Vec3 {
    let width = width.max(1e-4);
    let checker = 0.5 + 0.5 * wave(at.x, width) * wave(at.y, width);
    let (jx, jy) = (joint(at.x, width), joint(at.y, width));
    LIGHT.lerp(DARK, checker).lerp(JOINT, jx + jy - jx * jy)
}

/// Returns the mean over `x ± width/2` of the wave that is 1 in even tiles and −1 in odd ones.
fn wave(x: f32, width: f32) -> f32 {
    // Its integral is a triangle wave.
    let sum = |x: f32| 1.0 - (x.rem_euclid(2.0) - 1.0).abs();
    (sum(x + 0.5 * width) - sum(x - 0.5 * width)) / width
}

/// Returns the fraction of `x ± width/2` that is joint.
fn joint(x: f32, width: f32) -> f32 {
    let sum = |x: f32| x.floor() * JOINT_WIDTH + (x - x.floor()).min(JOINT_WIDTH);
    let x = x + 0.5 * JOINT_WIDTH;
    (sum(x + 0.5 * width) - sum(x - 0.5 * width)) / width
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sharp_up_close_and_even_far_off() {
        let near = |x, y| tiles(Vec2::new(x, y), 1e-3);
        assert!(near(0.5, 0.5).abs_diff_eq(DARK, 1e-3));
        assert!(near(1.5, 0.5).abs_diff_eq(LIGHT, 1e-3));
        assert!(near(-0.5, 0.5).abs_diff_eq(LIGHT, 1e-3));
        assert!(near(3.0, 0.5).abs_diff_eq(JOINT, 1e-3));
        assert!(tiles(Vec2::new(0.2, 0.9), 40.0).abs_diff_eq(tiles(Vec2::new(7.7, 3.1), 40.0), 0.01));
    }
}
