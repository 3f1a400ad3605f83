//! Whether a step's result can be gone on from: see [`octide_core::health`].

use crate::params::Params;
use crate::state::State;
use octide_core::contract::StepError;
use octide_core::health::{Pace, check_pressure, check_volume, fastest as fastest_face};
use octide_core::index::{FaceId, Field};
use octide_core::par;

/// The largest component of the velocity on trusted faces.
pub fn max_component(u: &Field<FaceId, f64>, trusted: &Field<FaceId, bool>) -> f64 {
    par::max(u.len(), |i| {
        let k = FaceId(i as u32);
        if trusted[k] { u[k].abs() } else { 0.0 }
    })
}

/// Checks the state that a step of length `dt` made of `old`: its volume, its pressure, and that water is not
/// much faster than the step's length allowed for. φ and velocity are checked where they are made.
pub fn check(old: &State, new: &State, dt: f64, params: &Params) -> Result<(), StepError> {
    check_pressure(&new.mesh.tree, &new.pressure)?;
    check_volume(new.control.drift(new.volume), params.max_volume_drift)?;
    let pace = Pace {
        dt,
        dx: new.mesh.tree.grid().dx(),
        cfl: params.cfl,
        gravity: params.gravity.length(),
        before: old.max_component,
        after: new.max_component,
    };
    pace.check(|| fastest(new))
}

/// Returns the center of the fastest face.
pub fn fastest(state: &State) -> glam::DVec3 {
    state.mesh.face_position(fastest_face(&state.u, |k| state.boundary.open(k)))
}
