//! The liquid's volume on the mesh: φ is taken as linear in a cell near the surface, see
//! [`octide_core::volume`]. A flat surface has the same volume on every tree, so that changing the tree does
//! not set resting water in motion.

use crate::apertures::Apertures;
use crate::faults::{self, Fault};
use crate::mesh::Mesh;
use crate::solids::Solids;
use glam::DVec3;
use octide_core::index::{CellId, Field};
use octide_core::par;
use octide_core::volume::{self, CutCell};
pub use octide_core::volume::{VolumeControl, fraction_behind_plane};
use rayon::prelude::*;

/// Returns the gradient of φ at a cell's center: along each axis the mean over its two faces, exact for
/// linear φ.
pub fn cell_gradient(mesh: &Mesh, phi: &Field<CellId, f64>, cell: CellId) -> DVec3 {
    let faces = mesh.faces.of_cell(cell);
    let mut g = DVec3::ZERO;
    for axis in 0..3 {
        let (mut sum, mut n) = (0.0, 0.0);
        for &k in &faces[2 * axis..2 * axis + 2] {
            if !mesh.faces.is_wall(k) {
                sum += mesh.faces.stencil(&mesh.tree, k).iter().map(|(c, w)| w * phi[c]).sum::<f64>();
                n += 1.0;
            }
        }
        g[axis] = if n > 0.0 { sum / n } else { 0.0 };
    }
    g
}

/// Returns the liquid's volume in m³.
pub fn liquid_volume(mesh: &Mesh, phi: &Field<CellId, f64>, apertures: &Apertures, solids: &Solids) -> f64 {
    let of_cell = |i: usize| cell_volume(mesh, phi, apertures, solids, CellId(i as u32));
    if faults::is(Fault::UnorderedSum) {
        return (0..mesh.n_cells()).into_par_iter().map(of_cell).sum();
    }
    par::sum(mesh.n_cells(), of_cell)
}

/// Returns the liquid's volume in one cell.
pub fn cell_volume(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    apertures: &Apertures,
    solids: &Solids,
    cell: CellId,
) -> f64 {
    let cube = (mesh.tree.center(cell), mesh.tree.size(cell), mesh.tree.grid().dx());
    let (here, solid) = (phi[cell], apertures.solid_distance(cell));
    volume::cell_volume(cube, here, solid, || cell_gradient(mesh, phi, cell), solids)
}

/// Returns the centroid of the liquid in a cell that is not full.
pub fn cell_middle(mesh: &Mesh, phi: &Field<CellId, f64>, solids: &Solids, cell: CellId) -> DVec3 {
    let (x, g) = (mesh.tree.center(cell), cell_gradient(mesh, phi, cell));
    CutCell { x, phi: phi[cell], g, solids, dx: mesh.tree.grid().dx() }.middle(mesh.tree.size(cell))
}
