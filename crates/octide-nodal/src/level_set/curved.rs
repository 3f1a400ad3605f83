//! φ between corners, near the surface with second-order curvature terms (Min & Gibou 2007, J. Comput. Phys.
//! 225, eq. 13):
//!
//! ```text
//! φ(x) = trilinear(x) − Σ_a ½ h² t_a (1 − t_a) φ_aa,
//! ```
//!
//! where t is the position in the leaf, and φ_aa is the second difference of smallest magnitude among the
//! leaf's corners. It is zero where they have different signs or one is unknown: next to walls, at changes of
//! level, and far from the surface.
//!
//! Trilinear interpolation, as in the paper, errs to the same side of a curved surface in every step. Markers
//! stop this only after the surface has passed them: a slotted ball rotated once on 64³ lost 20 % without
//! markers and 7 % with them; with the curvature terms it loses 6 % and 5 %.

use crate::mesh::Mesh;
use glam::{DVec3, Vec3};
use octide_core::index::{Field, NodeId};
use octide_core::octree::nodal::trilinear;
use octide_core::octree::{CellCorners, NodeEdges};
use octide_core::par;

/// The distance from the surface within which φ has curvature terms, in finest cells.
const REACH: f64 = 5.0;

/// Second differences of φ at corners along each axis, in 1/m; zero where they are undefined. Single
/// precision is enough, because they are small corrections to φ.
pub struct SecondDifferences(Field<NodeId, Vec3>);

impl SecondDifferences {
    /// Computes the second differences of `phi`.
    pub fn new(mesh: &Mesh, phi: &Field<NodeId, f64>) -> Self {
        let edges = NodeEdges::new(&mesh.tree, &mesh.nodes);
        let reach = REACH * mesh.tree.grid().dx();
        Self(par::map(mesh.n_nodes(), |v: NodeId| {
            if phi[v].abs() > reach { Vec3::ZERO } else { second(mesh, &edges, phi, v).as_vec3() }
        }))
    }
}

/// φ with its second differences.
pub(super) struct CurvedPhi<'a, F, N> {
    pub mesh: &'a Mesh<F, N>,
    pub phi: &'a Field<NodeId, f64>,
    pub second_differences: SecondDifferences,
}

impl<F, N: CellCorners> CurvedPhi<'_, F, N> {
    /// Returns φ at a point; a point outside the domain is clamped to its boundary.
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
        let second = |v: NodeId| self.second_differences.0[v];
        let least = v[1..].iter().fold(second(v[0]), |least, &v| smaller(least, second(v)));
        flat - 0.5 * h * h * least.as_dvec3().dot(t * (1.0 - t))
    }
}

/// Returns the second differences at a corner.
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

/// Returns the value of smaller magnitude, axis by axis; zero where signs differ.
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
