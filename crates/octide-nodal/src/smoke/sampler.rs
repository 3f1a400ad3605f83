//! Smoke at any point, for probes: what is at corners, trilinear; the pressure of the cell, with its slope to
//! the neighbors.

use super::state::SmokeState;
use super::vorticity::derivatives;
use crate::transfer::corner_velocity;
use glam::DVec3;
use octide_core::contract::{Sample, Sampler, SmokeSample};
use octide_core::index::{Field, NodeId};
use octide_core::scene::Solid;
use octide_core::solids::Solids;

/// A state, its velocity at corners and the solids of its moment.
pub struct SmokeSampler<'a> {
    state: &'a SmokeState,
    corners: Field<NodeId, DVec3>,
    solids: Solids,
    air: f64,
}

impl<'a> SmokeSampler<'a> {
    /// Looks at a state of air of a density in kg/m³.
    pub fn new(state: &'a SmokeState, solids: &[Solid], air: f64) -> Self {
        let corners = corner_velocity(&state.mesh, &state.u);
        Self { state, corners, solids: Solids::at(solids, state.time), air }
    }
}

impl Sampler for SmokeSampler<'_> {
    /// There is no water.
    fn distance(&self, _: DVec3) -> f64 {
        f64::INFINITY
    }

    fn detail(&self, p: DVec3) -> f64 {
        let tree = &self.state.mesh.tree;
        tree.size(tree.nearest_leaf(p))
    }

    fn sample(&self, p: DVec3) -> Sample {
        let SmokeState { mesh, pressure, density, temperature, time, .. } = self.state;
        let cell = mesh.tree.nearest_leaf(p);
        let slope = DVec3::from_array(derivatives(mesh, pressure, cell, |_| true));
        let at = pressure[cell] + slope.dot(p - mesh.tree.center(cell));
        Sample {
            phi: f64::INFINITY,
            solid: self.solids.distance(p),
            velocity: mesh.sample(&self.corners, p),
            // At the start nothing has been solved.
            pressure: (*time > 0.0).then_some(self.air * at),
            smoke: Some(SmokeSample {
                density: mesh.sample(density, p),
                temperature: mesh.sample(temperature, p),
            }),
        }
    }
}
