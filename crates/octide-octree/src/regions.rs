//! Bodies of water for volume correction (§8, after Kim et al. 2007): which cells are connected, see
//! [`octide_core::volume::LiquidBodies`].

use crate::apertures::Apertures;
use crate::mesh::Mesh;
use crate::solids::Solids;
use crate::volume::cell_volume;
use octide_core::index::{CellId, Field};
use octide_core::par;
use octide_core::volume::{LiquidBodies, LiquidCells, OpenNeighbors};

/// A mesh whose cells are connected through faces that solids leave open.
#[derive(Clone, Copy, Debug)]
pub struct OpenFaces<'a> {
    /// The grid.
    pub mesh: &'a Mesh,
    /// How solids close its faces.
    pub apertures: &'a Apertures,
}

impl OpenNeighbors for OpenFaces<'_> {
    fn for_each_open(&self, cell: CellId, mut f: impl FnMut(CellId)) {
        let OpenFaces { mesh, apertures } = *self;
        for (direction, &k) in mesh.faces.of_cell(cell).iter().enumerate() {
            if apertures.open(k) <= 0.0 {
                continue;
            }
            // Across a large face are all small cells beyond it, or the large one, but not those on this
            // side.
            let across = direction & 1 == 1;
            if let Some(sides) = mesh.faces.equal_cells(&mesh.tree, k) {
                f(sides[usize::from(across)]);
                continue;
            }
            for (other, w) in mesh.faces.stencil(&mesh.tree, k).iter() {
                if (w > 0.0) == across && other != cell {
                    f(other);
                }
            }
        }
    }
}

/// Returns the bodies of water at the start.
pub fn initial_bodies(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    apertures: &Apertures,
    solids: &Solids,
) -> LiquidBodies {
    let volume = par::map(mesh.n_cells(), |c| cell_volume(mesh, phi, apertures, solids, c));
    LiquidBodies::new(&LiquidCells { phi, volume: &volume, neighbors: OpenFaces { mesh, apertures } })
}
