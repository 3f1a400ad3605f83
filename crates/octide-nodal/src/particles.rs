//! The particle level set (§6; Enright et al. 2002, *A hybrid particle level set method for improved
//! interface capturing*; Enright, Losasso & Fedkiw 2005) with φ at the corners of this mesh: see
//! [`octide_core::particles::level_set`]. Markers of water that have escaped and are isolated become spray,
//! after Guendelman et al. 2005.
//!
//! Differs from Enright et al., who draw the distance of a new marker from the whole band and seed both signs
//! in every cell of the band, so that each side has twice as many markers.

pub use octide_core::particles::Surroundings;
pub use octide_core::particles::level_set::{Landed, LevelParticles, ParticleParams};

use crate::faults::{self, Fault};
use crate::mesh::Mesh;
use crate::transfer::velocity_at;
use glam::DVec3;
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::octree::nodal::Vector;
use octide_core::octree::{CellCorners, Nodes, Octree};
use octide_core::particles::level_set::CornerField;
use octide_core::random::Seed;

impl CornerField for Mesh {
    #[inline]
    fn tree(&self) -> &Octree {
        &self.tree
    }

    #[inline]
    fn nodes(&self) -> &Nodes {
        &self.nodes
    }

    fn constrain_hanging(&self, phi: &mut Field<NodeId, f64>) {
        self.constrain(phi);
    }
}

/// Returns the velocity at the eight corners of a leaf, from a velocity at corners.
#[inline]
fn at_corners<V: Vector>(nodes: &impl CellCorners, corners: &Field<NodeId, V>, cell: CellId) -> [DVec3; 8] {
    nodes.of_cell(cell).map(|v| corners[v].long())
}

/// Returns the velocity at the eight corners of a leaf, from a velocity on faces.
pub fn faces_at_corners(mesh: &Mesh, u: &Field<FaceId, f64>, cell: CellId) -> [DVec3; 8] {
    mesh.nodes.of_cell(cell).map(|v| velocity_at(mesh, u, v))
}

/// Advances markers and spray by `dt` in the velocity at the corners of `old`. Returns them sorted into the
/// leaves of `tree`, and the volume of spray that left, in m³.
pub(crate) fn advance_markers<F>(
    particles: &LevelParticles,
    old: &Mesh<F, impl CellCorners>,
    corners: &Field<NodeId, impl Vector>,
    tree: &Octree,
    around: &Surroundings<'_>,
    dt: f64,
    seed: Seed,
) -> (LevelParticles, f64) {
    let nodes = &old.nodes;
    particles.advanced(&old.tree, |c| at_corners(nodes, corners, c), tree, around, dt, seed)
}

/// Corrects φ by the markers that have escaped.
pub(crate) fn correct_by_markers(particles: &LevelParticles, mesh: &Mesh, phi: &mut Field<NodeId, f64>) {
    if !faults::is(Fault::NoMarkerCorrection) {
        particles.correct(mesh, phi);
    }
}

#[cfg(test)]
mod tests;
