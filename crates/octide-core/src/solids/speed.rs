//! How fast solids are, and the steps that follow from it.

use super::{Body, Solids};
use crate::geometry::RigidState;
use crate::octree::RootGrid;
use crate::scene::Solid;
use glam::DVec3;

/// Samples of a step have missed a motion if it is this many times faster than the step allows.
const MISSED: f64 = 2.0;

/// A step does not end where the triangles of a solid change if it would be shorter than this share of what it could be:
/// the solid moves less than a tenth of a cell until then.
const SHORT: f64 = 0.05;

impl Solids {
    /// Returns the largest speed of a solid's points inside the box between two corners.
    pub fn max_speed(&self, low: DVec3, high: DVec3) -> f64 {
        self.bodies.iter().map(|b| b.max_speed(low, high)).fold(0.0, f64::max)
    }

    /// Returns `dt`, or a shorter step from `time` on in which no solid moves farther than `way`. A solid at
    /// a turning point is at rest and is fast a moment later, so the whole step is sampled. A motion that
    /// begins and ends between two of these samples is found by its
    /// [`brief_moments`](crate::geometry::Motion::brief_moments): the step ends where it begins. It also ends where the
    /// triangles of a deforming solid change.
    pub fn limit(solids: &[Solid], time: f64, mut dt: f64, way: f64, grid: &RootGrid) -> f64 {
        let moving: Vec<&Solid> = solids.iter().filter(|s| !s.is_still()).collect();
        if moving.is_empty() {
            return dt;
        }
        let (low, high) = (grid.low(), grid.high());
        for _ in 0..8 {
            let deforming: Vec<f64> = moving.iter().map(|s| s.deforming_speed(time, time + dt)).collect();
            let speed = |t: f64| {
                let each = moving.iter().zip(&deforming).map(|(s, own)| s.rigid_speed(t, low, high) + own);
                each.fold(0.0, f64::max)
            };
            let fastest = (0..=16).map(|i| speed(time + dt * f64::from(i) / 16.0)).fold(0.0, f64::max);
            if fastest * dt <= way {
                break;
            }
            dt = (0.5 * dt).max(way / fastest);
        }
        for sequence in moving.iter().filter_map(|s| s.sequence.as_ref()) {
            let next = sequence.next_change(time);
            let is_here = next - time < SHORT * dt;
            dt = dt.min(if is_here { sequence.next_change(next) } else { next } - time);
        }
        let mut shortest = dt;
        for solid in &moving {
            for (start, t) in solid.motion.brief_moments(time, time + dt) {
                let fastest = solid.rigid_speed(t, low, high);
                if fastest * dt > MISSED * way {
                    shortest = shortest.min((start - time).max(way / fastest));
                }
            }
        }
        shortest
    }
}

impl Solid {
    /// Returns the largest speed at a time of the solid's points inside the box between two corners, by its motion.
    pub fn rigid_speed(&self, t: f64, low: DVec3, high: DVec3) -> f64 {
        if self.motion.is_still() {
            return 0.0;
        }
        let bounds = self.sequence.as_ref().map_or_else(|| self.shape.bounds(), |s| Some(s.bounds()));
        fastest_corner(bounds, &self.motion.state(t), low, high)
    }

    /// Returns the largest speed by deformation that a point of the surface has between two times.
    pub fn deforming_speed(&self, start: f64, end: f64) -> f64 {
        self.sequence.as_ref().map_or(0.0, |s| s.max_speed(start, end))
    }
}

impl Body {
    fn max_speed(&self, low: DVec3, high: DVec3) -> f64 {
        let rigid =
            if self.still { 0.0 } else { fastest_corner(self.shape.bounds(), &self.state, low, high) };
        rigid + self.deformed.as_ref().map_or(0.0, |d| d.max_speed())
    }
}

/// Returns the largest speed of a moving box's corners, as far as they are between two corners of another.
fn fastest_corner(bounds: Option<(DVec3, DVec3)>, state: &RigidState, low: DVec3, high: DVec3) -> f64 {
    let around = |(low, high): (DVec3, DVec3)| {
        let center = state.pose.to_world(0.5 * (low + high));
        let radius = 0.5 * (high - low).length();
        (center - radius, center + radius)
    };
    let (a, b) = bounds.map_or((low, high), around);
    let corner = |o: i32| {
        let pick = DVec3::new(f64::from(o & 1), f64::from(o >> 1 & 1), f64::from(o >> 2 & 1));
        state.velocity_at((a + pick * (b - a)).clamp(low, high)).length()
    };
    (0..8).map(corner).fold(0.0, f64::max)
}
