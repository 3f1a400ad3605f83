//! The scene's solids at one time: signed distance, negative inside, and velocity.
//!
//! Solids are rigid, or deform in their own frame ([`MeshSequence`](crate::geometry::MeshSequence)). This is the one
//! place where they are posed.
//!
//! On a grid, walls thinner than its finest cells can hold are thickened (`solids/thin.rs`), and nothing that moves in a
//! step crosses a wall ([`Sweep`]).

mod barriers;
mod speed;
mod sweep;
#[cfg(test)]
mod tests;
mod thickness;
mod thin;

pub use barriers::Barriers;
pub use sweep::Sweep;
pub use thin::{ThinBound, refined_at_walls, thin_walls_move, thinnest_part};

use crate::contract::StepError;
use crate::geometry::{Deformed, Pose, Push, RigidState, Samples, Shape, ShapeTree};
use crate::scene::Solid;
use glam::DVec3;
use std::sync::{Arc, OnceLock};

/// What is pushed out of one side of a corner may have to be pushed out of this many others.
const CORNERS: usize = 2;

/// All solids of a scene, posed at one time.
#[derive(Clone, Debug, Default)]
pub struct Solids {
    bodies: Vec<Body>,
    /// Finds the nearest body; built by the first query.
    tree: OnceLock<ShapeTree>,
    /// Boxes around the bodies that move; built by the first query.
    moving: OnceLock<Vec<(DVec3, DVec3)>>,
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
    /// Whether it never leaves its rest pose. It may deform there.
    still: bool,
    /// Its shape at this time, if it deforms.
    deformed: Option<Arc<Deformed>>,
    /// The velocity of its surface in the step that follows, if it deforms and that step is known.
    push: Option<Push>,
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

    /// Poses the solids at time `t`, at the end of a step, as a grid sees them. Their velocity is what the fluid is pushed
    /// with in the step that follows, of length `dt`: surfaces that deform have their mean velocity over that step, so
    /// that as much fluid leaves as the body takes up.
    pub fn between_steps(solids: &[Solid], t: f64, dt: f64, dx: f64) -> Self {
        let mut all = Self::on_grid(solids, t, dx);
        for (body, solid) in all.bodies.iter_mut().zip(solids) {
            if let (Some(deformed), Some(sequence)) = (&body.deformed, &solid.sequence) {
                body.push = sequence.push(deformed, t, dt);
            }
        }
        all
    }

    /// Poses the solids at time `t`.
    pub fn at(solids: &[Solid], t: f64) -> Self {
        let bodies = solids
            .iter()
            .map(|s| {
                let deformed = s.sequence.as_ref().map(|sequence| sequence.at(t, s.sampled_for));
                Body {
                    shape: deformed.as_ref().map_or(&s.shape, |d| d.shape()).clone(),
                    samples: deformed.as_ref().map_or(s.samples.as_ref(), |d| d.samples()).cloned(),
                    state: s.motion.state(t),
                    still: s.motion.is_still(),
                    deformed,
                    push: None,
                    temperature: s.temperature,
                    may_be_thin: false,
                }
            })
            .collect();
        Self { bodies, tree: OnceLock::new(), moving: OnceLock::new(), dx: 0.0, any_thin: false }
    }

    /// Returns an error if the mesh of a deforming solid could not be used since the run began: solids posed since then
    /// mean nothing.
    pub fn check_meshes(solids: &[Solid]) -> Result<(), StepError> {
        let failure = solids.iter().find_map(|s| s.sequence.as_ref()?.failure());
        failure.map_or(Ok(()), |reason| Err(StepError::Mesh { reason: reason.to_owned() }))
    }

    /// Returns whether there are no solids.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// Returns whether a solid deforms.
    pub fn any_deforms(&self) -> bool {
        self.bodies.iter().any(|b| b.deformed.is_some())
    }

    /// Returns the distance to the nearest solid, negative inside; infinite if there are no solids.
    pub fn distance(&self, p: DVec3) -> f64 {
        self.nearest(p).0
    }

    /// Returns the distance to the nearest solid as it is: thin walls count as thick as they are.
    pub fn shape_distance(&self, p: DVec3) -> f64 {
        self.nearest_shape(p).0
    }

    /// Returns whether the grid may count a wall as thicker than it is.
    pub fn thickens(&self) -> bool {
        self.any_thin
    }

    /// Returns φ at a point, cut off at a depth of half a cell of edge `size` inside solids: deeper inside,
    /// liquid exists only for interpolation and is not shown in volumes. Thin walls count as thick as they are.
    pub fn cut_off(&self, phi: f64, p: DVec3, size: f64) -> f64 {
        if self.is_empty() { phi } else { phi.max(-self.nearest_shape(p).0 - 0.5 * size) }
    }

    /// Returns the velocity of the solid nearest to `p`, extended to `p` as a rigid motion; of a deforming one, that of
    /// the nearest point of its surface.
    pub fn velocity(&self, p: DVec3) -> DVec3 {
        if !self.bodies.iter().any(Body::moves) { DVec3::ZERO } else { velocity_of(self.nearest(p).1, p) }
    }

    /// Returns the same if the solid nearest to `p` is known to be within `reach`; most points are not near moving
    /// solids.
    pub fn velocity_within(&self, p: DVec3, reach: f64) -> DVec3 {
        if self.may_move_within(p, reach) { self.velocity(p) } else { DVec3::ZERO }
    }

    /// Returns whether a moving solid, as thick as the grid makes it, may be within `reach` of `p`.
    pub fn may_move_within(&self, p: DVec3, reach: f64) -> bool {
        let reach = reach + Self::holding_thickness(self.dx);
        self.moving()
            .iter()
            .any(|&(low, high)| (low - p).max(p - high).max(DVec3::ZERO).length_squared() <= reach * reach)
    }

    fn moving(&self) -> &[(DVec3, DVec3)] {
        self.moving.get_or_init(|| self.bodies.iter().filter(|b| b.moves()).map(Body::distance_box).collect())
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

    /// Returns the direction away from the solid around `p`, as [`Solids::normal`], and how φ is bounded there, as by
    /// [`Solids::bounded_in_thin_wall`].
    pub fn side_around(&self, p: DVec3, h: f64) -> (DVec3, Option<ThinBound>) {
        if !self.any_thin {
            return (self.normal(p, h), None);
        }
        let nearest = self.nearest(p);
        match self.thin_wall_around(p, nearest) {
            Some((body, wall)) => (body.pose().rotation * wall.normal, wall.bound(body, p, h)),
            None => (self.normal_of_thick(p, h, nearest), None),
        }
    }

    /// Returns the same where the nearest body is known.
    fn normal_at(&self, p: DVec3, h: f64, nearest: (f64, Option<&Body>)) -> DVec3 {
        self.normal_in_thin_wall(p, nearest).unwrap_or_else(|| self.normal_of_thick(p, h, nearest))
    }

    fn normal_of_thick(&self, p: DVec3, h: f64, nearest: (f64, Option<&Body>)) -> DVec3 {
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
    body.filter(|b| b.moves()).map_or(DVec3::ZERO, |b| b.velocity(p))
}

impl Body {
    /// Returns a body at rest in its own frame.
    fn resting(shape: Shape) -> Self {
        Self {
            shape,
            samples: None,
            state: RigidState::REST,
            still: true,
            deformed: None,
            push: None,
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

    /// Returns a box of the world that is nowhere farther than the body.
    fn distance_box(&self) -> (DVec3, DVec3) {
        let Some((low, high)) = self.shape.distance_box() else {
            return (DVec3::NEG_INFINITY, DVec3::INFINITY);
        };
        let corner = |o: usize| {
            let pick = |a: usize| if o >> a & 1 == 1 { high[a] } else { low[a] };
            self.pose().to_world(DVec3::new(pick(0), pick(1), pick(2)))
        };
        (0..8).map(corner).fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(a, b), p| (a.min(p), b.max(p)))
    }

    /// Returns whether the body moves or deforms.
    fn moves(&self) -> bool {
        !self.still || self.deformed.is_some()
    }

    /// Returns the velocity of the body at a point near its surface.
    fn velocity(&self, p: DVec3) -> DVec3 {
        let rigid = if self.still { DVec3::ZERO } else { self.state.velocity_at(p) };
        let Some(deformed) = &self.deformed else { return rigid };
        let x = self.local(p);
        let own = self.push.as_ref().map_or_else(|| deformed.velocity(x), |push| deformed.pushed(push, x));
        rigid + self.pose().rotation * own
    }
}
