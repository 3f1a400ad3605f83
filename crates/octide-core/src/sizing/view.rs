//! The part of space that a camera sees. Nothing outside it requests detail, so cells there become as large
//! as allowed.

use crate::scene::{Camera, Scene};
use glam::DVec3;

/// Margin around the picture that also counts as visible, as a fraction of its size, so that objects are
/// already detailed when they enter the picture.
const MARGIN: f64 = 0.1;

/// A pyramid from the camera's position through the four edges of its picture.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct View {
    eye: DVec3,
    /// Outward unit normals of the four sides and of the plane through the camera's position.
    out: [DVec3; 5],
}

impl View {
    /// Returns the view of a scene's camera, if the scene requests detail only there.
    pub fn of(scene: &Scene) -> Option<Self> {
        let [width, height] = scene.output.preview_size;
        let camera = scene.camera.as_ref().filter(|_| scene.adaptivity.camera)?;
        Some(Self::new(camera, f64::from(width) / f64::from(height)))
    }

    /// Returns the view of a camera with pictures `aspect` times as wide as high, with y up as far as
    /// possible.
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

    /// Returns whether a part of the ball around `p` is visible; true also for some invisible balls near an
    /// edge of the pyramid.
    pub fn sees(&self, p: DVec3, radius: f64) -> bool {
        self.out.iter().all(|out| out.dot(p - self.eye) < radius)
    }
}
