//! What the simulation is at a moment.

use crate::apertures::Apertures;
use crate::mesh::Mesh;
use crate::particles::Particles;
use crate::regions::Regions;
use crate::volume::VolumeControl;
use octide_core::held::Held;
use octide_core::index::{CellId, FaceId, Field};

/// Everything that a step reads and replaces.
#[derive(Clone, Debug)]
pub struct State {
    /// Seconds since the start.
    pub time: f64,
    /// The grid.
    pub mesh: Held<Mesh>,
    /// How solids close its faces.
    pub apertures: Apertures,
    /// Signed distance to the surface, negative in liquid.
    pub phi: Field<CellId, f64>,
    /// Velocity along each face's axis, everywhere.
    pub u: Field<FaceId, f64>,
    /// Pressure divided by density, in m²/s²: the next solve's first guess.
    pub pressure: Field<CellId, f64>,
    /// Earlier sizing values, decayed (eq. 36).
    pub decayed_sizing: Field<CellId, f32>,
    /// Whether water may detach from the ceiling; false if it started there.
    pub clear_ceiling: bool,
    /// Water that is followed by itself.
    pub particles: Particles,
    /// The largest velocity component in the liquid.
    pub max_component: f64,
    /// The liquid's volume.
    pub volume: f64,
    /// What volume correction remembers.
    pub control: VolumeControl,
    /// What comes to cells from inflows and, negative, leaves them through open sides by this velocity, in
    /// m³/s.
    pub crossing: Vec<(CellId, f64)>,
    /// The bodies of water, where volume is corrected for each of them.
    pub regions: Option<Regions>,
}
