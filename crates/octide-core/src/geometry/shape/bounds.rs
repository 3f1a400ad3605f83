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
                shape.bounds().and_then(|(min, max)| {
                    (0..8)
                        .map(|corner| {
                            let pick = |a: usize| if corner >> a & 1 == 0 { min[a] } else { max[a] };
                            *rotation * (*scale * DVec3::new(pick(0), pick(1), pick(2))) + *translation
                        })
                        .map(|c| (c, c))
                        .reduce(hull)
                })
            }
        }
    }
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
    let all: Option<Vec<_>> = shapes.iter().map(Shape::bounds).collect();
    all?.into_iter().reduce(hull)
}
