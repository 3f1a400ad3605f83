//! φ on the new tree: advection, and the boundary conditions at walls and flows.

use crate::advect::advect_distance;
use crate::apertures::Apertures;
use crate::ceiling::{detach_from_ceiling, may_detach};
use crate::extend::extend_phi;
use crate::flows::{self, Exchange, Moment};
use crate::mesh::Mesh;
use crate::nodal::CornerVelocity;
use crate::params::Params;
use crate::solids::Solids;
use crate::state::State;
use crate::tension::advect_phi_by_quadrics;
use octide_core::index::{CellId, Field};

/// Advects φ to the cells of `mesh` over `dt`; with surface tension by a scheme that preserves its curvature.
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

/// Detaches φ from ceilings, extends it into solids, fills inflows and empties outflows. Returns φ and what
/// the flows changed.
pub(crate) fn apply_boundaries(
    old: &State,
    mesh: &Mesh,
    phi: Field<CellId, f64>,
    apertures: &Apertures,
    solids: &Solids,
    now: Moment,
    params: &Params,
) -> (Field<CellId, f64>, Exchange) {
    let phi =
        if may_detach(old, now, params) { detach_from_ceiling(old, mesh, phi, params.gravity) } else { phi };
    let phi = extend_phi(mesh, phi, apertures, solids, params.gravity);
    flows::act(&params.flows, mesh, phi, apertures, solids, params.gravity, now)
}
