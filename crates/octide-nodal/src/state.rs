//! What a simulation of water is at a moment.

use crate::boundary::Boundary;
use crate::mesh::Mesh;
use crate::particles::LevelParticles;
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::scene::{OpenSides, Solid};
use octide_core::solids::Solids;
use octide_core::volume::VolumeControl;

/// Everything that a step reads and replaces.
#[derive(Clone, Debug)]
pub struct State {
    /// Seconds since the start.
    pub time: f64,
    /// The grid.
    pub mesh: Mesh,
    /// How solids and walls close its faces; what inflows and open sides close for a step is open here.
    pub boundary: Boundary,
    /// Signed distance to the surface, negative in water.
    pub phi: Field<NodeId, f64>,
    /// Velocity along each face's axis, everywhere.
    pub u: Field<FaceId, f64>,
    /// Pressure divided by density, in m²/s²: the next solve's first guess.
    pub pressure: Field<CellId, f64>,
    /// Markers on both sides of the surface, and spray.
    pub particles: LevelParticles,
    /// Whether ceilings let go of water: not where it began up there.
    pub clear_ceiling: bool,
    /// The largest velocity component in the water.
    pub max_component: f64,
    /// The water's volume.
    pub volume: f64,
    /// What volume correction remembers.
    pub control: VolumeControl,
    /// What comes to cells from inflows and, negative, leaves them through open sides by this velocity, in
    /// m³/s.
    pub crossing: Vec<(CellId, f64)>,
}

impl State {
    /// Makes again what a step has given back.
    pub(crate) fn restore(&mut self, solids: &[Solid], open: OpenSides) {
        self.mesh.restore();
        self.boundary = Boundary::new(&self.mesh, &Solids::at(solids, self.time), open);
    }
}
