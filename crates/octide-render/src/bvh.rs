//! A bounding volume hierarchy over triangles or spheres, four children to a node and four primitives to a
//! leaf, so that boxes and primitives are tested four at a time.
//!
//! A ray is `x = o + t d`. Boxes: the slab test. Triangles and spheres are in files of their own.

mod build;
mod sphere;
#[cfg(test)]
mod tests;
mod triangle;

pub use sphere::{Sphere, SphereBvh, SphereHit};
pub use triangle::{Hit, TriangleBvh};

use glam::{Vec3, Vec4};

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

/// Which sides of a surface a ray can hit.
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

/// Four primitives, component by component.
trait Pack: Send + Sync {
    /// What is known about a hit.
    type Hit: Copy;

    /// Returns the nearest hit with `0 < t < t_max` and its `t`.
    fn hit(&self, ray: &Lanes, t_max: f32, sides: Sides) -> Option<(f32, Self::Hit)>;
}

/// The hierarchy. It has no nodes if there are no primitives.
#[derive(Clone, Debug)]
struct Bvh<P> {
    nodes: Vec<Node>,
    packs: Vec<P>,
}

impl<P> Default for Bvh<P> {
    fn default() -> Self {
        Self { nodes: Vec::new(), packs: Vec::new() }
    }
}

impl<P: Pack> Bvh<P> {
    /// Returns the nearest hit with `0 < t < t_max`, or any such hit if `any` is set.
    fn find(&self, ray: &Ray, t_max: f32, sides: Sides, any: bool) -> Option<P::Hit> {
        if self.nodes.is_empty() {
            return None;
        }
        let lanes = Lanes::new(ray);
        let mut best = None;
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
                if let Some((t, hit)) = self.packs[(code & !LEAF) as usize].hit(&lanes, t_best, sides) {
                    t_best = t;
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

fn dot(a: &[Vec4; 3], b: &[Vec4; 3]) -> Vec4 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: &[Vec4; 3], b: &[Vec4; 3]) -> [Vec4; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
