//! The state of the simulation at one time.

use crate::apertures::Apertures;
use crate::mesh::Mesh;
use crate::particles::Particles;
use crate::volume::VolumeControl;
use octide_core::faces::detach::DetachedCells;
use octide_core::held::Held;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::volume::LiquidBodies;

/// Everything that a step reads and replaces.
#[derive(Clone, Debug)]
pub struct State {
    /// Seconds since the start.
    pub time: f64,
    /// The grid.
    pub mesh: Held<Mesh>,
    /// How solids close its faces.
    pub apertures: Apertures,
    /// The cells inside solids whose walls water has detached from, in order, and in which directions, one bit
    /// each.
    pub detached: DetachedCells,
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
    /// Particles in the water, and spray.
    pub particles: Particles,
    /// The largest velocity component in the liquid.
    pub max_component: f64,
    /// The liquid's volume.
    pub volume: f64,
    /// The memory of the volume correction.
    pub control: VolumeControl,
    /// The volume of water in each cell, in m³; empty if volume is not kept cell by cell.
    pub content: Field<CellId, f64>,
    /// Faces whose flow is not that of `u`, in order: those that inflows set, and slivers beside solids, whose
    /// velocity is not used elsewhere.
    pub exact_flow: Vec<ExactFlow>,
    /// Flow into cells from inflows and, negative, out of them through open sides with this velocity, in
    /// m³/s.
    pub crossing: Vec<(CellId, f64)>,
    /// The bodies of water, if the volume of each is corrected separately.
    pub regions: Option<LiquidBodies>,
}

/// The flow through a face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExactFlow {
    /// The face.
    pub face: FaceId,
    /// The flow along its axis in m³/s.
    pub rate: f64,
    /// Whether an inflow sets it: then all of it is water.
    pub is_inflow: bool,
}
