//! A bounding volume hierarchy over triangles, four children to a node and four triangles to a leaf, so that
//! boxes and triangles are tested four at a time.
//!
//! A ray is `x = o + t d`. Boxes: the slab test. Triangles: `o + t d = v0 + u e1 + v e2` by Cramer's rule.
//! Neighboring triangles overlap slightly, so that no ray passes through an edge of a closed mesh.

mod build;
#[cfg(test)]
mod tests;

use glam::{Vec3, Vec4};

/// Tolerance on barycentric coordinates. Rounding of a distant origin changes them by up to about 1e-5.
const OVERLAP: f32 = 1e-4;
/// Sufficient for the depth that the builder can reach: see `build::SAH_DEPTH`.
const STACK: usize = 96;
const LEAF: u32 = 1 << 31;

/// A ray with an origin and a direction of length 1.
#[derive(Clone, Copy, Debug)]
pub struct Ray {
    pub origin: Vec3,
    pub dir: Vec3,
}

impl Ray {
    pub fn new(origin: Vec3, dir: Vec3) -> Self {
        Self { origin, dir }
    }

    pub fn at(&self, t: f32) -> Vec3 {
        self.origin + t * self.dir
    }
}

/// A hit of a ray: distance, barycentric coordinates and the index of the triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    pub t: f32,
    pub u: f32,
    pub v: f32,
    pub triangle: u32,
}

/// Which sides of triangles a ray can hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    Both,
    Front,
}

/// Four boxes: `bounds[2a]` the lower and `bounds[2a + 1]` the upper bounds along axis `a`.
#[derive(Clone, Debug)]
struct Node {
    bounds: [Vec4; 6],
    /// The index of a node, or of a pack with `LEAF` set. Absent children have a box that no ray hits.
    child: [u32; 4],
}

/// Four triangles, component by component. Absent ones have no area.
#[derive(Clone, Debug)]
struct Pack {
    v0: [Vec4; 3],
    e1: [Vec4; 3],
    e2: [Vec4; 3],
    triangle: [u32; 4],
}

/// The hierarchy. Empty for a mesh without triangles.
#[derive(Clone, Debug, Default)]
pub struct Bvh {
    nodes: Vec<Node>,
    packs: Vec<Pack>,
}

impl Bvh {
    /// Returns the nearest triangle with `0 < t < t_max`.
    pub fn nearest(&self, ray: &Ray, t_max: f32, sides: Sides) -> Option<Hit> {
        self.walk(ray, t_max, sides, false)
    }

    /// Returns whether any triangle lies at `0 < t < t_max`.
    pub fn blocked(&self, ray: &Ray, t_max: f32, sides: Sides) -> bool {
        self.walk(ray, t_max, sides, true).is_some()
    }

    fn walk(&self, ray: &Ray, t_max: f32, sides: Sides, any: bool) -> Option<Hit> {
        if self.nodes.is_empty() {
            return None;
        }
        let lanes = Lanes::new(ray);
        let mut best: Option<Hit> = None;
        let mut t_best = t_max;
        let mut stack = [(0u32, 0f32); STACK];
        let mut top = 1;
        while top > 0 {
            top -= 1;
            let (code, t_near) = stack[top];
            if t_near >= t_best {
                continue;
            }
            if code & LEAF != 0 {
                if let Some(hit) = self.packs[(code & !LEAF) as usize].hit(&lanes, t_best, sides) {
                    t_best = hit.t;
                    best = Some(hit);
                    if any {
                        return best;
                    }
                }
                continue;
            }
            let node = &self.nodes[code as usize];
            let (near, mut met) = node.slabs(&lanes, t_best);
            let base = top;
            while met != 0 {
                let lane = met.trailing_zeros() as usize;
                met &= met - 1;
                // The nearest child goes to the top of the stack.
                let mut at = top;
                while at > base && stack[at - 1].1 < near[lane] {
                    stack[at] = stack[at - 1];
                    at -= 1;
                }
                stack[at] = (node.child[lane], near[lane]);
                top += 1;
            }
        }
        best
    }
}

/// A ray with each component in all lanes.
struct Lanes {
    o: [Vec4; 3],
    d: [Vec4; 3],
    inv: [Vec4; 3],
    negative: [usize; 3],
}

impl Lanes {
    fn new(ray: &Ray) -> Self {
        let d = ray.dir.to_array();
        // A direction along a box's face would give 0 · ∞.
        let inv = d.map(|x| 1.0 / if x.abs() < 1e-12 { 1e-12f32.copysign(x) } else { x });
        Self {
            o: ray.origin.to_array().map(Vec4::splat),
            d: d.map(Vec4::splat),
            inv: inv.map(Vec4::splat),
            negative: inv.map(|x| usize::from(x < 0.0)),
        }
    }
}

impl Node {
    /// Returns the distances at which the ray enters the boxes, and a bit for each that it hits.
    fn slabs(&self, ray: &Lanes, t_max: f32) -> ([f32; 4], u32) {
        let mut near = Vec4::ZERO;
        let mut far = Vec4::splat(t_max);
        for a in 0..3 {
            let s = ray.negative[a];
            near = near.max((self.bounds[2 * a + s] - ray.o[a]) * ray.inv[a]);
            far = far.min((self.bounds[2 * a + 1 - s] - ray.o[a]) * ray.inv[a]);
        }
        (near.to_array(), near.cmple(far * 1.000_001).bitmask())
    }
}

impl Pack {
    fn hit(&self, ray: &Lanes, t_max: f32, sides: Sides) -> Option<Hit> {
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
        best
    }
}

fn dot(a: &[Vec4; 3], b: &[Vec4; 3]) -> Vec4 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: &[Vec4; 3], b: &[Vec4; 3]) -> [Vec4; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
