//! φ at the corners beside walls that water has detached from: see [`octide_core::faces::detach`], which reads and
//! sets φ at the centers of cells.
//!
//! ```text
//! φ(corner) ≥ − distance from the solid,   at the corners of detached cells and of their fronts
//! ```
//!
//! This is air from the solid's surface inward, and water outside is as near to a surface as to the solid. No water
//! is removed, and the next step advects air out of the solid. A gap is not added to this: it is a width at the centers of
//! cells, and at other corners of the same cells water may touch the wall.

use crate::boundary::Boundary;
use crate::mesh::Mesh;
use octide_core::faces::detach::{Detached, DetachedCells, Walled, directions_at};
use octide_core::index::{CellId, Field, NodeId};
use octide_core::octree::{CellCorners, CornerTable, Octree, SplitFaces};
use octide_core::par;
use octide_core::solids::Solids;

/// Water flows into the cell of a wall through a face that is open by this fraction.
const OPEN: f64 = 0.75;

/// The corners beside walls that water has detached from, in order.
#[derive(Clone, Debug, Default)]
pub struct Gaps {
    corners: Vec<NodeId>,
}

impl Gaps {
    /// Finds the corners.
    pub(crate) fn new<N: CellCorners + Sync>(
        mesh: &Mesh<SplitFaces, N>,
        (boundary, solids): (&Boundary, &Solids),
        detached: &Detached,
    ) -> Self {
        let walled = Walled { mesh, apertures: boundary, solids };
        let mut corners = Vec::new();
        for (cell, _) in detached.cells() {
            let cells = std::iter::once(cell).chain(detached.free_fronts(walled, cell));
            corners.extend(cells.flat_map(|c| *mesh.nodes.of_cell(c)));
        }
        corners.sort_unstable_by_key(|v| v.0);
        corners.dedup();
        Self { corners }
    }

    /// Returns whether a corner is among them.
    pub(crate) fn contains(&self, corner: NodeId) -> bool {
        self.corners.binary_search_by_key(&corner.0, |v| v.0).is_ok()
    }

    /// Fills the walls that water has not detached from, at the centers of cells. They share corners with walls that it
    /// has detached from, and would be air by the mean of these: water would flow into them through their open faces.
    pub(crate) fn keep_attached<N: CellCorners + Sync>(
        &self,
        walled: Walled<Mesh<SplitFaces, N>>,
        detached: &Detached,
        centers: &mut Field<CellId, f64>,
    ) {
        let Walled { mesh, apertures, .. } = walled;
        if self.corners.is_empty() {
            return;
        }
        let filled = par::collect(mesh.n_cells(), |i, out: &mut Vec<(CellId, f64)>| {
            let c = CellId(i as u32);
            let is_attached = apertures.solid_distance(c) < 0.0 && centers[c] >= 0.0 && !detached.contains(c);
            if is_attached && mesh.nodes.of_cell(c).iter().any(|&v| self.contains(v)) {
                let open = walled.fronts(c).filter(|f| apertures.open(f.face) >= OPEN);
                let beside = open.map(|f| centers[f.cell]).fold(f64::INFINITY, f64::min);
                if beside < 0.0 {
                    out.push((c, beside));
                }
            }
        });
        for (c, phi) in filled {
            centers[c] = phi;
        }
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
            let v = self.corners[i];
            let x = mesh.node_position(v);
            let air = phi[v].max(-solids.distance(x));
            solids.bounded_in_thin_wall(x, air, mesh.tree.grid().dx(), |x| mesh.sample(phi, x))
        });
        for (&v, value) in self.corners.iter().zip(values) {
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
