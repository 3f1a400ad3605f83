//! Where water comes in and goes out, on this mesh: see [`octide_core::flows`].

use crate::boundary::Boundary;
use crate::extend::{Separation, extend_phi};
use crate::mesh::Mesh;
use crate::params::Params;
use crate::particles::LevelParticles;
use crate::state::State;
use crate::volume::cell_volume;
use glam::DVec3;
use octide_core::flows::{Exchange, Flows, Moment, Prescribed};
use octide_core::geometry::negative_share;
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::par;
use octide_core::solids::Solids;

/// φ with inflows full and outflows empty, and what that changed; where water parts from solids is found
/// anew.
pub fn act(
    flows: &Flows,
    mesh: &Mesh,
    phi: Field<NodeId, f64>,
    boundary: &Boundary,
    solids: &Solids,
    gravity: DVec3,
    now: Moment,
    (parting, free): (&Separation<'_>, &mut Vec<NodeId>),
) -> (Field<NodeId, f64>, Exchange) {
    flows.act(
        phi,
        now,
        |v| mesh.node_position(v),
        |mut phi| {
            mesh.constrain(&mut phi);
            let (phi, parted) = extend_phi(mesh, phi, boundary, solids, gravity, Some(parting));
            *free = parted;
            phi
        },
        |phi| par::map(mesh.n_cells(), |c| cell_volume(mesh, phi, boundary, solids, c)),
    )
}

/// What the velocity of a state carries into outflows, as what comes to the cells beside them: negative, in
/// m³/s.
pub fn sinks(flows: &Flows, state: &State, dt: f64) -> Vec<(CellId, f64)> {
    let State { mesh, phi, u, boundary, .. } = state;
    let Some(is_in) = flows.drained(&mesh.tree, Moment { time: state.time, dt }) else { return Vec::new() };
    par::collect(mesh.n_faces(), |i, out: &mut Vec<(CellId, f64)>| {
        let k = FaceId(i as u32);
        let [low, high] = mesh.faces.sides(k);
        if low.is_none() || high.is_none() || is_in[low] == is_in[high] {
            return;
        }
        let (from, into) = if is_in[high] { (low, u[k]) } else { (high, -u[k]) };
        if into > 0.0 && mesh.at_center(phi, from) < 0.0 {
            // φ is zero on the rim itself: half a cell outside is the water that comes.
            let wet = wet_beside(mesh, phi, k, from);
            out.push((from, -wet * boundary.open(k) * mesh.face_size(k).powi(2) * into));
        }
    })
}

/// The share of a face that is under water by φ half way into the cell beside it.
fn wet_beside(mesh: &Mesh, phi: &Field<NodeId, f64>, face: FaceId, cell: CellId) -> f64 {
    let (axis, center) = (mesh.faces.axis(face), mesh.tree.center(cell));
    negative_share(mesh.face_corners(face).map(|v| {
        let mut p = mesh.node_position(v);
        p[axis] = center[axis];
        mesh.sample(phi, p)
    }))
}

/// The faces that inflows have in a step, closed to the pressure.
pub fn prescribe(flows: &Flows, mesh: &Mesh, boundary: &mut Boundary, now: Moment) -> Prescribed {
    flows.prescribe(
        &mesh.tree,
        mesh.n_faces(),
        now,
        |k| mesh.faces.axis(k),
        |k, f| {
            let [low, high] = mesh.faces.sides(k);
            if low.is_some() && high.is_some() {
                f(low, false);
                f(high, true);
            }
        },
        |k| mesh.face_size(k),
        |k, velocity| (boundary.open(k), boundary.close(k, velocity)),
    )
}

/// Takes away particles that are where water was put or taken, and returns the volume of spray among them, in
/// m³.
pub(crate) fn remove_particles(
    particles: &mut LevelParticles,
    mesh: &Mesh,
    now: Moment,
    params: &Params,
) -> f64 {
    let flows = &params.flows;
    if flows.inflows(now).next().is_some() || flows.outflows(now).next().is_some() {
        particles.remove(mesh, |x| flows.acts_at(x, now))
    } else {
        0.0
    }
}
