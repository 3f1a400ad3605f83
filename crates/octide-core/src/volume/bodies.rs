//! Volume correction for each connected body of liquid.
//!
//! A body is a set of cells with φ < 0 that are connected through open faces. Its target volume is what was
//! there before, wherever the liquid comes from: the path of each cell of the new tree tells which old body r
//! its liquid was part of. Let V_c be the volume in cell c, and T_r and y_r the target volume of body r and
//! the integral of its error over time. Then a body b of the new tree has
//!
//! ```text
//! T_b = Σ_{c in b} V_c q_r(c),   q_r = T_r / Σ_{c from r} V_c,
//! y_b = Σ_{c in b} V_c y_r(c) / Σ_{c in b} V_c.
//! ```
//!
//! So bodies that merge or split share the error in proportion to volume, and the sum of all T does not
//! change. Volume that enters and leaves is counted in the body where it does. The target of bodies that have
//! disappeared, and of liquid without a previous body, is distributed over all bodies in proportion to
//! volume.

use super::VolumeControl;
use crate::index::{CellId, Field};
use crate::par;

/// Marks a cell without a body.
const NONE: u32 = u32::MAX;

/// Errors of small bodies are not known well, so they are limited to this factor.
const FACTOR: f64 = 2.0;

/// The bodies of liquid and their target volumes.
#[derive(Clone, Debug, PartialEq)]
pub struct LiquidBodies {
    /// The body that each cell is part of, or `u32::MAX`.
    pub body: Field<CellId, u32>,
    /// State of the volume correction of each body.
    pub bodies: Vec<VolumeControl>,
}

/// Connectivity of cells.
pub trait OpenNeighbors: Sync {
    /// Calls `f` with the cells across a cell's open faces.
    fn for_each_open(&self, cell: CellId, f: impl FnMut(CellId));
}

/// The liquid in the cells of a mesh.
#[derive(Clone, Copy, Debug)]
pub struct LiquidCells<'a, N> {
    /// Signed distance to the surface, negative in liquid.
    pub phi: &'a Field<CellId, f64>,
    /// The liquid's volume in m³.
    pub volume: &'a Field<CellId, f64>,
    /// Connectivity of the cells.
    pub neighbors: N,
}

/// Changes of the liquid in a step of `dt`.
#[derive(Clone, Copy, Debug)]
pub struct Transport<'a, O> {
    /// Returns the cell of the old mesh that contained the liquid of a new cell.
    pub origin: O,
    /// Volume that inflows and outflows added to each cell by setting the surface, in m³; `None` without
    /// them.
    pub added: Option<&'a Field<CellId, f64>>,
    /// Volume rates into cells of the old mesh through faces, in m³/s.
    pub crossing: &'a [(CellId, f64)],
    /// Length of the step in s.
    pub dt: f64,
    /// Seconds in which 90 % of an error is recovered.
    pub recovery: f64,
}

impl LiquidBodies {
    /// Finds the bodies at the start: the target of each is its volume.
    pub fn new(cells: &LiquidCells<'_, impl OpenNeighbors>) -> Self {
        let (body, n) = find(cells);
        let volumes = sums(&body, n, |c| cells.volume[c]);
        // The volume of specks that are part of no body is distributed over all bodies.
        let whole = par::sum(cells.volume.len(), |i| cells.volume[CellId(i as u32)]);
        let share = whole / volumes.iter().sum::<f64>();
        Self { body, bodies: volumes.iter().map(|&v| VolumeControl::new(share * v)).collect() }
    }

    /// Returns the target volume of all bodies together.
    pub fn target(&self) -> f64 {
        self.bodies.iter().map(|b| b.target).sum()
    }

    /// Returns the bodies after a step that started with those of `was`, the divergence that each cell should
    /// have, and the relative volume that this restores.
    pub fn after<O: Fn(CellId) -> CellId + Sync + Send>(
        was: Option<&Self>,
        cells: &LiquidCells<'_, impl OpenNeighbors>,
        transport: &Transport<'_, O>,
    ) -> (Self, Field<CellId, f64>, f64) {
        let Transport { origin, crossing, dt, recovery, .. } = transport;
        let volume = cells.volume;
        let added = |c: CellId| transport.added.map_or(0.0, |added| added[c]);
        let (body, n) = find(cells);
        let volumes = sums(&body, n, |c| volume[c]);
        let bodies = match was {
            Some(was) => {
                let is_wet = |c| volume[c] - added(c) > 0.0;
                let from = origins(was, volume.len(), &cells.neighbors, origin, is_wet);
                inherit(was, crossing, *dt, &body, &from, &volumes, |c| volume[c] - added(c), added)
            }
            None => Self::new(cells).bodies,
        };
        let mut given = 0.0;
        let (wanted, bodies): (Vec<f64>, Vec<VolumeControl>) = bodies
            .into_iter()
            .zip(&volumes)
            .map(|(b, &v)| {
                let least = b.target.max(0.0) / FACTOR;
                let near = v.clamp(least, FACTOR * FACTOR * least);
                let (divergence, b) = b.correct(near, *dt, *recovery);
                given += divergence * v * dt;
                (divergence, b)
            })
            .unzip();
        let whole: f64 = volumes.iter().sum();
        let divergence =
            par::map(volume.len(), |c: CellId| if body[c] == NONE { 0.0 } else { wanted[body[c] as usize] });
        (Self { body, bodies }, divergence, if whole > 0.0 { given / whole } else { 0.0 })
    }
}

/// Returns the sums over the cells of each body, in the order of cells.
fn sums(body: &Field<CellId, u32>, n: usize, of_cell: impl Fn(CellId) -> f64) -> Vec<f64> {
    let mut out = vec![0.0; n];
    for c in body.ids().filter(|&c| body[c] != NONE) {
        out[body[c] as usize] += of_cell(c);
    }
    out
}

/// Returns the body of each cell, and the number of bodies. A cell of air that contains some water belongs to
/// the body of its neighbor with the smallest φ.
fn find(cells: &LiquidCells<'_, impl OpenNeighbors>) -> (Field<CellId, u32>, usize) {
    let LiquidCells { phi, volume, neighbors } = cells;
    let mut body = Field::filled(phi.len(), NONE);
    let mut n = 0;
    let mut open = Vec::new();
    for first in phi.ids() {
        // Liquid that is entirely inside a solid does not count as a body.
        if body[first] != NONE || phi[first] >= 0.0 || volume[first] <= 0.0 {
            continue;
        }
        body[first] = n;
        open.push(first);
        while let Some(c) = open.pop() {
            neighbors.for_each_open(c, |other| {
                if body[other] == NONE && phi[other] < 0.0 {
                    body[other] = n;
                    open.push(other);
                }
            });
        }
        n += 1;
    }
    let wet = par::map(phi.len(), |c: CellId| {
        if body[c] != NONE || volume[c] <= 0.0 {
            return body[c];
        }
        let mut best = (0.0, NONE);
        neighbors.for_each_open(c, |other| {
            if body[other] != NONE && phi[other] < best.0 {
                best = (phi[other], body[other]);
            }
        });
        best.1
    });
    (wet, n as usize)
}

/// Returns the old body that each wet cell's water was part of.
fn origins(
    was: &LiquidBodies,
    n: usize,
    neighbors: &impl OpenNeighbors,
    origin: impl Fn(CellId) -> CellId + Sync + Send,
    is_wet: impl Fn(CellId) -> bool + Sync + Send,
) -> Field<CellId, u32> {
    if was.bodies.len() == 1 {
        return par::map(n, |c| if is_wet(c) { 0 } else { NONE });
    }
    let mut from = par::map(n, |c: CellId| {
        if !is_wet(c) {
            return NONE;
        }
        was.body[origin(c)]
    });
    // Wet cells without an old body take that of their neighbors, ring by ring.
    let mut ring: Vec<CellId> = from.ids().filter(|&c| from[c] != NONE).collect();
    while !ring.is_empty() {
        let mut next = Vec::new();
        for &c in &ring {
            neighbors.for_each_open(c, |other| {
                if from[other] == NONE && is_wet(other) {
                    from[other] = from[c];
                    next.push(other);
                }
            });
        }
        ring = next;
    }
    from
}

/// Computes the state of each new body from the old ones. `carried` is the volume that advection brought to a
/// cell, `added` the change by inflows and outflows.
fn inherit(
    was: &LiquidBodies,
    crossing: &[(CellId, f64)],
    dt: f64,
    body: &Field<CellId, u32>,
    from: &Field<CellId, u32>,
    volumes: &[f64],
    carried: impl Fn(CellId) -> f64,
    added: impl Fn(CellId) -> f64,
) -> Vec<VolumeControl> {
    let mut wanted: Vec<f64> = was.bodies.iter().map(|b| b.target).collect();
    // Volume that belongs to no body.
    let mut rest = 0.0;
    for &(c, rate) in crossing {
        match was.body[c] {
            NONE => rest += dt * rate,
            r => wanted[r as usize] += dt * rate,
        }
    }
    // Specks that are no longer part of a body are not counted: the body they come from keeps its target.
    let mut there = vec![0.0; wanted.len()];
    let mut weight = vec![0.0; volumes.len()];
    for c in body.ids().filter(|&c| body[c] != NONE && from[c] != NONE) {
        there[from[c] as usize] += carried(c);
        weight[body[c] as usize] += carried(c);
    }
    rest += wanted.iter().zip(&there).filter(|&(_, &v)| v <= 0.0).map(|(t, _)| t).sum::<f64>();
    let mut target = vec![0.0; volumes.len()];
    let mut integral = vec![0.0; volumes.len()];
    for c in body.ids() {
        if body[c] == NONE {
            rest += added(c);
            continue;
        }
        let (b, r, v) = (body[c] as usize, from[c] as usize, carried(c));
        target[b] += added(c);
        if from[c] != NONE {
            target[b] += if there[r] > 0.0 { v * wanted[r] / there[r] } else { 0.0 };
            integral[b] += v * was.bodies[r].integral;
        } else if weight[b] <= 0.0 {
            // No part of the body has an origin: its target is its volume, at the expense of all bodies.
            target[b] += v;
            rest -= v;
        }
    }
    let whole: f64 = volumes.iter().sum();
    (0..volumes.len())
        .map(|b| {
            let target = target[b] + if whole > 0.0 { rest * volumes[b] / whole } else { 0.0 };
            let integral = if weight[b] > 0.0 { integral[b] / weight[b] } else { 0.0 };
            VolumeControl { integral, ..VolumeControl::new(target) }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row of cells, each a neighbor of the next.
    struct Row(u32);

    impl OpenNeighbors for Row {
        fn for_each_open(&self, cell: CellId, mut f: impl FnMut(CellId)) {
            if cell.0 > 0 {
                f(CellId(cell.0 - 1));
            }
            if cell.0 + 1 < self.0 {
                f(CellId(cell.0 + 1));
            }
        }
    }

    /// Returns the bodies of cells with these volumes, after a step in which nothing moved.
    fn after(was: Option<&LiquidBodies>, volume: &[f64]) -> (LiquidBodies, Field<CellId, f64>) {
        let phi = Field::from_vec(volume.iter().map(|&v| 0.4 - v).collect());
        let volume = Field::from_vec(volume.to_vec());
        let cells = LiquidCells { phi: &phi, volume: &volume, neighbors: Row(volume.len() as u32) };
        let origin = |c| c;
        let transport = Transport { origin, added: None, crossing: &[], dt: 0.01, recovery: 1.0 };
        let (bodies, divergence, _) = LiquidBodies::after(was, &cells, &transport);
        (bodies, divergence)
    }

    fn targets(bodies: &LiquidBodies) -> Vec<f64> {
        bodies.bodies.iter().map(|b| b.target).collect()
    }

    #[test]
    fn bodies_are_what_is_connected_and_cells_with_a_little_belong_to_their_wettest_neighbor() {
        let (bodies, _) = after(None, &[1.0, 0.1, 0.0, 0.0, 1.0, 1.0]);
        let body: Vec<u32> = bodies.body.iter().copied().collect();
        assert_eq!(body, [0, 0, NONE, NONE, 1, 1]);
        assert!(targets(&bodies).iter().zip([1.1, 2.0]).all(|(a, b)| (a - b).abs() < 1e-12));
    }

    #[test]
    fn each_body_gets_back_its_own_loss() {
        let (was, _) = after(None, &[1.0, 1.0, 0.0, 1.0]);
        let (now, divergence) = after(Some(&was), &[1.0, 0.9, 0.0, 1.0]);
        assert!((targets(&now)[0] - 2.0).abs() < 1e-12 && (targets(&now)[1] - 1.0).abs() < 1e-12);
        assert!(divergence[CellId(0)] > 0.0 && divergence[CellId(0)] == divergence[CellId(1)]);
        assert_eq!((divergence[CellId(2)], divergence[CellId(3)]), (0.0, 0.0));
    }

    #[test]
    fn bodies_that_merge_and_split_share_what_is_wanted_by_volume() {
        let (was, _) = after(None, &[1.0, 0.0, 1.0, 0.0, 1.0]);
        // The first two merge.
        let (merged, _) = after(Some(&was), &[1.0, 0.9, 1.0, 0.0, 1.0]);
        assert_eq!(merged.bodies.len(), 2);
        assert!((merged.target() - 3.0).abs() < 1e-12, "{}", merged.target());
        let (split, _) = after(Some(&merged), &[1.0, 0.0, 0.5, 0.0, 1.0]);
        assert!((split.target() - 3.0).abs() < 1e-12);
        assert!((targets(&split)[0] / targets(&split)[1] - 2.0).abs() < 1e-12);
    }
}
