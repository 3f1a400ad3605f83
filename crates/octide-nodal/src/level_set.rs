//! φ at corners: its advection by the flow, and its redistancing (§6).
//!
//! [`advect_phi`] advects φ from the old tree to the new one; near the surface its interpolation includes
//! curvature terms (`curved.rs`). The rules of §3 for coarsening and refining follow from it: trilinear
//! interpolation returns the value of a corner that persists, the mean of two at the middle of an edge, and
//! the mean of four at the middle of a face. [`redistance()`] makes φ a distance again.

mod curved;
mod redistance;
#[cfg(test)]
mod tests;

pub use curved::SecondDifferences;
pub use redistance::redistance;

use crate::mesh::Mesh;
use crate::paths::Paths;
use curved::CurvedPhi;
use octide_core::index::{Field, NodeId};
use octide_core::octree::nodal::{Linear, Vector, trilinear};
use octide_core::octree::{CellCorners, CornerTable, Lattice};
use octide_core::par;

/// Advects φ semi-Lagrangian from the corners of `old` to those of `new`:
///
/// ```text
/// φ(x, t + dt) = φ(x − dt u(x − ½ dt u(x)), t).
/// ```
///
/// Reads only the tree and the corners of cells of `old`; `second_differences` are the second differences of `phi`. Where
/// nothing moves, corners that both trees have keep their values exactly.
pub fn advect_phi<V: Vector, F: Sync, G: Sync>(
    old: &Mesh<F, impl CellCorners>,
    phi: &Field<NodeId, f64>,
    second_differences: SecondDifferences,
    paths: Paths<'_, V>,
    new: &Mesh<G, impl CornerTable>,
    dt: f64,
) -> Field<NodeId, f64> {
    let curved = CurvedPhi { mesh: old, phi, second_differences };
    let mut advected = par::map(new.n_nodes(), |v: NodeId| {
        if new.is_hanging(v) {
            return 0.0;
        }
        let x = new.node_position(v);
        let foot = paths.foot(old, x, dt);
        if foot == x { at_place(old, phi, new.node_place(v)) } else { curved.sample(foot) }
    });
    new.constrain(&mut advected);
    advected
}

/// Returns the value of a corner field at a lattice point, without rounding if that is a corner.
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
