//! The water's volume on the mesh: φ is linear in a cell near the surface, see [`octide_core::volume`].

use crate::boundary::Boundary;
use crate::faults::{self, Fault};
use crate::mesh::Mesh;
use glam::DVec3;
use octide_core::index::{CellId, Field, NodeId};
use octide_core::octree::nodal::trilinear_gradient;
use octide_core::par;
use octide_core::solids::Solids;
use octide_core::volume::{self, CutCell};
use rayon::prelude::*;

/// The gradient of φ at a cell's center.
#[inline]
pub fn cell_gradient(mesh: &Mesh, phi: &Field<NodeId, f64>, cell: CellId) -> DVec3 {
    let v = mesh.nodes.of_cell(cell);
    trilinear_gradient(|c| phi[v[c]], DVec3::splat(0.5), mesh.tree.size(cell))
}

/// The water's volume in m³.
pub fn liquid_volume(mesh: &Mesh, phi: &Field<NodeId, f64>, boundary: &Boundary, solids: &Solids) -> f64 {
    let of_cell = |i: usize| cell_volume(mesh, phi, boundary, solids, CellId(i as u32));
    if faults::is(Fault::UnorderedSum) {
        return (0..mesh.n_cells()).into_par_iter().map(of_cell).sum();
    }
    par::sum(mesh.n_cells(), of_cell)
}

/// The water's volume in one cell.
pub fn cell_volume(
    mesh: &Mesh,
    phi: &Field<NodeId, f64>,
    boundary: &Boundary,
    solids: &Solids,
    cell: CellId,
) -> f64 {
    let cube = (mesh.tree.center(cell), mesh.tree.size(cell), mesh.tree.grid().dx());
    let (here, solid) = (mesh.at_center(phi, cell), boundary.solid_distance(cell));
    volume::cell_volume(cube, here, solid, || cell_gradient(mesh, phi, cell), solids)
}

/// Where the middle of the water in a cell is that is not full.
pub fn cell_middle(mesh: &Mesh, phi: &Field<NodeId, f64>, solids: &Solids, cell: CellId) -> DVec3 {
    let (x, g) = (mesh.tree.center(cell), cell_gradient(mesh, phi, cell));
    CutCell { x, phi: mesh.at_center(phi, cell), g, solids, dx: mesh.tree.grid().dx() }
        .middle(mesh.tree.size(cell))
}
