//! Numbers that a distance is not below, for less than the distance costs: what leads past far parts of a
//! union.
//!
//! Outside of a convex solid its box is not farther than the solid, and any function with slopes up to 1 that
//! is 0 on the surface lies between 0 and the distance. For an ellipsoid with semi-axes `eᵢ` that is `min eᵢ
//! · (|y/e| − 1)`.

use super::{Shape, smooth_min};
use glam::DVec3;

/// Rounding in a distance and in its bound is far below this, relative to the lengths that they are made of.
const SLACK: f64 = 1e-12;

impl Shape {
    /// A number that [`Self::distance`] at `p` is not below, but for rounding; −∞ where only the distance
    /// itself can tell.
    pub fn at_least(&self, p: DVec3) -> f64 {
        match self {
            Self::Ellipsoid { center, radii } => ellipsoid(p - *center, *radii),
            Self::Mesh(mesh) => {
                let (low, high) = mesh.sdf.bounds();
                outside_only(box_distance(p, low, high))
            }
            Self::Union(shapes) => least(shapes, p),
            Self::SmoothUnion { shapes, radius } => {
                least(shapes, p) - smooth_min::reach(shapes.len(), *radius)
            }
            Self::Intersection(shapes) => {
                shapes.iter().map(|s| s.at_least(p)).fold(f64::NEG_INFINITY, f64::max)
            }
            Self::Difference { of, .. } => of.at_least(p),
            Self::Transformed { shape, scale, rotation, translation } => {
                scale * shape.at_least(rotation.inverse() * (p - *translation) / *scale)
            }
            // The others cost no more than a bound would.
            _ => self.distance(p),
        }
    }

    /// Whether the distance at `p` is surely above `limit`, rounding included, where that costs less than the
    /// distance.
    pub fn is_beyond(&self, p: DVec3, limit: f64) -> bool {
        if !self.is_dear() {
            return false;
        }
        let bound = self.at_least(p);
        bound > limit + SLACK * (bound.abs() + p.abs().max_element())
    }

    /// Whether [`Self::at_least`] is much cheaper than the distance.
    pub(super) fn is_dear(&self) -> bool {
        use Shape::{Box, Capsule, Cylinder, Plane, RoundedBox, Sphere, Torus};
        !matches!(
            self,
            Box { .. }
                | RoundedBox { .. }
                | Sphere { .. }
                | Cylinder { .. }
                | Capsule { .. }
                | Torus { .. }
                | Plane { .. }
        )
    }
}

fn least(shapes: &[Shape], p: DVec3) -> f64 {
    shapes.iter().map(|s| s.at_least(p)).fold(f64::INFINITY, f64::min)
}

fn box_distance(p: DVec3, low: DVec3, high: DVec3) -> f64 {
    (low - p).max(p - high).max(DVec3::ZERO).length()
}

/// A distance to something around a shape: it says nothing where it is 0.
fn outside_only(d: f64) -> f64 {
    if d > 0.0 { d } else { f64::NEG_INFINITY }
}

fn ellipsoid(y: DVec3, radii: DVec3) -> f64 {
    let steep = radii.min_element() * ((y / radii).length() - 1.0);
    if steep > 0.0 { steep.max(box_distance(y, -radii, radii)) } else { -radii.min_element() }
}
