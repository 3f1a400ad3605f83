//! Shapes as signed distances, triangle meshes, and rigid motion in time.

mod blend;
mod hierarchy;
mod mesh_sdf;
mod motion;
pub mod primitives;
mod samples;
mod sequence;
mod shape;
mod shape_set;
mod shape_tree;
mod square;
mod tessellate;
mod trimesh;
mod value_error;

pub use blend::MeshBlend;
pub use mesh_sdf::{MeshError, MeshSdf, MeshShape};
pub use motion::{Keyframe, Motion, Pose, RigidState};
pub use primitives::builtin_mesh;
pub use samples::{Build, SampleGrid, Samples};
pub use sequence::{Deformed, MeshFacts, MeshSequence, MeshSource, Push, SequenceError, SequenceOptions};
pub use shape::Shape;
pub use shape_set::ShapeSet;
pub use shape_tree::ShapeTree;
pub use square::{Part, cuts, negative_part, negative_share};
pub use trimesh::{MeshReport, Topology, TriMesh, mesh_report};
pub use value_error::ValueError;
