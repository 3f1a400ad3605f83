//! Whether a step's result can be used: see [`octide_core::health`].

use crate::params::Params;
use crate::state::State;
use octide_core::contract::StepError;
use octide_core::health::{Pace, check_water, fastest};

/// Checks the state that a step of length `dt` made of `old`: its volume, its pressure, and that water is not
/// much faster than the step's length allowed for. φ and velocity are checked where they are made.
pub fn check(old: &State, new: &State, dt: f64, params: &Params) -> Result<(), StepError> {
    let dx = new.mesh.tree.grid().dx();
    let speeds = [old.max_component, new.max_component];
    let pace = Pace { dt, dx, cfl: params.cfl, gravity: params.gravity.length(), speeds };
    let fastest = || new.mesh.face_position(fastest(&new.u, |k| new.boundary.open(k)));
    let drift = new.control.drift(new.volume);
    check_water(&new.mesh.tree, &new.pressure, drift, params.max_volume_drift, pace, fastest)
}
