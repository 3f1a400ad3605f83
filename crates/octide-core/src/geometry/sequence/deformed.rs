//! The body of a sequence at one time: its shape, the velocity of its surface, and where it takes what is beside it.

use super::interval::{Interval, Kind, way_of};
use super::push::Push;
use crate::geometry::mesh_sdf::SurfacePoint;
use crate::geometry::{MeshSdf, MeshShape, SampleGrid, Samples, Shape, TriMesh};
use glam::{DVec3, Vec3};
use std::sync::Arc;

/// How often the nearest point of a surface is looked for while it moves.
const SEARCHES: usize = 2;

/// The body at one time, in its own frame.
#[derive(Debug)]
pub struct Deformed {
    shape: Shape,
    samples: Option<Arc<Samples>>,
    /// None stands in for a shape that could not be made.
    interval: Option<Arc<Interval>>,
    /// The velocity of its surface.
    push: Option<Push>,
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
            Kind::Moving { .. } => Shape::Mesh(moving_shape(&interval, share)?),
            Kind::Blended(blend) if share <= 0.0 => Shape::Mesh(Arc::clone(&blend.from)),
            Kind::Blended(blend) if share >= 1.0 => Shape::Mesh(Arc::clone(&blend.to)),
            Kind::Blended(blend) => Shape::Blend(Arc::new(blend.with_share(share))),
        };
        let samples = grid.and_then(|g| Samples::new(&shape, g.dx, g.bounds)).map(Arc::new);
        let push = Push { interval: Arc::clone(&interval), share, rate, lead: 0.0, mesh: None };
        Ok(Self { shape, samples, interval: Some(interval), push: Some(push), share, rate, time })
    }

    /// Returns a point, to stand in for a shape that could not be made.
    pub(super) fn stand_in(center: DVec3, time: f64) -> Self {
        let shape = Shape::Sphere { center, radius: f64::MIN_POSITIVE };
        Self { shape, samples: None, interval: None, push: None, share: 0.0, rate: 0.0, time }
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

    /// Returns the velocity of the surface near `x`, extended to `x` as that of a fluid which keeps its volume. See
    /// `push.rs`.
    pub fn velocity(&self, x: DVec3) -> DVec3 {
        self.push.as_ref().map_or(DVec3::ZERO, |push| self.pushed(push, x))
    }

    /// Returns the same for the step that follows, by [`MeshSequence::push`](super::MeshSequence::push).
    pub fn pushed(&self, push: &Push, x: DVec3) -> DVec3 {
        push.velocity(&self.shape, x)
    }

    /// Returns the velocity when a share of an interval has passed that the next step of length `lead` is in.
    pub(super) fn push_in(
        &self,
        interval: Arc<Interval>,
        share: f64,
        rate: f64,
        lead: f64,
    ) -> Result<Push, String> {
        let topology = |i: &Interval| match &i.kind {
            Kind::Moving { topology, .. } => *topology,
            Kind::Blended(_) => None,
        };
        let has_triangles = self.interval.as_ref().is_some_and(|own| {
            Arc::ptr_eq(own, &interval) || topology(own).is_some() && topology(own) == topology(&interval)
        });
        let mesh = match &interval.kind {
            Kind::Moving { .. } if !has_triangles => Some(moving_shape(&interval, share)?),
            _ => None,
        };
        Ok(Push { interval, share, rate, lead, mesh })
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

/// Returns the shape of vertices that move straight, when a share of the way has passed.
fn moving_shape(interval: &Interval, share: f64) -> Result<Arc<MeshShape>, String> {
    let Kind::Moving { from, to, .. } = &interval.kind else {
        return Err("its vertices do not move straight".to_owned());
    };
    let sdf = MeshSdf::new(&between(from, to, share)).map_err(|e| e.to_string())?;
    Ok(Arc::new(MeshShape { source: interval.name.clone(), sdf, is_shell: interval.is_shell }))
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
