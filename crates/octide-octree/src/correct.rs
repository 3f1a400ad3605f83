//! The volume correction of a step: the liquid's volume is measured and compared with its target, and the
//! divergence that restores the difference is passed to the projection. It is uniform, or separate for each
//! body of water.

use crate::conserve::Conserved;
use crate::faults::{self, Fault};
use crate::flows::{Moment, sinks};
use crate::nodal::trace_back;
use crate::params::Params;
use crate::particles::spray;
use crate::regions::OpenFaces;
use crate::state::State;
use crate::surface::AdvectedSurface;
use crate::volume::{VolumeControl, cell_volume, liquid_volume};
use octide_core::contract::StepError;
use octide_core::index::{CellId, Field};
use octide_core::par;
use octide_core::scene::VolumeCorrection;
pub use octide_core::volume::Divergence;
use octide_core::volume::{LiquidBodies, LiquidCells, Transport};

/// The measured volume, the target divergence, and the memory of the correction.
pub(crate) struct Correction {
    pub volume: f64,
    pub divergence: Divergence,
    pub control: VolumeControl,
    pub regions: Option<LiquidBodies>,
    /// The volume of water in each cell, if it is kept cell by cell.
    pub content: Field<CellId, f64>,
}

/// Measures the volume of an advected surface and returns its correction, or an error if the water that
/// inflows bring has no room.
pub(crate) fn correction(
    old: &State,
    now: &mut AdvectedSurface,
    conserved: Option<Conserved>,
    dt: f64,
    params: &Params,
) -> Result<Correction, StepError> {
    let AdvectedSurface { mesh, phi, apertures, solids, exchange, particles, corners, lost_spray, .. } = now;
    let mut control = old.control;
    if let Some(Conserved { content, in_phi, volume_in, volume_out, moved, divergence }) = conserved {
        let volume = in_phi + spray::volume(mesh, particles);
        control.settle(volume_in, volume_out, moved);
        if volume_in > 0.0 {
            let full = Field::filled(mesh.n_cells(), f64::MIN);
            let blocked = control.target - liquid_volume(mesh, &full, apertures, solids);
            params.flows.check_room(blocked, &control, Moment { time: old.time, dt })?;
        }
        let divergence = Divergence::BesideSolids(divergence);
        return Ok(Correction { volume, divergence, control, regions: None, content });
    }
    let volume = liquid_volume(mesh, phi, apertures, solids) + spray::volume(mesh, particles);
    let mut crossing = old.crossing.clone();
    let sinks = sinks(&params.flows, old, dt);
    crossing.extend(exchange.settle_sinks(sinks, dt, old.volume - volume));
    let set = [exchange.volume_in, exchange.volume_out + *lost_spray];
    let blocked = control.account(old.volume, set, &crossing, dt, || {
        let full = Field::filled(mesh.n_cells(), f64::MIN);
        liquid_volume(mesh, &full, apertures, solids)
    });
    params.flows.check_room(blocked, &control, Moment { time: old.time, dt })?;
    let mode =
        if faults::is(Fault::NoVolumeCorrection) { VolumeCorrection::Off } else { params.volume_correction };
    Ok(match mode {
        VolumeCorrection::Auto | VolumeCorrection::Off | VolumeCorrection::Local => Correction {
            volume,
            divergence: Divergence::Same(0.0),
            control,
            regions: None,
            content: Field::default(),
        },
        VolumeCorrection::Global => {
            let (divergence, control) = control.correct(volume, dt, params.fall_time);
            Correction {
                volume,
                divergence: Divergence::Same(divergence),
                control,
                regions: None,
                content: Field::default(),
            }
        }
        VolumeCorrection::Regional => {
            let in_cells = par::map(mesh.n_cells(), |c| cell_volume(mesh, phi, apertures, solids, c));
            let cells = LiquidCells { phi, volume: &in_cells, neighbors: OpenFaces { mesh, apertures } };
            let (added, recovery) = (exchange.added.as_ref(), params.fall_time);
            let origin = |c: CellId| {
                old.mesh.tree.nearest_leaf(trace_back(&old.mesh, corners, mesh.tree.center(c), dt))
            };
            let transport = Transport { origin, added, crossing: &crossing, dt, recovery };
            let (regions, divergence, given) = LiquidBodies::after(old.regions.as_ref(), &cells, &transport);
            control.restored += given;
            Correction {
                volume,
                divergence: Divergence::Of(divergence),
                control,
                regions: Some(regions),
                content: Field::default(),
            }
        }
    })
}
