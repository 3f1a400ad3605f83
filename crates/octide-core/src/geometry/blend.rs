//! A shape between two meshes whose triangles have nothing to do with each other.
//!
//! ```text
//! φ(x) = (1 − s) φ_a(x − s D) + s φ_b(x + (1 − s) D)
//! ```
//!
//! s is the share of the way from mesh a to mesh b, D the vector from the middle of a to that of b. The shift takes
//! the motion of the whole body out of the blend: what only moves stays as large as it is.
//!
//! φ has slopes of at most 1, so that its magnitude never exceeds the distance to where it is zero.

use super::MeshShape;
use glam::DVec3;
use std::sync::Arc;

/// The step of differences for gradients, in extents of the shape.
const DIFFERENCE: f64 = 1e-4;

/// The step of second differences, in extents of the shape.
const FACETS: f64 = 0.05;

/// Beside the surface, its velocity changes by at most this share.
const MAX_CHANGE: f64 = 0.5;

/// Gradients shorter than this are where the two shapes face away from each other: nothing there has a speed.
const LEAST_SLOPE: f64 = 0.2;

/// A blend of two meshes.
#[derive(Clone, Debug)]
pub struct MeshBlend {
    /// Mesh a.
    pub from: Arc<MeshShape>,
    /// Mesh b.
    pub to: Arc<MeshShape>,
    /// s, from 0 to 1.
    pub share: f64,
    /// D, the way of the whole body.
    pub shift: DVec3,
}

impl MeshBlend {
    /// Returns φ at a point.
    pub fn distance(&self, p: DVec3) -> f64 {
        let [a, b] = self.both(p);
        (1.0 - self.share) * a + self.share * b
    }

    /// Returns the distances of the two shapes, each moved to where the blend is.
    fn both(&self, p: DVec3) -> [f64; 2] {
        let s = self.share;
        [self.from.distance(p - s * self.shift), self.to.distance(p + (1.0 - s) * self.shift)]
    }

    /// Returns a box around both shapes, each moved to where the blend is.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        let (a, b) = (self.from.sdf.bounds(), self.to.sdf.bounds());
        let (forward, back) = (self.share * self.shift, (1.0 - self.share) * self.shift);
        ((a.0 + forward).min(b.0 - back), (a.1 + forward).max(b.1 - back))
    }

    /// Returns the same shapes with another share.
    pub fn with_share(&self, share: f64) -> Self {
        Self { share, ..self.clone() }
    }

    /// Returns the velocity of the surface near a point, in m per unit of s: that of the whole body, and v = −∂φ/∂s
    /// along the normal. Beside the surface, it is that of a fluid which keeps its volume: by a factor of (1 − φ Δφ/2)²,
    /// which is exact for balls. In a step over which s grows by `step`, the surface moves by v and its area grows by v
    /// Δφ: the mean flow of the step is larger by a factor of 1 + v Δφ/2.
    pub fn velocity(&self, p: DVec3, step: f64) -> DVec3 {
        let [a, b] = self.both(p);
        let g = self.gradient(p);
        let slope = g.length().max(LEAST_SLOPE);
        let phi = (1.0 - self.share) * a + self.share * b;
        let bend = self.laplacian(p, phi);
        let beside = (0.5 * phi * bend).clamp(-MAX_CHANGE, MAX_CHANGE);
        // Δφ on the surface, of a ball.
        let bend = bend / (1.0 - beside);
        let later = (0.5 * step * (a - b) / slope * bend).clamp(-MAX_CHANGE, MAX_CHANGE);
        self.shift - (1.0 - beside).powi(2) * (1.0 + later) * (b - a) / (slope * slope) * g
    }

    /// Returns where a point near the surface is at another share, as far from the surface as it was.
    pub fn carried(&self, p: DVec3, share: f64) -> DVec3 {
        let there = self.with_share(share);
        let x = p + (share - self.share) * self.shift;
        let g = there.gradient(x);
        let slope = g.length().max(LEAST_SLOPE);
        x + (self.distance(p) - there.distance(x)) / (slope * slope) * g
    }

    /// Returns ∇·∇φ at a point with the value `phi`, over a wide step: meshes have facets.
    fn laplacian(&self, p: DVec3, phi: f64) -> f64 {
        let (low, high) = self.bounds();
        let h = FACETS * (high - low).max_element();
        let along = |axis: usize| {
            let mut step = DVec3::ZERO;
            step[axis] = h;
            self.distance(p + step) + self.distance(p - step) - 2.0 * phi
        };
        (along(0) + along(1) + along(2)) / (h * h)
    }

    /// Returns ∇φ.
    pub fn gradient(&self, p: DVec3) -> DVec3 {
        let (low, high) = self.bounds();
        let h = DIFFERENCE * (high - low).max_element();
        let mut g = DVec3::ZERO;
        for axis in 0..3 {
            let mut step = DVec3::ZERO;
            step[axis] = 0.5 * h;
            g[axis] = (self.distance(p + step) - self.distance(p - step)) / h;
        }
        g
    }
}
