//! The particle level set (§6; Enright et al. 2002, *A hybrid particle level set method for improved
//! interface capturing*; Enright, Losasso & Fedkiw 2005) with φ at the corners of this mesh: see
//! [`octide_core::particles::level_set`]. Water that has escaped and is alone flies on as spray, after
//! Guendelman et al. 2005.
//!
//! Differs from Enright et al.: there the distance of a new marker is drawn from the whole band, and every cell
//! of the band seeds both signs, so that each side has twice as many.

pub use octide_core::particles::Surroundings;
pub use octide_core::particles::level_set::{Droplet, Landed, LevelParticles, Marker, ParticleParams};

use crate::mesh::Mesh;
use crate::transfer::velocity_at;
use glam::DVec3;
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::octree::nodal::Vector;
use octide_core::octree::{Nodes, Octree};
use octide_core::particles::level_set::CornerField;
use octide_core::particles::{Delivery, deliver_together};

impl CornerField for Mesh {
    #[inline]
    fn tree(&self) -> &Octree {
        &self.tree
    }

    #[inline]
    fn corners(&self) -> &Nodes {
        &self.nodes
    }
}

/// A velocity at corners, as markers read it: at the eight corners of a leaf.
#[inline]
pub fn at_corners<V: Vector>(mesh: &Mesh, corners: &Field<NodeId, V>, cell: CellId) -> [DVec3; 8] {
    mesh.nodes.of_cell(cell).map(|v| corners[v].long())
}

/// The velocity on faces at the eight corners of a leaf.
pub fn faces_at_corners(mesh: &Mesh, u: &Field<FaceId, f64>, cell: CellId) -> [DVec3; 8] {
    mesh.nodes.of_cell(cell).map(|v| velocity_at(mesh, u, v))
}

/// Gives the momentum of spray that came back to the faces of its cells.
pub fn deliver(mesh: &Mesh, landed: &[Landed], u: &mut Field<FaceId, f64>) {
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
mod tests;
