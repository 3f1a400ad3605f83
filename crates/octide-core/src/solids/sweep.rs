//! What moves during a step stays on its side of thin walls.
//!
//! A straight path from a point at one time to a point at another is straight in the frame of each body to first
//! order in the body's turn. There the body is at rest, and the path has crossed a wall if it enters the wall and the
//! nearer side is then suddenly the opposite one. Then it ends where it entered.
//!
//! A deforming body is not at rest in its own frame. There, the start of the path is moved along with the part of the
//! surface that it is beside, to where that is when the path ends.

use super::thin::HOLDING;
use super::{Body, Solids};
use glam::DVec3;
use std::sync::Arc;

/// Distance between the points of a path inside a body, in finest cells. A thickened wall is five times as thick.
const STRIDE: f64 = 0.35;

/// Paths are only followed through bodies; this many points are enough for any step.
const MAX_POINTS: usize = 400;

/// Between points whose normals differ by more than this cosine, the path is halved ...
const SAME: f64 = 0.7;
/// ... this often.
const HALVINGS: usize = 5;

/// The error of distances that are interpolated, as a fraction of the distance and in finest cells.
const ERROR: f64 = 0.1;

/// Two poses of the same solids: at the time of a path's start, and at that of its end.
#[derive(Clone, Copy, Debug)]
pub struct Sweep<'a> {
    start: &'a Solids,
    end: &'a Solids,
    /// The farthest that a body moves.
    way: f64,
}

impl<'a> Sweep<'a> {
    /// Creates the sweep for paths from the time of `start` to that of `end`, on the same grid. `way` is the
    /// farthest that a body moves in between.
    pub fn new(start: &'a Solids, end: &'a Solids, way: f64) -> Self {
        debug_assert_eq!(start.bodies.len(), end.bodies.len());
        Self { start, end, way }
    }

    /// Returns the same solids for paths in the other direction of time.
    pub fn reversed(&self) -> Self {
        Self { start: self.end, end: self.start, way: self.way }
    }

    /// Returns whether there is a wall that paths must not cross.
    pub fn any(&self) -> bool {
        self.end.any_thin
    }

    /// Returns the distance within which a wall can stop a path of this length.
    pub fn reach(&self, length: f64) -> f64 {
        length + self.way + 2.0 * self.end.dx
    }

    /// Returns where a path from `from` to `to` ends: at `to`, or where it enters the first wall that it
    /// crosses.
    pub fn stop(&self, from: DVec3, mut to: DVec3) -> DVec3 {
        if !self.any() {
            return to;
        }
        let reach = self.reach((to - from).length());
        self.end.tree().for_each_within(to, reach, |i| {
            let (start, end) = (&self.start.bodies[i], &self.end.bodies[i]);
            if end.may_be_thin {
                let path = (start.carried(from, end), end.local(to));
                if let Some(x) = end.entry(path, self.end.dx) {
                    to = end.pose().to_world(x);
                }
            }
        });
        to
    }
}

impl Solids {
    /// Returns whether a thin wall lies between two points.
    pub fn separate(&self, a: DVec3, b: DVec3) -> bool {
        Sweep::new(self, self, 0.0).stop(a, b) != b
    }
}

impl Body {
    /// Returns whether a path of this length from a point of the body's frame does not reach the body, thickened.
    fn is_clear(&self, from: DVec3, length: f64, dx: f64) -> bool {
        (1.0 - ERROR) * self.distance(from) > length + (0.5 * HOLDING + ERROR) * dx
    }

    /// Returns a point in the frame of the same body at another time, beside the same part of its surface.
    fn carried(&self, p: DVec3, to: &Self) -> DVec3 {
        let x = self.local(p);
        match (&self.deformed, &to.deformed) {
            (Some(here), Some(there)) if !Arc::ptr_eq(here, there) => here.carry(x, there),
            _ => x,
        }
    }

    /// Returns the point at which a path in the body's frame enters a wall that it crosses.
    fn entry(&self, (from, to): (DVec3, DVec3), dx: f64) -> Option<DVec3> {
        let length = (to - from).length();
        if length == 0.0 || self.is_beyond(from, length + 2.0 * dx) || self.is_clear(from, length, dx) {
            return None;
        }
        let at = |s: f64| from + (to - from) * (s / length);
        let side = |s: f64| self.wall(at(s), dx).map(|w| w.normal);
        // Where the path has entered, and the last point with the side that is nearer there.
        let mut entered: Option<(f64, f64, DVec3)> = None;
        let mut s = 0.0;
        for _ in 0..MAX_POINTS {
            let d = self.thickened_distance(at(s), dx);
            let stride = if d < 0.0 || entered.is_some() {
                // The side is known inside the wall, and right behind it.
                if let Some(normal) = side(s) {
                    let (entry, last, before) = entered.unwrap_or((s, s, normal));
                    if is_other_side(&side, (last, before), (s, normal), HALVINGS) {
                        return Some(at(entry));
                    }
                    entered = Some((entry, s, normal));
                }
                if d >= 0.0 {
                    entered = None;
                }
                STRIDE * dx
            } else {
                d.max(STRIDE * dx)
            };
            if s >= length {
                break;
            }
            s = (s + stride).min(length);
        }
        None
    }
}

/// Returns whether the nearer side of a wall changes to the opposite one between two points of a path. Around an
/// edge, it changes to the next one.
fn is_other_side(
    side: &impl Fn(f64) -> Option<DVec3>,
    a: (f64, DVec3),
    b: (f64, DVec3),
    halvings: usize,
) -> bool {
    let turn = a.1.dot(b.1);
    if turn < 0.0 {
        return true;
    }
    if turn > SAME || halvings == 0 {
        return false;
    }
    let middle = 0.5 * (a.0 + b.0);
    side(middle).is_some_and(|n| {
        is_other_side(side, a, (middle, n), halvings - 1) || is_other_side(side, (middle, n), b, halvings - 1)
    })
}
