//! A hierarchy over spheres.
//!
//! With the origin `o'` relative to the center and `b = o'·d`, the ray passes the center at `t = −b`, at the
//! distance of `l = o' − b d`. It crosses the sphere at `t = −b ± √(r² − l²)`. Computed from `l`, the root
//! keeps its accuracy for small distant spheres; from `b² − o'² + r²` it would not.

use super::build::{Extent, Item};
use super::{Bvh, Lanes, Pack, Ray, Sides, dot};
use glam::{Vec3, Vec4};

/// A sphere. Its radius must be positive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere {
    pub center: Vec3,
    pub radius: f32,
}

impl Item for Sphere {
    fn extent(&self) -> Extent {
        let (center, radius) = (self.center, Vec3::splat(self.radius));
        Extent { lo: (center - radius).into(), hi: (center + radius).into() }
    }
}

/// A hit of a ray: its distance and the outward normal of the sphere there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SphereHit {
    pub t: f32,
    pub normal: Vec3,
}

/// Four spheres, component by component. Absent ones have a radius of −1.
#[derive(Clone, Debug)]
struct SpherePack {
    center: [Vec4; 3],
    radius: Vec4,
}

/// A bounding volume hierarchy over spheres.
#[derive(Clone, Debug, Default)]
pub struct SphereBvh(Bvh<SpherePack>);

impl SphereBvh {
    /// Builds the hierarchy of finite spheres.
    pub fn build(mut spheres: Vec<Sphere>) -> Self {
        Self(Bvh::build(&mut spheres, &SpherePack::new))
    }

    /// Returns where the ray first crosses a sphere with `0 < t < t_max`.
    pub fn nearest(&self, ray: &Ray, t_max: f32, sides: Sides) -> Option<SphereHit> {
        self.0.find(ray, t_max, sides, false)
    }
}

impl SpherePack {
    fn new(spheres: &[Sphere]) -> Self {
        let mut center = [[0.0; 4]; 3];
        let mut radius = [-1.0; 4];
        for (lane, sphere) in spheres.iter().enumerate() {
            for axis in 0..3 {
                center[axis][lane] = sphere.center[axis];
            }
            radius[lane] = sphere.radius;
        }
        Self { center: center.map(Vec4::from_array), radius: Vec4::from_array(radius) }
    }
}

impl Pack for SpherePack {
    type Hit = SphereHit;

    fn hit(&self, ray: &Lanes, t_max: f32, sides: Sides) -> Option<(f32, SphereHit)> {
        let o = [0, 1, 2].map(|a| ray.o[a] - self.center[a]);
        let b = dot(&o, &ray.d);
        let l = [0, 1, 2].map(|a| o[a] - b * ray.d[a]);
        let square = self.radius * self.radius - dot(&l, &l);
        let mut touched = (square.cmpgt(Vec4::ZERO) & self.radius.cmpgt(Vec4::ZERO)).bitmask();
        let mut best: Option<(f32, usize)> = None;
        while touched != 0 {
            let lane = touched.trailing_zeros() as usize;
            touched &= touched - 1;
            let half = square[lane].sqrt();
            let enter = -b[lane] - half;
            let t = if enter <= 0.0 && sides == Sides::Both { half - b[lane] } else { enter };
            if t > 0.0 && t < best.map_or(t_max, |best| best.0) {
                best = Some((t, lane));
            }
        }
        best.map(|(t, lane)| {
            let normal = Vec3::from_array([0, 1, 2].map(|a| o[a][lane] + t * ray.d[a][lane]));
            (t, SphereHit { t, normal: normal.normalize() })
        })
    }
}
