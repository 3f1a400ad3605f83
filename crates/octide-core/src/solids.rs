//! The scene's solids at one time: signed distance, negative inside, and velocity.
//!
//! On a grid, walls thinner than its finest cells can hold are thickened (`solids/thin.rs`), and nothing that moves in a
//! step crosses a wall ([`Sweep`]).

mod barriers;
mod sweep;
#[cfg(test)]
mod tests;
mod thin;

pub use barriers::Barriers;
pub use sweep::Sweep;
pub use thin::{refined_at_walls, thinnest_part};

use crate::geometry::{Pose, RigidState, Samples, Shape, ShapeTree};
use crate::octree::RootGrid;
use crate::scene::Solid;
use glam::DVec3;
use std::slice;
use std::sync::{Arc, OnceLock};

/// Samples of a step have missed a motion if it is this many times faster than the step allows.
const MISSED: f64 = 2.0;

/// What is pushed out of one side of a corner may have to be pushed out of this many others.
const CORNERS: usize = 2;

/// All solids of a scene, posed at one time.
#[derive(Clone, Debug, Default)]
pub struct Solids {
    bodies: Vec<Body>,
    /// Finds the nearest body; built by the first query.
    tree: OnceLock<ShapeTree>,
    /// Edge length of the finest cells of the grid that the solids are seen on; 0 without a grid.
    dx: f64,
    /// Whether a body may be so thin that it is thickened on the grid.
    any_thin: bool,
}

#[derive(Clone, Debug)]
struct Body {
    shape: Shape,
    samples: Option<Arc<Samples>>,
    state: RigidState,
    still: bool,
    temperature: f64,
    /// Whether it may have parts that are thickened on the grid.
    may_be_thin: bool,
}

impl Solids {
    /// Poses the solids at time `t`, as a grid with finest cells of edge `dx` sees them: thin walls are as
    /// thick as it takes to hold water.
    pub fn on_grid(solids: &[Solid], t: f64, dx: f64) -> Self {
        let mut all = Self::at(solids, t);
        for body in &mut all.bodies {
            body.may_be_thin = body.shape.least_thickness() < thin::MEASURED * dx;
            all.any_thin |= body.may_be_thin;
        }
        Self { dx, ..all }
    }

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
                may_be_thin: false,
            })
            .collect();
        Self { bodies, tree: OnceLock::new(), dx: 0.0, any_thin: false }
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
    /// liquid exists only for interpolation and is not shown in frames. Thin walls count as thick as they are.
    pub fn cut_off(&self, phi: f64, p: DVec3, size: f64) -> f64 {
        if self.is_empty() { phi } else { phi.max(-self.nearest_shape(p).0 - 0.5 * size) }
    }

    /// Returns the velocity of the solid nearest to `p`, extended to `p` as a rigid motion.
    pub fn velocity(&self, p: DVec3) -> DVec3 {
        if self.bodies.iter().all(|b| b.still) { DVec3::ZERO } else { velocity_of(self.nearest(p).1, p) }
    }

    /// Returns the same if the solid nearest to `p` is known to be within `reach`; most points are not near moving
    /// solids.
    pub fn velocity_within(&self, p: DVec3, reach: f64) -> DVec3 {
        if self.may_move_within(p, reach) { self.velocity(p) } else { DVec3::ZERO }
    }

    /// Returns whether a moving solid, as thick as the grid makes it, may be within `reach` of `p`.
    pub fn may_move_within(&self, p: DVec3, reach: f64) -> bool {
        let mut moves = false;
        self.tree().for_each_within(p, reach + Self::holding_thickness(self.dx), |i| {
            moves |= !self.bodies[i].still;
        });
        moves
    }

    /// Returns the temperature, relative to that of the air, of the solid that contains a point; `None`
    /// outside all solids.
    pub fn temperature_inside(&self, p: DVec3) -> Option<f64> {
        match self.nearest(p) {
            (d, Some(body)) if d < 0.0 => Some(body.temperature),
            _ => None,
        }
    }

    /// Returns the direction away from the nearest solid. Where its distance is interpolated, it is that of the
    /// gradient, elsewhere by central differences over `h`, which smooths edges; in thin walls the direction of the
    /// nearer side.
    pub fn normal(&self, p: DVec3, h: f64) -> DVec3 {
        // Differences do not need the nearest body.
        let is_used = self.any_thin || self.bodies.iter().any(|b| b.samples.is_some());
        self.normal_at(p, h, if is_used { self.nearest(p) } else { (f64::INFINITY, None) })
    }

    /// Returns the same where the nearest body is known.
    fn normal_at(&self, p: DVec3, h: f64, nearest: (f64, Option<&Body>)) -> DVec3 {
        if let Some(n) = self.normal_in_thin_wall(p, nearest) {
            return n;
        }
        if let Some(n) = nearest.1.and_then(|b| b.smooth_normal(p)) {
            return n;
        }
        let mut n = DVec3::ZERO;
        for a in 0..3 {
            let mut e = DVec3::ZERO;
            e[a] = 0.5 * h;
            n[a] = self.distance(p + e) - self.distance(p - e);
        }
        n.normalize_or_zero()
    }

    /// Moves `x` to `margin` outside solids if it is closer, along [`Solids::normal`] over `h`, which is
    /// returned; in corners along several normals, of which the first is returned.
    pub fn push_out(&self, x: &mut DVec3, margin: f64, h: f64) -> Option<DVec3> {
        let mut nearest = self.nearest(*x);
        if nearest.0 >= margin {
            return None;
        }
        let first = self.normal_at(*x, h, nearest);
        *x += (margin - nearest.0) * first;
        for _ in 0..CORNERS {
            nearest = self.nearest(*x);
            if nearest.0 >= 0.5 * margin {
                break;
            }
            *x += (margin - nearest.0) * self.normal_at(*x, h, nearest);
        }
        Some(first)
    }

    /// Returns the velocity `v` at `x` without the part that points into a solid around `x`; normals are computed
    /// by differences over `h`.
    pub fn separating(&self, x: DVec3, v: DVec3, h: f64) -> DVec3 {
        let nearest = self.nearest(x);
        if nearest.0 >= 0.0 {
            return v;
        }
        let n = self.normal_at(x, h, nearest);
        v - (v - velocity_of(nearest.1, x)).dot(n).min(0.0) * n
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

    /// Returns the nearest body, thickened, and its distance.
    fn nearest(&self, p: DVec3) -> (f64, Option<&Body>) {
        if self.any_thin { self.nearest_thickened(p) } else { self.nearest_shape(p) }
    }

    /// Returns the nearest body as it is, and its distance.
    fn nearest_shape(&self, p: DVec3) -> (f64, Option<&Body>) {
        if self.bodies.is_empty() {
            return (f64::INFINITY, None);
        }
        let nearest = self.tree().least_by_part(p, 0.0, |i, part, best| {
            let body = &self.bodies[i];
            body.distance_of(part, body.local(p), best)
        });
        nearest.map_or((f64::INFINITY, None), |(i, d)| (d, Some(&self.bodies[i])))
    }

    fn tree(&self) -> &ShapeTree {
        let poses = || self.bodies.iter().map(|b| (&b.shape, b.pose(), b.samples.is_some()));
        self.tree.get_or_init(|| ShapeTree::with_samples(poses()))
    }
}

/// Returns the velocity of a body, extended to `p` as a rigid motion.
fn velocity_of(body: Option<&Body>, p: DVec3) -> DVec3 {
    body.filter(|b| !b.still).map_or(DVec3::ZERO, |b| b.state.velocity_at(p))
}

impl Body {
    /// Returns a body at rest in its own frame.
    fn resting(shape: Shape) -> Self {
        Self {
            shape,
            samples: None,
            state: RigidState::REST,
            still: true,
            temperature: 0.0,
            may_be_thin: true,
        }
    }

    fn pose(&self) -> Pose {
        self.state.pose
    }

    /// Returns a point in the body's frame. A body that has never moved has the world's coordinates, and rotating
    /// by nothing takes time.
    #[inline]
    fn local(&self, p: DVec3) -> DVec3 {
        if self.still { p } else { self.pose().to_body(p) }
    }

    /// Returns the distance of a point of the body's frame to the body as it is.
    #[inline]
    fn distance(&self, x: DVec3) -> f64 {
        match &self.samples {
            Some(samples) => samples.distance(&self.shape, x),
            None => self.shape.distance(x),
        }
    }

    /// Returns the distance of a point of the body's frame to a part of the body, or to all of it; `None` if a bound shows
    /// that it is above `limit`.
    #[inline]
    fn distance_of(&self, part: Option<usize>, x: DVec3, limit: f64) -> Option<f64> {
        match part {
            Some(k) => {
                let part = &self.shape.parts()[k];
                (!part.is_beyond(x, limit)).then(|| part.distance(x))
            }
            None => (!self.is_beyond(x, limit)).then(|| self.distance(x)),
        }
    }

    /// Returns whether a cheap bound shows that the distance at a point of the body's frame is above `limit`.
    #[inline]
    fn is_beyond(&self, x: DVec3, limit: f64) -> bool {
        match &self.samples {
            Some(samples) => samples.is_beyond(x, limit),
            None => self.shape.is_beyond(x, limit),
        }
    }

    /// Returns the direction away from the body at a point of the world, if its distance is interpolated there.
    fn smooth_normal(&self, p: DVec3) -> Option<DVec3> {
        let gradient = self.samples.as_ref()?.smooth_gradient(&self.shape, self.local(p))?;
        let n = gradient.try_normalize()?;
        Some(if self.still { n } else { self.pose().rotation * n })
    }

    /// Returns a bounding box of the body in its current pose.
    fn bounds(&self) -> Option<(DVec3, DVec3)> {
        let (low, high) = self.shape.bounds()?;
        let center = self.pose().to_world(0.5 * (low + high));
        let radius = 0.5 * (high - low).length();
        Some((center - radius, center + radius))
    }
}
