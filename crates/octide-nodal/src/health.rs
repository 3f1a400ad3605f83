//! Checks of a step's result: see [`octide_core::health`].

use crate::params::Params;
use crate::state::State;
use octide_core::contract::StepError;
use octide_core::health::{Pace, check_water, fastest as fastest_face};
use octide_core::index::{FaceId, Field};
use octide_core::par;

/// Returns the largest velocity component on trusted faces.
pub fn max_component(u: &Field<FaceId, f64>, trusted: &Field<FaceId, bool>) -> f64 {
    par::max(u.len(), |i| {
        let k = FaceId(i as u32);
        if trusted[k] { u[k].abs() } else { 0.0 }
    })
}

/// Checks the state that a step of length `dt` computed from `old`: its volume, its pressure, and that water
/// is not much faster than the step's length allowed for. φ and velocity are checked where they are computed.
pub fn check(old: &State, new: &State, dt: f64, params: &Params) -> Result<(), StepError> {
    let dx = new.mesh.tree.grid().dx();
    let speeds = [old.max_component, new.max_component];
    let pace = Pace { dt, dx, cfl: params.cfl, gravity: params.gravity.length(), speeds };
    let drift = new.control.drift(new.volume);
    check_water(&new.mesh.tree, &new.pressure, drift, params.max_volume_drift, pace, || fastest(new))
}

/// Returns the center of the fastest face.
pub fn fastest(state: &State) -> glam::DVec3 {
    state.mesh.face_position(fastest_face(&state.u, |k| state.boundary.open(k)))
}
