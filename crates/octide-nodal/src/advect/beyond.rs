//! What faces have beyond the mean of their corners, r = u − N(x), at any point:
//!
//! linear along the axis between the two sides of the leaf around the point, constant across. A side is as large as the face that
//! asks for it: smaller faces of the old tree count by their areas.

use crate::mesh::Mesh;
use crate::transfer::{face_velocity, square};
use glam::DVec3;
use octide_core::index::{CellId, FaceId, Field, NodeId, TreeId};
use octide_core::par;

/// r on all faces of a mesh.
pub struct Beyond<'a> {
    mesh: &'a Mesh,
    r: Field<FaceId, f64>,
}

impl<'a> Beyond<'a> {
    /// What `u` has beyond its corners.
    pub fn new(mesh: &'a Mesh, u: &Field<FaceId, f64>, corners: &Field<NodeId, DVec3>) -> Self {
        let r = par::map(mesh.n_faces(), |k: FaceId| u[k] - face_velocity(mesh, corners, k));
        Self { mesh, r }
    }

    /// r along an axis at a point of `cell`, for a face of the size of `level`.
    #[inline]
    pub fn at(&self, axis: usize, level: u8, cell: CellId, p: DVec3) -> f64 {
        let tree = &self.mesh.tree;
        let mut node = tree.node_of(cell);
        while tree.node_level(node) > level {
            node = tree.parent(node);
        }
        let size = tree.grid().cell_size(tree.node_level(node));
        let center = tree.grid().position(tree.lattice_center(node));
        let t = (p[axis] - center[axis]) / size + 0.5;
        // At rest a point lies on one of the sides, and the other must not count by rounding.
        if t <= 0.0 {
            return self.side(node, 2 * axis, level, p);
        }
        if t >= 1.0 {
            return self.side(node, 2 * axis + 1, level, p);
        }
        let (low, high) = (self.side(node, 2 * axis, level, p), self.side(node, 2 * axis + 1, level, p));
        low + (high - low) * t
    }

    /// The mean of r over the part of a node's side that is as large as a cell of `level`, at a point.
    fn side(&self, node: TreeId, direction: usize, level: u8, p: DVec3) -> f64 {
        let tree = &self.mesh.tree;
        if tree.is_leaf(node) {
            if let &[single] = self.mesh.faces.of_cell(tree.leaf_of(node), direction) {
                return self.r[single];
            }
        }
        let (mut of, mut toward) = (node, direction);
        if tree.node_level(node) < level {
            // A large leaf with small ones beside it: of those the part at the point.
            (of, toward) = (tree.neighbor(node, direction), direction ^ 1);
            while tree.node_level(of) < level && !tree.is_leaf(of) {
                let center = tree.grid().position(tree.lattice_center(of));
                let mut o = (toward & 1) << (toward / 2);
                for a in (0..3).filter(|&a| a != toward / 2) {
                    o |= usize::from(p[a] >= center[a]) << a;
                }
                of = tree.child(of, o);
            }
        }
        let (sum, area) = square(self.mesh, &self.r, of, toward, |_| true);
        sum / area
    }
}
