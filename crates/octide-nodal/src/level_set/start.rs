//! Distances at the corners next to the surface, from where it crosses the edges:
//!
//! ```text
//! 1/d² = Σ 1/t_a²   over the axes with a crossing,   t_a = l |φ₀| / (|φ₀| + |φ₁|),
//! ```
//!
//! l the edge's length, φ₀ and φ₁ the values at its ends, and of two crossings along an axis the nearer one.

use crate::mesh::Mesh;
use octide_core::index::{Field, NodeId};
use octide_core::octree::NodeEdges;

/// Whether φ lies in the water. Zero is air.
#[inline]
pub(super) fn is_water(phi: f64) -> bool {
    phi < 0.0
}

/// The distance at a corner with an edge that the surface crosses; none without such an edge.
pub(super) fn next_to_surface(
    mesh: &Mesh,
    edges: &NodeEdges,
    phi: &Field<NodeId, f64>,
    v: NodeId,
) -> Option<f64> {
    let here = phi[v];
    let mut sum = 0.0;
    for axis in 0..3 {
        let mut nearest = f64::INFINITY;
        for &w in &edges.of_node(v)[2 * axis..2 * axis + 2] {
            if w.is_some() && is_water(phi[w]) != is_water(here) {
                let share = here.abs() / (here.abs() + phi[w].abs());
                nearest = nearest.min(share * length(mesh, v, w));
            }
        }
        sum += (nearest * nearest).recip();
    }
    (sum > 0.0).then(|| sum.sqrt().recip())
}

/// The length of the edge between two corners.
#[inline]
pub(super) fn length(mesh: &Mesh, v: NodeId, w: NodeId) -> f64 {
    let way = mesh.nodes.place(v) - mesh.nodes.place(w);
    0.5 * mesh.tree.grid().dx() * f64::from(way.abs().max_element())
}
