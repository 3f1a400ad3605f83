//! Checks of a step's result: see [`octide_core::health`].

use super::params::SmokeParams;
use super::state::SmokeState;
use octide_core::contract::StepError;
use octide_core::health::{Pace, check_finite, check_pressure, fastest as fastest_face};

/// Checks the state that a step of length `dt` computed from `old`: that all numbers are finite, and that the
/// air is not much faster than the step's length allowed for.
pub fn check(old: &SmokeState, new: &SmokeState, dt: f64, params: &SmokeParams) -> Result<(), StepError> {
    let SmokeState { mesh, u, density, temperature, pressure, .. } = new;
    check_finite("velocity", "projection", u, |k| mesh.face_position(k))?;
    check_finite("density", "transport", density, |v| mesh.node_position(v))?;
    check_finite("temperature", "transport", temperature, |v| mesh.node_position(v))?;
    check_pressure(&mesh.tree, pressure)?;
    // A source that starts to blow reaches its speed at once.
    let speeds = [old.max_component.max(params.sources.fastest()), new.max_component];
    let dx = mesh.tree.grid().dx();
    let pace = Pace { dt, dx, cfl: params.cfl, gravity: params.max_lift, speeds };
    pace.check(|| fastest(new))
}

/// Returns the center of the fastest face.
pub fn fastest(state: &SmokeState) -> glam::DVec3 {
    state.mesh.face_position(fastest_face(&state.u, |_| 1.0))
}
