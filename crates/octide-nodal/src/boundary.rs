//! Solids and the domain's sides on the faces: the open fraction of each face, and the velocity of the solid
//! that closes the rest.
//!
//! The paper treats a face that an object cuts as closed (§5: "Neumann boundary conditions to the cell faces
//! that intersect the object"). Here a cut face is open by its area fraction, so that slopes have no
//! staircase artifacts; a face with the open fraction A between cells i and j contributes
//!
//! ```text
//! A u + (1 − A) u_solid
//! ```
//!
//! to the divergence, and A p_x to the pressure equation. At a T-junction the small faces are measured.

use crate::faults::{self, Fault};
use crate::mesh::Mesh;
use octide_core::faces::{Apertures, FaceCorners, FaceGeometry};
use octide_core::octree::{Nodes, Octree, SplitFaces};
use octide_core::scene::OpenSides;
use octide_core::solids::Solids;

/// The open fraction of each face, and the velocity of the solid that closes the rest.
pub type Boundary = Apertures;

/// Measures the faces of a mesh.
pub(crate) fn measured(mesh: &Mesh, solids: &Solids, sides: OpenSides) -> Boundary {
    let mut boundary = Boundary::new(mesh, solids, sides);
    if faults::is(Fault::VolumeFractions) && !solids.is_empty() {
        boundary.use_volume_fractions(mesh, solids);
    }
    boundary
}

impl<N: Sync> FaceGeometry for Mesh<SplitFaces, N> {
    type Faces = SplitFaces;

    fn tree(&self) -> &Octree {
        &self.tree
    }

    fn faces(&self) -> &SplitFaces {
        &self.faces
    }
}

impl FaceCorners for Mesh {
    fn nodes(&self) -> &Nodes {
        &self.nodes
    }
}
