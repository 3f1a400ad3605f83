//! The state of a simulation of smoke.

use crate::mesh::Mesh;
use octide_core::held::Held;
use octide_core::index::{CellId, FaceId, Field, NodeId};

/// The state that a step reads and replaces.
#[derive(Clone, Debug)]
pub struct SmokeState {
    /// Seconds since the start.
    pub time: f64,
    /// The grid.
    pub mesh: Held<Mesh>,
    /// Velocity along each face's axis, on all faces.
    pub u: Field<FaceId, f64>,
    /// Density at corners.
    pub density: Field<NodeId, f64>,
    /// Temperature at corners, in K above the ambient air.
    pub temperature: Field<NodeId, f64>,
    /// Pressure divided by density, in m²/s²: the initial guess of the next solve.
    pub pressure: Field<CellId, f64>,
    /// The acceleration f − ∇p on faces at the end of the last step, in m/s², if steps are of second order
    /// and one was taken. In single precision: rounding is far below the tolerance of the next pressure
    /// solve.
    pub push: Option<Field<FaceId, f32>>,
    /// The largest velocity component.
    pub max_component: f64,
}
