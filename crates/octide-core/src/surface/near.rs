//! Distances next to the surface: at the points with neighbors across it, and in a few rings around them.
//!
//! Interface points keep φ or divide it by |∇φ| ([`Interface`]). The rings around them extrapolate the planes
//! of the interface points, d_i = Σ w_j (d_j + g_j·(x_i − x_j)) / Σ w_j, where g is the unit gradient of d
//! and is extrapolated too. A flat surface of any tilt on any tree therefore has exact distances there, even
//! at walls and T-junctions, where |∇d| = 1 has too few upwind neighbors.

use super::fronts::each_piece;
use super::gradient::gradient;
use super::graph::Graph;
use super::redistance::Interface;
use crate::par;
use glam::DVec3;

/// If |∇φ| differs from 1 by less than this, φ is not scaled: on curved surfaces and across T-junctions |∇φ|
/// is not known more accurately, and repeated division would move the surface. From three times this
/// difference on, φ is scaled to |∇φ| = 1.
const SLACK: f64 = 0.1;

/// If the mean of unit gradients is shorter than this, it mixes different surfaces: the point lies on a
/// ridge, and is left to |∇d| = 1.
const AGREEMENT: f64 = 0.8;

/// A point without a neighbor across the surface is farther than this from it, in units of its size. Planes
/// that give a smaller distance were extrapolated around a curved part of the surface and are not valid
/// there.
const CLOSEST: f64 = 0.4;

/// Distances and their unit gradients around the surface.
pub(super) struct Near {
    /// The distance; infinite if it is not yet known.
    d: Vec<f64>,
    /// The unit gradient of `d`; zero if there is none.
    g: Vec<DVec3>,
    /// Points with an edge along which φ changes its sign.
    pub(super) interface: Vec<u32>,
}

/// Returns whether φ is in the liquid. Zero is air.
#[inline]
pub(super) fn liquid(phi: f64) -> bool {
    phi < 0.0
}

impl Near {
    /// Computes the distances of the interface points.
    pub(super) fn interface(graph: &impl Graph, phi: &[f64], interface: Interface) -> Self {
        let n = graph.len();
        // Each entry is (point, gradient, limit of the distance).
        let points: Vec<(u32, DVec3, f64)> = par::collect(n, |i, out| {
            let mut across = f64::INFINITY;
            graph.for_neighbors(i, |j| {
                if liquid(phi[j]) != liquid(phi[i]) {
                    across = across.min(graph.position(j).distance(graph.position(i)));
                }
            });
            if across < f64::INFINITY {
                // A plane between two points is nearer to both than they are to each other.
                let limit = across.max(3f64.sqrt() * graph.size(i));
                out.push((i as u32, gradient(graph, phi, i), limit));
            }
        });
        let mut d = vec![f64::INFINITY; n];
        let mut g = vec![DVec3::ZERO; n];
        for &(i, gradient, _) in &points {
            g[i as usize] = gradient;
        }
        let values = par::map_index(points.len(), |k| {
            let (i, _, limit) = points[k];
            let scale = match interface {
                Interface::Keep => 1.0,
                Interface::Normalize => 1.0 / slope(graph, phi, &g, i as usize),
            };
            (phi[i as usize].abs() * scale).min(limit) // min() also replaces what is not a number
        });
        for (&(i, gradient, _), value) in points.iter().zip(values) {
            d[i as usize] = value;
            let outwards = if liquid(phi[i as usize]) { -gradient } else { gradient };
            g[i as usize] = outwards.normalize_or_zero();
        }
        Self { d, g, interface: points.into_iter().map(|(i, ..)| i).collect() }
    }

    /// Returns distances and interface points, and frees the gradients.
    pub(super) fn into_distances(self) -> (Vec<f64>, Vec<u32>) {
        (self.d, self.interface)
    }

    /// Extends the distances by `rings` rings of neighbors.
    pub(super) fn grow(&mut self, graph: &impl Graph, rings: usize) {
        let mut front = self.interface.clone();
        let mut met: Vec<Vec<u32>> = Vec::new();
        let mut found: Vec<Vec<Option<(f64, DVec3)>>> = Vec::new();
        for _ in 0..rings {
            let mut next: Vec<u32> = Vec::new();
            for piece in each_piece(&front, &mut met, |points, out| {
                out.clear();
                for &i in points {
                    graph.for_neighbors(i as usize, |j| {
                        if self.d[j] == f64::INFINITY {
                            out.push(j as u32);
                        }
                    });
                }
            }) {
                next.append(piece);
            }
            next.sort_unstable();
            next.dedup();
            let found = each_piece(&next, &mut found, |points, out| {
                out.clear();
                out.extend(points.iter().map(|&i| self.continued(graph, i as usize)));
            });
            for (&i, plane) in next.iter().zip(found.iter().flatten()) {
                if let &Some((d, g)) = plane {
                    self.d[i as usize] = d;
                    self.g[i as usize] = g;
                }
            }
            front = next;
        }
    }

    /// Returns the weighted mean of the neighbors' planes at point `i`, if their directions agree. Neighbors
    /// straight toward the surface count most; those at the side and farther away are included for points at
    /// walls, which have no others.
    fn continued(&self, graph: &impl Graph, i: usize) -> Option<(f64, DVec3)> {
        let x = graph.position(i);
        let mut bound = f64::INFINITY;
        let (mut sum, mut turn, mut weights) = (0.0, DVec3::ZERO, 0.0);
        graph.for_neighbors(i, |j| {
            let (d, g) = (self.d[j], self.g[j]);
            if d < f64::INFINITY && g != DVec3::ZERO {
                let r = x - graph.position(j);
                let length = r.length();
                let rise = g.dot(r);
                let w = (0.5 + 0.5 * rise / length).powi(4) / (length * length);
                bound = bound.min(d + length);
                sum += w * (d + rise);
                turn += g * w;
                weights += w;
            }
        });
        let agree = turn.length() > AGREEMENT * weights;
        let d = (sum / weights).min(bound);
        (agree && d > CLOSEST * graph.size(i)).then(|| (d, turn.normalize_or_zero()))
    }
}

/// Returns |∇φ| at an interface point: the mean of its own value and those across the surface, since a common
/// factor on both ends of an edge does not move the crossing.
fn slope(graph: &impl Graph, phi: &[f64], gradients: &[DVec3], i: usize) -> f64 {
    let (mut sum, mut n) = (gradients[i].length(), 1.0);
    graph.for_neighbors(i, |j| {
        if liquid(phi[j]) != liquid(phi[i]) {
            sum += gradients[j].length();
            n += 1.0;
        }
    });
    let mean = sum / n;
    let off = mean - 1.0;
    let left = off.clamp(-SLACK, SLACK) * (1.0 - (off.abs() - SLACK) / (2.0 * SLACK)).clamp(0.0, 1.0);
    mean / (1.0 + left)
}
