//! The polygon of a crossed face, which passes through the vertices of the corners on the face's boundary, in
//! order.
//!
//! ```text
//!   p3 ────── p2
//!   │    d     │      Four corners, a corner in the middle of an edge where finer leaves lie across it, and
//!   m          │      between two corners the vertex of a pinched edge. Counter-clockwise seen from the air.
//!   │          │
//!   p0 ────── p1
//! ```

use super::corners::Corners;
use super::crossing::Face;
use super::pinch::Pinches;
use super::sheets::{around, is_ambiguous, others};
use crate::index::NodeId;
use crate::octree::Octree;

/// Four corners, four edge midpoints, and at most one pinch per segment.
const MOST: usize = 16;

/// The vertices around a face.
pub struct FacePolygon {
    ids: [u32; MOST],
    len: usize,
}

impl FacePolygon {
    /// Collects the vertices around a face.
    pub fn new(tree: &Octree, corners: &Corners, pinches: &Pinches, face: &Face) -> Self {
        let mut polygon = Self { ids: [0; MOST], len: 0 };
        let axis = face.direction / 2;
        let high = face.direction & 1;
        let (u, v) = others(axis);
        let steps = [(0, u), (1 << u, v), (1 << u | 1 << v, u), (1 << v, v)];
        for (bits, along) in steps {
            polygon.follow(tree, corners, pinches, face, high << axis | bits, along);
        }
        // So far the order is counter-clockwise seen from the face's high side.
        let low_is_liquid = face.small_is_liquid == (high == 1);
        if !low_is_liquid {
            polygon.ids[..polygon.len].reverse();
        }
        polygon
    }

    /// Returns the vertices in order.
    pub fn ids(&self) -> &[u32] {
        &self.ids[..self.len]
    }

    fn push(&mut self, id: u32) {
        self.ids[self.len] = id;
        self.len += 1;
    }

    /// Pushes the vertices from the small leaf's corner `c` up to, but not including, the next corner along
    /// an axis.
    fn follow(
        &mut self,
        tree: &Octree,
        corners: &Corners,
        pinches: &Pinches,
        face: &Face,
        c: usize,
        along: usize,
    ) {
        let axis = face.direction / 2;
        let of_small = corners.nodes.of_cell(face.small);
        let (p, q) = (of_small[c], of_small[c ^ 1 << along]);
        let octant = 7 - c;
        let liquid = if face.small_is_liquid { octant } else { octant ^ 1 << axis };
        let middle = middle(tree, corners, face, p, octant, along);
        for (from, to) in [(p, middle.unwrap_or(q)), (middle.unwrap_or(q), q)] {
            if from == q {
                break; // no middle: the first segment was all
            }
            // The midpoint lies on the small leaf's edge, so the leaf is in the same octants there as at p.
            self.push(corners.vertex(from, octant, axis));
            let side = octant >> along & 1;
            if is_ambiguous(corners.mask[from], along, side) {
                let low = if side == 1 { from } else { to };
                if let Some(i) = pinches.find(low, along, liquid) {
                    self.push((corners.n_vertices + i) as u32);
                }
            }
        }
    }
}

/// Returns the corner at the midpoint of a face's edge that starts at `p`, if a leaf there is finer than the
/// face.
fn middle(
    tree: &Octree,
    corners: &Corners,
    face: &Face,
    p: NodeId,
    octant: usize,
    along: usize,
) -> Option<NodeId> {
    let level = tree.level(face.small);
    let cells = corners.nodes.cells(p);
    let o = around(along, octant >> along & 1)
        .into_iter()
        .find(|&o| cells[o].is_some() && tree.level(cells[o]) > level)?;
    Some(corners.nodes.of_cell(cells[o])[(7 - o) ^ 1 << along])
}
