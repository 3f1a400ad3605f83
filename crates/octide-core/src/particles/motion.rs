//! Motion of particles.
//!
//! ```text
//! x ← x + dt u(x + ½ dt u(x))             with the fluid, by the midpoint rule;
//! x ← x + dt v + ½ dt² g,  v ← v + dt g   in flight.
//! ```
//!
//! A particle that would be inside a solid is moved out of it along the normal n, and loses its velocity
//! component into the solid: v ← v − min(0, (v − v_solid)·n) n.

use crate::octree::Octree;
use crate::scene::OpenSides;
use crate::solids::{Barriers, Solids};
use glam::DVec3;

/// The surroundings in which particles move.
#[derive(Clone, Copy, Debug)]
pub struct Surroundings<'a> {
    /// Solids, posed at the end of the move.
    pub solids: &'a Solids,
    /// Sides through which particles leave.
    pub open: OpenSides,
    /// Gravity in m/s².
    pub gravity: DVec3,
    /// Thin walls that particles do not cross; `None` if there are none.
    pub barriers: Option<&'a Barriers>,
}

impl Surroundings<'_> {
    /// Returns where a particle ends that goes from `from` to `to` during a step whose old tree is `tree`; one
    /// that flies freely may be faster than the fluid.
    #[inline]
    pub fn stopped(&self, tree: &Octree, from: DVec3, to: DVec3, is_flying: bool) -> DVec3 {
        self.barriers.map_or(to, |b| b.stop(tree, from, to, is_flying))
    }
}

/// Returns the displacement of a particle at `from`, where the fluid has the velocity `start`, in a step of
/// `dt`. `inside` first moves the midpoint to where `velocity` is known.
#[inline]
pub fn midpoint_displacement(
    from: DVec3,
    start: DVec3,
    dt: f64,
    inside: impl Fn(DVec3) -> DVec3,
    velocity: impl Fn(DVec3) -> DVec3,
) -> DVec3 {
    let half = inside(from + 0.5 * dt * start);
    dt * velocity(half)
}

/// Returns the position after `dt` of free flight with velocity `v` from `x`, and the velocity gained.
#[inline]
pub fn fall(x: DVec3, v: DVec3, gravity: DVec3, dt: f64) -> (DVec3, DVec3) {
    (x + dt * (v + 0.5 * dt * gravity), dt * gravity)
}

/// Moves a particle at `x` to `margin` outside solids, whose normals are computed by differences over `h`.
/// Returns the velocity that a particle with velocity `v` loses in the collision; `None` if there is none.
#[inline]
pub fn push_out(solids: &Solids, x: &mut DVec3, v: DVec3, margin: f64, h: f64) -> Option<DVec3> {
    let n = solids.push_out(x, margin, h)?;
    Some((v - solids.velocity(*x)).dot(n).min(0.0) * n)
}
