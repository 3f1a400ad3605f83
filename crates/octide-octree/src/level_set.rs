//! The liquid at any point, as files of voxels want it: on the finest cells near the surface.
//!
//! Centers of finest cells are samples of φ and are given as they are. On coarse surface cells φ is
//! interpolated as transport does it (§5), so that voxels do not show the cells' size. The velocity is that
//! of the corners, as in the surface mesh, and solids are cut off where the mesh cuts them.

#[cfg(test)]
mod tests;

use crate::interpolate::sample_cells;
use crate::nodal::{CornerVelocity, corner_velocity, velocity_at};
use crate::solids::Solids;
use crate::state::State;
use glam::DVec3;
use octide_core::contract::LevelSet;
use octide_core::scene::Solid;

/// How near to a cell's center, in cell edges, a point counts as there.
const AT_CENTER: f64 = 1e-6;

/// A state, its velocity at corners and the solids of its moment.
pub struct StateLevelSet<'a> {
    state: &'a State,
    solids: Solids,
    corners: CornerVelocity,
}

impl<'a> StateLevelSet<'a> {
    /// Looks at a state.
    pub fn new(state: &'a State, solids: &[Solid]) -> Self {
        let corners = corner_velocity(&state.mesh, &state.u);
        Self { state, solids: Solids::at(solids, state.time), corners }
    }
}

impl LevelSet for StateLevelSet<'_> {
    fn distance(&self, p: DVec3) -> f64 {
        let State { mesh, phi, .. } = self.state;
        let tree = &mesh.tree;
        let cell = tree.nearest_leaf(p);
        let size = tree.size(cell);
        let is_sample = (p - tree.center(cell)).abs().max_element() < AT_CENTER * size;
        let phi = if is_sample { phi[cell] } else { sample_cells(mesh, phi, p, DVec3::ZERO) };
        if self.solids.is_empty() { phi } else { phi.max(-self.solids.distance(p) - 0.5 * size) }
    }

    fn velocity(&self, p: DVec3) -> DVec3 {
        velocity_at(&self.state.mesh, &self.corners, p)
    }
}
