//! φ made a distance again, |∇φ| = 1 (§6), over the corners that do not hang and the edges between them.
//! Directions in which the next corner hangs are left out; hanging corners are constrained at the end.
//!
//! The paper has the fast marching method here. Its start, the distance from the crossings of edges, 1/d² = Σ
//! 1/t², takes an inner plane for a curved surface and forgets axes without a crossing: made a distance again
//! ten times, a ball of radius 4.8 cells lost 7.4 % of its volume, and a tilted plane was wrong by 0.11 cells
//! in the band. Octide's [`surface::redistance`](octide_core::surface::redistance) is the same upwind
//! solution in the far field, with values kept next to the surface and planes continued into four rings: 0.2
//! % and 0, at the same cost.

use crate::faults::{self, Fault};
use crate::mesh::Mesh;
use glam::DVec3;
use octide_core::index::{Field, NodeId};
use octide_core::octree::NodeEdges;
use octide_core::surface::graph::Graph;
use octide_core::surface::redistance::{self, Interface};

/// The signed distance to the zero contour of `phi` at every corner, nowhere more than `band`. Signs stay as
/// they are.
pub fn redistance(mesh: &Mesh, phi: &Field<NodeId, f64>, band: f64) -> Field<NodeId, f64> {
    if faults::is(Fault::NoRedistancing) {
        return phi.clone();
    }
    let corners = Corners { mesh, edges: NodeEdges::new(&mesh.tree, &mesh.nodes) };
    // What markers have corrected is no distance next to the surface either.
    let params = redistance::Params { interface: Interface::Normalize, ..redistance::Params::default() };
    let (d, _) = redistance::redistance(&corners, phi, &params);
    let mut d: Field<NodeId, f64> = Field::from_vec(d);
    d.iter_mut().for_each(|d| *d = d.clamp(-band, band));
    mesh.constrain(&mut d);
    d
}

/// The corners that do not hang, and their edges.
struct Corners<'a> {
    mesh: &'a Mesh,
    edges: NodeEdges,
}

impl Graph for Corners<'_> {
    fn len(&self) -> usize {
        self.mesh.n_nodes()
    }

    #[inline]
    fn position(&self, i: usize) -> DVec3 {
        self.mesh.node_position(NodeId(i as u32))
    }

    fn size(&self, i: usize) -> f64 {
        let cells = self.mesh.nodes.cells(NodeId(i as u32)).iter().filter(|c| c.is_some());
        cells.map(|&c| self.mesh.tree.size(c)).fold(f64::INFINITY, f64::min)
    }

    #[inline]
    fn for_neighbors(&self, i: usize, mut f: impl FnMut(usize)) {
        for &w in self.edges.of_node(NodeId(i as u32)) {
            if w.is_some() && !self.mesh.nodes.is_hanging(w) {
                f(w.0 as usize);
            }
        }
    }
}
