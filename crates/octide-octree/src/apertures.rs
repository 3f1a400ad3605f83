//! Solids on the grid: the open fraction A of each face and the velocity of the solid that closes the rest
//! (§4.4), by octide-core's [`Apertures`]. At a T-junction the corners are those of the large face.

use crate::advect::same_cell;
use crate::faults::{self, Fault};
use crate::mesh::Mesh;
use crate::solids::Solids;
use octide_core::faces::FaceCorners;
use octide_core::faces::FaceGeometry;
pub use octide_core::faces::apertures::{Apertures, Changed};
use octide_core::index::CellId;
use octide_core::octree::{MergedFaces, Nodes, Octree};
use octide_core::scene::OpenSides;

/// Computes the apertures of the faces of a mesh.
pub fn measured(mesh: &Mesh, solids: &Solids, sides: OpenSides) -> Apertures {
    with_distances(mesh, solids, sides, |_| None)
}

/// Computes the apertures of the faces of a mesh after a step. Cells that the old mesh has too and that no moving solid is
/// nearest to keep their distance. `before` are the solids before the step.
pub(crate) fn measured_after(
    (old, apertures, before): (&Mesh, &Apertures, &Solids),
    mesh: &Mesh,
    solids: &Solids,
    sides: OpenSides,
) -> Apertures {
    with_distances(mesh, solids, sides, |cell| {
        let distance = apertures.solid_distance(same_cell(old, mesh, cell)?);
        let x = mesh.tree.center(cell);
        let moves = [before, solids].iter().any(|solids| solids.may_move_within(x, distance.abs()));
        (!moves).then_some(distance)
    })
}

fn with_distances(
    mesh: &Mesh,
    solids: &Solids,
    sides: OpenSides,
    known: impl Fn(CellId) -> Option<f64> + Sync + Send,
) -> Apertures {
    let mut apertures = Apertures::with_distances(mesh, solids, sides, known);
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
