//! Buoyancy (§5): smoke is heavy, warm air rises,
//!
//! ```text
//! f = (−α ρ + β (T − T_amb)) z,
//! ```
//!
//! ρ and T are means of a face's corners. The paper's z is up, which is against gravity here, tilted or not;
//! T_amb is 0.
//!
//! Differs from the paper where cells i and j of different size meet. There the pressure's difference (p_j −
//! p_i)/Δ is not along the face's normal, so that the pressure of air at rest would set it in motion. The
//! force is taken by the same difference, of the work that it does from center to center,
//!
//! ```text
//! f = ½ (b_i + b_j) z·(x_j − x_i)/Δ,   b = −α ρ + β T at the centers of cells.
//! ```
//!
//! Where b is even or changes evenly with height this is the difference of a potential, between equal cells
//! too, and that pressure cancels it to the last bits.

use crate::distance::delta;
use crate::faults::{self, Fault};
use crate::mesh::Mesh;
use glam::DVec3;
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::octree::{CellCorners, SplitFaces};
use octide_core::par;
use octide_core::scene::{Buoyancy, GradientDistance};

/// Adds dt f to the velocity on faces that `open` says yes to. `balanced` is Δ's kind, or none for means of
/// corners everywhere, as the paper has it.
pub fn lift(
    mesh: &Mesh<SplitFaces, impl CellCorners>,
    density: &Field<NodeId, f64>,
    temperature: &Field<NodeId, f64>,
    u: &mut Field<FaceId, f64>,
    (buoyancy, up): (Buoyancy, DVec3),
    balanced: Option<GradientDistance>,
    dt: f64,
    open: impl Fn(FaceId) -> bool + Sync + Send,
) {
    par::update(u, |i, u| {
        let k = FaceId(i as u32);
        if !open(k) {
            return;
        }
        let [low, high] = mesh.faces.sides(k);
        let is_junction = low.is_some() && high.is_some() && mesh.tree.level(low) != mesh.tree.level(high);
        if let Some(kind) = balanced.filter(|_| is_junction && !faults::is(Fault::UnbalancedBuoyancy)) {
            let at =
                |c: CellId| buoyancy.along_up(mesh.at_center(density, c), mesh.at_center(temperature, c));
            let way = up.dot(mesh.tree.center(high) - mesh.tree.center(low));
            *u += dt * 0.5 * (at(low) + at(high)) * way / delta(mesh, kind, k);
            return;
        }
        let along = up[mesh.faces.axis(k)];
        if along != 0.0 {
            let force = buoyancy.along_up(mesh.at_face(density, k), mesh.at_face(temperature, k));
            *u += dt * force * along;
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smoke::test_meshes::two_levels;
    use crate::testing::jagged;

    /// Linear fields have their own value at faces, and the force points along a tilted up.
    #[test]
    fn it_is_the_formula_at_every_face() {
        let mesh = two_levels(16);
        let rho = |p: DVec3| 1.0 + p.x - 0.5 * p.z;
        let heat = |p: DVec3| 20.0 * p.y - 3.0 * p.x;
        let density = par::map(mesh.n_nodes(), |v: NodeId| rho(mesh.node_position(v)));
        let temperature = par::map(mesh.n_nodes(), |v: NodeId| heat(mesh.node_position(v)));
        let up = DVec3::new(0.48, 0.6, -0.64);
        let buoyancy = Buoyancy { weight: 2.0, lift: 0.3 };
        let mut u = Field::filled(mesh.n_faces(), 1.0);
        lift(&mesh, &density, &temperature, &mut u, (buoyancy, up), None, 0.1, |k| k.0 % 2 == 0);
        for k in u.ids() {
            let x = mesh.face_position(k);
            let force = (0.3 * heat(x) - 2.0 * rho(x)) * up[mesh.faces.axis(k)];
            let expected = if k.0 % 2 == 0 { 1.0 + 0.1 * force } else { 1.0 };
            assert!((u[k] - expected).abs() < 1e-12, "{x}");
        }
    }

    /// With what changes evenly with height the force is the difference of a potential between centers, on a
    /// tree with jumps too: what is heavy below stays there.
    #[test]
    fn across_changes_of_level_it_is_a_difference_of_a_potential() {
        let up = DVec3::new(0.48, 0.6, -0.64);
        let buoyancy = Buoyancy { weight: 2.0, lift: 0.3 };
        for (mesh, kind) in [
            (two_levels(16), GradientDistance::Mean),
            (two_levels(16), GradientDistance::Euclidean),
            (jagged(7), GradientDistance::Mean),
        ] {
            let heat = |p: DVec3| 5.0 + 20.0 * up.dot(p);
            let density = Field::filled(mesh.n_nodes(), 0.25);
            let mut temperature = par::map(mesh.n_nodes(), |v: NodeId| heat(mesh.node_position(v)));
            mesh.constrain(&mut temperature);
            let mut u = Field::filled(mesh.n_faces(), 0.0);
            lift(&mesh, &density, &temperature, &mut u, (buoyancy, up), Some(kind), 1.0, |_| true);
            // ∫ (−2 · ¼ + 0.3 (5 + 20 s)) ds
            let potential = |p: DVec3| up.dot(p) + 3.0 * up.dot(p).powi(2);
            for k in u.ids().filter(|&k| mesh.side_of(k).is_none()) {
                let [low, high] = mesh.faces.sides(k).map(|c| potential(mesh.tree.center(c)));
                let expected = (high - low) / delta(&mesh, kind, k);
                assert!((u[k] - expected).abs() < 1e-9, "{} {}", u[k], expected);
            }
        }
    }
}
