//! Smoke at any point, for probes: corner fields are interpolated trilinearly; the pressure is that of the
//! cell, with its slope toward the neighbors.

use super::state::SmokeState;
use super::vorticity::derivatives;
use crate::transfer::corner_velocity;
use glam::DVec3;
use octide_core::contract::{Sample, SmokeSample, StateView};
use octide_core::index::{Field, NodeId};
use octide_core::scene::Solid;
use octide_core::solids::Solids;

/// A view of a state, with its velocity at corners and the solids at its time.
pub struct SmokeView<'a> {
    state: &'a SmokeState,
    corners: Field<NodeId, DVec3>,
    solids: Solids,
    air: f64,
}

impl<'a> SmokeView<'a> {
    /// Creates a view of a state; `air` is the density of the air in kg/m³.
    pub fn new(state: &'a SmokeState, solids: &[Solid], air: f64) -> Self {
        let corners = corner_velocity(&state.mesh, &state.u);
        Self { state, corners, solids: Solids::on_grid(solids, state.time, state.mesh.tree.grid().dx()), air }
    }
}

impl StateView for SmokeView<'_> {
    fn surface_distance(&self, _: DVec3) -> f64 {
        f64::INFINITY
    }

    fn liquid_distance(&self, _: DVec3) -> f64 {
        f64::INFINITY
    }

    fn detail(&self, p: DVec3) -> f64 {
        let tree = &self.state.mesh.tree;
        tree.size(tree.nearest_leaf(p))
    }

    fn surface_velocity(&self, p: DVec3) -> DVec3 {
        self.state.mesh.sample(&self.corners, p)
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
            // At the start no pressure has been solved for.
            pressure: (*time > 0.0).then_some(self.air * at),
            smoke: Some(SmokeSample {
                density: mesh.sample(density, p),
                temperature: mesh.sample(temperature, p),
            }),
        }
    }
}
