//! Gravity (§6), u += dt g, but where cells i and j of different size meet.
//!
//! There the pressure's difference (p_j − p_i)/Δ is not along the face's normal, so that the pressure of water
//! at rest would set it in motion. Gravity is taken by the same difference, dt g·(x_j − x_i)/Δ, which that
//! pressure cancels to the last bit, also where the surface cuts the face. What falls freely pays for it: its
//! pressure must undo the part across.

use crate::boundary::Boundary;
use crate::distance::delta;
use crate::faults::{self, Fault};
use crate::mesh::Mesh;
use crate::params::Params;
use glam::DVec3;
use octide_core::index::{FaceId, Field};
use octide_core::par;

/// Adds the velocity that gravity gives, as the difference of its potential between the two cells of a face,
/// by the pressure's own Δ. Between cells of one size this is the paper's u += dt g.
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
        if boundary.open(k) <= 0.0 {
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
