//! The acceleration f − ∇p of a step, a share of which acts before transport where steps are of second order:
//!
//! ```text
//! u_new = A(u + θ dt (f − ∇p)_old) + (1 − θ) dt (f − ∇p),   θ = 0.4.
//! ```
//!
//! θ = ½ would be of second order, but p would swing about its value without end; so it swings by θ/(1 − θ) =
//! ⅔ of it a step later. Measured with the Taylor–Green vortex: the case taylor-green.

use super::params::SmokeParams;
use super::state::SmokeState;
use crate::boundary::Boundary;
use octide_core::index::{FaceId, Field};
use octide_core::par;

/// θ, the share of a step in which the acceleration of its start acts, with MacCormack transport.
const EARLY_SHARE: f64 = 0.4;

/// The seconds of a step in which the acceleration of its start and that of its end act.
pub struct Shares {
    /// θ dt: before transport, the old acceleration.
    pub early: f64,
    /// (1 − θ) dt: after it, the new one.
    pub late: f64,
}

impl Shares {
    /// Of a step of length `dt`: all of it is late unless steps are of second order and there was one.
    pub fn new(old: &SmokeState, dt: f64, params: &SmokeParams) -> Self {
        let share = if params.is_second_order() && old.push.is_some() { EARLY_SHARE } else { 0.0 };
        Self { early: share * dt, late: (1.0 - share) * dt }
    }
}

/// The velocity that is carried, u + θ dt (f − ∇p)_old, told for each face.
pub fn advected_part(old: &SmokeState, early: f64) -> impl Fn(FaceId) -> f64 + Copy + Sync + Send {
    let (u, push) = (&old.u, old.push.as_ref().filter(|_| early > 0.0));
    move |k: FaceId| match push {
        Some(push) => u[k] + early * f64::from(push[k]),
        None => u[k],
    }
}

/// The acceleration that has made `u` of what it was before forces, in `late` seconds; zero on closed faces.
pub fn acceleration_since(
    before: Option<Field<FaceId, f32>>,
    u: &Field<FaceId, f64>,
    boundary: &Boundary,
    late: f64,
) -> Option<Field<FaceId, f32>> {
    before.map(|mut push| {
        par::update(&mut push, |i, push| {
            let k = FaceId(i as u32);
            *push = if boundary.open(k) > 0.0 { ((u[k] - f64::from(*push)) / late) as f32 } else { 0.0 };
        });
        push
    })
}
