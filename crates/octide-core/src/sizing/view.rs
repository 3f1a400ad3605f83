//! What a camera sees. Outside of it nothing asks for detail, so that cells become as large as they may be.

use crate::scene::{Camera, Scene};
use glam::DVec3;

/// Seen is what lies in the picture, and this share of its size around it: what comes into it has its detail
/// by then.
const MARGIN: f64 = 0.1;

/// A pyramid from an eye through the four edges of its picture.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct View {
    eye: DVec3,
    /// Unit vectors away from the inside of the four sides and of the plane through the eye.
    out: [DVec3; 5],
}

impl View {
    /// What a scene's camera sees, where only that asks for detail.
    pub fn of(scene: &Scene) -> Option<Self> {
        let [width, height] = scene.output.preview_size;
        let camera = scene.camera.as_ref().filter(|_| scene.adaptivity.camera)?;
        Some(Self::new(camera, f64::from(width) / f64::from(height)))
    }

    /// What a camera sees in pictures `aspect` times as wide as high, with y up as far as can be.
    pub fn new(camera: &Camera, aspect: f64) -> Self {
        let forward = (camera.target - camera.position).normalize_or(DVec3::NEG_Z);
        let right = forward.cross(DVec3::Y).normalize_or(DVec3::X);
        let up = right.cross(forward);
        let tan = (1.0 + 2.0 * MARGIN) * (0.5 * camera.fov.to_radians()).tan();
        let side = |across: DVec3, tan: f64| (across - tan * forward).normalize();
        let out =
            [side(right, tan * aspect), side(-right, tan * aspect), side(up, tan), side(-up, tan), -forward];
        Self { eye: camera.position, out }
    }

    /// Whether some of the ball around `p` is seen; of balls near an edge of the pyramid some that are not.
    pub fn sees(&self, p: DVec3, radius: f64) -> bool {
        self.out.iter().all(|out| out.dot(p - self.eye) < radius)
    }
}
