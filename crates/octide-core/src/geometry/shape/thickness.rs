//! How thin shapes are.

use super::Shape;

impl Shape {
    /// Returns a lower bound of the thickness at any place in m; 0 if nothing is known.
    pub fn least_thickness(&self) -> f64 {
        let least = |shapes: &[Self]| shapes.iter().map(Self::least_thickness).fold(f64::INFINITY, f64::min);
        match self {
            Self::Box { min, max } | Self::RoundedBox { min, max, .. } => (*max - *min).min_element(),
            Self::Sphere { radius, .. } | Self::Capsule { radius, .. } => 2.0 * radius,
            Self::Ellipsoid { radii, .. } => 2.0 * radii.min_element(),
            Self::Cylinder { from, to, radius } => from.distance(*to).min(2.0 * radius),
            Self::Torus { minor, .. } => 2.0 * minor,
            Self::Plane { .. } => f64::INFINITY,
            Self::Union(shapes) | Self::SmoothUnion { shapes, .. } => least(shapes),
            Self::Transformed { shape, scale, .. } => scale * shape.least_thickness(),
            Self::Intersection(_) | Self::Difference { .. } | Self::Mesh(_) | Self::Blend(_) => 0.0,
        }
    }
}
