//! The fast marching method at corners (§6; Tsitsiklis 1995, Sethian 1996): |∇d| = 1 away from the surface,
//!
//! ```text
//! Σ_a ((d − d_a) / l_a)² = 1,
//! ```
//!
//! over the axes whose known neighbor d_a lies behind, at the other end of an edge of length l_a. The corner with the
//! smallest value is next. Both signs are marched by themselves. Directions in which there is no corner, or one that
//! hangs, are left out; hanging corners are constrained at the end.

use super::start::{is_water, length, next_to_surface};
use crate::mesh::Mesh;
use octide_core::index::{Field, NodeId};
use octide_core::octree::NodeEdges;
use octide_core::par;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The signed distance to the zero contour of `phi` at every corner that is nearer than `band`; beyond, ±`band`. Signs
/// stay as they are.
pub fn redistance(mesh: &Mesh, phi: &Field<NodeId, f64>, band: f64) -> Field<NodeId, f64> {
    let grid = mesh.tree.grid();
    let band = band.min((grid.high() - grid.low()).length());
    let edges = NodeEdges::new(&mesh.tree, &mesh.nodes);
    let start = par::map(mesh.n_nodes(), |v: NodeId| {
        let distance = if mesh.nodes.is_hanging(v) { None } else { next_to_surface(mesh, &edges, phi, v) };
        distance.unwrap_or(f64::INFINITY)
    });
    let side = |water: bool| Front { mesh, edges: &edges, phi, water, band }.march(&start);
    let (water, air) = par::both(|| side(true), || side(false));
    let mut d =
        par::map(
            mesh.n_nodes(),
            |v: NodeId| {
                if is_water(phi[v]) { -water[v].min(band) } else { air[v].min(band) }
            },
        );
    mesh.constrain(&mut d);
    d
}

/// One side of the surface.
struct Front<'a> {
    mesh: &'a Mesh,
    edges: &'a NodeEdges,
    phi: &'a Field<NodeId, f64>,
    water: bool,
    band: f64,
}

impl Front<'_> {
    /// Distances on this side; infinite where the band ends.
    fn march(&self, start: &Field<NodeId, f64>) -> Field<NodeId, f64> {
        let n = start.len();
        let mut d: Field<NodeId, f64> = Field::filled(n, f64::INFINITY);
        let mut is_known: Field<NodeId, bool> = Field::filled(n, false);
        let mut heap = BinaryHeap::new();
        for v in start.ids().filter(|&v| start[v] < f64::INFINITY && is_water(self.phi[v]) == self.water) {
            d[v] = start[v];
            is_known[v] = true;
        }
        // Bits of positive numbers sort as these do; numbers of corners break ties.
        let entry = |d: f64, v: NodeId| Reverse((d.to_bits(), v));
        for v in d.ids().filter(|&v| is_known[v]).collect::<Vec<_>>() {
            self.try_neighbors(v, &mut d, &is_known, |value, w| heap.push(entry(value, w)));
        }
        while let Some(Reverse((bits, v))) = heap.pop() {
            let value = f64::from_bits(bits);
            if value > self.band {
                break;
            }
            if is_known[v] || value > d[v] {
                continue;
            }
            is_known[v] = true;
            self.try_neighbors(v, &mut d, &is_known, |value, w| heap.push(entry(value, w)));
        }
        d
    }

    /// Solves at the neighbors of `v` that are not known, and tells of those that fell.
    fn try_neighbors(
        &self,
        v: NodeId,
        d: &mut Field<NodeId, f64>,
        is_known: &Field<NodeId, bool>,
        mut fell: impl FnMut(f64, NodeId),
    ) {
        for &w in self.edges.of_node(v) {
            if w.is_none()
                || is_known[w]
                || self.mesh.nodes.is_hanging(w)
                || is_water(self.phi[w]) != self.water
            {
                continue;
            }
            let value = self.solve(w, d, is_known);
            if value < d[w] {
                d[w] = value;
                fell(value, w);
            }
        }
    }

    fn solve(&self, v: NodeId, d: &Field<NodeId, f64>, is_known: &Field<NodeId, bool>) -> f64 {
        // (d, l) by axis, of the neighbor that the front comes from
        let mut behind = [(f64::INFINITY, 0.0); 3];
        for (direction, &w) in self.edges.of_node(v).iter().enumerate() {
            if w.is_some() && is_known[w] {
                let l = length(self.mesh, v, w);
                let slot = &mut behind[direction / 2];
                if d[w] + l < slot.0 + slot.1 {
                    *slot = (d[w], l);
                }
            }
        }
        upwind(behind)
    }
}

/// The largest d with Σ ((d − d_a)/l_a)² = 1 over the axes with d > d_a: one axis after the other, the smallest first.
fn upwind(mut behind: [(f64, f64); 3]) -> f64 {
    behind.sort_by(|a, b| a.0.total_cmp(&b.0));
    // Σ w d² − 2 Σ w d_a d + Σ w d_a² = 1 with w = 1/l²
    let (mut a, mut b, mut c) = (0.0, 0.0, -1.0);
    let mut d = f64::INFINITY;
    for (known, l) in behind {
        if d <= known {
            break;
        }
        let w = 1.0 / (l * l);
        a += w;
        b += w * known;
        c += w * known * known;
        let root = b * b - a * c;
        if root < 0.0 {
            break;
        }
        d = (b + root.sqrt()) / a;
    }
    d
}
