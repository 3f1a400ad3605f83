//! Whether a step's result can be gone on from: see [`octide_core::health`].

use crate::params::Params;
use crate::state::State;
use glam::DVec3;
use octide_core::contract::StepError;
use octide_core::health::{Pace, check_volume};
use octide_core::index::FaceId;

/// Checks the state that a step of length `dt` made of `old`: its volume, its pressure, and that water is not much faster
/// than the step's length allowed for. φ and velocity are checked where they are made.
pub fn check(old: &State, new: &State, dt: f64, params: &Params) -> Result<(), StepError> {
    if let Some(c) = new.pressure.ids().find(|&c| !new.pressure[c].is_finite()) {
        let at = new.mesh.tree.center(c);
        return Err(StepError::NotFinite { field: "pressure", stage: "projection", at });
    }
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

/// The center of the fastest face.
fn fastest(state: &State) -> DVec3 {
    let mut best = (0.0, FaceId(0));
    for k in state.u.ids().filter(|&k| state.boundary.open(k) > 0.0) {
        if state.u[k].abs() > best.0 {
            best = (state.u[k].abs(), k);
        }
    }
    state.mesh.face_position(best.1)
}
