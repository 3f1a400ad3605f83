//! What a simulation of water is at a moment.

use crate::boundary::Boundary;
use crate::mesh::Mesh;
use crate::particles::LevelParticles;
use octide_core::held::Held;
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::octree::Octree;
use octide_core::scene::{OpenSides, Solid};
use octide_core::solids::Solids;
use octide_core::volume::VolumeControl;

/// Everything that a step reads and replaces.
#[derive(Clone, Debug)]
pub struct State {
    /// Seconds since the start.
    pub time: f64,
    /// The grid.
    pub mesh: Held<Mesh>,
    /// How solids and walls close its faces; what inflows and open sides close for a step is open here.
    pub boundary: Held<Boundary>,
    /// Signed distance to the surface, negative in water.
    pub phi: Field<NodeId, f64>,
    /// Velocity along each face's axis, everywhere.
    pub u: Field<FaceId, f64>,
    /// Pressure divided by density, in m²/s²: the next solve's first guess.
    pub pressure: Field<CellId, f64>,
    /// Markers on both sides of the surface, and spray.
    pub particles: LevelParticles,
    /// Whether water may detach from the ceiling; false if it started there.
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
    /// Puts back what a failed step has taken: the mesh of a tree, and the boundary on it.
    pub(crate) fn put_back(&mut self, tree: Octree, solids: &[Solid], open: OpenSides) {
        let mesh = Mesh::new(tree);
        self.boundary.put_back(Boundary::new(&mesh, &Solids::at(solids, self.time), open));
        self.mesh.put_back(mesh);
    }
}
