//! φ between corners, near the surface with what it bends by (Min & Gibou 2007, J. Comput. Phys. 225, eq.
//! 13):
//!
//! ```text
//! φ(x) = trilinear(x) − Σ_a ½ h² t_a (1 − t_a) φ_aa,
//! ```
//!
//! t the place in the leaf, φ_aa the second difference that is the smallest in size of those at the leaf's
//! corners, and zero where they have different signs or one is not known: next to walls, changes of level,
//! and far from the surface.
//!
//! Trilinear values, as the paper has them, lie on one side of a curved surface in every step. Markers stop
//! that only when they have been passed: a slotted ball turned once on 64³ lost 20 % without and 7 % with
//! them, and loses 6 % and 5 % so.

use crate::mesh::Mesh;
use glam::{DVec3, Vec3};
use octide_core::index::{Field, NodeId};
use octide_core::octree::nodal::trilinear;
use octide_core::octree::{CellCorners, NodeEdges};
use octide_core::par;

/// How far from the surface φ bends, in finest cells.
const REACH: f64 = 5.0;

/// Second differences of φ at corners along each axis, in 1/m; zero where there is none. Short numbers: they
/// are what is small of φ.
pub struct Bends(Field<NodeId, Vec3>);

impl Bends {
    /// Those of `phi`.
    pub fn new(mesh: &Mesh, phi: &Field<NodeId, f64>) -> Self {
        let edges = NodeEdges::new(&mesh.tree, &mesh.nodes);
        let reach = REACH * mesh.tree.grid().dx();
        Self(par::map(mesh.n_nodes(), |v: NodeId| {
            if phi[v].abs() > reach { Vec3::ZERO } else { second(mesh, &edges, phi, v).as_vec3() }
        }))
    }
}

/// φ with its second differences.
pub(super) struct Bent<'a, F, N> {
    pub mesh: &'a Mesh<F, N>,
    pub phi: &'a Field<NodeId, f64>,
    pub bends: Bends,
}

impl<F, N: CellCorners> Bent<'_, F, N> {
    /// φ at a point; a point outside the domain is moved to its rim.
    pub(super) fn sample(&self, p: DVec3) -> f64 {
        let tree = &self.mesh.tree;
        let p = p.clamp(tree.grid().low(), tree.grid().high());
        let cell = tree.nearest_leaf(p);
        let h = tree.size(cell);
        let t = (p - tree.center(cell)) / h + 0.5;
        let v = self.mesh.nodes.of_cell(cell);
        let flat = trilinear(|c| self.phi[v[c]], t);
        if flat.abs() > REACH * tree.grid().dx() {
            return flat;
        }
        let second = |v: NodeId| self.bends.0[v];
        let least = v[1..].iter().fold(second(v[0]), |least, &v| smaller(least, second(v)));
        flat - 0.5 * h * h * least.as_dvec3().dot(t * (1.0 - t))
    }
}

/// The second differences at a corner.
fn second(mesh: &Mesh, edges: &NodeEdges, phi: &Field<NodeId, f64>, v: NodeId) -> DVec3 {
    let unit = 0.5 * mesh.tree.grid().dx();
    let next = edges.of_node(v);
    DVec3::from_array(std::array::from_fn(|a| {
        let (low, high) = (next[2 * a], next[2 * a + 1]);
        if low.is_none() || high.is_none() {
            return 0.0;
        }
        let place = |v: NodeId| mesh.nodes.place(v)[a];
        let below = unit * f64::from(place(v) - place(low));
        let above = unit * f64::from(place(high) - place(v));
        2.0 * ((phi[high] - phi[v]) / above - (phi[v] - phi[low]) / below) / (below + above)
    }))
}

/// The one smaller in size, axis by axis; zero where signs differ.
#[inline]
fn smaller(a: Vec3, b: Vec3) -> Vec3 {
    let pick = |a: f32, b: f32| {
        if a * b <= 0.0 {
            0.0
        } else if a.abs() < b.abs() {
            a
        } else {
            b
        }
    };
    Vec3::new(pick(a.x, b.x), pick(a.y, b.y), pick(a.z, b.z))
}
