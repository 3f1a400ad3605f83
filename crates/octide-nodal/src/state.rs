//! The state of a simulation of water.

use crate::boundary::Boundary;
use crate::mesh::Mesh;
use crate::particles::LevelParticles;
use octide_core::faces::detach::DetachedCells;
use octide_core::held::Held;
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::octree::Octree;
use octide_core::scene::{OpenSides, Solid};
use octide_core::solids::Solids;
use octide_core::volume::VolumeControl;

/// The state that a step reads and replaces.
#[derive(Clone, Debug)]
pub struct State {
    /// Seconds since the start.
    pub time: f64,
    /// The grid.
    pub mesh: Held<Mesh>,
    /// How solids and walls close the faces; faces that inflows and open sides close for a step are open
    /// here.
    pub boundary: Held<Boundary>,
    /// Signed distance to the surface, negative in water.
    pub phi: Field<NodeId, f64>,
    /// Velocity along each face's axis, on all faces.
    pub u: Field<FaceId, f64>,
    /// Pressure divided by density, in m²/s²: the initial guess of the next solve.
    pub pressure: Field<CellId, f64>,
    /// Markers on both sides of the surface, and spray.
    pub particles: LevelParticles,
    /// Whether water may detach from the ceiling; false if it started there.
    pub clear_ceiling: bool,
    /// The largest velocity component in the water.
    pub max_component: f64,
    /// The water's volume.
    pub volume: f64,
    /// The state of the volume correction.
    pub control: VolumeControl,
    /// The volume that enters cells from inflows or, if negative, leaves them through open sides at this
    /// velocity, in m³/s.
    pub crossing: Vec<(CellId, f64)>,
    /// The cells inside solids whose walls water has detached from.
    pub detached: DetachedCells,
}

impl State {
    /// Restores what a failed step has taken: rebuilds the mesh from its tree, and the boundary on it.
    pub(crate) fn put_back(&mut self, tree: Octree, solids: &[Solid], open: OpenSides) {
        let mesh = Mesh::new(tree);
        self.boundary.put_back(Boundary::new(
            &mesh,
            &Solids::on_grid(solids, self.time, mesh.tree.grid().dx()),
            open,
        ));
        self.mesh.put_back(mesh);
    }
}
