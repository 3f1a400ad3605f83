//! Values of a field of which some cells have none.

use super::Fit;
use crate::mesh::Mesh;
use glam::DVec3;
use octide_core::index::CellId;

/// The value at `p` of a cell-centered field, eqs. (33)–(35) over the cells that have a value, continued
/// linearly to where none has; none where no cell that touches the one with `p` has a value. Not limited to
/// their range. Kernels are at least as wide as the cell with `p`.
pub fn fit_known(mesh: &Mesh, known: impl Fn(CellId) -> Option<f64>, p: DVec3) -> Option<f64> {
    let tree = &mesh.tree;
    let p = p.clamp(tree.grid().low(), tree.grid().high());
    let cell = tree.nearest_leaf(p);
    let scale = 1.0 / tree.size(cell);
    let mut fit = Fit::new();
    for other in cells_around(mesh, cell) {
        if let Some(value) = known(other) {
            let r = (tree.center(other) - p) * scale;
            // Beyond the last samples a large cell must hear its small neighbors, or it knows no slope.
            let h = (tree.size(other) * scale).max(1.0);
            fit.add(r, DVec3::splat(1.0 / h), value, false);
        }
    }
    (fit.w > 0.0).then(|| fit.value(false))
}

/// A cell and all that touch it, in order.
pub fn cells_around(mesh: &Mesh, cell: CellId) -> Vec<CellId> {
    let corners = mesh.nodes().of_cell(cell).iter();
    let mut cells: Vec<CellId> =
        corners.flat_map(|&v| mesh.nodes().cells(v)).copied().filter(|c| c.is_some()).collect();
    cells.sort_unstable();
    cells.dedup();
    cells
}
