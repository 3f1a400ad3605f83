//! The state at arbitrary points, for probes and voxel files.
//!
//! φ and u are interpolated as in advection (§5). The pressure is that of the last projection, which acted
//! over the step that led to this state. It belongs to the state's own tree, because a step builds its tree
//! first and projects on it. The solver's unknown is p dt/ρ, and the state stores p/ρ.
//!
//! Between samples p is a least-squares fit, linear near walls and solids. Air cells are included by
//! [`octide_core::cell_pressure`], with the value that the projection's gradient factor implies.
//!
//! Voxels are the finest cells near the surface. Their centers are samples of φ, whose values are used
//! unchanged; on coarse surface cells φ is interpolated, so that voxels do not show the cells' size. Their
//! velocity is that of the corners, as in the surface mesh, and solids are cut off where the mesh cuts them
//! off.

#[cfg(test)]
mod tests;

use crate::interpolate::{cells_around, fit_known, sample_cells, sample_faces};
use crate::nodal::{CornerVelocity, corner_velocity, velocity_at};
use crate::params::Params;
use crate::solids::Solids;
use crate::state::State;
use glam::DVec3;
use octide_core::cell_pressure::known_pressure;
use octide_core::contract::{Sample, StateView};
use octide_core::index::CellId;
use octide_core::scene::Solid;

/// Distance from a cell's center, in cell edges, within which a point counts as the center.
const AT_CENTER: f64 = 1e-6;

/// A state and the solids at its time.
pub struct OctreeView<'a> {
    state: &'a State,
    solids: Solids,
    /// Velocity at corners. It is computed eagerly: on demand it would be computed inside the callers'
    /// parallel loops, which could deadlock.
    corners: CornerVelocity,
    density: f64,
    tension: bool,
}

impl<'a> OctreeView<'a> {
    /// Creates a view of a state.
    pub fn new(state: &'a State, solids: &[Solid], params: &Params) -> Self {
        let (density, tension) = (params.density, params.surface_tension > 0.0);
        let corners = corner_velocity(&state.mesh, &state.u);
        Self {
            state,
            solids: Solids::on_grid(solids, state.time, state.mesh.tree.grid().dx()),
            corners,
            density,
            tension,
        }
    }

    fn phi(&self, p: DVec3) -> f64 {
        sample_cells(&self.state.mesh, &self.state.phi, p, DVec3::ZERO)
    }

    /// Returns the pressure over density at a point in the water.
    fn pressure(&self, p: DVec3) -> f64 {
        // Cells that were left out of the solve have no pressure, and neither has anything around them.
        fit_known(&self.state.mesh, |c| self.known_pressure(c), p).unwrap_or(0.0)
    }

    fn known_pressure(&self, cell: CellId) -> Option<f64> {
        let State { mesh, phi, pressure, apertures, .. } = self.state;
        let (at, solid) = (|c: CellId| phi[c], apertures.solid_distance(cell));
        known_pressure(pressure, at, self.tension, cell, solid, || cells_around(mesh, cell))
    }
}

impl StateView for OctreeView<'_> {
    fn surface_distance(&self, p: DVec3) -> f64 {
        let State { mesh, phi, .. } = self.state;
        let tree = &mesh.tree;
        let cell = tree.nearest_leaf(p);
        let size = tree.size(cell);
        let is_sample = (p - tree.center(cell)).abs().max_element() < AT_CENTER * size;
        let phi = if is_sample { phi[cell] } else { self.phi(p) };
        self.solids.cut_off(phi, p, size)
    }

    fn liquid_distance(&self, p: DVec3) -> f64 {
        let phi = self.phi(p);
        if phi < 0.0 { phi.max(-self.solids.distance(p)) } else { phi }
    }

    fn detail(&self, p: DVec3) -> f64 {
        let tree = &self.state.mesh.tree;
        tree.size(tree.nearest_leaf(p))
    }

    fn surface_velocity(&self, p: DVec3) -> DVec3 {
        velocity_at(&self.state.mesh, &self.corners, p)
    }

    fn sample(&self, p: DVec3) -> Sample {
        let State { mesh, u, time, .. } = self.state;
        let phi = self.phi(p);
        let velocity = [0, 1, 2].map(|axis| sample_faces(mesh, u, axis, p, DVec3::ZERO));
        let pressure = if phi < 0.0 { self.density * self.pressure(p) } else { 0.0 };
        Sample {
            phi,
            solid: self.solids.distance(p),
            velocity: DVec3::from_array(velocity),
            // At the start no pressure has been solved for.
            pressure: (*time > 0.0).then_some(pressure),
            smoke: None,
        }
    }
}
