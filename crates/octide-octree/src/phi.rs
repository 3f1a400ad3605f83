//! φ on the new tree: advection, and the boundary conditions at walls and flows.

use crate::advect::advect_distance;
use crate::apertures::Apertures;
use crate::ceiling::{detach_from_ceiling, may_detach};
use crate::extend::PhiExtension;
use crate::flows::{self, Exchange, Moment};
use crate::mesh::Mesh;
use crate::nodal::{CornerVelocity, velocity_at};
use crate::params::Params;
use crate::solids::Solids;
use crate::state::State;
use crate::tension::advect_phi_by_quadrics;
use octide_core::faces::detach::{Detached, Walled, directions_at};
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

/// φ with all boundary conditions applied.
pub(crate) struct BoundedPhi {
    pub phi: Field<CellId, f64>,
    /// The walls of solids that water has detached from.
    pub detached: Detached,
    /// What flows have changed.
    pub exchange: Exchange,
    /// How φ is extended into solids.
    pub extension: PhiExtension,
    /// The cells below ceilings that water has detached from.
    pub cleared: Vec<CellId>,
}

/// Detaches φ from ceilings, extends it into solids, fills inflows and empties outflows. Opens the faces of walls
/// that water has detached from.
pub(crate) fn apply_boundaries(
    (old, corners): (&State, &CornerVelocity),
    mesh: &Mesh,
    phi: Field<CellId, f64>,
    apertures: &mut Apertures,
    solids: &Solids,
    now: Moment,
    params: &Params,
) -> BoundedPhi {
    let (mut phi, cleared) = if may_detach(old, now, params) {
        detach_from_ceiling(old, mesh, phi, params.gravity)
    } else {
        (phi, Vec::new())
    };
    let detached = still_detached((old, corners), Walled { mesh, apertures, solids }, &mut phi, now.dt);
    let extension = PhiExtension::new(mesh, apertures, solids, &detached, params.gravity);
    let phi = extension.apply(mesh, solids, phi);
    let (phi, exchange) = flows::act(&params.flows, mesh, phi, apertures, solids, &extension, now);
    detached.open_faces(mesh, apertures, solids, |_| false);
    BoundedPhi { phi, detached, exchange, extension, cleared }
}

/// Finds the walls that water had detached from in the old state and that stay so. Sets φ behind them.
fn still_detached(
    (old, corners): (&State, &CornerVelocity),
    walled: Walled<Mesh>,
    phi: &mut Field<CellId, f64>,
    dt: f64,
) -> Detached {
    let mesh = walled.mesh;
    if old.detached.is_empty() {
        return Detached::none(if walled.apertures.has_solids() { mesh.n_cells() } else { 0 });
    }
    let before = |_, x| directions_at(&old.detached, old.mesh.tree.nearest_leaf(x));
    let water = |c: CellId| velocity_at(&old.mesh, corners, mesh.tree.center(c));
    Detached::carried(walled, phi, dt, before, water)
}
