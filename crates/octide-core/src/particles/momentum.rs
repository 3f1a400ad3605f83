//! Momentum of particles that end in fluid, given to the velocity on faces.

use crate::index::{FaceId, Field};

/// What a particle gives to a face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delivery {
    /// The face.
    pub face: FaceId,
    /// The particle's part of the fluid that moves with the face.
    pub share: f64,
    /// The particle's velocity along the face's axis, in m/s.
    pub velocity: f64,
}

/// Mixes one delivery after the other: the face moves toward the particle's velocity by its share.
pub fn deliver_in_turn(deliveries: impl IntoIterator<Item = Delivery>, u: &mut Field<FaceId, f64>) {
    for Delivery { face, share, velocity } in deliveries {
        u[face] += share * (velocity - u[face]);
    }
}

/// Mixes all deliveries of a face at once, so that their order does not matter. Where their shares are more
/// than all of the fluid, the face takes their mean velocity.
pub fn deliver_together(mut deliveries: Vec<Delivery>, u: &mut Field<FaceId, f64>) {
    deliveries.sort_by_key(|d| d.face);
    for same in deliveries.chunk_by(|a, b| a.face == b.face) {
        let k = same[0].face;
        let (share, momentum) =
            same.iter().fold((0.0, 0.0), |(s, m), d| (s + d.share, m + d.share * d.velocity));
        u[k] += (momentum - share * u[k]) / share.max(1.0);
    }
}
