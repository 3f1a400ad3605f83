//! Winding numbers of any triangles by their solid angles, computed hierarchically.
//!
//! At a distance of more than `β` times its radius, a cluster of triangles is approximated by a dipole at its
//! centroid `c` with the sum `N` of its area vectors: `w ≈ N · (c − p) / (4π |c − p|³)` (Barill et al. 2018,
//! the first-order term). Nearer clusters are opened, and near triangles contribute their exact solid angle.
//! The half angles are added by multiplying complex numbers and counting full turns, so that one arc tangent
//! suffices for all of them.

use super::build::BinaryTree;
use super::bvh::{Bvh, Child, STACK, WIDTH, groups};
use glam::DVec3;
use std::f64::consts::{PI, TAU};

/// A cluster is far at a distance of this many radii. At 2, the errors of clusters in a ring around a point
/// add up to 0.16; at 3, to less than 0.1.
const BETA: f32 = 3.0;

/// Dipoles of a node's four children, by axis and child.
#[derive(Clone, Debug)]
struct Node {
    center: [[f32; WIDTH]; 3],
    normal: [[f32; WIDTH]; 3],
    /// (β radius)².
    near: [f32; WIDTH],
}

/// Dipoles for all nodes of a [`Bvh`].
#[derive(Clone, Debug)]
pub(super) struct Dipoles(Vec<Node>);

impl Dipoles {
    pub fn new(tree: &BinaryTree) -> Self {
        let groups = groups(tree);
        Self(
            groups
                .iter()
                .map(|group| {
                    let mut d = Node {
                        center: [[0.0; WIDTH]; 3],
                        normal: [[0.0; WIDTH]; 3],
                        // An absent child is far from everywhere and contributes nothing.
                        near: [-1.0; WIDTH],
                    };
                    for (k, &(binary, _)) in group.iter().enumerate() {
                        let (center, normal, radius) = dipole(tree, tree.nodes[binary].range());
                        for a in 0..3 {
                            d.center[a][k] = center[a] as f32;
                            d.normal[a][k] = normal[a] as f32;
                        }
                        d.near[k] = (BETA * radius as f32).powi(2);
                    }
                    d
                })
                .collect(),
        )
    }

    /// Returns the winding number of the triangles around `p`.
    pub fn winding(&self, bvh: &Bvh, p: DVec3) -> f64 {
        let p32 = p.as_vec3().to_array();
        let mut far = [0.0f32; WIDTH];
        let mut near = HalfAngles::new();
        let mut stack = [Child::ROOT; STACK];
        let mut top = 1;
        while top > 0 {
            top -= 1;
            match stack[top].open() {
                Ok(run) => {
                    for t in run {
                        let (re, im) = bvh.triangles[t].half_solid_angle(p);
                        near.add(re, im);
                    }
                }
                Err(node) => {
                    let is_near = self.0[node].add_far(p32, &mut far);
                    for k in 0..WIDTH {
                        if is_near[k] {
                            stack[top] = bvh.children(node)[k];
                            top += 1;
                        }
                    }
                }
            }
        }
        (f64::from(far.iter().sum::<f32>()) + 2.0 * near.total()) / (4.0 * PI)
    }
}

impl Node {
    /// Adds the solid angles of the children that are far from `p`, and returns which children are near.
    #[inline]
    fn add_far(&self, p: [f32; 3], sum: &mut [f32; WIDTH]) -> [bool; WIDTH] {
        let (mut d2, mut dot) = ([0.0f32; WIDTH], [0.0f32; WIDTH]);
        for a in 0..3 {
            for k in 0..WIDTH {
                let r = self.center[a][k] - p[a];
                d2[k] += r * r;
                dot[k] += r * self.normal[a][k];
            }
        }
        let mut is_near = [false; WIDTH];
        for k in 0..WIDTH {
            is_near[k] = d2[k] <= self.near[k];
            let angle = dot[k] / (d2[k] * d2[k].sqrt());
            // The second condition is needed because an absent child may lie exactly at p.
            sum[k] += if is_near[k] || d2[k] <= 0.0 { 0.0 } else { angle };
        }
        is_near
    }
}

/// Returns centroid, summed area vector and radius of some triangles.
fn dipole(tree: &BinaryTree, range: std::ops::Range<usize>) -> (DVec3, DVec3, f64) {
    let triangles = &tree.triangles[range];
    let (mut center, mut normal, mut area) = (DVec3::ZERO, DVec3::ZERO, 0.0);
    for t in triangles {
        let n = 0.5 * t.normal();
        let weight = n.length();
        center += weight * (t.a + (t.ab + t.ac) / 3.0);
        normal += n;
        area += weight;
    }
    // If no triangle has an area, any point is valid.
    let center = if area > 0.0 { center / area } else { triangles.first().map_or(DVec3::ZERO, |t| t.a) };
    let radius = triangles.iter().flat_map(|t| t.corners()).map(|p| p.distance(center)).fold(0.0, f64::max);
    (center, normal, radius)
}

/// A sum of angles, stored as a complex number and full turns.
struct HalfAngles {
    re: f64,
    im: f64,
    turns: i32,
}

impl HalfAngles {
    fn new() -> Self {
        Self { re: 1.0, im: 0.0, turns: 0 }
    }

    /// Adds the angle of `re + i im`, in (−π, π].
    #[inline]
    fn add(&mut self, re: f64, im: f64) {
        let (x, y) = (self.re * re - self.im * im, self.re * im + self.im * re);
        let size = x.abs() + y.abs();
        // At a corner or on an edge of the triangle the angle is undefined, and there is no number to
        // multiply by.
        if size < f64::MIN_POSITIVE || !size.is_finite() {
            return self.fallback(re, im);
        }
        // If two angles have the same sign and their sum has the other, the sum passed half a turn.
        self.turns += i32::from(self.im >= 0.0 && im >= 0.0 && y < 0.0);
        self.turns -= i32::from(self.im < 0.0 && im < 0.0 && y >= 0.0);
        (self.re, self.im) = (x, y);
        if !(1e-100..1e100).contains(&size) {
            self.re /= size;
            self.im /= size;
        }
    }

    /// Adds an angle whose product is out of range, after scaling the new factor to unit length.
    #[cold]
    fn fallback(&mut self, re: f64, im: f64) {
        let own = re.hypot(im);
        if own > 0.0 && own.is_finite() && (own - 1.0).abs() > 0.5 {
            self.add(re / own, im / own);
        }
    }

    fn total(&self) -> f64 {
        self.im.atan2(self.re) + TAU * f64::from(self.turns)
    }
}
