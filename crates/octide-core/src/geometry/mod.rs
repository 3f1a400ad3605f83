//! Shapes as signed distance, triangle meshes, and rigid motion in time.

mod motion;
mod shape;
mod trimesh;
mod value_error;

pub use motion::{Keyframe, Motion, Pose, RigidState};
pub use shape::Shape;
pub use trimesh::TriMesh;
pub use value_error::ValueError;
