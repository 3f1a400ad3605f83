//! Triangle meshes as plain data.

/// Triangles over shared vertices, counter-clockwise seen from outside.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TriMesh {
    /// Positions in meters.
    pub positions: Vec<[f32; 3]>,
    /// Vertex numbers of each triangle.
    pub triangles: Vec<[u32; 3]>,
}
