//! What a step does about the liquid's volume: it is measured, set against what it should be, and the
//! divergence that gives back the difference is handed to the projection, the same everywhere or for each
//! body of water its own.

use crate::faults::{self, Fault};
use crate::flows::sinks;
use crate::params::Params;
use crate::particles::spray;
use crate::regions::Regions;
use crate::state::State;
use crate::surface::AdvectedSurface;
use crate::volume::{VolumeControl, liquid_volume};
use octide_core::index::{CellId, Field};
use octide_core::scene::VolumeCorrection;

/// The divergence that is wanted in the liquid, in 1/s.
#[derive(Clone, Debug)]
pub enum Divergence {
    /// The same in all of it.
    Same(f64),
    /// Cell by cell.
    Of(Field<CellId, f64>),
}

impl From<f64> for Divergence {
    fn from(divergence: f64) -> Self {
        Self::Same(divergence)
    }
}

impl Divergence {
    /// What is wanted in a cell.
    #[inline]
    pub fn at(&self, cell: CellId) -> f64 {
        match self {
            Self::Same(d) => *d,
            Self::Of(field) => field[cell],
        }
    }

    /// Whether none is wanted anywhere.
    pub fn is_zero(&self) -> bool {
        matches!(self, Self::Same(0.0))
    }
}

/// What was measured, what is wanted, and what is remembered.
pub(crate) struct Correction {
    pub volume: f64,
    pub divergence: Divergence,
    pub control: VolumeControl,
    pub regions: Option<Regions>,
}

/// The volume of a surface on its way, and what is to be done about it.
pub(crate) fn correction(old: &State, now: &AdvectedSurface, dt: f64, params: &Params) -> Correction {
    let AdvectedSurface { mesh, phi, apertures, solids, exchange, particles, .. } = now;
    let volume = liquid_volume(mesh, phi, apertures, solids) + spray::volume(mesh, particles);
    let mut control = old.control;
    let mut crossing = old.crossing.clone();
    crossing.extend(sinks(&params.flows, old, dt));
    let through = |way: f64| crossing.iter().map(|&(_, q)| dt * (way * q).max(0.0)).sum::<f64>();
    control.exchange(exchange.came + through(1.0), exchange.went + through(-1.0));
    if exchange.came > 0.0 || through(1.0) > 0.0 {
        // A tank that is full takes no more.
        let full = Field::filled(mesh.n_cells(), f64::MIN);
        control.target = control.target.min(liquid_volume(mesh, &full, apertures, solids));
    }
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
            let (regions, divergence, given) = Regions::after(old, now, &crossing, dt, params);
            control.given_back += given;
            Correction { volume, divergence: Divergence::Of(divergence), control, regions: Some(regions) }
        }
    }
}
