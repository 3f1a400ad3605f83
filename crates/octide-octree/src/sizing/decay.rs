//! What is left of earlier sizing values (§6.1), so that detail is not lost as soon as it is calm, and cells
//! do not flicker:
//!
//! ```text
//! S ← max( R S*, S ),      R = T₁^(dt / T₂),      eq. (36)
//! ```
//!
//! S* are the values carried with the flow from the old tree: of the cell where the water was, so that they
//! neither blur nor spread.

use super::SizingParams;
use crate::mesh::Mesh;
use crate::nodal::{CornerVelocity, velocity_at};
use octide_core::index::{CellId, Field};
use octide_core::par;

/// R S* on the cells of `new`.
pub fn fade(
    old: &Mesh,
    s: &Field<CellId, f64>,
    corners: &CornerVelocity,
    new: &Mesh,
    dt: f64,
    params: &SizingParams,
) -> Field<CellId, f32> {
    let rate = params.decay.powf(dt / params.decay_time);
    par::map(new.n_cells(), |c: CellId| {
        let x = new.tree.center(c);
        (rate * s[old.tree.nearest_leaf(x - dt * velocity_at(old, corners, x))]) as f32
    })
}
