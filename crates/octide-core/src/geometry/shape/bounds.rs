//! Bounding boxes of shapes.

use super::{Shape, smooth_min};
use glam::DVec3;

impl Shape {
    /// Returns a box that contains the shape, as its smallest and largest corner; `None` if the shape is
    /// unbounded.
    ///
    /// The box is tight for primitive shapes; for combined and rotated shapes it may be larger than
    /// necessary.
    pub fn bounds(&self) -> Option<(DVec3, DVec3)> {
        match self {
            Self::Box { min, max } | Self::RoundedBox { min, max, .. } => Some((*min, *max)),
            Self::Sphere { center, radius } => Some(around(*center, DVec3::splat(*radius))),
            Self::Ellipsoid { center, radii } => Some(around(*center, *radii)),
            Self::Cylinder { from, to, radius } => {
                Some(hull(around(*from, disc(*to - *from, *radius)), around(*to, disc(*to - *from, *radius))))
            }
            Self::Capsule { from, to, radius } => {
                Some(hull(around(*from, DVec3::splat(*radius)), around(*to, DVec3::splat(*radius))))
            }
            Self::Torus { center, axis, major, minor } => {
                Some(around(*center, disc(*axis, *major) + DVec3::splat(*minor)))
            }
            Self::Plane { .. } => None,
            Self::Mesh(mesh) => Some(mesh.sdf.bounds()),
            Self::Blend(blend) => Some(blend.bounds()),
            Self::Union(shapes) => hull_of(shapes),
            Self::Intersection(shapes) => shapes.iter().filter_map(Self::bounds).reduce(|a, b| {
                let min = a.0.max(b.0);
                (min, a.1.min(b.1).max(min))
            }),
            Self::Difference { of, .. } => of.bounds(),
            Self::SmoothUnion { shapes, radius } => {
                let reach = DVec3::splat(smooth_min::reach(shapes.len(), *radius));
                hull_of(shapes).map(|(min, max)| (min - reach, max + reach))
            }
            Self::Transformed { shape, scale, rotation, translation } => {
                shape.bounds().map(|b| moved_box(b, |p| *rotation * (*scale * p) + *translation))
            }
        }
    }

    /// Returns a box that is nowhere farther than the shape: the distance to the box is at most
    /// [`Self::distance`], up to rounding. `None` if there is no such box.
    ///
    /// It differs from [`Self::bounds`] for intersections, whose distance is that of their farthest part and
    /// not that of the corner where parts meet.
    pub fn distance_box(&self) -> Option<(DVec3, DVec3)> {
        match self {
            Self::Union(shapes) => hull_by(shapes, Self::distance_box),
            Self::Intersection(shapes) => {
                let volume = |(min, max): &(DVec3, DVec3)| (*max - *min).element_product();
                let boxes = shapes.iter().filter_map(Self::distance_box);
                boxes.min_by(|a, b| volume(a).total_cmp(&volume(b)))
            }
            Self::Difference { of, .. } => of.distance_box(),
            Self::SmoothUnion { shapes, radius } => {
                let reach = DVec3::splat(smooth_min::reach(shapes.len(), *radius));
                hull_by(shapes, Self::distance_box).map(|(min, max)| (min - reach, max + reach))
            }
            Self::Transformed { shape, scale, rotation, translation } => {
                shape.distance_box().map(|b| moved_box(b, |p| *rotation * (*scale * p) + *translation))
            }
            _ => self.bounds(),
        }
    }
}

/// Returns a box around the image of a box under a motion.
pub(in crate::geometry) fn moved_box(
    (min, max): (DVec3, DVec3),
    motion: impl Fn(DVec3) -> DVec3,
) -> (DVec3, DVec3) {
    let corner = |i: usize| {
        let pick = |a: usize| if i >> a & 1 == 0 { min[a] } else { max[a] };
        let p = motion(DVec3::new(pick(0), pick(1), pick(2)));
        (p, p)
    };
    (1..8).map(corner).fold(corner(0), hull)
}

/// Returns half the dimensions of the bounding box of a flat disc perpendicular to `axis`.
fn disc(axis: DVec3, radius: f64) -> DVec3 {
    let n = axis.normalize_or_zero();
    radius * (DVec3::ONE - n * n).max(DVec3::ZERO).sqrt()
}

fn around(center: DVec3, half: DVec3) -> (DVec3, DVec3) {
    (center - half, center + half)
}

fn hull(a: (DVec3, DVec3), b: (DVec3, DVec3)) -> (DVec3, DVec3) {
    (a.0.min(b.0), a.1.max(b.1))
}

/// Returns a box around all shapes; `None` if one of them is unbounded.
fn hull_of(shapes: &[Shape]) -> Option<(DVec3, DVec3)> {
    hull_by(shapes, Shape::bounds)
}

fn hull_by(shapes: &[Shape], of: fn(&Shape) -> Option<(DVec3, DVec3)>) -> Option<(DVec3, DVec3)> {
    let all: Option<Vec<_>> = shapes.iter().map(of).collect();
    all?.into_iter().reduce(hull)
}
