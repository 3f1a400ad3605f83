//! The scene's solids at one time: signed distance, negative inside, and velocity.

use crate::geometry::{Pose, Queried, RigidState, Samples, Shape, ShapeTree};
use crate::octree::RootGrid;
use crate::scene::Solid;
use glam::DVec3;
use std::slice;
use std::sync::{Arc, OnceLock};

/// Samples of a step have missed a motion if it is this many times faster than the step allows.
const MISSED: f64 = 2.0;

/// All solids of a scene, posed at one time.
#[derive(Clone, Debug, Default)]
pub struct Solids {
    bodies: Vec<Body>,
    /// Finds the nearest body; built by the first query.
    tree: OnceLock<ShapeTree>,
}

#[derive(Clone, Debug)]
struct Body {
    shape: Shape,
    samples: Option<Arc<Samples>>,
    state: RigidState,
    still: bool,
    temperature: f64,
}

impl Solids {
    /// Poses the solids at time `t`.
    pub fn at(solids: &[Solid], t: f64) -> Self {
        let bodies = solids
            .iter()
            .map(|s| Body {
                shape: s.shape.clone(),
                samples: s.samples.clone(),
                state: s.motion.state(t),
                still: s.motion.is_still(),
                temperature: s.temperature,
            })
            .collect();
        Self { bodies, tree: OnceLock::new() }
    }

    /// Returns whether there are no solids.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// Returns the distance to the nearest solid, negative inside; infinite if there are no solids.
    pub fn distance(&self, p: DVec3) -> f64 {
        self.nearest(p).0
    }

    /// Returns φ at a point, cut off at a depth of half a cell of edge `size` inside solids: deeper inside,
    /// liquid exists only for interpolation and is not shown in frames.
    pub fn cut_off(&self, phi: f64, p: DVec3, size: f64) -> f64 {
        if self.is_empty() { phi } else { phi.max(-self.distance(p) - 0.5 * size) }
    }

    /// Returns the velocity of the solid nearest to `p`, extended to `p` as a rigid motion.
    pub fn velocity(&self, p: DVec3) -> DVec3 {
        match self.nearest(p).1 {
            Some(body) if !body.still => body.state.velocity_at(p),
            _ => DVec3::ZERO,
        }
    }

    /// Returns the temperature, relative to that of the air, of the solid that contains a point; `None`
    /// outside all solids.
    pub fn temperature_inside(&self, p: DVec3) -> Option<f64> {
        match self.nearest(p) {
            (d, Some(body)) if d < 0.0 => Some(body.temperature),
            _ => None,
        }
    }

    /// Returns the direction away from the nearest solid, by central differences over `h`.
    pub fn normal(&self, p: DVec3, h: f64) -> DVec3 {
        let mut n = DVec3::ZERO;
        for a in 0..3 {
            let mut e = DVec3::ZERO;
            e[a] = 0.5 * h;
            n[a] = self.distance(p + e) - self.distance(p - e);
        }
        n.normalize_or_zero()
    }

    /// Moves `x` to `margin` outside solids if it is closer, along [`Solids::normal`] over `h`, which is
    /// returned.
    pub fn push_out(&self, x: &mut DVec3, margin: f64, h: f64) -> Option<DVec3> {
        let d = self.distance(*x);
        if d >= margin {
            return None;
        }
        let n = self.normal(*x, h);
        *x += (margin - d) * n;
        Some(n)
    }

    /// Returns the largest speed of a solid's points inside the box between two corners.
    pub fn max_speed(&self, low: DVec3, high: DVec3) -> f64 {
        let mut fastest: f64 = 0.0;
        for body in self.bodies.iter().filter(|b| !b.still) {
            for o in 0..8 {
                let pick = DVec3::new((o & 1) as f64, (o >> 1 & 1) as f64, (o >> 2 & 1) as f64);
                let (a, b) = body.bounds().unwrap_or((low, high));
                let at = (a + pick * (b - a)).clamp(low, high);
                fastest = fastest.max(body.state.velocity_at(at).length());
            }
        }
        fastest
    }

    /// Returns `dt`, or a shorter step from `time` on in which no solid moves farther than `way`. A solid at
    /// a turning point is at rest and is fast a moment later, so the whole step is sampled. A motion that
    /// begins and ends between two of these samples is found by its
    /// [`brief_moments`](crate::geometry::Motion::brief_moments): the step ends where it begins.
    pub fn limit(solids: &[Solid], time: f64, mut dt: f64, way: f64, grid: &RootGrid) -> f64 {
        let moving: Vec<Solid> = solids.iter().filter(|s| !s.motion.is_still()).cloned().collect();
        if moving.is_empty() {
            return dt;
        }
        let speed = |t: f64| Self::at(&moving, t).max_speed(grid.low(), grid.high());
        for _ in 0..8 {
            let fastest = (0..=16).map(|i| speed(time + dt * f64::from(i) / 16.0)).fold(0.0, f64::max);
            if fastest * dt <= way {
                break;
            }
            dt = (0.5 * dt).max(way / fastest);
        }
        let mut shortest = dt;
        for solid in &moving {
            for (start, t) in solid.motion.brief_moments(time, time + dt) {
                let fastest = Self::at(slice::from_ref(solid), t).max_speed(grid.low(), grid.high());
                if fastest * dt > MISSED * way {
                    shortest = shortest.min((start - time).max(way / fastest));
                }
            }
        }
        shortest
    }

    fn nearest(&self, p: DVec3) -> (f64, Option<&Body>) {
        if self.bodies.is_empty() {
            return (f64::INFINITY, None);
        }
        let poses = self.bodies.iter().map(|b| (&b.shape, b.pose(), b.samples.is_some()));
        let tree = self.tree.get_or_init(|| ShapeTree::with_samples(poses));
        let local = |i: usize| {
            let body = &self.bodies[i];
            // A body that has never moved has the world's coordinates, and rotating by nothing takes time.
            let point = if body.still { p } else { body.pose().to_body(p) };
            Queried { shape: &body.shape, samples: body.samples.as_deref(), point }
        };
        match tree.nearest_sampled(p, local) {
            Some((i, d)) => (d, Some(&self.bodies[i])),
            None => (f64::INFINITY, None),
        }
    }
}

impl Body {
    fn pose(&self) -> Pose {
        self.state.pose
    }

    /// Returns a bounding box of the body in its current pose.
    fn bounds(&self) -> Option<(DVec3, DVec3)> {
        let (low, high) = self.shape.bounds()?;
        let center = self.pose().to_world(0.5 * (low + high));
        let radius = 0.5 * (high - low).length();
        Some((center - radius, center + radius))
    }
}
