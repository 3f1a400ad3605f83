//! Solids on the grid: the open share A of each face and the velocity of what closes the rest (§4.4), by
//! octide-core's [`Apertures`]. At a T-junction the corners are those of the large face.

use crate::faults::{self, Fault};
use crate::mesh::Mesh;
use crate::solids::Solids;
use glam::DVec3;
pub use octide_core::apertures::{Apertures, Changed};
use octide_core::apertures::{FaceCorners, FaceGeometry};
use octide_core::index::{FaceId, NodeId};
use octide_core::octree::{Nodes, Octree, side_corners};
use octide_core::scene::OpenSides;

/// Measures the faces of a mesh.
pub fn measured(mesh: &Mesh, solids: &Solids, sides: OpenSides) -> Apertures {
    let mut apertures = Apertures::new(mesh, solids, sides);
    if faults::is(Fault::VolumeFractions) && !solids.is_empty() {
        let inside = (0..mesh.n_faces() as u32).map(FaceId).filter(|&k| mesh.side_of(k).is_none());
        for k in inside {
            let middle = solids.distance(mesh.face_position(k));
            apertures.set_open(k, (0.5 + middle / mesh.face_size(k)).clamp(0.0, 1.0));
        }
    }
    apertures
}

impl FaceGeometry for Mesh {
    fn n_faces(&self) -> usize {
        Mesh::n_faces(self)
    }

    #[inline]
    fn side_of(&self, face: FaceId) -> Option<usize> {
        Mesh::side_of(self, face)
    }
}

impl FaceCorners for Mesh {
    fn tree(&self) -> &Octree {
        &self.tree
    }

    fn nodes(&self) -> &Nodes {
        Mesh::nodes(self)
    }

    #[inline]
    fn axis(&self, face: FaceId) -> usize {
        self.faces.axis(face)
    }

    #[inline]
    fn face_position(&self, face: FaceId) -> DVec3 {
        Mesh::face_position(self, face)
    }

    /// Around the side of the large cell that faces the other one.
    fn face_corners(&self, face: FaceId) -> [NodeId; 4] {
        let sides = self.faces.sides(face);
        let side = usize::from(sides[0].is_none() || !self.tree.is_leaf(sides[0]));
        let corners = Mesh::nodes(self).of_cell(self.tree.leaf_of(sides[side]));
        side_corners(2 * self.faces.axis(face) + 1 - side).map(|o| corners[o])
    }
}
