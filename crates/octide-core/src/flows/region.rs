//! The region of an inflow, an outflow or a source at one time.

use crate::geometry::{Motion, RigidState, Shape};
use glam::DVec3;
use std::borrow::Cow;

/// A shape where a motion has brought it, and how it moves there.
#[derive(Clone, Debug)]
pub struct Region<'a> {
    /// The shape at its place.
    pub shape: Cow<'a, Shape>,
    /// `None` if it never moves.
    state: Option<RigidState>,
}

impl<'a> Region<'a> {
    /// Returns the region of a shape at time `t`.
    pub fn at(shape: &'a Shape, motion: &Motion, t: f64) -> Self {
        if motion.is_still() {
            return Self { shape: Cow::Borrowed(shape), state: None };
        }
        let state = motion.state(t);
        Self { shape: Cow::Owned(shape.posed(state.pose)), state: Some(state) }
    }

    /// Returns the distance to the region, negative inside.
    pub fn distance(&self, x: DVec3) -> f64 {
        self.shape.distance(x)
    }

    /// Returns whether a point is in the region.
    pub fn contains(&self, x: DVec3) -> bool {
        self.distance(x) < 0.0
    }

    /// Returns whether the region ever moves.
    pub fn moves(&self) -> bool {
        self.state.is_some()
    }

    /// Returns the velocity of the region's point at `x`.
    pub fn velocity_at(&self, x: DVec3) -> DVec3 {
        self.state.map_or(DVec3::ZERO, |state| state.velocity_at(x))
    }

    /// Returns a vector that turns with the region, given in its rest pose.
    pub fn turned(&self, v: DVec3) -> DVec3 {
        self.state.map_or(v, |state| state.pose.rotation * v)
    }

    /// Returns the largest speed that fluid has which leaves the region with the velocity `v` relative to it.
    pub fn max_speed(&self, v: DVec3) -> f64 {
        let Some((low, high)) = self.shape.bounds().filter(|_| self.moves()) else {
            return (self.turned(v) + self.velocity_at(DVec3::ZERO)).length();
        };
        let corner =
            |o: u8| DVec3::from_array([0, 1, 2].map(|a| if o >> a & 1 == 0 { low[a] } else { high[a] }));
        // The speed of a rigid motion is convex, so that it is largest at a corner.
        (0..8).map(|o| (self.turned(v) + self.velocity_at(corner(o))).length()).fold(0.0, f64::max)
    }
}
