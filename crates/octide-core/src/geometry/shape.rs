//! The shapes of a scene and their signed distance: negative inside.
//!
//! The distance is exact for the solids themselves, turned, scaled or not. Combined shapes take the least or
//! the largest distance of their parts: the sign and the zero set are exact, and the magnitude never exceeds
//! the true distance. So it is for the smooth union, whose gradient is a weighted mean of its parts'
//! gradients.

mod at_least;
mod bounds;
mod distance;
mod ellipsoid;
mod smooth_min;
#[cfg(test)]
mod tests;
mod validate;
mod walls;

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
    /// A box whose edges are rounded off with `radius`; its outside measures are still `min` and `max`.
    RoundedBox {
        /// The corner with the smallest coordinates.
        min: DVec3,
        /// The corner with the largest coordinates.
        max: DVec3,
        /// The radius of edges and corners.
        radius: f64,
    },
    /// A ball.
    Sphere {
        /// Its center.
        center: DVec3,
        /// Its radius.
        radius: f64,
    },
    /// A ball stretched along the axes.
    Ellipsoid {
        /// Its center.
        center: DVec3,
        /// Half its measures along the axes.
        radii: DVec3,
    },
    /// A round bar with flat ends.
    Cylinder {
        /// The center of one end.
        from: DVec3,
        /// The center of the other end.
        to: DVec3,
        /// Its radius.
        radius: f64,
    },
    /// A round bar with hemispheres beyond its end points.
    Capsule {
        /// One end of its core.
        from: DVec3,
        /// The other end of its core.
        to: DVec3,
        /// Its radius.
        radius: f64,
    },
    /// A ring.
    Torus {
        /// Its center.
        center: DVec3,
        /// The direction through the hole.
        axis: DVec3,
        /// From the center to the middle of the tube.
        major: f64,
        /// The radius of the tube.
        minor: f64,
    },
    /// The half-space behind a plane, where the normal does not point.
    Plane {
        /// A point on the plane.
        point: DVec3,
        /// The direction that leads out.
        normal: DVec3,
    },
    /// What is in any of the shapes.
    Union(Vec<Shape>),
    /// What is in all of the shapes.
    Intersection(Vec<Shape>),
    /// What is in the first and in none of the others.
    Difference {
        /// The shape to cut from.
        of: Box<Shape>,
        /// What is cut away.
        minus: Vec<Shape>,
    },
    /// A union whose seams are filled over about `radius`.
    SmoothUnion {
        /// The shapes to join.
        shapes: Vec<Shape>,
        /// The width of the blend.
        radius: f64,
    },
    /// A shape scaled, then turned about the origin, then moved.
    Transformed {
        /// The shape before the transform.
        shape: Box<Shape>,
        /// Factor on all lengths.
        scale: f64,
        /// The turn.
        rotation: DQuat,
        /// The shift.
        translation: DVec3,
    },
    /// What a closed triangle mesh encloses. Copies share the mesh.
    Mesh(Arc<MeshShape>),
}
