//! Shapes as signed distances, triangle meshes, and rigid motion in time.

mod hierarchy;
mod mesh_sdf;
mod motion;
pub mod primitives;
mod samples;
mod shape;
mod shape_set;
mod shape_tree;
mod square;
mod tessellate;
mod trimesh;
mod value_error;

pub use mesh_sdf::{MeshError, MeshSdf, MeshShape};
pub use motion::{Keyframe, Motion, Pose, RigidState};
pub use primitives::builtin_mesh;
pub use samples::{Build, Samples};
pub use shape::Shape;
pub use shape_set::ShapeSet;
pub use shape_tree::ShapeTree;
pub use square::{Part, cuts, negative_part, negative_share};
pub use trimesh::{MeshReport, Topology, TriMesh, mesh_report};
pub use value_error::ValueError;
