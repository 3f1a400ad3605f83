//! Volume correction: measures the water's volume, compares it with its target, and passes the divergence
//! that restores the difference to the projection.

use crate::boundary::Boundary;
use crate::faults::{self, Fault};
use crate::mesh::Mesh;
use crate::params::Params;
use crate::state::State;
use crate::volume::liquid_volume;
use octide_core::contract::StepError;
use octide_core::flows::{Exchange, Moment};
use octide_core::index::{CellId, Field, NodeId};
use octide_core::solids::Solids;
use octide_core::volume::VolumeControl;

/// The measured volume, the target divergence, and the state of the volume control.
pub(crate) struct Correction {
    /// The water's volume, in m³.
    pub volume: f64,
    /// The target divergence in all water, in 1/s.
    pub divergence: f64,
    pub control: VolumeControl,
}

/// Measures the volume of `phi` and `spray`, and computes the divergence that restores lost volume. Returns
/// an error if the water that inflows bring has no room.
pub(crate) fn correct_volume(
    old: &State,
    mesh: &Mesh,
    phi: &Field<NodeId, f64>,
    boundary: &Boundary,
    solids: &Solids,
    spray: f64,
    exchange: &mut Exchange,
    sinks: Vec<(CellId, f64)>,
    dt: f64,
    params: &Params,
) -> Result<Correction, StepError> {
    let volume = liquid_volume(mesh, phi, boundary, solids) + spray;
    let mut control = old.control;
    let mut crossing = old.crossing.clone();
    crossing.extend(exchange.settle_sinks(sinks, dt, old.volume - volume));
    let set = [exchange.volume_in, exchange.volume_out];
    let blocked = control.account(old.volume, set, &crossing, dt, || {
        let full = Field::filled(mesh.n_nodes(), f64::MIN);
        liquid_volume(mesh, &full, boundary, solids)
    });
    params.flows.check_room(blocked, &control, Moment { time: old.time, dt })?;
    let corrects = params.corrects_volume && !faults::is(Fault::NoVolumeCorrection);
    let (divergence, control) =
        if corrects { control.correct(volume, dt, params.fall_time) } else { (0.0, control) };
    Ok(Correction { volume, divergence, control })
}
