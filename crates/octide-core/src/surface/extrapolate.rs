//! Extrapolates values outward from the points where they are known: ∇u · ∇φ = 0.
//!
//! A point without a value waits until one of its neighbors has a value, and then until the front reaches its
//! distance. It then takes the weighted mean of the neighbors that have values,
//!
//! u_i = Σ w_ij u_j / Σ w_ij,  w_ij = (max(0, φ_i − φ_j) + ε d_ij) a_ij / d_ij²,
//!
//! where φ is the distance that orders the points, d_ij is the distance between the two points, and a_ij is
//! the area of their common face (the square of the smaller size), so that four small neighbors count as much
//! as a large one. On a uniform grid this is the upwind scheme; ε only matters if no neighbor is nearer to
//! the surface.
//!
//! Guarantees: constants are extrapolated exactly; a value lies between those that it is computed from; the
//! result does not depend on threads, and depends on the numbering of the points only by rounding.

use super::fronts::{Buckets, each_piece};
use super::graph::{Graph, smallest_size};
use crate::par;
use std::ops::{Add, Mul, Sub};

/// ε in the weights.
const SIDEWAYS: f64 = 0.01;

/// The width of a front in units of the smallest size.
const FRONT: f64 = 0.25;

/// A value that can be extrapolated: anything that can be averaged.
pub trait Value:
    Copy + Default + Send + Sync + Add<Output = Self> + Sub<Output = Self> + Mul<f64, Output = Self>
{
}

impl<T> Value for T where
    T: Copy + Default + Send + Sync + Add<Output = T> + Sub<Output = T> + Mul<f64, Output = T>
{
}

/// Statistics of an extrapolation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extrapolated {
    /// Number of points that took a value from neighbors.
    pub reached: usize,
    /// Number of points that no chain of neighbors connects to a valid one; their values are set to zero.
    pub unreached: usize,
    /// Number of rounds of the front.
    pub rounds: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Unset,
    Waiting,
    Set,
}

struct Piece<T> {
    values: Vec<T>,
    met: Vec<u32>,
}

impl<T> Default for Piece<T> {
    fn default() -> Self {
        Self { values: Vec::new(), met: Vec::new() }
    }
}

/// Extrapolates `values` from the `valid` points to all others in order of increasing `order`, usually |φ|.
pub fn extrapolate<T: Value>(
    graph: &impl Graph,
    valid: &[bool],
    order: &[f64],
    values: &mut [T],
) -> Extrapolated {
    let n = graph.len();
    debug_assert!(valid.len() == n && order.len() == n && values.len() == n);
    let mut state: Vec<State> = valid.iter().map(|&v| if v { State::Set } else { State::Unset }).collect();
    let mut buckets = buckets(graph, valid, order);
    let first = par::collect(n, |i, out| {
        let mut near = false;
        if !valid[i] {
            graph.for_neighbors(i, |j| near |= valid[j]);
        }
        if near {
            out.push(i as u32);
        }
    });
    for i in first {
        state[i as usize] = State::Waiting;
        buckets.push(i, order[i as usize]);
    }

    let mut report = Extrapolated::default();
    let (mut front, mut pieces) = (Vec::new(), Vec::new());
    while buckets.pop(&mut front) {
        report.rounds += 1;
        report.reached += front.len();
        let pieces = each_piece(&front, &mut pieces, |points, piece: &mut Piece<T>| {
            piece.values.clear();
            piece.met.clear();
            for &i in points {
                piece.values.push(mean(graph, order, &state, values, i as usize, &mut piece.met));
            }
        });
        let means = pieces.iter().flat_map(|piece| &piece.values);
        for (&i, &value) in front.iter().zip(means) {
            values[i as usize] = value;
            state[i as usize] = State::Set;
        }
        for &i in pieces.iter().flat_map(|piece| &piece.met) {
            if state[i as usize] == State::Unset {
                state[i as usize] = State::Waiting;
                buckets.push(i, order[i as usize]);
            }
        }
    }
    for (value, state) in values.iter_mut().zip(&state) {
        if *state == State::Unset {
            *value = T::default();
            report.unreached += 1;
        }
    }
    report
}

fn buckets(graph: &impl Graph, valid: &[bool], order: &[f64]) -> Buckets {
    let none = || (f64::INFINITY, f64::NEG_INFINITY);
    let merge = |a: (f64, f64), b: (f64, f64)| (a.0.min(b.0), a.1.max(b.1));
    let fold = |range, i: usize| {
        let counts = !valid[i] && order[i].is_finite();
        if counts { merge(range, (order[i], order[i])) } else { range }
    };
    let (first, last) = par::reduce(order.len(), none, fold, merge);
    if first > last {
        Buckets::new(0.0, 0.0, 1.0)
    } else {
        Buckets::new(first, last, FRONT * smallest_size(graph))
    }
}

/// Returns the weighted mean of the set neighbors of point `i`, and adds the unset ones to `met`. The
/// differences to one of the neighbors are averaged, so that constants are reproduced without rounding.
fn mean<T: Value>(
    graph: &impl Graph,
    order: &[f64],
    state: &[State],
    values: &[T],
    i: usize,
    met: &mut Vec<u32>,
) -> T {
    let (x, size) = (graph.position(i), graph.size(i));
    let mut origin = None;
    let (mut sum, mut weights) = (T::default(), 0.0);
    graph.for_neighbors(i, |j| match state[j] {
        State::Unset => met.push(j as u32),
        State::Waiting => {}
        State::Set => {
            let d2 = graph.position(j).distance_squared(x).max(f64::MIN_POSITIVE);
            let face = size.min(graph.size(j));
            let drop = (order[i] - order[j]).max(0.0); // not a number counts as 0
            let w = (drop + SIDEWAYS * d2.sqrt()) * face * face / d2;
            let origin = *origin.get_or_insert(values[j]);
            sum = sum + (values[j] - origin) * w;
            weights += w;
        }
    });
    // A point only waits after a neighbor is set, so there is an origin.
    let origin = origin.unwrap_or_default();
    if weights > 0.0 { origin + sum * (1.0 / weights) } else { origin }
}

#[cfg(test)]
mod tests;
