//! φ on the new tree: boundary conditions at ceilings, solids, inflows and outflows, and redistancing.

use crate::boundary::Boundary;
use crate::detach::{Gaps, at_centers};
use crate::extend::extend_phi;
use crate::flows;
use crate::level_set::redistance;
use crate::mesh::Mesh;
use crate::params::Params;
use crate::transfer::cell_velocity;
use glam::DVec3;
use octide_core::ceiling::{self, Ceiling};
use octide_core::faces::detach::{Detached, Walled, directions_at};
use octide_core::flows::{Exchange, Moment};
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::octree::CellCorners;
use octide_core::par;
use octide_core::solids::Solids;

/// Cells whose φ is below this many of their edges may become water by marker correction and redistancing.
const WET_CELLS: f64 = 1.5;

/// Returns which cells may become water. The faces of other cells are not projected and get their velocity by
/// extrapolation.
pub(crate) fn wet_cells<F: Sync>(
    mesh: &Mesh<F, impl CellCorners>,
    phi: &Field<NodeId, f64>,
    now: Moment,
    params: &Params,
) -> Field<CellId, bool> {
    let flows = params.flows.during(now);
    par::map(mesh.n_cells(), |c: CellId| {
        mesh.at_center(phi, c) < WET_CELLS * mesh.tree.size(c) || flows.acts_at(mesh.tree.center(c))
    })
}

/// φ with all boundary conditions applied.
pub(crate) struct BoundedPhi {
    pub phi: Field<NodeId, f64>,
    /// The walls of solids that water has detached from.
    pub detached: Detached,
    /// The corners beside them.
    pub gaps: Gaps,
    /// Volume that was added and removed by setting φ.
    pub exchange: Exchange,
}

/// Detaches φ from ceilings that hold it by more than `suction`, extends it into solids, fills inflows and empties outflows.
/// Walls that water had detached from, `free_before`, stay so where there is a gap. `pressure` is the last one, times dt.
pub(crate) fn apply_boundaries(
    suction: Option<f64>,
    mesh: &Mesh,
    mut phi: Field<NodeId, f64>,
    boundary: &Boundary,
    solids: &Solids,
    (u, pressure): (&Field<FaceId, f64>, &Field<CellId, f64>),
    free_before: &[(CellId, u8)],
    now: Moment,
    params: &Params,
) -> BoundedPhi {
    let dt = now.dt;
    if let Some(suction) = suction {
        let holds = |x, ceiling| holds(mesh, boundary, (u, pressure), dt * suction, x, ceiling);
        let position = |v| mesh.node_position(v);
        phi = ceiling::detach_from_ceiling(mesh.tree.grid(), phi, position, params.gravity, holds);
    }
    let (detached, gaps) = still_detached(mesh, &phi, (boundary, solids), u, free_before, dt);
    let phi = extend_phi(mesh, phi, boundary, solids, params.gravity, &gaps, Some(u));
    let (phi, exchange) =
        flows::act(&params.flows, mesh, phi, boundary, solids, params.gravity, now, (&gaps, u));
    BoundedPhi { phi, detached, gaps, exchange }
}

/// Returns whether a ceiling holds the water at a point by suction: its pressure is below −`suction`, and it is
/// not beside a face of an open side through which water leaves.
pub(crate) fn holds(
    mesh: &Mesh,
    boundary: &Boundary,
    (u, pressure): (&Field<FaceId, f64>, &Field<CellId, f64>),
    suction: f64,
    x: DVec3,
    Ceiling { axis, is_high }: Ceiling,
) -> bool {
    let cell = mesh.tree.nearest_leaf(x);
    let (side, out) = if is_high { (2 * axis + 1, 1.0) } else { (2 * axis, -1.0) };
    let leaves = |k: FaceId| mesh.side_of(k) == Some(side) && boundary.open(k) > 0.0 && u[k] * out > 0.0;
    pressure[cell] < -suction && !mesh.faces_of(cell).any(|(k, _)| leaves(k))
}

/// Redistances φ. Where the surface ends in a solid it has an edge, and redistancing rounds it off up to two
/// cells away, so φ is extended into solids again, except where water has detached from them.
pub(crate) fn redistance_outside_solids(
    mesh: &Mesh,
    phi: Field<NodeId, f64>,
    boundary: &Boundary,
    solids: &Solids,
    gaps: &Gaps,
    gravity: DVec3,
) -> Field<NodeId, f64> {
    let phi = redistance(mesh, &phi, f64::INFINITY);
    extend_phi(mesh, phi, boundary, solids, gravity, gaps, None)
}

/// Finds the walls that water had detached from and that stay so, and the corners beside them.
fn still_detached(
    mesh: &Mesh,
    phi: &Field<NodeId, f64>,
    (boundary, solids): (&Boundary, &Solids),
    u: &Field<FaceId, f64>,
    free_before: &[(CellId, u8)],
    dt: f64,
) -> (Detached, Gaps) {
    if free_before.is_empty() {
        return (Detached::none(if boundary.has_solids() { mesh.n_cells() } else { 0 }), Gaps::default());
    }
    let mut centers = at_centers(mesh, phi);
    let walled = Walled { mesh, apertures: boundary, solids };
    let before = |c, _| directions_at(free_before, c);
    let water = |c| cell_velocity(mesh, u, c);
    let detached = Detached::carried(walled, &mut centers, dt, before, water);
    let gaps = Gaps::new(mesh, (boundary, solids), &detached);
    (detached, gaps)
}
