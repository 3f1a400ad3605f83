//! Water that hits a ceiling detaches from it again: see [`octide_core::ceiling`].
//!
//! The authors' code always clears the layer; then no wall stops water that rises to it, and the water is
//! lost.

use crate::mesh::Mesh;
use glam::DVec3;
use octide_core::ceiling;
use octide_core::index::{CellId, Field};

/// Returns whether all liquid is clear of ceilings.
pub fn is_clear(mesh: &Mesh, phi: &Field<CellId, f64>, gravity: DVec3) -> bool {
    ceiling::is_clear(mesh.tree.grid(), phi, |c| mesh.tree.center(c), gravity)
}

/// Adds a layer of air to φ below ceilings where they would hold water by suction, that is where `pressure`
/// at the point is negative.
pub fn detach_from_ceiling(
    mesh: &Mesh,
    phi: Field<CellId, f64>,
    gravity: DVec3,
    pressure: impl Fn(DVec3) -> f64 + Sync + Send,
) -> Field<CellId, f64> {
    ceiling::detach_from_ceiling(mesh.tree.grid(), phi, |c| mesh.tree.center(c), gravity, pressure)
}
