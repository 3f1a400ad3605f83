//! Whether a step's result can be gone on from. What cannot be is tried again with a shorter step.

use super::params::SmokeParams;
use super::state::SmokeState;
use octide_core::contract::StepError;
use octide_core::health::Pace;
use octide_core::index::FaceId;

/// Checks the state that a step of length `dt` made of `old`: that all numbers are finite, and that the air
/// is not much faster than the step's length allowed for.
pub fn check(old: &SmokeState, new: &SmokeState, dt: f64, params: &SmokeParams) -> Result<(), StepError> {
    finite(new)?;
    let pace = Pace {
        dt,
        dx: new.mesh.tree.grid().dx(),
        cfl: params.cfl,
        gravity: params.max_lift,
        // A source that begins to blow is as fast at once.
        before: old.max_component.max(params.sources.fastest()),
        after: new.max_component,
    };
    pace.check(|| fastest(new))
}

fn finite(state: &SmokeState) -> Result<(), StepError> {
    let SmokeState { mesh, u, density, temperature, pressure, .. } = state;
    let wrong = |field, stage, at| Err(StepError::NotFinite { field, stage, at });
    if let Some(k) = u.ids().find(|&k| !u[k].is_finite()) {
        return wrong("velocity", "projection", mesh.face_position(k));
    }
    for (field, q) in [("density", density), ("temperature", temperature)] {
        if let Some(v) = q.ids().find(|&v| !q[v].is_finite()) {
            return wrong(field, "transport", mesh.node_position(v));
        }
    }
    match pressure.ids().find(|&c| !pressure[c].is_finite()) {
        Some(c) => wrong("pressure", "projection", mesh.tree.center(c)),
        None => Ok(()),
    }
}

/// Returns the center of the fastest face.
pub fn fastest(state: &SmokeState) -> glam::DVec3 {
    let u = &state.u;
    let faster = |a: FaceId, b: FaceId| if u[b].abs() > u[a].abs() { b } else { a };
    state.mesh.face_position(u.ids().fold(FaceId(0), faster))
}
