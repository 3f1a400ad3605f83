//! The shapes of a scene and their signed distances, which are negative inside.
//!
//! The distance is exact for the primitive shapes, with or without rotation and scaling. Combined shapes take
//! the smallest or largest distance of their parts: the sign and the zero set are exact, and the magnitude
//! never exceeds the true distance. The same holds for the smooth union, whose gradient is a weighted mean of
//! the gradients of its parts.

mod at_least;
mod bounds;
mod distance;
mod ellipsoid;
mod gradient;
mod smooth_min;
#[cfg(test)]
mod tests;
mod thickness;
mod validate;
mod walls;

pub(super) use bounds::moved_box;
pub(super) use gradient::direction;

use super::Pose;
use super::blend::MeshBlend;
use super::mesh_sdf::MeshShape;
use glam::{DQuat, DVec3};
use std::sync::Arc;

/// A region of space.
#[derive(Clone, Debug)]
pub enum Shape {
    /// An axis-aligned box between two corners.
    Box {
        /// The corner with the smallest coordinates.
        min: DVec3,
        /// The corner with the largest coordinates.
        max: DVec3,
    },
    /// A box whose edges are rounded with `radius`; its outer dimensions are still given by `min` and `max`.
    RoundedBox {
        /// The corner with the smallest coordinates.
        min: DVec3,
        /// The corner with the largest coordinates.
        max: DVec3,
        /// The radius of its edges and corners.
        radius: f64,
    },
    /// A ball.
    Sphere {
        /// Its center.
        center: DVec3,
        /// Its radius.
        radius: f64,
    },
    /// An ellipsoid along the axes.
    Ellipsoid {
        /// Its center.
        center: DVec3,
        /// Its semi-axes.
        radii: DVec3,
    },
    /// A cylinder with flat ends.
    Cylinder {
        /// The center of one end.
        from: DVec3,
        /// The center of the other end.
        to: DVec3,
        /// Its radius.
        radius: f64,
    },
    /// A cylinder with hemispheres beyond its end points.
    Capsule {
        /// One end point of its core.
        from: DVec3,
        /// The other end point of its core.
        to: DVec3,
        /// Its radius.
        radius: f64,
    },
    /// A torus.
    Torus {
        /// Its center.
        center: DVec3,
        /// The direction through the hole.
        axis: DVec3,
        /// The distance from the center to the middle of the tube.
        major: f64,
        /// The radius of the tube.
        minor: f64,
    },
    /// The half-space behind a plane, on the side away from the normal.
    Plane {
        /// A point on the plane.
        point: DVec3,
        /// The direction that points out of the half-space.
        normal: DVec3,
    },
    /// The points in any of the shapes.
    Union(Vec<Shape>),
    /// The points in all of the shapes.
    Intersection(Vec<Shape>),
    /// The points in the first shape and in none of the others.
    Difference {
        /// The shape to cut from.
        of: Box<Shape>,
        /// The shapes to cut away.
        minus: Vec<Shape>,
    },
    /// A union whose seams are blended over about `radius`.
    SmoothUnion {
        /// The shapes to join.
        shapes: Vec<Shape>,
        /// The width of the blend.
        radius: f64,
    },
    /// A shape that is scaled, then rotated about the origin, then translated.
    Transformed {
        /// The shape before the transform.
        shape: Box<Shape>,
        /// The scale factor of all lengths.
        scale: f64,
        /// The rotation.
        rotation: DQuat,
        /// The translation.
        translation: DVec3,
    },
    /// The inside of a closed triangle mesh, or a shell. Copies share the mesh.
    Mesh(Arc<MeshShape>),
    /// A shape between two meshes. Scene files have none; it is what a sequence of meshes may be in between.
    Blend(Arc<MeshBlend>),
}

impl Shape {
    /// Returns the parts of a union, or the shape itself.
    pub fn parts(&self) -> &[Self] {
        match self {
            Self::Union(shapes) => shapes,
            other => std::slice::from_ref(other),
        }
    }

    /// Returns the shape where a rigid motion has brought it.
    pub fn posed(&self, pose: Pose) -> Self {
        let Pose { position, rotation } = pose;
        Self::Transformed { shape: Box::new(self.clone()), scale: 1.0, rotation, translation: position }
    }

    /// Returns whether a mesh is part of it.
    pub fn has_mesh(&self) -> bool {
        match self {
            Self::Mesh(_) | Self::Blend(_) => true,
            Self::Union(shapes) | Self::Intersection(shapes) | Self::SmoothUnion { shapes, .. } => {
                shapes.iter().any(Self::has_mesh)
            }
            Self::Difference { of: shape, .. } | Self::Transformed { shape, .. } => shape.has_mesh(),
            _ => false,
        }
    }
}
