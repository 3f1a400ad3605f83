//! Transfer of momentum to the velocity on faces, from particles that are absorbed by the fluid.

use crate::index::{FaceId, Field};

/// The contribution of a particle to a face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delivery {
    /// The face.
    pub face: FaceId,
    /// The particle's fraction of the fluid that moves with the face.
    pub share: f64,
    /// The particle's velocity along the face's axis, in m/s.
    pub velocity: f64,
}

/// Applies one delivery after the other: each moves the face's velocity toward the particle's by its
/// fraction.
pub fn deliver_in_turn(deliveries: impl IntoIterator<Item = Delivery>, u: &mut Field<FaceId, f64>) {
    for Delivery { face, share, velocity } in deliveries {
        u[face] += share * (velocity - u[face]);
    }
}

/// Applies all deliveries to a face at once, so that their order does not matter. If their fractions add up
/// to more than one, the face takes their mean velocity.
pub fn deliver_together(mut deliveries: Vec<Delivery>, u: &mut Field<FaceId, f64>) {
    deliveries.sort_by_key(|d| d.face);
    for same in deliveries.chunk_by(|a, b| a.face == b.face) {
        let k = same[0].face;
        let (share, momentum) =
            same.iter().fold((0.0, 0.0), |(s, m), d| (s + d.share, m + d.share * d.velocity));
        u[k] += (momentum - share * u[k]) / share.max(1.0);
    }
}
