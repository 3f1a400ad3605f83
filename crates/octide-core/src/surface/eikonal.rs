//! Local solve of |∇d| = 1: the distance at a point from the distances of its neighbors.
//!
//! With r_j = x_j − x_i, the front may arrive at the point from anywhere in the simplex of up to three
//! neighbors,
//!
//! d_i = min over λ ≥ 0, Σ λ_j = 1 of Σ λ_j d_j + |Σ λ_j r_j|.
//!
//! An interior minimum is the root of the quadratic |∇d|² = 1 of the linear interpolant whose direction lies
//! in the cone of the simplex; minima on the boundary belong to fewer neighbors, down to d_j + |r_j|. Only
//! positions matter, so neighbors across T-junctions need no special case.
//!
//! All single neighbors and pairs are tried, and triangles on the best pair. If several pairs tie, triangles
//! on all of them are tried; otherwise a mirrored scene would not have the mirrored result. The sum above is
//! convex in λ: if no pair is better than its ends, triangles at the best end are not better either.

use glam::DVec3;

/// Maximum number of neighbors; if there are more, those with the largest d_j + |r_j| are left out.
const MOST: usize = 32;

/// Cosine of the widest allowed angle between two neighbors of a simplex. Linear interpolation between
/// opposite neighbors carries no information about the point in the middle.
const WIDEST: f64 = -0.5;

/// Triangles with a smaller sine than this are treated as edges.
const FLAT: f64 = 1e-6;

/// Pairs whose values differ by less than this many lengths tie; at most `TIES` of them are used.
const EQUAL: f64 = 1e-10;
const TIES: usize = 8;

/// A neighbor with a known distance.
#[derive(Clone, Copy, Default)]
struct Known {
    r: DVec3,
    length: f64,
    d: f64,
}

/// The known neighbors of one point.
pub(super) struct Stencil {
    known: [Known; MOST],
    n: usize,
}

impl Stencil {
    pub(super) fn new() -> Self {
        Self { known: [Known::default(); MOST], n: 0 }
    }

    pub(super) fn clear(&mut self) {
        self.n = 0;
    }

    /// Adds a neighbor with distance `d` at the offset `r` from the point.
    #[inline]
    pub(super) fn push(&mut self, r: DVec3, d: f64) {
        let known = Known { r, length: r.length(), d };
        if self.n < MOST {
            self.known[self.n] = known;
            self.n += 1;
            return;
        }
        let bound = |k: &Known| k.d + k.length;
        let worst = self.known.iter_mut().max_by(|a, b| bound(a).total_cmp(&bound(b)));
        if let Some(worst) = worst.filter(|worst| bound(worst) > bound(&known)) {
            *worst = known;
        }
    }

    /// Returns the distance at the point; infinite without neighbors.
    pub(super) fn solve(&self) -> f64 {
        let known = &self.known[..self.n];
        let mut best = known.iter().fold(f64::INFINITY, |best, a| best.min(a.d + a.length));
        let mut edges = [(0, 0); TIES];
        let mut n_edges = 0;
        for (k, a) in known.iter().enumerate() {
            for (l, b) in known[..k].iter().enumerate() {
                if a.d.max(b.d) >= best || !narrow_enough(a, b) {
                    continue;
                }
                let tie = EQUAL * a.length;
                let Some(d) = edge(a, b).filter(|&d| d < best + tie) else { continue };
                if d < best - tie {
                    n_edges = 0;
                }
                best = best.min(d);
                if n_edges < TIES {
                    edges[n_edges] = (k, l);
                    n_edges += 1;
                }
            }
        }
        for (a, b) in edges[..n_edges].iter().map(|&(k, l)| (&known[k], &known[l])) {
            for c in known {
                if c.d < best && narrow_enough(a, c) && narrow_enough(b, c) {
                    best = triangle(a, b, c).unwrap_or(best).min(best);
                }
            }
        }
        best
    }
}

fn narrow_enough(a: &Known, b: &Known) -> bool {
    a.r.dot(b.r) >= WIDEST * a.length * b.length
}

/// Returns the minimum inside the edge `a`–`b`, if it exists and is not below the distances of `a` and `b`.
fn edge(a: &Known, b: &Known) -> Option<f64> {
    let e = b.r - a.r;
    let length = e.length();
    let slope = (b.d - a.d) / length;
    if slope.is_nan() || slope.abs() >= 1.0 {
        return None;
    }
    let along = a.r.dot(e) / length;
    let height = (a.length * a.length - along * along).max(0.0).sqrt();
    let cos = (1.0 - slope * slope).sqrt();
    let to = -height * slope / cos - along;
    let d = a.d - slope * along + height * cos;
    (to > 0.0 && to < length && d >= a.d.max(b.d)).then_some(d)
}

/// Returns the minimum inside the triangle, if it exists and is not below the distances of its corners.
fn triangle(a: &Known, b: &Known, c: &Known) -> Option<f64> {
    let (e, f) = (b.r - a.r, c.r - a.r);
    let (ee, ef, ff) = (e.length_squared(), e.dot(f), f.length_squared());
    let det = ee * ff - ef * ef;
    if det.is_nan() || det <= FLAT * FLAT * ee * ff {
        return None;
    }
    // Finds p and q for which p e + q f has the given dot products with e and f.
    let in_plane =
        |with_e: f64, with_f: f64| ((ff * with_e - ef * with_f) / det, (ee * with_f - ef * with_e) / det);
    let (p, q) = in_plane(b.d - a.d, c.d - a.d);
    let slope = e * p + f * q;
    let cos2 = 1.0 - slope.length_squared();
    if cos2 <= 0.0 {
        return None;
    }
    let cos = cos2.sqrt();
    let (u, v) = in_plane(-a.r.dot(e), -a.r.dot(f)); // the foot of the point on the plane
    let foot = a.r + e * u + f * v;
    let shift = foot.length() / cos;
    let (u_min, v_min) = (u - shift * p, v - shift * q);
    let d = a.d + slope.dot(foot - a.r) + foot.length() * cos;
    let inside = u_min >= 0.0 && v_min >= 0.0 && u_min + v_min <= 1.0;
    (inside && d >= a.d.max(b.d).max(c.d)).then_some(d)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::test_graphs::random;

    fn solve(known: &[(DVec3, f64)]) -> f64 {
        let mut stencil = Stencil::new();
        known.iter().for_each(|&(r, d)| stencil.push(r, d));
        stencil.solve()
    }

    /// Evaluates the minimum in the module's documentation by brute force.
    fn search(known: &[(DVec3, f64)]) -> f64 {
        let [a, b, c] = [known[0], known[1], known[2]];
        let n = 400;
        let mut best = f64::INFINITY;
        for i in 0..=n {
            for j in 0..=n - i {
                let (u, v) = (f64::from(i) / f64::from(n), f64::from(j) / f64::from(n));
                let w = 1.0 - u - v;
                best = best.min(u * a.1 + v * b.1 + w * c.1 + (a.0 * u + b.0 * v + c.0 * w).length());
            }
        }
        best
    }

    #[test]
    fn plane_waves_are_exact_from_any_side_of_the_cone() {
        let known = [DVec3::new(-1.0, 0.1, 0.0), DVec3::new(0.2, -1.5, 0.5), DVec3::new(0.0, 0.0, -0.7)];
        for k in 0..50 {
            let share = |axis: u64| random(axis, k);
            let n = -(known[0] * share(0) + known[1] * share(1) + known[2] * share(2)).normalize();
            if known.iter().all(|r| n.dot(*r) < 0.0) {
                let d = solve(&known.map(|r| (r, 3.0 + n.dot(r))));
                assert!((d - 3.0).abs() < 1e-13, "{d}");
            }
        }
    }

    #[test]
    fn the_minimum_over_the_simplex_is_found() {
        let r = [DVec3::new(-1.0, 0.0, 0.0), DVec3::new(0.0, -1.5, 0.5), DVec3::new(0.3, 0.0, -0.7)];
        for k in 0..20 {
            let known = [0, 1, 2].map(|a| (r[a], 1.0 + 0.5 * random(a as u64 + 3, k)));
            let (d, expected) = (solve(&known), search(&known));
            assert!((d - expected).abs() < 1e-4, "{d} {expected}");
        }
    }

    #[test]
    fn opposite_neighbors_do_not_meet_in_the_middle() {
        assert_eq!(solve(&[(DVec3::X, 1.0), (-DVec3::X, 1.0)]), 2.0);
        assert_eq!(solve(&[]), f64::INFINITY);
    }

    #[test]
    fn of_too_many_neighbors_the_best_are_kept() {
        let mut known: Vec<(DVec3, f64)> = (0..100).map(|k| (DVec3::Y, 9.0 + f64::from(k))).collect();
        known.push((DVec3::X, 1.0));
        assert_eq!(solve(&known), 2.0);
    }

    #[test]
    fn where_pairs_tie_the_order_of_neighbors_does_not_matter() {
        // Four small neighbors in front, two pairs of which are equally good, and one at the side.
        let front = [(0.5, 0.5), (0.5, -0.5), (-0.5, 0.5), (-0.5, -0.5)];
        let mut known: Vec<(DVec3, f64)> = front.map(|(y, z)| (DVec3::new(-1.5, y, z), 1.0)).to_vec();
        known.push((DVec3::new(-0.5, 1.5, 0.5), 0.0));
        for beside in [1.6, 1.8, 1.9, 1.95, 1.98, 1.99, 2.2] {
            known.iter_mut().filter(|(r, _)| r.x == -0.5).for_each(|(_, d)| *d = beside);
            let d = solve(&known);
            for _ in 0..5 {
                known.rotate_left(1);
                assert!((solve(&known) - d).abs() < 1e-14, "{beside}");
            }
        }
    }
}
