//! Pinched edges: octree edges where liquid and air alternate and whose two pairs of faces meet the same
//! vertices at both ends. Four polygons would share that mesh edge, so each pair gets an extra vertex between
//! the two ends.

use super::corners::Corners;
use super::crossing::{Crossing, Crossings};
use super::sheets::{around, is_ambiguous, others};
use super::vertex::Vertex;
use crate::index::NodeId;
use crate::octree::Octree;
use crate::par;
use glam::DVec3;

/// An edge from a corner in the positive direction of an axis.
type Edge = (NodeId, usize);

/// The pinched edges and their vertices.
pub struct Pinches {
    edges: Vec<Edge>,
    /// Two vertices for each edge; the first belongs to the liquid octant on the low side of the edge's next
    /// axis.
    pub vertices: Vec<Vertex>,
}

impl Pinches {
    /// Finds all pinched edges. `sheets` are the vertices of the sheets.
    pub fn new(tree: &Octree, corners: &Corners, crossings: &Crossings, sheets: &[Vertex]) -> Self {
        let found = par::collect(corners.active.len(), |i, out: &mut Vec<(Edge, NodeId)>| {
            let v = corners.active[i];
            for axis in (0..3).filter(|&axis| is_ambiguous(corners.mask[v], axis, 1)) {
                let w = far_end(tree, corners, v, axis);
                let one = |v: NodeId, side: usize| {
                    let [a, b] =
                        pairs(corners.mask[v], axis, side).map(|o| corners.vertex(v, o, others(axis).0));
                    a == b
                };
                if one(v, 1) && one(w, 0) {
                    out.push(((v, axis), w));
                }
            }
        });
        let vertices = par::collect(found.len(), |i, out| {
            let ((v, axis), w) = found[i];
            for octant in pairs(corners.mask[v], axis, 1) {
                let ends = [v, w].map(|end| {
                    let toward = if end == v { octant } else { octant & !(1 << axis) };
                    sheets[corners.vertex(end, toward, others(axis).0) as usize]
                });
                out.push(between(corners, crossings, &ends, octant, axis));
            }
        });
        Self { edges: found.into_iter().map(|(edge, _)| edge).collect(), vertices }
    }

    /// Returns the index in `vertices` of the vertex for the faces of the liquid `octant` at the edge from
    /// `low` along `axis`.
    pub fn find(&self, low: NodeId, axis: usize, octant: usize) -> Option<usize> {
        let i = self.edges.binary_search(&(low, axis)).ok()?;
        Some(2 * i + (octant >> others(axis).0 & 1))
    }
}

/// Returns the liquid octants around an ambiguous half-axis; the one on the low side of the next axis comes
/// first.
fn pairs(mask: u8, axis: usize, side: usize) -> [usize; 2] {
    let [a, b, c, d] = around(axis, side);
    if mask >> a & 1 == 1 { [a, c] } else { [d, b] }
}

/// Returns the next corner from `v` in the positive direction of `axis`, where the smallest leaf around that
/// edge ends.
fn far_end(tree: &Octree, corners: &Corners, v: NodeId, axis: usize) -> NodeId {
    let leaves = around(axis, 1).map(|o| (o, corners.nodes.cells(v)[o]));
    let smallest = leaves.into_iter().filter(|(_, c)| c.is_some()).max_by_key(|&(_, c)| tree.level(c));
    smallest.map_or(NodeId::NONE, |(o, c)| corners.nodes.of_cell(c)[(7 - o) ^ 1 << axis])
}

/// Returns the mean of both ends and the crossings of the octant's two faces, which lies off the edge, toward
/// the liquid.
fn between(
    corners: &Corners,
    crossings: &Crossings,
    ends: &[Vertex; 2],
    octant: usize,
    axis: usize,
) -> Vertex {
    let node = ends[0].node;
    let cells = corners.nodes.cells(node);
    let mut all = ends.map(|v| Crossing { point: v.position, normal: v.normal, is_wall: !v.at.air }).to_vec();
    let (u, v) = others(axis);
    for across in [u, v] {
        let air = cells[octant ^ 1 << across];
        if air.is_some() {
            all.push(crossings.between(cells[octant], air));
        }
    }
    let mean = all.iter().map(|c| c.point).sum::<DVec3>() / all.len() as f64;
    let normal = all[2..].iter().map(|c| c.normal).sum::<DVec3>();
    Vertex { position: mean, normal: normal.try_normalize().unwrap_or(ends[0].normal), node, at: ends[0].at }
}
