//! The state at any point, for probes.
//!
//! φ and u are interpolated as transport does it (§5). The pressure is that of the last projection, which has
//! acted over the step that led here and lives on the tree that the state has: a step makes its tree first
//! and projects on it. What is solved for is p dt/ρ, and the state keeps p/ρ.
//!
//! Between samples p is a least-squares fit, linear near walls and solids. Air cells take part by
//! [`octide_core::pressure`], with the value that the projection's gradient factor stands for.

use crate::interpolate::{cells_around, fit_known, sample_cells, sample_faces};
use crate::params::Params;
use crate::solids::Solids;
use crate::state::State;
use glam::DVec3;
use octide_core::contract::{Sample, Sampler};
use octide_core::index::CellId;
use octide_core::pressure::known_pressure;
use octide_core::scene::Solid;

/// A state and the solids of its moment.
pub struct StateSampler<'a> {
    state: &'a State,
    solids: Solids,
    density: f64,
    tension: bool,
}

impl<'a> StateSampler<'a> {
    /// Looks at a state.
    pub fn new(state: &'a State, solids: &[Solid], params: &Params) -> Self {
        let (density, tension) = (params.density, params.surface_tension > 0.0);
        Self { state, solids: Solids::at(solids, state.time), density, tension }
    }

    fn phi(&self, p: DVec3) -> f64 {
        sample_cells(&self.state.mesh, &self.state.phi, p, DVec3::ZERO)
    }

    /// Pressure over density at a point in the water.
    fn pressure(&self, p: DVec3) -> f64 {
        // Cells that were left out of the solve have none, nor has anything around them.
        fit_known(&self.state.mesh, |c| self.known_pressure(c), p).unwrap_or(0.0)
    }

    fn known_pressure(&self, cell: CellId) -> Option<f64> {
        let State { mesh, phi, pressure, apertures, .. } = self.state;
        let (at, solid) = (|c: CellId| phi[c], apertures.solid_distance(cell));
        known_pressure(pressure, at, self.tension, cell, solid, || cells_around(mesh, cell))
    }
}

impl Sampler for StateSampler<'_> {
    fn distance(&self, p: DVec3) -> f64 {
        let phi = self.phi(p);
        if phi < 0.0 { phi.max(-self.solids.distance(p)) } else { phi }
    }

    fn detail(&self, p: DVec3) -> f64 {
        let tree = &self.state.mesh.tree;
        tree.size(tree.nearest_leaf(p))
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
            // At the start nothing has been solved.
            pressure: (*time > 0.0).then_some(pressure),
            smoke: None,
        }
    }
}
