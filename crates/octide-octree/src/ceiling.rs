//! Water that hits a ceiling comes off again: see [`octide_core::ceiling`].
//!
//! The authors' code clears the layer always; then there is no wall to stop what comes up, and it is lost.

use crate::mesh::Mesh;
use glam::DVec3;
use octide_core::ceiling;
use octide_core::index::{CellId, Field};

/// Whether all liquid keeps clear of ceilings.
pub fn is_clear(mesh: &Mesh, phi: &Field<CellId, f64>, gravity: DVec3) -> bool {
    ceiling::is_clear(mesh.tree.grid(), phi, |c| mesh.tree.center(c), gravity)
}

/// φ with a layer of air below ceilings where they would hold water by suction: `pressure` at a point tells.
pub fn let_go(
    mesh: &Mesh,
    phi: Field<CellId, f64>,
    gravity: DVec3,
    pressure: impl Fn(DVec3) -> f64 + Sync + Send,
) -> Field<CellId, f64> {
    ceiling::let_go(mesh.tree.grid(), phi, |c| mesh.tree.center(c), gravity, pressure)
}
