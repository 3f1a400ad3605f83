//! How particles move.
//!
//! ```text
//! x ← x + dt u(x + ½ dt u(x))             with the fluid, by the midpoint rule;
//! x ← x + dt v + ½ dt² g,  v ← v + dt g   in flight.
//! ```
//!
//! What a solid has in its way is moved out of it along the normal n, and loses the speed that it has into the
//! solid: v ← v − min(0, (v − v_solid)·n) n.

use crate::scene::OpenSides;
use crate::solids::Solids;
use glam::DVec3;

/// What particles move among.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    /// Solids, where they stand after the move.
    pub solids: &'a Solids,
    /// Sides through which particles leave.
    pub open: OpenSides,
    /// In m/s².
    pub gravity: DVec3,
}

/// The way of a particle at `from`, where the fluid has the velocity `start`, in a step of `dt`. The place at
/// half time is first brought `inside` of where `velocity` is known.
#[inline]
pub fn midpoint_way(
    from: DVec3,
    start: DVec3,
    dt: f64,
    inside: impl Fn(DVec3) -> DVec3,
    velocity: impl Fn(DVec3) -> DVec3,
) -> DVec3 {
    let half = inside(from + 0.5 * dt * start);
    dt * velocity(half)
}

/// Where what flies with velocity `v` from `x` is after `dt`, and the velocity that it gains.
#[inline]
pub fn fall(x: DVec3, v: DVec3, gravity: DVec3, dt: f64) -> (DVec3, DVec3) {
    (x + dt * (v + 0.5 * dt * gravity), dt * gravity)
}

/// Moves a particle at `x` to `margin` outside of solids, whose normals are differences over `h`. Returns the
/// velocity that a particle with velocity `v` loses by that; none where no solid is in the way.
#[inline]
pub fn push_out(solids: &Solids, x: &mut DVec3, v: DVec3, margin: f64, h: f64) -> Option<DVec3> {
    let n = solids.push_out(x, margin, h)?;
    Some((v - solids.velocity(*x)).dot(n).min(0.0) * n)
}
