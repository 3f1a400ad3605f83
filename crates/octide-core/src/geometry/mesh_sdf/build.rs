//! The hierarchy over a mesh's triangles.

use super::triangle::Triangle;
use crate::geometry::hierarchy::{self, BinaryNode};
use glam::{DVec3, Vec3};

/// The hierarchy; node 0 is the root.
pub(super) struct BinaryTree {
    pub nodes: Vec<BinaryNode>,
    /// The triangles in the order of the leaves.
    pub triangles: Vec<Triangle>,
    /// The number of each triangle in the mesh.
    pub ids: Vec<u32>,
    /// The vertices of each triangle.
    pub vertices: Vec<[u32; 3]>,
}

pub(super) fn build(positions: &[[f32; 3]], triangles: &[[u32; 3]], origin: DVec3) -> BinaryTree {
    let corners = |t: &[u32; 3]| t.map(|v| Vec3::from_array(positions[v as usize]).as_dvec3() - origin);
    let boxes = triangles.iter().map(|t| {
        let [a, b, c] = corners(t);
        (a.min(b).min(c), a.max(b).max(c))
    });
    let (nodes, ids) = hierarchy::build(boxes);
    let vertices: Vec<[u32; 3]> = ids.iter().map(|&t| triangles[t as usize]).collect();
    let triangles = vertices.iter().map(|t| Triangle::new(corners(t))).collect();
    BinaryTree { nodes, triangles, ids, vertices }
}
