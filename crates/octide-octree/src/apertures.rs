//! Solids on the grid: the open share A of each face and the velocity of what closes the rest (§4.4), by
//! octide-core's [`Apertures`]. At a T-junction the corners are those of the large face.

use crate::faults::{self, Fault};
use crate::mesh::Mesh;
use crate::solids::Solids;
use octide_core::faces::FaceGeometry;
pub use octide_core::faces::apertures::{Apertures, Changed};
use octide_core::index::FaceId;
use octide_core::octree::{MergedFaces, Nodes, Octree};
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
    type Faces = MergedFaces;

    fn tree(&self) -> &Octree {
        &self.tree
    }

    fn nodes(&self) -> &Nodes {
        Mesh::nodes(self)
    }

    fn faces(&self) -> &MergedFaces {
        &self.faces
    }
}
