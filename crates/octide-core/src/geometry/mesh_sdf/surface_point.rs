//! A point of a mesh's surface, by the corners of its triangle.

use glam::DVec3;

/// A point of a surface: Σ w_i x_i over the corners of a triangle.
#[derive(Clone, Copy, Debug)]
pub struct SurfacePoint {
    /// The corners.
    vertices: [u32; 3],
    /// w_i, with the sum 1.
    weights: [f64; 3],
    /// Where it is.
    pub position: DVec3,
}

impl SurfacePoint {
    /// Returns a point at `x` of the triangle between `corners`, which is at `position` in the mesh's coordinates.
    pub(super) fn new(vertices: [u32; 3], corners: [DVec3; 3], x: DVec3, position: DVec3) -> Self {
        Self { vertices, weights: weights(corners, x), position }
    }

    /// Returns the corners of its triangle.
    pub fn vertices(&self) -> [u32; 3] {
        self.vertices
    }

    /// Returns the mean of something that vertices have.
    #[inline]
    pub fn mean(&self, of: impl Fn(u32) -> DVec3) -> DVec3 {
        (0..3).map(|i| self.weights[i] * of(self.vertices[i])).sum()
    }
}

/// Returns the weights of the corners of a triangle at one of its points.
fn weights([a, b, c]: [DVec3; 3], x: DVec3) -> [f64; 3] {
    let (u, v, p) = (b - a, c - a, x - a);
    let (uu, uv, vv) = (u.dot(u), u.dot(v), v.dot(v));
    let det = uu * vv - uv * uv;
    if det > 1e-12 * uu * vv {
        let (pu, pv) = (p.dot(u), p.dot(v));
        let (s, t) = ((pu * vv - pv * uv) / det, (pv * uu - pu * uv) / det);
        return [1.0 - s - t, s, t];
    }
    // A triangle without area is its longest side.
    let sides = [(0, 1), (1, 2), (2, 0)];
    let corners = [a, b, c];
    let length = |(i, j): (usize, usize)| corners[i].distance_squared(corners[j]);
    let (i, j) = sides.into_iter().fold(sides[0], |best, s| if length(s) > length(best) { s } else { best });
    let side = corners[j] - corners[i];
    let along = if length((i, j)) > 0.0 { (x - corners[i]).dot(side) / length((i, j)) } else { 0.0 };
    let mut weights = [0.0; 3];
    weights[i] = 1.0 - along.clamp(0.0, 1.0);
    weights[j] = along.clamp(0.0, 1.0);
    weights
}
