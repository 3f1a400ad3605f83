//! Inflows and outflows on this mesh: see [`octide_core::flows`] and [`octide_core::faces::open_sides`].

use crate::boundary::Boundary;
use crate::detach::Gaps;
use crate::extend::extend_phi;
use crate::mesh::Mesh;
use crate::params::Params;
use crate::particles::LevelParticles;
use crate::state::State;
use crate::volume::cell_volume;
use glam::DVec3;
use octide_core::flows::{Exchange, Flows, Moment};
use octide_core::geometry::negative_share;
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::par;
use octide_core::solids::Solids;

/// Fills inflows and empties outflows in φ. Returns φ and the exchanged volume.
pub fn act(
    flows: &Flows,
    mesh: &Mesh,
    phi: Field<NodeId, f64>,
    boundary: &Boundary,
    solids: &Solids,
    gravity: DVec3,
    now: Moment,
    (gaps, u): (&Gaps, &Field<FaceId, f64>),
) -> (Field<NodeId, f64>, Exchange) {
    flows.during(now).act(
        phi,
        |v| mesh.node_position(v),
        |mut phi| {
            mesh.constrain(&mut phi);
            extend_phi(mesh, phi, boundary, solids, gravity, gaps, Some(u))
        },
        |phi| par::map(mesh.n_cells(), |c| cell_volume(mesh, phi, boundary, solids, c)),
    )
}

/// Returns the flow into the cells beside outflows that the velocity of a state causes, in m³/s: negative,
/// because water leaves them.
pub fn sinks(flows: &Flows, state: &State, dt: f64) -> Vec<(CellId, f64)> {
    let State { mesh, phi, u, boundary, .. } = state;
    let now = Moment { time: state.time, dt };
    let Some(drains) = flows.drains(mesh.n_cells(), |c| mesh.tree.center(c), now) else {
        return Vec::new();
    };
    let is_in = &drains.is_in;
    par::collect(mesh.n_faces(), |i, out: &mut Vec<(CellId, f64)>| {
        let k = FaceId(i as u32);
        let [low, high] = mesh.faces.sides(k);
        if low.is_none() || high.is_none() || is_in[low] == is_in[high] {
            return;
        }
        // Relative to the outflow, which may move.
        let relative = u[k] - drains.own_velocity(mesh.face_position(k), mesh.faces.axis(k));
        let (from, into) = if is_in[high] { (low, relative) } else { (high, -relative) };
        if into > 0.0 && mesh.at_center(phi, from) < 0.0 {
            // φ is zero on the outflow's boundary itself, so the arriving water is sampled half a cell
            // outside.
            let wet = wet_beside(mesh, phi, k, from);
            out.push((from, -wet * boundary.open(k) * mesh.face_size(k).powi(2) * into));
        }
    })
}

/// Returns the fraction of a face that is under water, from φ at the center of the cell beside it.
fn wet_beside(mesh: &Mesh, phi: &Field<NodeId, f64>, face: FaceId, cell: CellId) -> f64 {
    let (axis, center) = (mesh.faces.axis(face), mesh.tree.center(cell));
    negative_share(mesh.face_corners(face).map(|v| {
        let mut p = mesh.node_position(v);
        p[axis] = center[axis];
        mesh.sample(phi, p)
    }))
}

/// Removes the particles in active inflows and outflows, and returns the volume of spray among them, in m³.
pub(crate) fn remove_particles(
    particles: &mut LevelParticles,
    mesh: &Mesh,
    now: Moment,
    params: &Params,
) -> f64 {
    let flows = params.flows.during(now);
    if flows.is_empty() { 0.0 } else { particles.remove(&mesh.tree, |x| flows.acts_at(x)) }
}
