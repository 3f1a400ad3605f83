//! The last stage of particles: markers are reseeded, and spray that lands transfers its momentum to the
//! water.

use crate::mesh::Mesh;
use crate::params::Params;
use crate::particles::{Landed, LevelParticles, Surroundings, faces_at_corners};
use octide_core::index::{FaceId, Field, NodeId};
use octide_core::particles::{Delivery, deliver_together};
use octide_core::solids::Solids;

/// Reseeds the markers around the surface and lets spray leave the water and land; landing spray changes `u`.
pub(crate) fn reseed(
    particles: &mut LevelParticles,
    mesh: &Mesh,
    phi: &Field<NodeId, f64>,
    u: &mut Field<FaceId, f64>,
    solids: &Solids,
    params: &Params,
) {
    let around = Surroundings { solids, open: params.flows.open, gravity: params.gravity, barriers: None };
    let landed = particles.renew(mesh, phi, |c| faces_at_corners(mesh, u, c), &around, &params.particles);
    deliver(mesh, &landed, u);
}

/// Transfers the momentum of landed spray to the faces of its cells.
fn deliver(mesh: &Mesh, landed: &[Landed], u: &mut Field<FaceId, f64>) {
    let mut deliveries = Vec::new();
    for Landed { cell, drop } in landed {
        let share = drop.volume() / mesh.tree.size(*cell).powi(3);
        for direction in 0..6 {
            let velocity = f64::from(drop.v[direction / 2]);
            let inner = mesh.faces.of_cell(*cell, direction).iter().filter(|&&k| mesh.side_of(k).is_none());
            deliveries.extend(inner.map(|&face| Delivery { face, share, velocity }));
        }
    }
    deliver_together(deliveries, u);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::jagged;
    use glam::{DVec3, Vec3};
    use octide_core::particles::level_set::Droplet;

    /// Three drops, one larger than a cell, fall into the same cell: the result does not depend on their
    /// order.
    #[test]
    fn momentum_of_spray_does_not_depend_on_its_order() {
        let mesh = jagged(3);
        let cell = mesh.tree.nearest_leaf(DVec3::new(0.4, 0.2, 0.3));
        let h = mesh.tree.size(cell);
        let drop = |radius: f64, v: [f32; 3]| {
            let radius = (radius * h) as f32;
            let drop =
                Droplet { x: mesh.tree.center(cell), v: Vec3::from_array(v), radius, flight: 0.0, id: 0 };
            Landed { cell, drop }
        };
        let mut landed =
            vec![drop(0.3, [1.0, -2.0, 0.5]), drop(0.4, [-1.5, -3.0, 0.0]), drop(0.7, [0.2, 0.1, -0.7])];
        let before = Field::filled(mesh.n_faces(), 0.25);
        let (mut first, mut second) = (before.clone(), before.clone());
        deliver(&mesh, &landed, &mut first);
        landed.reverse();
        deliver(&mesh, &landed, &mut second);
        assert!(first != before);
        for k in (0..mesh.n_faces()).map(|k| FaceId(k as u32)) {
            assert!((first[k] - second[k]).abs() < 1e-14, "{} and {}", first[k], second[k]);
            // The result is a weighted mean of the old velocity and those of the drops.
            let comes = landed.iter().map(|l| f64::from(l.drop.v[mesh.faces.axis(k)]));
            let (low, high) = comes.fold((0.25, 0.25), |(l, h): (f64, f64), v| (l.min(v), h.max(v)));
            assert!((low..=high).contains(&first[k]), "{} from {low} to {high}", first[k]);
        }
    }
}
