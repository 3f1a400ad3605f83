//! The body of a sequence at one time: its shape, the velocity of its surface, and where it takes what is beside it.

use super::interval::{Interval, Kind, way_of};
use crate::geometry::mesh_sdf::SurfacePoint;
use crate::geometry::{MeshSdf, MeshShape, SampleGrid, Samples, Shape, TriMesh};
use glam::{DVec3, Vec3};
use std::sync::Arc;

/// Beside the surface, its velocity changes by at most this share.
const MAX_CHANGE: f64 = 0.5;

/// How often the nearest point of a surface is looked for while it moves.
const SEARCHES: usize = 2;

/// The body at one time, in its own frame.
#[derive(Debug)]
pub struct Deformed {
    shape: Shape,
    samples: Option<Arc<Samples>>,
    /// None stands in for a shape that could not be made.
    interval: Option<Arc<Interval>>,
    share: f64,
    /// Intervals per second; 0 at rest.
    rate: f64,
    time: f64,
}

impl Deformed {
    /// Makes the shape when a share of the interval has passed.
    pub(super) fn new(
        interval: Arc<Interval>,
        share: f64,
        rate: f64,
        time: f64,
        grid: Option<SampleGrid>,
    ) -> Result<Self, String> {
        let shape = match &interval.kind {
            Kind::Moving { from, to, .. } => {
                let sdf = MeshSdf::new(&between(from, to, share)).map_err(|e| e.to_string())?;
                Shape::Mesh(Arc::new(MeshShape {
                    source: interval.name.clone(),
                    sdf,
                    is_shell: interval.is_shell,
                }))
            }
            Kind::Blended(blend) if share <= 0.0 => Shape::Mesh(Arc::clone(&blend.from)),
            Kind::Blended(blend) if share >= 1.0 => Shape::Mesh(Arc::clone(&blend.to)),
            Kind::Blended(blend) => Shape::Blend(Arc::new(blend.with_share(share))),
        };
        let samples = grid.and_then(|g| Samples::new(&shape, g.dx, g.bounds)).map(Arc::new);
        Ok(Self { shape, samples, interval: Some(interval), share, rate, time })
    }

    /// Returns a point, to stand in for a shape that could not be made.
    pub(super) fn stand_in(center: DVec3, time: f64) -> Self {
        let shape = Shape::Sphere { center, radius: f64::MIN_POSITIVE };
        Self { shape, samples: None, interval: None, share: 0.0, rate: 0.0, time }
    }

    /// Returns the shape.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Returns samples of its distance, if they were asked for and are worthwhile.
    pub fn samples(&self) -> Option<&Arc<Samples>> {
        self.samples.as_ref()
    }

    /// Returns a bound of the speed of its surface.
    pub fn max_speed(&self) -> f64 {
        self.interval.as_ref().map_or(0.0, |i| self.rate * i.way())
    }

    /// Returns the velocity of the surface near `x`, extended to `x` as that of a fluid which keeps its volume,
    ///
    /// ```text
    /// v(x) = v(s) − D (x − s),
    /// ```
    ///
    /// where s is the nearest point of the surface and D the rate at which the surface grows there. Faces of a grid that
    /// the body closes are inside it, and as much flows through them as through the surface. A shell has no inside.
    pub fn velocity(&self, x: DVec3) -> DVec3 {
        let Some(interval) = self.interval.as_ref().filter(|_| self.rate > 0.0) else { return DVec3::ZERO };
        match (&interval.kind, &self.shape) {
            (Kind::Moving { from, to, .. }, Shape::Mesh(mesh)) => {
                let way = |v: u32| way_of(from.positions[v as usize], to[v as usize]);
                let Some(at) = mesh.sdf.closest(x) else { return DVec3::ZERO };
                let own = at.mean(way);
                if mesh.is_shell {
                    return self.rate * own;
                }
                let growth = growth(at.vertices().map(|v| (mesh.sdf.mesh().vertex(v), way(v))));
                let more = growth * (x - at.position);
                self.rate * (own - more.clamp_length_max(MAX_CHANGE * own.length()))
            }
            (Kind::Blended(blend), _) => self.rate * blend.with_share(self.share).velocity(x),
            _ => DVec3::ZERO,
        }
    }

    /// Returns where a point beside the surface is at the time of `to`, if it moves along with the surface. Both are of
    /// the same sequence. Where triangles change, no mesh may be between the two times.
    pub fn carry(&self, x: DVec3, to: &Self) -> DVec3 {
        let (Some(here), Some(there)) = (&self.interval, &to.interval) else { return x };
        if let (Kind::Moving { topology: Some(a), .. }, Kind::Moving { topology: Some(b), .. }) =
            (&here.kind, &there.kind)
            && a == b
            && let (Shape::Mesh(here), Shape::Mesh(there)) = (&self.shape, &to.shape)
        {
            let (here, there) = (here.sdf.mesh(), there.sdf.mesh());
            let at = self.closest(x);
            return at.map_or(x, |at| x + at.mean(|v| there.vertex(v) - here.vertex(v)));
        }
        // The interval of the later time has both times in it.
        let later = if self.time > to.time { self } else { to };
        let Some(interval) = &later.interval else { return x };
        let other = if self.time > to.time { to } else { self };
        let share =
            if other.interval.as_ref().is_some_and(|i| Arc::ptr_eq(i, interval)) { other.share } else { 0.0 };
        let (before, after) = if self.time > to.time { (later.share, share) } else { (share, later.share) };
        match &interval.kind {
            Kind::Blended(blend) => blend.with_share(before).carried(x, after),
            Kind::Moving { from, to, .. } => {
                let way = |v: u32| (after - before) * way_of(from.positions[v as usize], to[v as usize]);
                let forward = self.time <= later.time && !std::ptr::eq(self, later);
                let mut moved = x;
                for _ in 0..SEARCHES {
                    // The nearest point is looked for on the later shape.
                    let asked = if forward { moved } else { x };
                    moved = later.closest(asked).map_or(x, |at| x + at.mean(way));
                }
                moved
            }
        }
    }

    fn closest(&self, x: DVec3) -> Option<SurfacePoint> {
        match &self.shape {
            Shape::Mesh(mesh) => mesh.sdf.closest(x),
            _ => None,
        }
    }
}

/// Returns the rate at which the area of a triangle grows, given its corners and their velocities.
fn growth([(a, va), (b, vb), (c, vc)]: [(DVec3, DVec3); 3]) -> f64 {
    let area = (b - a).cross(c - a);
    let rate = (vb - va).cross(c - a) + (b - a).cross(vc - va);
    let squared = area.length_squared();
    if squared > 0.0 { area.dot(rate) / squared } else { 0.0 }
}

/// Returns the mesh when a share of the way has passed.
fn between(from: &TriMesh, to: &[[f32; 3]], share: f64) -> TriMesh {
    let at = |(a, b): (&[f32; 3], &[f32; 3])| {
        // At the ends, the files' own positions to the last bit.
        if share <= 0.0 || share >= 1.0 {
            return if share <= 0.0 { *a } else { *b };
        }
        (Vec3::from_array(*a).as_dvec3() + share * way_of(*a, *b)).as_vec3().to_array()
    };
    let positions = from.positions.iter().zip(to).map(at).collect();
    TriMesh { positions, triangles: from.triangles.clone() }
}
