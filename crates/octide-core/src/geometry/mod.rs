//! Shapes as signed distance, triangle meshes, and rigid motion in time.

mod motion;
mod shape;
mod trimesh;

pub use motion::{Keyframe, Motion, Pose};
pub use shape::Shape;
pub use trimesh::TriMesh;
