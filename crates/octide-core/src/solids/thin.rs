//! Walls that are thin on a grid.
//!
//! A wall holds water on a grid of cells of edge h if every face between cells whose centers lie on different
//! sides of the wall's middle is closed. The corners of such a face are at most √3 h/2 from the middle, so a wall
//! of the thickness √3 h holds wherever it lies. Thinner walls are thickened evenly on both sides,
//!
//! ```text
//! d′(x) = d(x) − max(0, √3 h − t)/2,
//! ```
//!
//! where t is the thickness at the nearest point of the surface ([`super::thickness`]).
//!
//! Walls that hold are of first order: they displace as much water as if they were √3 h thick.

use super::{Body, CORNERS, Solids};
use crate::flows::refined_where;
use crate::geometry::{Build, Shape};
use crate::octree::{Grading, Octree};
use crate::par;
use crate::scene::{Scene, Solid};
use glam::DVec3;

/// The thickness, in edges of finest cells, that holds water at any angle. A little more than √3, for walls that
/// are not flat.
pub(super) const HOLDING: f64 = 1.8;

/// Walls up to this thickness, in edges of cells, are measured: they have a middle and two sides.
pub(super) const MEASURED: f64 = 5.0;

/// Walls of at least this thickness, in edges of cells, at some points of a block need not be thickened between them.
const FIRM: f64 = 2.3;

/// Beyond this many finest cells from a wall that may be thin, its thickness does not matter.
const FAR: f64 = 4.0;

/// A surface deeper in a solid than this many cells is that of water on the other side.
const HIDDEN: f64 = 0.3;

/// |φ| in the middle of a thin wall, in cells: not zero, so that it has the sign of its side.
const AT_MIDDLE: f64 = 1e-3;

/// Water as near as this many of its cells wets a wall in the next step.
const WET: f64 = 3.0;

/// Refines a tree where walls in water are too thin for its cells. `phi` is the distance to the water's surface.
pub fn refined_at_walls(
    tree: Octree,
    grading: Grading,
    solids: &Solids,
    phi: impl Fn(DVec3) -> f64 + Sync + Send,
) -> Octree {
    if solids.is_empty() {
        return tree;
    }
    refined_where(tree, grading, |x, h| phi(x) < WET * h && solids.needs_smaller_cells(x, h))
}

/// Returns the center of a unit cube, or one of eight points around it.
fn around(o: usize) -> DVec3 {
    let side = |axis: usize| if o >> axis & 1 == 1 { 0.35 } else { -0.35 };
    if o == 8 { DVec3::ZERO } else { DVec3::new(side(0), side(1), side(2)) }
}

/// A thin wall near a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct ThinWall {
    /// Direction of the nearer side, in the body's frame.
    pub normal: DVec3,
    /// Distance to the middle of the wall.
    pub middle: f64,
    /// Thickness of the thickened wall.
    pub thickness: f64,
}

/// The bound of φ at a point in a thin wall, see [`Solids::bounded_in_thin_wall`].
#[derive(Clone, Copy, Debug)]
pub struct ThinBound {
    /// A point on the other side of the wall.
    pub beyond: DVec3,
    most: f64,
}

impl ThinBound {
    /// Returns φ, bounded if it has another sign than φ `beyond` the wall.
    pub fn apply(self, phi: f64, beyond: f64) -> f64 {
        if (beyond < 0.0) == (phi < 0.0) { phi } else { phi.clamp(-self.most, self.most) }
    }
}

impl ThinWall {
    /// Returns the bound of φ at a point `p` in the wall of a body; `None` in cells of edge `h` too large for the wall.
    pub(super) fn bound(self, body: &Body, p: DVec3, h: f64) -> Option<ThinBound> {
        if self.thickness <= 0.99 * HOLDING * h {
            return None;
        }
        let through = self.middle + 0.5 * self.thickness + 0.5 * h;
        let beyond = p - through * (body.pose().rotation * self.normal);
        Some(ThinBound { beyond, most: self.middle.max(AT_MIDDLE * h) })
    }
}

/// Walls that move and are thinner than this many finest cells count as thin.
const MOVING_CELLS: f64 = 4.0;

/// Number of points along each edge of a shape's bounding box at which its thickness is measured.
const LOOKS: u32 = 16;

/// A part is larger than this share of the surface; less are sharp edges.
const LEAST_SHARE: f64 = 0.02;

/// Returns the thickness of the thinnest part of a shape that was found, if a grid with finest cells of edge `dx`
/// thickens it.
pub fn thinnest_part(shape: &Shape, dx: f64) -> Option<f64> {
    thinner_part(shape, HOLDING * dx)
}

/// Returns whether any solid of a scene that moves or deforms has walls that volume kept cell by cell may get through.
pub fn thin_walls_move(scene: &Scene) -> bool {
    let limit = MOVING_CELLS * scene.domain.dx();
    let is_thin = |s: &Solid| s.sequence.is_some() || thinner_part(&s.shape, limit).is_some();
    scene.solids.iter().any(|s| (s.sequence.is_some() || !s.motion.is_still()) && is_thin(s))
}

/// Returns the thickness of the thinnest part of a shape that was found, if it is below `limit`.
fn thinner_part(shape: &Shape, limit: f64) -> Option<f64> {
    let dx = limit / HOLDING;
    if shape.least_thickness() >= limit {
        return None;
    }
    let body = Body::resting(shape.clone());
    let (low, high) = shape.bounds()?;
    let step = (high - low) / f64::from(LOOKS);
    let thickness = par::map_index(LOOKS.pow(3) as usize, |i| {
        let i = i as u32;
        let at = DVec3::new(f64::from(i % LOOKS), f64::from(i / LOOKS % LOOKS), f64::from(i / LOOKS / LOOKS));
        let x = low + (at + 0.5) * step;
        let d = shape.distance(x);
        if d.abs() > 0.5 * step.length() + dx { f64::NAN } else { body.thickness(x, d, dx).0 }
    });
    let n_near = thickness.iter().filter(|t| !t.is_nan()).count();
    let thin = || thickness.iter().copied().filter(|&t| t < limit);
    let is_part = thin().count() as f64 > LEAST_SHARE * n_near as f64;
    is_part.then(|| thin().fold(f64::INFINITY, f64::min))
}

impl Solids {
    /// Returns the least thickness of walls that hold water in cells of edge `h`.
    pub fn holding_thickness(h: f64) -> f64 {
        HOLDING * h
    }

    /// Returns φ at a point in a solid, bounded in walls between water and air: there the surface is in the middle of
    /// the wall, so that neither side reaches the other, and φ is no larger than the distance to the middle. `at`
    /// gives φ on the other side. In cells of edge `h` too large for the wall, which are far from water, it is not
    /// bounded.
    pub fn bounded_in_thin_wall(&self, p: DVec3, phi: f64, h: f64, at: impl Fn(DVec3) -> f64) -> f64 {
        if !self.any_thin {
            return phi;
        }
        let wall = self.thin_wall_around(p, self.nearest(p));
        let bound = wall.and_then(|(body, wall)| wall.bound(body, p, h));
        bound.map_or(phi, |bound| bound.apply(phi, at(bound.beyond)))
    }

    /// Returns φ at a point in a solid, `extended` from its value `there` outside. Beside air it is that of water only
    /// where `is_wet` says that samples outside the solid are, if the solid may be thin there: water on the other side of
    /// a wall makes φ slope toward the wall like a film would.
    pub fn phi_beside_air(&self, p: DVec3, there: f64, extended: f64, is_wet: impl FnOnce() -> bool) -> f64 {
        let is_in_question = there >= 0.0 && extended < 0.0 && self.any_thin;
        let may_be_thin = |b: &Body| b.may_be_thin && !b.is_thick(b.local(p), self.dx);
        if is_in_question && self.nearest(p).1.is_some_and(may_be_thin) && !is_wet() {
            return there;
        }
        extended
    }

    /// Returns a point outside solids for a point `x` inside, from the point `p` that is a cell of edge `h` outside its
    /// wall but in another: in a corner, each wall is left along its own normal. `None` if there is no such point on the
    /// same side of all walls.
    pub fn out_of_corner(&self, x: DVec3, mut p: DVec3, h: f64) -> Option<DVec3> {
        for _ in 0..CORNERS {
            let nearest = self.nearest(p);
            if nearest.0 >= 0.0 {
                break;
            }
            p += (h - nearest.0) * self.normal_at(p, h, nearest);
        }
        (self.distance(p) >= 0.0 && !self.separate(x, p)).then_some(p)
    }

    /// Returns φ at a point in a solid: `extended` by the slope from its value `there` at a point `outside`, unless the
    /// surface that it would pass is itself inside the solid, where water on the far side ends.
    pub fn phi_by_slope(&self, outside: DVec3, there: f64, slope: DVec3, extended: f64, h: f64) -> f64 {
        if (there < 0.0) == (extended < 0.0) {
            return extended;
        }
        let surface = outside - there * slope / slope.length_squared().max(0.25);
        if self.distance(surface) < -HIDDEN * h { there } else { extended }
    }

    /// Returns whether a cube with center `p` and edge `h` meets a wall that is too thin for cells of that size.
    pub fn needs_smaller_cells(&self, p: DVec3, h: f64) -> bool {
        let is_coarse = |body: &Body| body.shape.least_thickness() < HOLDING * h;
        if !self.bodies.iter().any(is_coarse) {
            return false;
        }
        let mut needs = false;
        let reach = 0.87 * h + 0.5 * HOLDING * self.dx;
        self.tree().for_each_within(p, reach, |i| {
            let body = &self.bodies[i];
            if needs || body.shape.least_thickness() >= HOLDING * h {
                return;
            }
            // Near its edges a body is thick in some directions and thin in others.
            needs = !body.is_thick(body.local(p), h)
                && (0..9).any(|o| {
                    let x = body.local(p + h * around(o));
                    let d = body.distance(x);
                    d < reach && d > -HOLDING * h && body.thickness(x, d, h).0 < HOLDING * h
                });
        });
        needs
    }

    /// Returns the nearest body if thin ones are thickened, and its distance.
    pub(super) fn nearest_thickened(&self, p: DVec3) -> (f64, Option<&Body>) {
        let most = 0.5 * HOLDING * self.dx;
        let mut last = None;
        let nearest = self.tree().least_by_part(p, most, |i, part, best| {
            let body = &self.bodies[i];
            let x = body.local(p);
            if !body.may_be_thin {
                return body.distance_of(part, x, best);
            }
            // All parts are thickened together, and mostly follow each other.
            if last.replace(i) == Some(i) || body.is_beyond(x, best + most) {
                return None;
            }
            Some(body.thickened_distance(x, self.dx))
        });
        nearest.map_or((f64::INFINITY, None), |(i, d)| (d, Some(&self.bodies[i])))
    }

    /// Returns the normal at a point inside a thin wall, away from its middle.
    pub(super) fn normal_in_thin_wall(&self, p: DVec3, nearest: (f64, Option<&Body>)) -> Option<DVec3> {
        self.thin_wall_around(p, nearest).map(|(body, wall)| body.pose().rotation * wall.normal)
    }

    pub(super) fn thin_wall_around<'a>(
        &self,
        p: DVec3,
        (d, body): (f64, Option<&'a Body>),
    ) -> Option<(&'a Body, ThinWall)> {
        let body = body.filter(|b| d < 0.0 && b.may_be_thin)?;
        let wall = body.wall(body.local(p), self.dx);
        wall.filter(|w| w.middle.is_finite()).map(|w| (body, w))
    }
}

impl Body {
    /// Returns the distance of a point of the body's frame to the body, thickened on cells of edge `dx`.
    pub(super) fn thickened_distance(&self, x: DVec3, dx: f64) -> f64 {
        let d = self.distance(x);
        let most = 0.5 * HOLDING * dx;
        if d > FAR * dx {
            return d - most;
        }
        // The ball around such a point is thick enough.
        if d <= -most || self.build(x, dx) >= Build::Firm {
            return d;
        }
        let measure = |x: DVec3, d: f64| (most - 0.5 * self.thickness(x, d, dx).0).max(0.0);
        let known = self.samples.as_ref().and_then(|s| s.shortfall(x, dx, |x| measure(x, self.distance(x))));
        d - known.unwrap_or_else(|| measure(x, d))
    }

    /// Returns whether it is known that the body has no thin part near a point of its frame, on cells of edge `h`.
    fn is_thick(&self, x: DVec3, h: f64) -> bool {
        self.build(x, h) == Build::Thick
    }

    /// Returns how thick the body is near a point of its frame, as far as it is known, on cells of edge `h`.
    fn build(&self, x: DVec3, h: f64) -> Build {
        let Some(samples) = &self.samples else { return Build::Thin };
        samples.build(x, h, |x| {
            let d = self.distance(x);
            // The ball around a point inside is in the body.
            if d >= FAR * h || d <= -0.5 * MEASURED * h {
                return Build::Thick;
            }
            match self.thickness(x, d, h).0 / h {
                t if t < FIRM => Build::Thin,
                t if t < MEASURED => Build::Firm,
                _ => Build::Thick,
            }
        })
    }

    /// Returns the wall at a point of the body's frame; `None` far outside and where the body is known to be thick.
    pub(super) fn wall(&self, x: DVec3, dx: f64) -> Option<ThinWall> {
        let d = self.distance(x);
        if d > FAR * dx || self.is_thick(x, dx) {
            return None;
        }
        let (thickness, normal) = self.thickness(x, d, dx);
        let half = 0.5 * thickness.max(HOLDING * dx);
        let distance = d - (0.5 * HOLDING * dx - 0.5 * thickness).max(0.0);
        let middle = if half.is_finite() { (half + distance).max(0.0) } else { f64::INFINITY };
        Some(ThinWall { normal, middle, thickness: 2.0 * half })
    }
}
