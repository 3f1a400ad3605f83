//! Δ of §4.2: what the difference of two pressures is divided by.
//!
//! Between equal cells all choices are the edge. At a T-junction the paper names the .75 Δx of its own
//! example, "the size of the large cell, Δx, the size of the small cell, .5 Δx, the Euclidean distance
//! between p₁ and p₂"; for larger jumps .75 Δx becomes half of both edges together, the distance of the
//! centers along the face's normal.

use crate::mesh::Mesh;
use octide_core::index::FaceId;
use octide_core::octree::FaceCells;
use octide_core::scene::GradientDistance;

/// Δ of a face; on a side of the domain the distance from the cell's center to it.
#[inline]
pub fn delta<F: FaceCells, N>(mesh: &Mesh<F, N>, kind: GradientDistance, face: FaceId) -> f64 {
    let tree = &mesh.tree;
    let [lo, hi] = mesh.sides(face);
    if lo.is_none() || hi.is_none() {
        return 0.5 * mesh.face_size(face);
    }
    let (a, b) = (tree.size(lo), tree.size(hi));
    match kind {
        GradientDistance::Mean => 0.5 * (a + b),
        GradientDistance::Large => a.max(b),
        GradientDistance::Small => a.min(b),
        GradientDistance::Euclidean if a == b => a,
        GradientDistance::Euclidean => tree.center(lo).distance(tree.center(hi)),
    }
}
