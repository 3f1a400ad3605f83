//! The camera: a pinhole at `p` with unit vectors right, up and forward. A point of the picture `(x, y)` in
//! `[-1, 1]²` is seen along `forward + x tan_x right + y tan_y up`.

use glam::{Vec2, Vec3};

/// Vertical field of view of the default camera in degrees.
const FOV: f32 = 32.0;
/// Direction from the box to the default camera: to the right of the front, a little above.
const AZIMUTH: f32 = 28.0;
const ELEVATION: f32 = 24.0;
/// The fraction of the picture that the box may fill.
const FILL: f32 = 0.92;
const NEAR: f32 = 1e-3;

#[derive(Clone, Copy, Debug)]
pub struct PinholeCamera {
    pub position: Vec3,
    right: Vec3,
    up: Vec3,
    forward: Vec3,
    tan: Vec2,
}

impl PinholeCamera {
    /// Returns a camera at a position that looks at a target, with y up if possible.
    pub fn look(position: Vec3, target: Vec3, fov: f32, aspect: f32) -> Self {
        let forward = (target - position).try_normalize().unwrap_or(Vec3::NEG_Z);
        let right = forward.cross(Vec3::Y).try_normalize().unwrap_or(Vec3::X);
        let tan_y = (0.5 * fov.clamp(1.0, 170.0).to_radians()).tan();
        Self { position, right, up: right.cross(forward), forward, tan: Vec2::new(tan_y * aspect, tan_y) }
    }

    /// Returns a camera with a three-quarter view of the whole box.
    ///
    /// A corner with coordinates `(x, z)` along right and forward is inside the picture horizontally, seen
    /// from distance `D` and shift `s`, if `|x − s| ≤ a (D + z)`. All corners are inside for some `s` if
    /// `max(x − a z) − min(x + a z) ≤ 2 a D`; the middle of that range is the best shift.
    pub fn frame(lo: Vec3, hi: Vec3, aspect: f32) -> Self {
        let (sin_a, cos_a) = AZIMUTH.to_radians().sin_cos();
        let (sin_e, cos_e) = ELEVATION.to_radians().sin_cos();
        let away = Vec3::new(sin_a * cos_e, sin_e, cos_a * cos_e);
        let mut eye = Self::look(away, Vec3::ZERO, FOV, aspect);
        let center = 0.5 * (lo + hi);
        let points = corners(lo, hi).map(|p| p - center);
        let mut distance = 0f32;
        let mut spans = [(0.0, 0.0); 2];
        for (axis, span) in [eye.right, eye.up].into_iter().zip(&mut spans) {
            let a = if axis == eye.up { eye.tan.y } else { eye.tan.x } * FILL;
            let (mut least, mut most) = (f32::INFINITY, f32::NEG_INFINITY);
            for p in points {
                let (x, z) = (p.dot(axis), p.dot(eye.forward));
                most = most.max(x - a * z);
                least = least.min(x + a * z);
            }
            *span = (least, most);
            distance = distance.max((most - least) / (2.0 * a));
        }
        let shift = spans.map(|(least, most)| 0.5 * (least + most));
        eye.position = center + shift[0] * eye.right + shift[1] * eye.up - distance * eye.forward;
        eye
    }

    /// Returns the unit direction in which a point of the picture is seen; `x` to the right and `y` down,
    /// from 0 to 1.
    pub fn direction(&self, x: f32, y: f32) -> Vec3 {
        let at = (Vec2::new(2.0 * x - 1.0, 1.0 - 2.0 * y)) * self.tan;
        (self.forward + at.x * self.right + at.y * self.up).normalize()
    }

    /// Projects a point into the picture, as [`PinholeCamera::direction`] takes it; also returns its depth along
    /// forward.
    pub fn project(&self, p: Vec3) -> (Vec2, f32) {
        let d = p - self.position;
        let depth = d.dot(self.forward);
        let at = Vec2::new(d.dot(self.right), -d.dot(self.up)) / (self.tan * depth.max(NEAR));
        (0.5 * (at + Vec2::ONE), depth)
    }

    /// Clips a line to the part in front of the camera.
    pub fn clip(&self, a: Vec3, b: Vec3) -> Option<[Vec3; 2]> {
        let depth = |p: Vec3| (p - self.position).dot(self.forward) - NEAR;
        let (da, db) = (depth(a), depth(b));
        let cut = || a + (b - a) * (da / (da - db));
        match (da > 0.0, db > 0.0) {
            (true, true) => Some([a, b]),
            (true, false) => Some([a, cut()]),
            (false, true) => Some([cut(), b]),
            (false, false) => None,
        }
    }

    /// Returns the angle that a pixel spans.
    pub fn pixel_angle(&self, height: u32) -> f32 {
        2.0 * self.tan.y / height as f32
    }

    /// Returns the distance along forward of a point at distance `t` in a unit direction.
    pub fn depth(&self, dir: Vec3, t: f32) -> f32 {
        t * dir.dot(self.forward)
    }
}

/// Returns the corners of a box; bits 0, 1 and 2 of a corner's number are its sides in x, y and z.
pub fn corners(lo: Vec3, hi: Vec3) -> [Vec3; 8] {
    std::array::from_fn(|i| {
        let pick = |axis: usize| if i >> axis & 1 == 0 { lo[axis] } else { hi[axis] };
        Vec3::new(pick(0), pick(1), pick(2))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn framing_shows_all_corners(
            size in (0.01f32..1.0, 0.01f32..1.0, 0.01f32..1.0), aspect in 0.3f32..4.0,
        ) {
            let size = Vec3::from(size);
            let (lo, hi) = (-0.3 * size, 0.7 * size);
            let eye = PinholeCamera::frame(lo, hi, aspect);
            let mut widest = Vec2::ZERO;
            for p in corners(lo, hi) {
                let (at, depth) = eye.project(p);
                prop_assert!(depth > 0.0);
                prop_assert!(at.cmpge(Vec2::ZERO).all() && at.cmple(Vec2::ONE).all(), "{at}");
                widest = widest.max((at - 0.5).abs());
            }
            // The box fills the picture along one direction.
            prop_assert!((widest.max_element() - 0.5 * FILL).abs() < 1e-3, "{widest}");
        }

        #[test]
        fn projecting_undoes_directions(x in 0.0f32..1.0, y in 0.0f32..1.0, t in 0.1f32..10.0) {
            let eye = PinholeCamera::look(Vec3::new(1.0, 2.0, 3.0), Vec3::ZERO, 50.0, 1.6);
            let dir = eye.direction(x, y);
            let (at, depth) = eye.project(eye.position + t * dir);
            prop_assert!((at - Vec2::new(x, y)).length() < 1e-4);
            prop_assert!((depth - eye.depth(dir, t)).abs() < 1e-4);
        }
    }

    #[test]
    fn looking_straight_down_is_a_view() {
        let eye = PinholeCamera::look(Vec3::Y, Vec3::ZERO, 40.0, 1.0);
        assert!(eye.direction(0.5, 0.5).abs_diff_eq(Vec3::NEG_Y, 1e-6));
        assert!(eye.direction(0.9, 0.1).is_finite());
    }
}
