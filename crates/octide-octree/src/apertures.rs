//! Solids on the grid: the open fraction A of each face and the velocity of the solid that closes the rest
//! (§4.4), by octide-core's [`Apertures`]. At a T-junction the corners are those of the large face.

use crate::faults::{self, Fault};
use crate::mesh::Mesh;
use crate::solids::Solids;
use octide_core::faces::FaceCorners;
use octide_core::faces::FaceGeometry;
pub use octide_core::faces::apertures::{Apertures, Changed};
use octide_core::octree::{MergedFaces, Nodes, Octree};
use octide_core::scene::OpenSides;

/// Computes the apertures of the faces of a mesh.
pub fn measured(mesh: &Mesh, solids: &Solids, sides: OpenSides) -> Apertures {
    let mut apertures = Apertures::new(mesh, solids, sides);
    if faults::is(Fault::VolumeFractions) && !solids.is_empty() {
        apertures.use_volume_fractions(mesh, solids);
    }
    apertures
}

impl FaceGeometry for Mesh {
    type Faces = MergedFaces;

    fn tree(&self) -> &Octree {
        &self.tree
    }

    fn faces(&self) -> &MergedFaces {
        &self.faces
    }
}

impl FaceCorners for Mesh {
    fn nodes(&self) -> &Nodes {
        Mesh::nodes(self)
    }
}
