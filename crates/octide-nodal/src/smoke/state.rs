//! What the simulation of smoke is at a moment.

use crate::mesh::Mesh;
use octide_core::held::Held;
use octide_core::index::{CellId, FaceId, Field, NodeId};

/// Everything that a step reads and replaces.
#[derive(Clone, Debug)]
pub struct SmokeState {
    /// Seconds since the start.
    pub time: f64,
    /// The grid.
    pub mesh: Held<Mesh>,
    /// Velocity along each face's axis, everywhere.
    pub u: Field<FaceId, f64>,
    /// Density at corners.
    pub density: Field<NodeId, f64>,
    /// Temperature at corners, in K above that of the air around.
    pub temperature: Field<NodeId, f64>,
    /// Pressure divided by density, in m²/s²: the next solve's first guess.
    pub pressure: Field<CellId, f64>,
    /// The acceleration f − ∇p on faces by which the last step ended, in m/s²: where steps are of second
    /// order, and one was taken. Of 32 bits: rounding is far below what the next pressure is solved to.
    pub push: Option<Field<FaceId, f32>>,
    /// The largest velocity component.
    pub max_component: f64,
}
