//! A hierarchy over triangles: `o + t d = v0 + u e1 + v e2` by Cramer's rule. Neighboring triangles overlap
//! slightly, so that no ray passes through an edge of a closed mesh.

use super::build::{Extent, Item};
use super::{Bvh, Lanes, Pack, Ray, Sides, cross, dot};
use glam::{Vec3, Vec4};

/// Tolerance on barycentric coordinates. Rounding of a distant origin changes them by up to about 1e-5.
const OVERLAP: f32 = 1e-4;

/// A hit of a ray: distance, barycentric coordinates and the index of the triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    pub t: f32,
    pub u: f32,
    pub v: f32,
    pub triangle: u32,
}

/// Four triangles, component by component. Absent ones have no area.
#[derive(Clone, Debug)]
struct TrianglePack {
    v0: [Vec4; 3],
    e1: [Vec4; 3],
    e2: [Vec4; 3],
    triangle: [u32; 4],
}

/// A triangle while the hierarchy is built: its number and its box.
#[derive(Clone, Copy)]
struct TriangleItem {
    lo: Vec3,
    hi: Vec3,
    triangle: u32,
}

impl Item for TriangleItem {
    fn extent(&self) -> Extent {
        Extent { lo: self.lo.into(), hi: self.hi.into() }
    }
}

/// A bounding volume hierarchy over triangles.
#[derive(Clone, Debug, Default)]
pub struct TriangleBvh(Bvh<TrianglePack>);

impl TriangleBvh {
    /// Builds the hierarchy of triangles given by their vertices, which must exist and be finite.
    pub fn build(points: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let corners = |t: &[u32; 3]| t.map(|i| points[i as usize]);
        let mut items: Vec<TriangleItem> = (0u32..)
            .zip(triangles)
            .map(|(triangle, t)| {
                let [a, b, c] = corners(t);
                TriangleItem { lo: a.min(b).min(c), hi: a.max(b).max(c), triangle }
            })
            .collect();
        Self(Bvh::build(&mut items, &|items: &[TriangleItem]| {
            TrianglePack::new(items, |triangle| corners(&triangles[triangle as usize]))
        }))
    }

    /// Returns the nearest triangle with `0 < t < t_max`.
    pub fn nearest(&self, ray: &Ray, t_max: f32, sides: Sides) -> Option<Hit> {
        self.0.find(ray, t_max, sides, false)
    }

    /// Returns whether any triangle lies at `0 < t < t_max`.
    pub fn blocked(&self, ray: &Ray, t_max: f32, sides: Sides) -> bool {
        self.0.find(ray, t_max, sides, true).is_some()
    }
}

impl TrianglePack {
    fn new(items: &[TriangleItem], corners: impl Fn(u32) -> [Vec3; 3]) -> Self {
        let mut parts = [[[0.0; 4]; 3]; 3];
        let mut triangle = [0; 4];
        for (lane, item) in items.iter().enumerate() {
            let [a, b, c] = corners(item.triangle);
            for (part, vector) in parts.iter_mut().zip([a, b - a, c - a]) {
                for axis in 0..3 {
                    part[axis][lane] = vector[axis];
                }
            }
            triangle[lane] = item.triangle;
        }
        let [v0, e1, e2] = parts.map(|p| p.map(Vec4::from_array));
        Self { v0, e1, e2, triangle }
    }
}

impl Pack for TrianglePack {
    type Hit = Hit;

    fn hit(&self, ray: &Lanes, t_max: f32, sides: Sides) -> Option<(f32, Hit)> {
        let p = cross(&ray.d, &self.e2);
        let det = dot(&self.e1, &p);
        let inv = det.recip();
        let s = [ray.o[0] - self.v0[0], ray.o[1] - self.v0[1], ray.o[2] - self.v0[2]];
        let u = dot(&s, &p) * inv;
        let q = cross(&s, &self.e1);
        let v = dot(&ray.d, &q) * inv;
        let t = dot(&self.e2, &q) * inv;
        let low = Vec4::splat(-OVERLAP);
        let facing = match sides {
            Sides::Both => det.cmpne(Vec4::ZERO),
            Sides::Front => det.cmpgt(Vec4::ZERO),
        };
        let inside = u.cmpge(low) & v.cmpge(low) & (u + v).cmple(Vec4::splat(1.0 + OVERLAP));
        let mut met = (facing & inside & t.cmpgt(Vec4::ZERO) & t.cmplt(Vec4::splat(t_max))).bitmask();
        let mut best: Option<Hit> = None;
        while met != 0 {
            let lane = met.trailing_zeros() as usize;
            met &= met - 1;
            if best.is_none_or(|b| t[lane] < b.t) {
                best = Some(Hit { t: t[lane], u: u[lane], v: v[lane], triangle: self.triangle[lane] });
            }
        }
        best.map(|hit| (hit.t, hit))
    }
}
