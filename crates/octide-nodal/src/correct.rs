//! What a step does about the water's volume: it is measured, set against what it should be, and the
//! divergence that gives back the difference is handed to the projection.

use crate::boundary::Boundary;
use crate::faults::{self, Fault};
use crate::mesh::Mesh;
use crate::params::Params;
use crate::state::State;
use crate::volume::liquid_volume;
use octide_core::flows::Exchange;
use octide_core::index::{CellId, Field, NodeId};
use octide_core::solids::Solids;
use octide_core::volume::VolumeControl;

/// What was measured, what is wanted, and what is remembered.
pub(crate) struct Correction {
    /// The water's volume, in m³.
    pub volume: f64,
    /// The divergence that is wanted in all water, in 1/s.
    pub divergence: f64,
    pub control: VolumeControl,
}

/// Measures the volume of `phi` and `spray`, and finds the divergence that gives back what was lost of it.
pub(crate) fn correct_volume(
    old: &State,
    mesh: &Mesh,
    phi: &Field<NodeId, f64>,
    boundary: &Boundary,
    solids: &Solids,
    spray: f64,
    exchange: &Exchange,
    sinks: Vec<(CellId, f64)>,
    dt: f64,
    params: &Params,
) -> Correction {
    let volume = liquid_volume(mesh, phi, boundary, solids) + spray;
    let mut control = old.control;
    let mut crossing = old.crossing.clone();
    crossing.extend(sinks);
    let through = |way: f64| crossing.iter().map(|&(_, q)| dt * (way * q).max(0.0)).sum::<f64>();
    control.exchange(exchange.came + through(1.0), exchange.went + through(-1.0));
    if exchange.came > 0.0 || through(1.0) > 0.0 {
        // A tank that is full takes no more.
        let full = Field::filled(mesh.n_nodes(), f64::MIN);
        control.target = control.target.min(liquid_volume(mesh, &full, boundary, solids));
    }
    let corrects = params.corrects_volume && !faults::is(Fault::NoVolumeCorrection);
    let (divergence, control) =
        if corrects { control.correct(volume, dt, params.fall_time) } else { (0.0, control) };
    Correction { volume, divergence, control }
}
