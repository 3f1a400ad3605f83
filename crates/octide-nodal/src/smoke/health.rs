//! Checks of a step's result: see [`octide_core::health`].

use super::params::SmokeParams;
use super::state::SmokeState;
use glam::DVec3;
use octide_core::contract::StepError;
use octide_core::health::{Pace, check_finite, check_pressure, fastest as fastest_face};
use octide_core::index::CellId;
use octide_core::octree::Octree;
use octide_core::par;
use octide_core::scene::{OpenSides, Solid};
use octide_core::solids::Solids;
use octide_core::volume::cell_volume;

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

/// In a closed domain, the volume of the air may differ by this fraction from that at the start, as the
/// volume of water may by default.
const MAX_VOLUME_CHANGE: f64 = 0.2;

/// Returns an error if solids have squeezed or expanded the air of a closed domain, at `time`, by more than a
/// fifth. The projection could only spread such a change over all of the air.
pub fn check_room(tree: &Octree, solids: &[Solid], open: OpenSides, time: f64) -> Result<(), StepError> {
    if open.any() || solids.iter().all(Solid::is_still) {
        return Ok(());
    }
    let [before, now] = [0.0, time].map(|t| air_volume(tree, &Solids::on_grid(solids, t, tree.grid().dx())));
    let share = now / before;
    if before > 0.0 && (share - 1.0).abs() > MAX_VOLUME_CHANGE {
        let limit = 100.0 * (1.0 + MAX_VOLUME_CHANGE.copysign(share - 1.0));
        return Err(StepError::Squeezed { percent: 100.0 * share, limit });
    }
    Ok(())
}

/// Returns the volume that solids leave free, in m³.
fn air_volume(tree: &Octree, solids: &Solids) -> f64 {
    par::sum(tree.n_cells(), |i| {
        let c = CellId(i as u32);
        let (x, h) = (tree.center(c), tree.size(c));
        cell_volume((x, h, tree.grid().dx()), f64::MIN, solids.distance(x), || DVec3::ZERO, solids)
    })
}

/// Returns the center of the fastest face.
pub fn fastest(state: &SmokeState) -> DVec3 {
    state.mesh.face_position(fastest_face(&state.u, |_| 1.0))
}
