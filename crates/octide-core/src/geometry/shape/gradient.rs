//! Signed distances with their gradients, in about the time of the distance alone.
//!
//! The gradient of a distance is the unit vector away from the closest point outside, and toward it inside. Where two
//! points are equally close, it is that of one of them. In a smooth union with the smooth minimum f of the distances
//! dᵢ, each part has the weight ∂f/∂dᵢ, proportional to 1/√(dᵢ − f).

#[cfg(test)]
mod tests;

use super::{Shape, ellipsoid, smooth_min::smooth_min};
use glam::DVec3;

/// Shorter vectors, as a fraction of the coordinates, have no direction.
const NO_LENGTH: f64 = 1e-13;

impl Shape {
    /// Returns the signed distance from `p` to the surface, negative inside, and its gradient. The gradient is zero
    /// where it is unknown, as at the center of a ball, and shorter than one where shapes are blended.
    pub fn distance_and_gradient(&self, p: DVec3) -> (f64, DVec3) {
        let gradient = match self {
            Self::Box { min, max } => rounded_box(p, *min, *max, 0.0),
            Self::RoundedBox { min, max, radius } => rounded_box(p, *min, *max, *radius),
            Self::Sphere { center, .. } => (p - *center).normalize_or_zero(),
            Self::Ellipsoid { center, radii } => {
                return ellipsoid::distance_and_gradient(p - *center, *radii);
            }
            Self::Cylinder { from, to, radius } => cylinder(p, *from, *to, *radius),
            Self::Capsule { from, to, .. } => {
                let core = *to - *from;
                let length_squared = core.length_squared();
                let s = if length_squared > 0.0 { (p - *from).dot(core) / length_squared } else { 0.0 };
                (p - *from - s.clamp(0.0, 1.0) * core).normalize_or_zero()
            }
            Self::Torus { center, axis, major, .. } => torus(p - *center, *axis, *major),
            Self::Plane { normal, .. } => normal.normalize_or_zero(),
            Self::Mesh(mesh) => return mesh.distance_and_gradient(p),
            Self::Blend(blend) => blend.gradient(p),
            Self::Union(shapes) => return least(shapes, p),
            Self::Intersection(shapes) => {
                let largest = |a: (f64, DVec3), b: (f64, DVec3)| if b.0 > a.0 { b } else { a };
                let all = shapes.iter().map(|s| s.distance_and_gradient(p));
                return all.fold((f64::NEG_INFINITY, DVec3::ZERO), largest);
            }
            Self::Difference { of, minus } => {
                let (a, b) = (of.distance_and_gradient(p), least(minus, p));
                return if a.0 >= -b.0 { a } else { (-b.0, -b.1) };
            }
            Self::SmoothUnion { shapes, radius } => return smooth_union(shapes, *radius, p),
            Self::Transformed { shape, scale, rotation, translation } => {
                let local = rotation.inverse() * (p - *translation) / *scale;
                let (d, gradient) = shape.distance_and_gradient(local);
                return (scale * d, *rotation * gradient);
            }
        };
        (self.distance(p), gradient)
    }
}

/// Returns the distance of the nearest part, the first if there are several, and its gradient.
fn least(shapes: &[Shape], p: DVec3) -> (f64, DVec3) {
    let mut best = (f64::INFINITY, DVec3::ZERO);
    for s in shapes {
        if s.is_beyond(p, best.0) {
            continue;
        }
        let there = s.distance_and_gradient(p);
        if there.0 < best.0 {
            best = there;
        }
    }
    best
}

fn smooth_union(shapes: &[Shape], radius: f64, p: DVec3) -> (f64, DVec3) {
    let mut near: Vec<(f64, DVec3)> = Vec::with_capacity(shapes.len());
    let mut limit = f64::INFINITY;
    for s in shapes {
        if s.is_beyond(p, limit + radius) {
            continue;
        }
        let there = s.distance_and_gradient(p);
        limit = limit.min(there.0);
        near.push(there);
    }
    near.retain(|(d, _)| d - limit <= radius);
    let f = smooth_min(&mut near.iter().map(|(d, _)| *d).collect::<Vec<_>>(), radius);
    let (mut sum, mut weights) = (DVec3::ZERO, 0.0);
    for (d, gradient) in near {
        let root = ((d - f) / radius).max(f64::EPSILON).sqrt();
        if root < 1.0 {
            sum += gradient / root;
            weights += 1.0 / root;
        }
    }
    (f, if weights > 0.0 { sum / weights } else { DVec3::ZERO })
}

fn rounded_box(p: DVec3, min: DVec3, max: DVec3, radius: f64) -> DVec3 {
    let r = p - 0.5 * (min + max);
    let q = r.abs() - 0.5 * (max - min) + DVec3::splat(radius);
    let outside = q.max(DVec3::ZERO);
    if outside.length_squared() > 0.0 {
        return outside.normalize() * r.signum();
    }
    let mut gradient = DVec3::ZERO;
    let axis = q.max_position();
    gradient[axis] = r[axis].signum();
    gradient
}

fn cylinder(p: DVec3, from: DVec3, to: DVec3, radius: f64) -> DVec3 {
    let axis = (to - from).normalize_or_zero();
    let q = p - 0.5 * (from + to);
    let along = q.dot(axis);
    let across = q - along * axis;
    let beside = across.length() - radius;
    let beyond = along.abs() - 0.5 * from.distance(to);
    let (outward, end) = (across.normalize_or_zero(), along.signum() * axis);
    match (beside > 0.0, beyond > 0.0) {
        (true, true) => (beside * outward + beyond * end).normalize_or_zero(),
        _ if beside > beyond => outward,
        _ => end,
    }
}

fn torus(q: DVec3, axis: DVec3, major: f64) -> DVec3 {
    let axis = axis.normalize_or_zero();
    let height = q.dot(axis);
    let across = q - height * axis;
    let outward = across.normalize_or_zero();
    ((across.length() - major) * outward + height * axis).normalize_or_zero()
}

/// Returns the direction of a vector, or zero if it is only a rounding error of coordinates like `p`.
pub(in crate::geometry) fn direction(v: DVec3, p: DVec3) -> DVec3 {
    let length = v.length();
    if length > NO_LENGTH * p.abs().max_element() { v / length } else { DVec3::ZERO }
}
