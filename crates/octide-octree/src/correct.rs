//! What a step does about the liquid's volume: it is measured, set against what it should be, and the
//! divergence that gives back the difference is handed to the projection, the same everywhere or for each
//! body of water its own.

use crate::apertures::Apertures;
use crate::faults::{self, Fault};
use crate::flows::Exchange;
use crate::mesh::Mesh;
use crate::params::Params;
use crate::regions::OpenFaces;
use crate::solids::Solids;
use crate::volume::{VolumeControl, cell_volume, liquid_volume};
use octide_core::index::{CellId, Field};
use octide_core::par;
use octide_core::scene::VolumeCorrection;
pub use octide_core::volume::Divergence;
use octide_core::volume::{LiquidBodies, LiquidCells, Transport};

/// The liquid after transport.
pub(crate) struct Transported<'a> {
    pub mesh: &'a Mesh,
    pub phi: &'a Field<CellId, f64>,
    pub apertures: &'a Apertures,
    pub solids: &'a Solids,
    /// What came in and went out where φ was set.
    pub exchange: &'a Exchange,
    /// The volume of spray in m³.
    pub spray: f64,
}

/// What was measured, what is wanted, and what is remembered.
pub(crate) struct Correction {
    pub volume: f64,
    pub divergence: Divergence,
    pub control: VolumeControl,
    pub regions: Option<LiquidBodies>,
}

/// The volume of a surface on its way, and what is to be done about it. `control` and `bodies` are those of
/// before; `crossing` is what came to cells of the old mesh through faces in m³/s, and `origin` the old cell
/// in which the water of a new one was.
pub(crate) fn correction(
    mut control: VolumeControl,
    bodies: Option<&LiquidBodies>,
    now: &Transported<'_>,
    crossing: &[(CellId, f64)],
    origin: impl Fn(CellId) -> CellId + Sync + Send,
    dt: f64,
    params: &Params,
) -> Correction {
    let Transported { mesh, phi, apertures, solids, exchange, spray } = *now;
    let volume = liquid_volume(mesh, phi, apertures, solids) + spray;
    control.account([exchange.came, exchange.went], crossing, dt, || {
        let full = Field::filled(mesh.n_cells(), f64::MIN);
        liquid_volume(mesh, &full, apertures, solids)
    });
    let mode =
        if faults::is(Fault::NoVolumeCorrection) { VolumeCorrection::Off } else { params.volume_correction };
    match mode {
        VolumeCorrection::Off => {
            Correction { volume, divergence: Divergence::Same(0.0), control, regions: None }
        }
        VolumeCorrection::Global => {
            let (divergence, control) = control.correct(volume, dt, params.fall_time);
            Correction { volume, divergence: Divergence::Same(divergence), control, regions: None }
        }
        VolumeCorrection::Regional => {
            let in_cells = par::map(mesh.n_cells(), |c| cell_volume(mesh, phi, apertures, solids, c));
            let cells = LiquidCells { phi, volume: &in_cells, neighbors: OpenFaces { mesh, apertures } };
            let (added, recovery) = (exchange.added.as_ref(), params.fall_time);
            let transport = Transport { origin, added, crossing, dt, recovery };
            let (regions, divergence, given) = LiquidBodies::after(bodies, &cells, &transport);
            control.given_back += given;
            Correction { volume, divergence: Divergence::Of(divergence), control, regions: Some(regions) }
        }
    }
}
