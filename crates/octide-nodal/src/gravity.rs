//! Gravity (§6): u += dt g, except where cells i and j of different size meet.
//!
//! There the pressure difference (p_j − p_i)/Δ is not along the face's normal, so that the hydrostatic
//! pressure would set water at rest in motion. Gravity is therefore applied by the same difference, dt g·(x_j
//! − x_i)/Δ, which that pressure cancels exactly, even where the surface cuts the face. The cost is borne by
//! free fall, where the pressure must cancel the transverse part.

use crate::boundary::Boundary;
use crate::distance::delta;
use crate::faults::{self, Fault};
use crate::mesh::Mesh;
use crate::params::Params;
use glam::DVec3;
use octide_core::index::{FaceId, Field};
use octide_core::par;

/// Adds the velocity due to gravity, as the difference of its potential between the two cells of a face, with
/// the same Δ as the pressure. Between cells of equal size this is the paper's u += dt g.
pub(crate) fn add_gravity(
    mesh: &Mesh,
    boundary: &Boundary,
    u: &mut Field<FaceId, f64>,
    mut change: DVec3,
    params: &Params,
) {
    if faults::is(Fault::NoGravityAlongZ) {
        change.z = 0.0;
    }
    par::update(u, |i, u| {
        let k = FaceId(i as u32);
        // Water may detach from a solid that closes a face, which is open then.
        if boundary.is_wall(mesh, k) {
            return;
        }
        let [low, high] = mesh.faces.sides(k);
        let is_junction = low.is_some() && high.is_some() && mesh.tree.level(low) != mesh.tree.level(high);
        *u += if is_junction && params.balanced_gravity && !faults::is(Fault::UnbalancedGravity) {
            let way = mesh.tree.center(high) - mesh.tree.center(low);
            change.dot(way) / delta(mesh, params.project.gradient_distance, k)
        } else {
            change[mesh.faces.axis(k)]
        };
    });
}
