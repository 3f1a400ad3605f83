//! φ at the corners beside walls that water has detached from: see [`octide_core::faces::detach`], which reads and
//! sets φ at the centers of cells.
//!
//! ```text
//! φ(corner) ≥ gap − distance from the solid,   at the corners of detached cells and of their fronts
//! ```
//!
//! This is air from the solid's surface inward, and water outside is as near to a surface as to the solid. No water
//! is removed, and the next step advects air out of the solid.

use crate::boundary::Boundary;
use crate::mesh::Mesh;
use octide_core::faces::detach::{Detached, DetachedCells, Walled, directions_at};
use octide_core::index::{CellId, Field, NodeId};
use octide_core::octree::{CellCorners, CornerTable, Octree, SplitFaces};
use octide_core::par;
use octide_core::solids::Solids;

/// The corners beside walls that water has detached from, in order, and the width of the gap there.
#[derive(Clone, Debug, Default)]
pub struct Gaps {
    corners: Vec<(NodeId, f64)>,
}

impl Gaps {
    /// Finds the corners; `centers` is φ at the centers of cells.
    pub(crate) fn new<N: CellCorners + Sync>(
        mesh: &Mesh<SplitFaces, N>,
        (boundary, solids): (&Boundary, &Solids),
        detached: &Detached,
        centers: &Field<CellId, f64>,
    ) -> Self {
        let walled = Walled { mesh, apertures: boundary, solids };
        let mut corners = Vec::new();
        for (cell, _) in detached.cells() {
            let width = detached.width(walled, centers, cell);
            let cells = std::iter::once(cell).chain(detached.free_fronts(walled, cell));
            corners.extend(cells.flat_map(|c| mesh.nodes.of_cell(c).map(|v| (v, width))));
        }
        // The widest gap comes first.
        corners.sort_by(|a, b| a.0.0.cmp(&b.0.0).then(b.1.total_cmp(&a.1)));
        corners.dedup_by_key(|c| c.0);
        Self { corners }
    }

    /// Returns the width of the gap at a corner, if there is one.
    pub(crate) fn width(&self, corner: NodeId) -> Option<f64> {
        self.corners.binary_search_by_key(&corner.0, |c| c.0.0).ok().map(|i| self.corners[i].1)
    }

    /// Sets φ at the corners.
    pub(crate) fn apply<F: Sync, N: CornerTable + CellCorners + Sync>(
        &self,
        mesh: &Mesh<F, N>,
        solids: &Solids,
        phi: &mut Field<NodeId, f64>,
    ) {
        if self.corners.is_empty() {
            return;
        }
        let values = par::map_index(self.corners.len(), |i| {
            let (v, width) = self.corners[i];
            let x = mesh.node_position(v);
            let air = phi[v].max(width - solids.distance(x));
            solids.bounded_in_thin_wall(x, air, mesh.tree.grid().dx(), |x| mesh.sample(phi, x))
        });
        for (&(v, _), value) in self.corners.iter().zip(values) {
            phi[v] = value;
        }
        mesh.constrain(phi);
    }
}

/// Returns φ at the centers of cells: the mean of their corners.
pub(crate) fn at_centers<F: Sync, N: CellCorners + Sync>(
    mesh: &Mesh<F, N>,
    phi: &Field<NodeId, f64>,
) -> Field<CellId, f64> {
    par::map(mesh.n_cells(), |c| mesh.at_center(phi, c))
}

/// Returns the cells of the new tree whose walls water had detached from in the old one: where they are after `dt` if
/// they move with their solids.
pub(crate) fn moved_with_solids(
    old: &Octree,
    detached: &[(CellId, u8)],
    tree: &Octree,
    solids: &Solids,
    dt: f64,
) -> DetachedCells {
    if detached.is_empty() {
        return Vec::new();
    }
    par::collect(tree.n_cells(), |i, out: &mut Vec<(CellId, u8)>| {
        let c = CellId(i as u32);
        let x = tree.center(c);
        let free =
            directions_at(detached, old.nearest_leaf(x - dt * solids.velocity_within(x, tree.size(c))));
        if free != 0 {
            out.push((c, free));
        }
    })
}
