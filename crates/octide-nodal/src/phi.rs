//! φ on the new tree: as ceilings, solids and flows want it, and as a distance.

use crate::boundary::Boundary;
use crate::extend::{Separation, extend_phi};
use crate::flows;
use crate::level_set::redistance;
use crate::mesh::Mesh;
use crate::params::Params;
use glam::DVec3;
use octide_core::ceiling;
use octide_core::flows::{Exchange, Moment};
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::octree::CellCorners;
use octide_core::par;
use octide_core::solids::Solids;

/// Cells whose φ is below this many of their edges may be water when markers and redistancing have changed φ.
const WET_CELLS: f64 = 1.5;

/// Which cells may become water: the faces of others are not projected, and get their velocity by
/// extrapolation.
pub(crate) fn wet_cells<F: Sync>(
    mesh: &Mesh<F, impl CellCorners>,
    phi: &Field<NodeId, f64>,
    now: Moment,
    params: &Params,
) -> Field<CellId, bool> {
    par::map(mesh.n_cells(), |c: CellId| {
        mesh.at_center(phi, c) < WET_CELLS * mesh.tree.size(c)
            || params.flows.acts_at(mesh.tree.center(c), now)
    })
}

/// φ with everything that bounds the water.
pub(crate) struct BoundedPhi {
    pub phi: Field<NodeId, f64>,
    /// Corners in solids that water parts from.
    pub free: Vec<NodeId>,
    /// What came in and went out where φ was set.
    pub exchange: Exchange,
}

/// φ detached from ceilings, if `clear_ceiling` says so, continued into solids, with inflows full and
/// outflows empty. The velocity and the last pressure, times dt, tell where water parts from solids.
pub(crate) fn apply_boundaries(
    clear_ceiling: bool,
    mesh: &Mesh,
    mut phi: Field<NodeId, f64>,
    boundary: &Boundary,
    solids: &Solids,
    (u, pressure): (&Field<FaceId, f64>, &Field<CellId, f64>),
    now: Moment,
    params: &Params,
) -> BoundedPhi {
    let (dx, dt) = (mesh.tree.grid().dx(), now.dt);
    if clear_ceiling {
        let pressure_at = |x| pressure[mesh.tree.nearest_leaf(x)] / dt;
        let position = |v| mesh.node_position(v);
        phi = ceiling::let_go(mesh.tree.grid(), phi, position, params.gravity, pressure_at);
    }
    let holds = params.gravity.length() * dx + params.surface_tension / (params.density * dx);
    let parting = Separation { u, pressure, dt, holds };
    let (phi, mut free) = extend_phi(mesh, phi, boundary, solids, params.gravity, Some(&parting));
    let (phi, exchange) =
        flows::act(&params.flows, mesh, phi, boundary, solids, params.gravity, now, (&parting, &mut free));
    BoundedPhi { phi, free, exchange }
}

/// φ made a distance. Where it ends in a solid the surface has an edge, which rounds it off up to two cells
/// away, so that φ is continued into solids again, but for the corners that water parts from.
pub(crate) fn redistance_outside_solids(
    mesh: &Mesh,
    phi: Field<NodeId, f64>,
    boundary: &Boundary,
    solids: &Solids,
    free: &[NodeId],
    gravity: DVec3,
) -> Field<NodeId, f64> {
    let phi = redistance(mesh, &phi, f64::INFINITY);
    let parted: Vec<f64> = free.iter().map(|&v| phi[v]).collect();
    let (mut phi, _) = extend_phi(mesh, phi, boundary, solids, gravity, None);
    if !free.is_empty() {
        free.iter().zip(parted).for_each(|(&v, there)| phi[v] = there);
        mesh.constrain(&mut phi);
    }
    phi
}
