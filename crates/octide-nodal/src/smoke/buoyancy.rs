//! Buoyancy (§5): smoke is heavy, warm air rises,
//!
//! ```text
//! f = (−α ρ + β (T − T_amb)) z,
//! ```
//!
//! ρ and T are means of a face's corners. The paper's z is up, which is against gravity here, tilted or not; T_amb is 0.

use crate::mesh::Mesh;
use glam::DVec3;
use octide_core::index::{FaceId, Field, NodeId};
use octide_core::par;
use octide_core::scene::Buoyancy;

/// Adds dt f to the velocity on faces that `open` says yes to.
pub fn lift(
    mesh: &Mesh,
    density: &Field<NodeId, f64>,
    temperature: &Field<NodeId, f64>,
    u: &mut Field<FaceId, f64>,
    (buoyancy, up): (Buoyancy, DVec3),
    dt: f64,
    open: impl Fn(FaceId) -> bool + Sync + Send,
) {
    par::update(u, |i, u| {
        let k = FaceId(i as u32);
        let along = up[mesh.faces.axis(k)];
        if along != 0.0 && open(k) {
            let force = buoyancy.along_up(mesh.at_face(density, k), mesh.at_face(temperature, k));
            *u += dt * force * along;
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smoke::test_meshes::two_levels;

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
        lift(&mesh, &density, &temperature, &mut u, (buoyancy, up), 0.1, |k| k.0 % 2 == 0);
        for k in u.ids() {
            let x = mesh.face_position(k);
            let force = (0.3 * heat(x) - 2.0 * rho(x)) * up[mesh.faces.axis(k)];
            let expected = if k.0 % 2 == 0 { 1.0 + 0.1 * force } else { 1.0 };
            assert!((u[k] - expected).abs() < 1e-12, "{x}");
        }
    }
}
