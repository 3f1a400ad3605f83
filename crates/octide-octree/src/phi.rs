//! φ on the new tree: advected, and as walls and flows want it.

use crate::advect::advect_distance;
use crate::apertures::Apertures;
use crate::ceiling::let_go;
use crate::extend::extend_phi;
use crate::flows::{self, Exchange, Moment};
use crate::mesh::Mesh;
use crate::nodal::CornerVelocity;
use crate::params::Params;
use crate::solids::Solids;
use crate::state::State;
use crate::tension::advect_phi_by_quadrics;
use octide_core::index::{CellId, Field};

/// φ on the cells of `mesh` after `dt`; with surface tension so that its curvature survives.
pub(crate) fn advect_phi(
    old: &State,
    corners: &CornerVelocity,
    mesh: &Mesh,
    dt: f64,
    params: &Params,
) -> Field<CellId, f64> {
    if params.surface_tension > 0.0 {
        advect_phi_by_quadrics(old, corners, mesh, dt, params)
    } else {
        advect_distance(&old.mesh, &old.phi, &old.apertures, corners, mesh, dt)
    }
}

/// φ detached from ceilings, continued into solids, with inflows full and outflows empty, and what the flows
/// changed.
pub(crate) fn apply_boundaries(
    old: &State,
    mesh: &Mesh,
    phi: Field<CellId, f64>,
    apertures: &Apertures,
    solids: &Solids,
    now: Moment,
    params: &Params,
) -> (Field<CellId, f64>, Exchange) {
    let pressure_at = |x| old.pressure[old.mesh.tree.nearest_leaf(x)];
    let phi = if old.clear_ceiling { let_go(mesh, phi, params.gravity, pressure_at) } else { phi };
    let phi = extend_phi(mesh, phi, apertures, solids, params.gravity);
    flows::act(&params.flows, mesh, phi, apertures, solids, params.gravity, now)
}
