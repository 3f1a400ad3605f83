//! φ made a signed distance again, |∇φ| = 1, without moving its zero contour. Liquid is φ < 0; zero is air.
//!
//! First the points next to the surface are settled (interface points, then rings of continued planes), then
//! the rest of the domain in order of distance. There, a point waits in a bucket until the front is where a
//! neighbor's distance plus the way from it says; it then solves |∇d| = 1 from the neighbors known so far.
//! A value that falls by more than a tolerance lets the farther neighbors solve once more.
//!
//! Promises: planes stay exact, to rounding, in the rings, and a distance field stays what it is under
//! repetition; signs never change; values are finite; the result does not depend on threads, and on the
//! numbering of points only by rounding. Not promised: more than first order far from the surface.

use super::eikonal::Stencil;
use super::fronts::{Buckets, each_piece};
use super::graph::{Graph, smallest_size};
use super::near::{Near, liquid};
use crate::par;
use glam::DVec3;

/// The width of a front in units of the smallest size.
const FRONT: f64 = 0.25;

/// A point's distance falls at most this often.
const MOST_SOLVES: u8 = 50;

/// Non-interface points are at least this far from the surface, in units of their size: they must keep
/// their sign.
const NEAREST: f64 = 1e-3;

/// What happens to φ at points with a neighbor across the surface. Both limit |φ| to √3 sizes, or to the
/// distance to that neighbor where this is more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interface {
    /// It stays as it is, so the contour does not move at all.
    #[default]
    Keep,
    /// It is divided by the local |∇φ|. The contour moves a little where |∇φ| varies.
    Normalize,
}

/// How to redistance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// What happens at the surface.
    pub interface: Interface,
    /// Rings of neighbors around the interface points into which their planes are continued.
    pub rings: usize,
    /// Changes below this many local sizes are not passed on.
    pub tolerance: f64,
}

impl Default for Params {
    fn default() -> Self {
        Self { interface: Interface::default(), rings: 4, tolerance: 1e-12 }
    }
}

/// What redistancing found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Redistanced {
    /// Points with a neighbor across the surface.
    pub interface: usize,
    /// Points that no chain of neighbors ties to the surface; |φ| is the graph's extent there.
    pub unreached: usize,
    /// Rounds of the front.
    pub rounds: usize,
    /// Local solves, a few for each point.
    pub solves: usize,
    /// Points that still changed when they were stopped.
    pub unsettled: usize,
}

/// The signed distance to the zero contour of `phi` at every point.
pub fn redistance(graph: &impl Graph, phi: &[f64], params: &Params) -> (Vec<f64>, Redistanced) {
    debug_assert_eq!(phi.len(), graph.len());
    let mut near = Near::interface(graph, phi, params.interface);
    near.grow(graph, params.rings);
    let mut report = Redistanced { interface: near.interface.len(), ..Redistanced::default() };
    let extent = extent(graph);
    // The gradients have done their part: marching holds most.
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

/// What a piece of a round found.
#[derive(Default)]
struct Piece {
    /// Points whose distances fell, and to what.
    falls: Vec<(u32, f64)>,
    /// Neighbors that may fall in turn, and when to look at them.
    calls: Vec<(u32, f64)>,
}

/// Solves |∇d| = 1 for all points with infinite `d`.
fn march(graph: &impl Graph, d: &mut [f64], extent: f64, tolerance: f64, report: &mut Redistanced) {
    let fixed: Vec<bool> = d.iter().map(|&d| d < f64::INFINITY).collect();
    let mut buckets = Buckets::new(0.0, extent, FRONT * smallest_size(graph));
    // the key that each point waits for; infinite while it does not wait
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
        // a point called again for an earlier bucket is still listed in the later one
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

/// Solves at point `i` and calls the neighbors for which that matters.
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

/// The diagonal of the points' bounding box.
fn extent(graph: &impl Graph) -> f64 {
    let none = || (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let grow = |(low, high): (DVec3, DVec3), i| (low.min(graph.position(i)), high.max(graph.position(i)));
    let merge = |a: (DVec3, DVec3), b: (DVec3, DVec3)| (a.0.min(b.0), a.1.max(b.1));
    let (low, high) = par::reduce(graph.len(), none, grow, merge);
    if low.x <= high.x { (high - low).length() } else { 0.0 }
}

#[cfg(test)]
mod tests;
