//! φ at corners: carried along the flow, and made a distance again (§6).
//!
//! [`advect_phi`] brings φ from the old tree to the new one, near the surface by values that bend
//! (`bent.rs`). The rules of §3 for coarsening and refining follow from it: trilinear values at a corner that
//! stays are that corner's, in the middle of an edge the mean of two, of a face the mean of four.
//! [`redistance()`] makes φ a distance again.

mod bent;
mod redistance;
#[cfg(test)]
mod tests;

pub use bent::Bends;
pub use redistance::redistance;

use crate::mesh::Mesh;
use bent::Bent;
use octide_core::index::{Field, NodeId};
use octide_core::octree::nodal::{self, Linear, Vector, trilinear};
use octide_core::octree::{CellCorners, CornerTable, Lattice};
use octide_core::par;

/// Semi-Lagrangian transport from the corners of `old` to those of `new` with a velocity at the corners of
/// `old`:
///
/// ```text
/// φ(x, t + dt) = φ(x − dt u(x − ½ dt u(x)), t).
/// ```
///
/// Of `old` it reads the tree and the corners of cells; `bends` are those of `phi`. Where nothing moves,
/// corners that both trees have keep their values to the bit.
pub fn advect_phi<V: Vector, F: Sync, G: Sync>(
    old: &Mesh<F, impl CellCorners>,
    phi: &Field<NodeId, f64>,
    bends: Bends,
    corners: &Field<NodeId, V>,
    new: &Mesh<G, impl CornerTable>,
    dt: f64,
) -> Field<NodeId, f64> {
    let bent = Bent { mesh: old, phi, bends };
    let mut advected = par::map(new.n_nodes(), |v: NodeId| {
        if new.is_hanging(v) {
            return 0.0;
        }
        let x = new.node_position(v);
        let foot = nodal::trace_back(&old.tree, &old.nodes, corners, x, dt);
        if foot == x { at_place(old, phi, new.node_place(v)) } else { bent.sample(foot) }
    });
    new.constrain(&mut advected);
    advected
}

/// The value of a field at corners on a point of the lattice: without rounding where that is a corner.
pub fn at_place<T: Linear, F>(
    mesh: &Mesh<F, impl CellCorners>,
    values: &Field<NodeId, T>,
    place: Lattice,
) -> T {
    let tree = &mesh.tree;
    let cell = tree.nearest_leaf(tree.grid().position(place));
    let node = tree.node_of(cell);
    let half = tree.half_extent(node);
    let t = (place - tree.lattice_center(node) + half).as_dvec3() / f64::from(2 * half);
    let corners = mesh.nodes.of_cell(cell);
    let is_corner = t.to_array().iter().all(|&t| t == 0.0 || t == 1.0);
    if is_corner {
        let c = usize::from(t.x == 1.0) | usize::from(t.y == 1.0) << 1 | usize::from(t.z == 1.0) << 2;
        return values[corners[c]];
    }
    trilinear(|c| values[corners[c]], t)
}
