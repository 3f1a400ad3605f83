//! The hierarchy over a mesh's triangles.

use super::triangle::Triangle;
use crate::geometry::TriMesh;
use crate::geometry::hierarchy::{self, BinaryNode};
use glam::DVec3;

/// The hierarchy; node 0 is the root.
pub(super) struct BinaryTree {
    pub nodes: Vec<BinaryNode>,
    /// The triangles in the order of the leaves.
    pub triangles: Vec<Triangle>,
    /// The number of each triangle in the mesh.
    pub ids: Vec<u32>,
}

pub(super) fn build(mesh: &TriMesh, origin: DVec3) -> BinaryTree {
    let boxes = (0..mesh.triangles.len()).map(|t| {
        let [a, b, c] = mesh.corners(t).map(|p| p - origin);
        (a.min(b).min(c), a.max(b).max(c))
    });
    let (nodes, ids) = hierarchy::build(boxes);
    let triangles =
        ids.iter().map(|&t| Triangle::new(mesh.corners(t as usize).map(|p| p - origin))).collect();
    BinaryTree { nodes, triangles, ids }
}
