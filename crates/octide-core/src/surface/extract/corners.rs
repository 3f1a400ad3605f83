//! The corners of the tree that the surface passes through, and the numbers of the vertices there.

use super::crossing::is_liquid;
use super::sheets::{SHEETS, arc};
use crate::index::{CellId, Field, NodeId};
use crate::octree::Nodes;
use crate::par;

/// The corners with sheets, and the number of the first vertex at each.
pub struct Corners<'a> {
    pub nodes: &'a Nodes,
    /// One bit for each liquid octant.
    pub mask: Field<NodeId, u8>,
    /// Corners with both liquid and air around them, in order.
    pub active: Vec<NodeId>,
    /// The number of the first vertex at each active corner.
    first: Field<NodeId, u32>,
    /// Total number of vertices at corners.
    pub n_vertices: usize,
}

impl<'a> Corners<'a> {
    /// Classifies all corners.
    pub fn new(nodes: &'a Nodes, phi: &Field<CellId, f64>) -> Self {
        let mask: Field<NodeId, u8> = par::map(nodes.len(), |v| {
            let bit = |(o, &cell)| u8::from(is_liquid(phi, cell)) << o;
            nodes.cells(v).iter().enumerate().map(bit).sum()
        });
        let mut first = Field::filled(nodes.len(), u32::MAX);
        let mut active = Vec::new();
        let mut n_vertices = 0;
        for v in mask.ids() {
            if mask[v] != 0 && mask[v] != u8::MAX {
                active.push(v);
                first[v] = n_vertices;
                n_vertices += u32::from(SHEETS[mask[v] as usize].count);
            }
        }
        Self { nodes, mask, active, first, n_vertices: n_vertices as usize }
    }

    /// Returns the vertex of the sheet that crosses from `octant` along `axis`. The surface must cross there.
    #[inline]
    pub fn vertex(&self, v: NodeId, octant: usize, axis: usize) -> u32 {
        let sheet = SHEETS[self.mask[v] as usize].of_arc[arc(octant, axis)];
        debug_assert!(sheet < 4, "no sheet crosses here");
        self.first[v] + u32::from(sheet)
    }
}
