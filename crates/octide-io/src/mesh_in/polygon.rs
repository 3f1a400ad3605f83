//! Triangulation of the polygons of a file.
//!
//! A polygon with few corners becomes a fan around its first corner. One with many corners is halved again
//! and again: in a fan, all triangles are as long as the polygon, and a search for the nearest one would go
//! through all of them. Where triangles would be turned over because the polygon is not convex, it is divided
//! by a sweep ([`sweep`]). All take n log n time or less.
//!
//! Polygons that intersect themselves, seen along their mean normal, have no triangulation; they get a fan,
//! or are halved. Their triangles still have the polygon as their boundary, so that closed meshes stay closed.

mod sweep;
#[cfg(test)]
mod tests;

use glam::{DVec2, DVec3, Vec3};

/// Polygons with at most this many corners become fans.
const MAX_FAN: usize = 8;

/// A corner may be off by this fraction of the polygon's extent, because positions are rounded.
const ROUNDING: f64 = 4.0 * f32::EPSILON as f64;

/// The triangles of a file's faces. Faces may come before their vertices, so all of them become fans at first.
#[derive(Default)]
pub(super) struct Faces {
    pub triangles: Vec<[u32; 3]>,
    /// The first triangle and the number of corners of each polygon that is not a triangle.
    polygons: Vec<(usize, usize)>,
}

impl Faces {
    /// Adds a polygon of at least three corners.
    pub fn add(&mut self, polygon: &[u32]) {
        if polygon.len() > 3 {
            self.polygons.push((self.triangles.len(), polygon.len()));
        }
        for pair in polygon.windows(2).skip(1) {
            self.triangles.push([polygon[0], pair[0], pair[1]]);
        }
    }

    /// Returns all triangles, those of polygons that should not be fans replaced. All vertices must exist.
    pub fn triangulated(mut self, positions: &[[f32; 3]]) -> Vec<[u32; 3]> {
        let mut polygon = Vec::new();
        for &(first, n) in &self.polygons {
            let fan = &mut self.triangles[first..first + n - 2];
            polygon.clear();
            polygon.extend_from_slice(&fan[0]);
            polygon.extend(fan[1..].iter().map(|t| t[2]));
            let points = project(&polygon, positions);
            let fans_out = n <= MAX_FAN;
            let simple = if fans_out { (1..n - 1).map(|i| [0, i, i + 1]).collect() } else { halve(n) };
            let corners = if keep_their_side(&simple, &points) {
                simple
            } else {
                sweep::triangulate(&points).unwrap_or(simple)
            };
            for (out, t) in fan.iter_mut().zip(corners) {
                *out = t.map(|i| polygon[i]);
            }
        }
        self.triangles
    }
}

/// Returns the corners seen along the axis nearest to the polygon's normal, counter-clockwise. The first
/// coordinate is the one along which the polygon is longest.
fn project(polygon: &[u32], positions: &[[f32; 3]]) -> Vec<DVec2> {
    let at = |i: usize| Vec3::from_array(positions[polygon[i % polygon.len()] as usize]).as_dvec3();
    let origin = at(0);
    let normal: DVec3 = (0..polygon.len()).map(|i| (at(i) - origin).cross(at(i + 1) - origin)).sum();
    let drop = normal.abs().max_position();
    let (low, high) = (0..polygon.len())
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), i| (low.min(at(i)), high.max(at(i))));
    let (mut a, mut b) = ((drop + 1) % 3, (drop + 2) % 3);
    let mut sign = normal[drop].signum();
    if (high - low)[b] > (high - low)[a] {
        (a, b, sign) = (b, a, -sign);
    }
    (0..polygon.len()).map(|i| DVec2::new(at(i)[a], sign * at(i)[b])).collect()
}

/// Divides a polygon of `n` corners by triangles between the ends and the middle of a run of corners, then
/// does so with both halves of the run.
fn halve(n: usize) -> Vec<[usize; 3]> {
    let mut triangles = Vec::with_capacity(n - 2);
    let mut open = vec![(0, n - 1)];
    while let Some((from, to)) = open.pop() {
        if to - from < 2 {
            continue;
        }
        let middle = from + (to - from) / 2;
        triangles.push([from, middle, to]);
        open.extend([(from, middle), (middle, to)]);
    }
    triangles
}

/// Returns whether no triangle is turned over, up to rounding. If they have the polygon as their boundary,
/// they then cover it exactly.
fn keep_their_side(triangles: &[[usize; 3]], points: &[DVec2]) -> bool {
    let (low, high) = points
        .iter()
        .fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(low, high), p| (low.min(*p), high.max(*p)));
    let slack = ROUNDING * (high - low).max_element();
    triangles.iter().all(|t| {
        let [a, b, c] = t.map(|i| points[i]);
        turn(a, b, c) >= -slack * a.distance(b).max(b.distance(c)).max(c.distance(a))
    })
}

/// Returns twice the area of a triangle, positive if it is counter-clockwise.
fn turn(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot(c - a)
}
