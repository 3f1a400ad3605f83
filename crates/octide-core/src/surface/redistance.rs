//! Redistancing: makes φ a signed distance again, |∇φ| = 1, without moving its zero contour. Liquid is φ < 0;
//! zero is air.
//!
//! First the distances next to the surface are computed (interface points, then rings of extrapolated
//! planes), then those of the other points in order of distance. Each of these points waits in a bucket until
//! the front reaches the distance of a neighbor plus the length of the edge to it; it then solves |∇d| = 1
//! from the neighbors known so far. If a value decreases by more than a tolerance, the farther neighbors are
//! solved again.
//!
//! Guarantees: planes stay exact, to rounding, in the rings, and a distance field does not change under
//! repetition; signs never change; values are finite; the result does not depend on threads, and depends on
//! the numbering of points only by rounding. Far from the surface, no more than first order is guaranteed.

use super::eikonal::Stencil;
use super::fronts::{Buckets, each_piece};
use super::graph::{Graph, smallest_size};
use super::near::{Near, liquid};
use crate::par;
use glam::DVec3;

/// The width of a front in units of the smallest size.
const FRONT: f64 = 0.25;

/// Maximum number of times that a point's distance may decrease.
const MOST_SOLVES: u8 = 50;

/// Minimum distance of non-interface points from the surface, in units of their size, so that they keep their
/// sign.
const NEAREST: f64 = 1e-3;

/// Treatment of φ at points with a neighbor across the surface. Both variants limit |φ| to √3 sizes, or to
/// the distance to that neighbor if this is larger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interface {
    /// Keeps φ, so the contour does not move at all.
    #[default]
    Keep,
    /// Divides φ by the local |∇φ|. The contour moves a little where |∇φ| varies.
    Normalize,
}

/// Parameters of redistancing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// Treatment of φ at the surface.
    pub interface: Interface,
    /// Number of rings of neighbors around the interface points into which their planes are extrapolated.
    pub rings: usize,
    /// Changes below this many local sizes are not propagated.
    pub tolerance: f64,
}

impl Default for Params {
    fn default() -> Self {
        Self { interface: Interface::default(), rings: 4, tolerance: 1e-12 }
    }
}

/// Statistics of redistancing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Redistanced {
    /// Number of points with a neighbor across the surface.
    pub interface: usize,
    /// Number of points that no chain of neighbors connects to the surface; |φ| is the graph's extent there.
    pub unreached: usize,
    /// Number of rounds of the front.
    pub rounds: usize,
    /// Number of local solves, a few for each point.
    pub solves: usize,
    /// Number of points that reached the limit of decreases and may not have converged.
    pub unsettled: usize,
}

/// Returns the signed distance to the zero contour of `phi` at every point.
pub fn redistance(graph: &impl Graph, phi: &[f64], params: &Params) -> (Vec<f64>, Redistanced) {
    debug_assert_eq!(phi.len(), graph.len());
    let mut near = Near::interface(graph, phi, params.interface);
    near.grow(graph, params.rings);
    let mut report = Redistanced { interface: near.interface.len(), ..Redistanced::default() };
    let extent = extent(graph);
    // The gradients are no longer needed and are freed, since memory use is highest while marching.
    let (mut d, interface) = near.into_distances();
    march(graph, &mut d, extent, params.tolerance, &mut report);

    let mut on_interface = vec![false; d.len()];
    interface.iter().for_each(|&i| on_interface[i as usize] = true);
    report.unreached = d.iter().filter(|&&d| d == f64::INFINITY).count();
    par::update(&mut d, |i, d| {
        let least = if on_interface[i] { 0.0 } else { NEAREST * graph.size(i) };
        let distance = if *d == f64::INFINITY { extent } else { d.max(least) };
        *d = if liquid(phi[i]) { -distance } else { distance };
    });
    (d, report)
}

/// Results of a piece of a round.
#[derive(Default)]
struct Piece {
    /// Points whose distances decreased, and their new distances.
    falls: Vec<(u32, f64)>,
    /// Neighbors whose distances may decrease next, with their bucket keys.
    calls: Vec<(u32, f64)>,
}

/// Solves |∇d| = 1 for all points with infinite `d`.
fn march(graph: &impl Graph, d: &mut [f64], extent: f64, tolerance: f64, report: &mut Redistanced) {
    let fixed: Vec<bool> = d.iter().map(|&d| d < f64::INFINITY).collect();
    let mut buckets = Buckets::new(0.0, extent, FRONT * smallest_size(graph));
    // The key that each point waits for; infinite if it does not wait.
    let mut waits = vec![f64::INFINITY; d.len()];
    let mut solves = vec![0u8; d.len()];
    let first: Vec<(u32, f64)> = par::collect(d.len(), |i, out| {
        if !fixed[i] {
            let mut key = f64::INFINITY;
            let x = graph.position(i);
            graph.for_neighbors(i, |j| {
                if fixed[j] {
                    key = key.min(d[j] + graph.position(j).distance(x));
                }
            });
            if key < f64::INFINITY {
                out.push((i as u32, key));
            }
        }
    });
    for (i, key) in first {
        waits[i as usize] = key;
        buckets.push(i, key);
    }

    let (mut front, mut pieces) = (Vec::new(), Vec::new());
    while buckets.pop(&mut front) {
        // A point that was queued again in an earlier bucket is still listed in the later one.
        front.retain(|&i| std::mem::replace(&mut waits[i as usize], f64::INFINITY) < f64::INFINITY);
        report.rounds += 1;
        report.solves += front.len();
        let pieces = each_piece(&front, &mut pieces, |points, piece: &mut Piece| {
            piece.falls.clear();
            piece.calls.clear();
            let mut stencil = Stencil::new();
            for &i in points {
                solve(graph, d, &fixed, i as usize, tolerance, &mut stencil, piece);
            }
        });
        for &(i, value) in pieces.iter().flat_map(|piece| &piece.falls) {
            d[i as usize] = value;
            solves[i as usize] += 1;
        }
        for &(i, key) in pieces.iter().flat_map(|piece| &piece.calls) {
            if solves[i as usize] < MOST_SOLVES && key < waits[i as usize] {
                waits[i as usize] = key;
                buckets.push(i, key);
            }
        }
    }
    report.unsettled = solves.iter().filter(|&&n| n == MOST_SOLVES).count();
}

/// Solves at point `i` and queues the neighbors that its new distance may affect.
fn solve(
    graph: &impl Graph,
    d: &[f64],
    fixed: &[bool],
    i: usize,
    tolerance: f64,
    stencil: &mut Stencil,
    piece: &mut Piece,
) {
    let x = graph.position(i);
    stencil.clear();
    graph.for_neighbors(i, |j| {
        if d[j] < d[i] {
            stencil.push(graph.position(j) - x, d[j]);
        }
    });
    let value = stencil.solve();
    if d[i] - value > tolerance * graph.size(i) {
        piece.falls.push((i as u32, value));
        graph.for_neighbors(i, |j| {
            if !fixed[j] && d[j] > value {
                piece.calls.push((j as u32, value + graph.position(j).distance(x)));
            }
        });
    }
}

/// Returns the diagonal of the points' bounding box.
fn extent(graph: &impl Graph) -> f64 {
    let none = || (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let grow = |(low, high): (DVec3, DVec3), i| (low.min(graph.position(i)), high.max(graph.position(i)));
    let merge = |a: (DVec3, DVec3), b: (DVec3, DVec3)| (a.0.min(b.0), a.1.max(b.1));
    let (low, high) = par::reduce(graph.len(), none, grow, merge);
    if low.x <= high.x { (high - low).length() } else { 0.0 }
}

#[cfg(test)]
mod tests;
