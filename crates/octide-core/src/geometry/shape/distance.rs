//! Signed distances of all shapes.

use super::{Shape, ellipsoid, smooth_min::smooth_min};
use glam::DVec3;

/// Smooth unions do not allocate if at most this many parts are near.
const INLINE_PARTS: usize = 32;

impl Shape {
    /// Returns the signed distance from `p` to the surface, negative inside.
    ///
    /// The shape should pass [`Shape::validate`]; other shapes give meaningless numbers, but never panic.
    pub fn distance(&self, p: DVec3) -> f64 {
        match self {
            Self::Box { min, max } => rounded_box(p, *min, *max, 0.0),
            Self::RoundedBox { min, max, radius } => rounded_box(p, *min, *max, *radius),
            Self::Sphere { center, radius } => p.distance(*center) - radius,
            Self::Ellipsoid { center, radii } => ellipsoid::distance(p - *center, *radii),
            Self::Cylinder { from, to, radius } => cylinder(p, *from, *to, *radius),
            Self::Capsule { from, to, radius } => capsule(p, *from, *to, *radius),
            Self::Torus { center, axis, major, minor } => torus(p - *center, *axis, *major, *minor),
            Self::Plane { point, normal } => (p - *point).dot(normal.normalize_or_zero()),
            Self::Mesh(mesh) => mesh.distance(p),
            Self::Blend(blend) => blend.distance(p),
            Self::Union(shapes) => least(shapes, p),
            Self::Intersection(shapes) => {
                shapes.iter().map(|s| s.distance(p)).fold(f64::NEG_INFINITY, f64::max)
            }
            Self::Difference { of, minus } => of.distance(p).max(-least(minus, p)),
            Self::SmoothUnion { shapes, radius } => smooth_union(shapes, *radius, p),
            Self::Transformed { shape, scale, rotation, translation } => {
                scale * shape.distance(rotation.inverse() * (p - *translation) / *scale)
            }
        }
    }
}

/// Returns the part that is probably the nearest, and its distance, to which the others are compared.
fn likely_nearest(shapes: &[Shape], p: DVec3) -> (usize, f64) {
    let mut first = (usize::MAX, f64::INFINITY);
    for (i, s) in shapes.iter().enumerate() {
        let bound = s.at_least(p);
        if bound < first.1 {
            first = (i, bound);
        }
    }
    shapes.get(first.0).map_or(first, |s| (first.0, if s.is_expensive() { s.distance(p) } else { first.1 }))
}

/// Returns the distance of the nearest part, exact to the last bit, without evaluating all parts.
fn least(shapes: &[Shape], p: DVec3) -> f64 {
    if let [one] = shapes {
        return one.distance(p);
    }
    let (first, d_first) = likely_nearest(shapes, p);
    let (mut least, mut limit) = (f64::INFINITY, d_first);
    for (i, s) in shapes.iter().enumerate() {
        if i == first {
            least = least.min(d_first);
        } else if !s.is_beyond(p, limit) {
            least = least.min(s.distance(p));
            limit = limit.min(least);
        }
    }
    least
}

/// Returns the distance of a smooth union. Parts that are farther than the nearest by more than `radius` have
/// no weight, so they need not be evaluated.
fn smooth_union(shapes: &[Shape], radius: f64, p: DVec3) -> f64 {
    let (first, d_first) = likely_nearest(shapes, p);
    let mut near = [0.0; INLINE_PARTS];
    let mut n = 0;
    let mut limit = d_first;
    for (i, s) in shapes.iter().enumerate() {
        if i != first && s.is_beyond(p, limit + radius) {
            continue;
        }
        let d = if i == first { d_first } else { s.distance(p) };
        limit = limit.min(d);
        if d - limit > radius {
            continue;
        }
        if n == INLINE_PARTS {
            return smooth_min(&mut shapes.iter().map(|s| s.distance(p)).collect::<Vec<_>>(), radius);
        }
        near[n] = d;
        n += 1;
    }
    smooth_min(&mut near[..n], radius)
}

fn rounded_box(p: DVec3, min: DVec3, max: DVec3, radius: f64) -> f64 {
    let q = (p - 0.5 * (min + max)).abs() - 0.5 * (max - min) + DVec3::splat(radius);
    q.max(DVec3::ZERO).length() + q.max_element().min(0.0) - radius
}

fn cylinder(p: DVec3, from: DVec3, to: DVec3, radius: f64) -> f64 {
    let axis = (to - from).normalize_or_zero();
    let q = p - 0.5 * (from + to);
    let along = q.dot(axis);
    let beside = (q - along * axis).length() - radius;
    let beyond = along.abs() - 0.5 * from.distance(to);
    beside.max(0.0).hypot(beyond.max(0.0)) + beside.max(beyond).min(0.0)
}

fn capsule(p: DVec3, from: DVec3, to: DVec3, radius: f64) -> f64 {
    let core = to - from;
    let length_squared = core.length_squared();
    let s = if length_squared > 0.0 { ((p - from).dot(core) / length_squared).clamp(0.0, 1.0) } else { 0.0 };
    p.distance(from + s * core) - radius
}

fn torus(q: DVec3, axis: DVec3, major: f64, minor: f64) -> f64 {
    let axis = axis.normalize_or_zero();
    let height = q.dot(axis);
    let beside = (q - height * axis).length();
    (beside - major).hypot(height) - minor
}
