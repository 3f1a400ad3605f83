//! The winding number of closed surfaces by counting where a ray along an axis crosses them.
//!
//! Seen along the ray, a triangle covers the point `p` if its boundary winds around `p`. With `u` and `v` for
//! the axes across the ray, an edge counts if it crosses the line from `p` in the direction of `u`: +1 upward
//! in `v`, −1 downward. The place of this crossing is computed from the edge alone, in the same way for all
//! triangles that share it, so that rounding cannot open a gap between two triangles. The crossing of the ray
//! lies between the crossings of two edges; if rounding decides on which side of `p` it is, then `p` is as
//! near to the surface as that.

use super::bvh::Bvh;
use glam::DVec3;

/// How rays cross a closed mesh.
#[derive(Clone, Debug)]
pub(super) struct Crossings {
    /// The axis of the rays, along which triangles cover the least area.
    axis: usize,
    /// The place of each vertex: vertices at the same position have the same one.
    places: Vec<u32>,
}

/// Where an edge crosses the line from `p` along `u`.
struct EdgeCrossing {
    /// Its coordinates along `u` and along the ray.
    at: [f64; 2],
    is_upward: bool,
}

impl Crossings {
    pub fn new(bvh: &Bvh, places: Vec<u32>) -> Self {
        let areas = bvh.leaf_areas();
        let axis = (0..3).fold(0, |least, a| if areas[a] < areas[least] { a } else { least });
        Self { axis, places }
    }

    /// Returns how often a ray from `p` leaves the triangles in `bvh` minus how often it enters them. All
    /// triangles of the closed surface must be counted, in one call or in several. `q` is `p` relative to the
    /// origin of the hierarchy.
    pub fn count(
        &self,
        bvh: &Bvh,
        positions: &[[f32; 3]],
        triangles: &[[u32; 3]],
        p: DVec3,
        q: DVec3,
    ) -> i32 {
        let axis = self.axis;
        // Toward the nearer end. The middle of the mesh is the origin of all its hierarchies.
        let is_forward = q[axis] >= 0.0;
        let mut count = 0;
        bvh.on_ray(q, axis, is_forward, |t| {
            let corners = triangles[bvh.ids[t] as usize].map(|v| self.places[v as usize]);
            let (sign, depth) = self.cover(positions, corners, p);
            if sign != 0 && (depth > p[axis]) == is_forward {
                count += sign;
            }
        });
        if is_forward { count } else { -count }
    }

    /// Returns how often a triangle winds around `p`, seen along the ray, and where the ray meets it.
    fn cover(&self, positions: &[[f32; 3]], corners: [u32; 3], p: DVec3) -> (i32, f64) {
        let (u, mut sign) = (p[(self.axis + 1) % 3], 0);
        // The last crossing before p and the first after it: there is at most one of each that matters.
        let (mut before, mut after) = (None, None);
        for k in 0..3 {
            let (a, b) = (corners[k], corners[(k + 1) % 3]);
            let Some(crossing) = self.cross(positions, [a.min(b), a.max(b)], p) else { continue };
            if crossing.at[0] > u {
                sign += if crossing.is_upward == (a < b) { 1 } else { -1 };
                after = Some(crossing.at);
            } else {
                before = Some(crossing.at);
            }
        }
        let (Some([u0, w0]), Some([u1, w1])) = (before, after) else { return (0, 0.0) };
        (sign, w0 + (w1 - w0) * ((u - u0) / (u1 - u0)))
    }

    /// Returns where the edge between two places crosses the line from `p` along `u` or against it.
    #[inline]
    fn cross(&self, positions: &[[f32; 3]], [a, b]: [u32; 2], p: DVec3) -> Option<EdgeCrossing> {
        let [u, v, w] = [(self.axis + 1) % 3, (self.axis + 2) % 3, self.axis];
        let [a, b] = [a, b].map(|v| positions[v as usize].map(f64::from));
        let (starts_above, ends_above) = (a[v] > p[v], b[v] > p[v]);
        if starts_above == ends_above {
            return None;
        }
        let s = (p[v] - a[v]) / (b[v] - a[v]);
        let at = [a[u] + (b[u] - a[u]) * s, a[w] + (b[w] - a[w]) * s];
        Some(EdgeCrossing { at, is_upward: ends_above })
    }
}
