//! Solids and the domain's sides on the faces: how open each one is, and the velocity of what closes the
//! rest.
//!
//! The paper takes a face that an object cuts as closed (§5: "Neumann boundary conditions to the cell faces
//! that intersect the object"). Here a cut face is open by its share of area, so that slopes are no stairs; a
//! face of open share A between cells i and j carries
//!
//! ```text
//! A u + (1 − A) u_solid
//! ```
//!
//! in the divergence, and A p_x in the pressure's equation. At a T-junction it is the small faces that are
//! measured.

use crate::faults::{self, Fault};
use crate::mesh::Mesh;
use glam::DVec3;
use octide_core::apertures::{Apertures, FaceCorners, FaceGeometry};
use octide_core::index::{FaceId, NodeId};
use octide_core::octree::{FaceCells, Nodes, Octree};
use octide_core::scene::OpenSides;
use octide_core::solids::Solids;

/// How open each face is, and the velocity of what closes the rest.
pub type Boundary = Apertures;

/// Measures the faces of a mesh.
pub(crate) fn measured(mesh: &Mesh, solids: &Solids, sides: OpenSides) -> Boundary {
    let mut boundary = Boundary::new(mesh, solids, sides);
    if faults::is(Fault::VolumeFractions) && !solids.is_empty() {
        let inside = (0..mesh.n_faces() as u32).map(FaceId).filter(|&k| mesh.side_of(k).is_none());
        for k in inside {
            let middle = solids.distance(mesh.face_position(k));
            boundary.set_open(k, (0.5 + middle / mesh.face_size(k)).clamp(0.0, 1.0));
        }
    }
    boundary
}

impl<F: FaceCells, N: Sync> FaceGeometry for Mesh<F, N> {
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
        &self.nodes
    }

    #[inline]
    fn axis(&self, face: FaceId) -> usize {
        self.faces.axis(face)
    }

    fn face_position(&self, face: FaceId) -> DVec3 {
        Mesh::face_position(self, face)
    }

    fn face_corners(&self, face: FaceId) -> [NodeId; 4] {
        Mesh::face_corners(self, face)
    }
}
