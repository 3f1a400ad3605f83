//! Lower bounds of distances that cost less than the distance; they are used to skip far parts of a union.
//!
//! Outside of a convex solid, the distance to its bounding box is not larger than the distance to the solid,
//! and any function with slopes up to 1 that is 0 on the surface lies between 0 and the distance. For an
//! ellipsoid with semi-axes `eᵢ`, such a function is `min eᵢ · (|y/e| − 1)`.

use super::{Shape, smooth_min};
use glam::DVec3;

/// Relative tolerance that is far above the rounding errors of a distance and of its bound.
const SLACK: f64 = 1e-12;

impl Shape {
    /// Returns a lower bound of [`Self::distance`] at `p`, up to rounding; −∞ if there is no cheap bound.
    pub fn at_least(&self, p: DVec3) -> f64 {
        match self {
            Self::Ellipsoid { center, radii } => ellipsoid(p - *center, *radii),
            Self::Mesh(mesh) => {
                let (low, high) = mesh.sdf.bounds();
                outside_only(box_distance(p, low, high))
            }
            Self::Blend(blend) => {
                let (low, high) = blend.bounds();
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
            // The distance of the other shapes costs no more than a bound would.
            _ => self.distance(p),
        }
    }

    /// Returns whether a cheap bound shows that the distance at `p` is above `limit`, rounding included. The
    /// result is false if the distance itself is cheap.
    pub fn is_beyond(&self, p: DVec3, limit: f64) -> bool {
        if !self.is_expensive() {
            return false;
        }
        let bound = self.at_least(p);
        bound > limit + SLACK * (bound.abs() + p.abs().max_element())
    }

    /// Returns whether the distance is much more expensive than [`Self::at_least`].
    pub(super) fn is_expensive(&self) -> bool {
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

/// Returns the distance to a region around a shape if it is positive; 0 gives no bound.
fn outside_only(d: f64) -> f64 {
    if d > 0.0 { d } else { f64::NEG_INFINITY }
}

fn ellipsoid(y: DVec3, radii: DVec3) -> f64 {
    let steep = radii.min_element() * ((y / radii).length() - 1.0);
    if steep > 0.0 { steep.max(box_distance(y, -radii, radii)) } else { -radii.min_element() }
}
