//! Shut-in air: connected pieces of air that touch a solid and have no way to the open, such as the air in a glass
//! that is pushed into water upside down.
//!
//! Air has no equation of motion. The air above the water has the pressure zero, whatever volume it takes. With
//! this pressure a pocket would collapse. A pocket b instead has a pressure p_b of its own, constant in it, which
//! is such that its volume does not change:
//!
//! ```text
//! Σ_k A_k (u·n)_k = 0   over the faces around the pocket, those of solids that move included.
//! ```
//!
//! Velocity is linear in the pressures on the surface, so that this is a small dense system for p_b
//! ([`Pockets::keep_volumes`]). Air reaches the open through open sides of the domain and through sides that gravity
//! points away from; without gravity through all sides.
//!
//! All other shut-in air has the pressure zero and collapses: bubbles that touch no solid, small pockets and all but the
//! largest. [`Pockets::collapsing`] reports it.

mod air;

use super::sealed::Pieces;
use super::{Apertures, FaceGeometry, FaceTable};
use crate::contract::{CollapseReason, CollapsingAir};
use crate::index::{CellId, FaceId, Field};
use crate::par;
use crate::solids::Solids;
use air::{Piece, ShutInAir, is_clear};
use glam::DVec3;

/// The largest number of pockets: each costs a pressure solve.
const MOST: usize = 4;

/// The largest number of pieces of shut-in air, pockets included, whose volume is watched.
const MOST_WATCHED: usize = 64;

/// Air that loses this fraction of its volume in a step collapses.
const COLLAPSES: f64 = 0.01;

/// The least flow that a pressure must cause to act on a pocket, as a fraction of what it would cause across one cell.
/// Through a tube the flow is as many times smaller as the tube is longer than a cell.
const LEAST_RESPONSE: f64 = 1e-3;

/// How many times faster than any water the water around pockets may become.
const FASTER: f64 = 2.0;

/// Marks cells outside all pieces.
const NONE: u8 = u8::MAX;

/// The pockets of shut-in air.
#[derive(Clone, Debug, Default)]
pub struct Pockets {
    /// The piece of shut-in air of each cell, or [`NONE`]; empty without such air.
    of_cell: Vec<u8>,
    /// The faces around pieces.
    around: Vec<Around>,
    /// The pieces: first the pockets, then those without a pressure of their own.
    pieces: Vec<Piece>,
    n_pockets: usize,
}

/// A face around a piece.
#[derive(Clone, Copy, Debug)]
struct Around {
    face: FaceId,
    /// A cell of the piece beside it.
    cell: CellId,
    /// Whether this cell is on the high side.
    is_high: bool,
}

impl Pockets {
    /// Finds the pockets of the cells that are air.
    pub fn find(
        mesh: &impl FaceGeometry,
        apertures: &Apertures,
        solids: &Solids,
        is_air: impl Fn(CellId) -> bool + Sync + Send,
        gravity: DVec3,
    ) -> Self {
        let n = mesh.tree().n_cells();
        let is_air = par::map_index(n, |c| is_air(CellId(c as u32)));
        let air = ShutInAir::find(mesh, apertures, solids, &is_air, gravity);
        let mut order: Vec<usize> = (0..air.pieces.len()).collect();
        order.sort_by(|&a, &b| air.pieces[b].volume.total_cmp(&air.pieces[a].volume).then(a.cmp(&b)));
        if order.is_empty() {
            return Self::default();
        }
        // In a closed vessel only differences of pressures matter: the largest piece keeps the pressure zero, and its
        // volume.
        let is_outside = |c: CellId| apertures.solid_distance(c) >= 0.0;
        let is_filled = |c: CellId| !is_air[c.0 as usize] || !is_outside(c) || air.piece(c).is_some();
        let joined = |a, b| is_clear(mesh.tree(), apertures, solids, a, b);
        let filled = Pieces::find_joined(mesh, apertures, is_filled, joined);
        let mut closed = Vec::new();
        order.retain(|&b| {
            let first = air.pieces[b].first;
            let vessel = filled.root(first);
            let is_largest = filled.is_sealed(first) && !closed.contains(&vessel);
            if is_largest {
                closed.push(vessel);
            }
            !is_largest
        });
        let (mut chosen, others): (Vec<usize>, Vec<usize>) =
            order.into_iter().partition(|&b| air.pieces[b].has_solid);
        let more = chosen.split_off(chosen.len().min(MOST));
        let n_pockets = chosen.len();
        chosen.extend(more.into_iter().chain(others).take(MOST_WATCHED - n_pockets));
        if chosen.is_empty() {
            return Self::default();
        }
        let index = |b: usize| chosen.iter().position(|&other| other == b).map(|b| b as u8);
        let of_cell = par::map_index(n, |c| air.piece(CellId(c as u32)).and_then(index).unwrap_or(NONE));
        let pieces = chosen.iter().map(|&b| air.pieces[b]).collect();
        Self { around: around(mesh, &of_cell), of_cell, pieces, n_pockets }
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.n_pockets == 0
    }

    /// Returns their number.
    pub fn len(&self) -> usize {
        self.n_pockets
    }

    /// Returns the pocket that a cell is part of.
    #[inline]
    pub fn of_cell(&self, cell: CellId) -> Option<usize> {
        let piece = self.of_cell.get(cell.0 as usize).map_or(usize::MAX, |&b| usize::from(b));
        (piece < self.n_pockets).then_some(piece)
    }

    /// Returns the faces around pockets, each with the pocket of one of its cells.
    pub fn faces(&self) -> impl Iterator<Item = (FaceId, usize)> {
        let mut last = FaceId::NONE;
        let pocket = |a: &Around| (a.face, usize::from(self.of_cell[a.cell.0 as usize]));
        let pockets = self.around.iter().map(pocket).filter(|&(_, b)| b < self.n_pockets);
        pockets.filter(move |&(k, _)| std::mem::replace(&mut last, k) != k)
    }

    /// Returns the flow into each pocket in m³/s. `flow` is the flow along the axis through the part of a face that
    /// belongs to a cell.
    pub fn inflow(&self, flow: impl Fn(FaceId, CellId) -> f64) -> Vec<f64> {
        let mut flows = self.inflow_of_pieces(flow);
        flows.truncate(self.n_pockets);
        flows
    }

    /// Returns the largest piece of shut-in air that loses its volume in a step of length `dt`. `flow` is as for
    /// [`inflow`](Self::inflow), with the velocity at the end of the step.
    pub fn collapsing(&self, dt: f64, flow: impl Fn(FaceId, CellId) -> f64) -> Option<CollapsingAir> {
        let flows = self.inflow_of_pieces(flow);
        let collapses = |&b: &usize| dt * flows[b] > COLLAPSES * self.pieces[b].volume;
        let all = (0..self.pieces.len()).filter(collapses);
        let b = all.max_by(|&a, &b| self.pieces[a].volume.total_cmp(&self.pieces[b].volume))?;
        let piece = self.pieces[b];
        let reason = if b < self.n_pockets {
            CollapseReason::TooFast
        } else if piece.has_solid {
            CollapseReason::TooMany { most: MOST }
        } else {
            CollapseReason::NoSolid
        };
        Some(CollapsingAir { center: piece.center(), volume: piece.volume, reason })
    }

    fn inflow_of_pieces(&self, flow: impl Fn(FaceId, CellId) -> f64) -> Vec<f64> {
        let mut sums = vec![0.0; self.pieces.len()];
        for a in &self.around {
            let along = flow(a.face, a.cell);
            sums[usize::from(self.of_cell[a.cell.0 as usize])] += if a.is_high { along } else { -along };
        }
        sums
    }
}

/// Pockets and their pressures, times dt/ρ.
#[derive(Clone, Copy, Debug)]
pub struct ShutIn<'a> {
    /// The pockets.
    pub pockets: &'a Pockets,
    /// The pressure of each.
    pub pressures: &'a [f64],
}

impl ShutIn<'_> {
    /// Returns the pressure in a cell: zero outside all pockets.
    #[inline]
    pub fn at(self, cell: CellId) -> f64 {
        self.pockets.of_cell(cell).map_or(0.0, |b| self.pressures[b])
    }
}

/// A combination of solves in which nothing flows into pockets.
#[derive(Clone, Debug)]
pub struct Kept<P> {
    /// The solve with the first estimate of the pressures.
    pub base: P,
    /// For each pocket a solve with its pressure raised, and its weight.
    pub trials: Vec<(P, f64)>,
}

impl<P> Kept<P> {
    /// Returns a value of the combination, from the same value of each solve.
    #[inline]
    pub fn value(&self, of: impl Fn(&P) -> f64) -> f64 {
        let base = of(&self.base);
        self.trials.iter().map(|(trial, weight)| weight * (of(trial) - base)).sum::<f64>() + base
    }
}

impl Pockets {
    /// Solves for the pressures so that nothing flows into pockets. `pressure` is an estimate in all cells, times dt/ρ, and
    /// `least` what is a small difference of pressures. `solve` gets pressures and the solve before, `inflow` returns the
    /// flow into each pocket, and `velocity` the velocity on all faces. If pockets could keep their volumes only by water
    /// around them that is much faster than any, they keep the estimated pressure instead.
    pub fn keep_volumes<P, E>(
        &self,
        mesh: &impl FaceGeometry,
        pressure: &Field<CellId, f64>,
        least: f64,
        mut solve: impl FnMut(ShutIn, Option<&P>) -> Result<P, E>,
        inflow: impl Fn(&P) -> Vec<f64>,
        velocity: impl Fn(&P) -> &Field<FaceId, f64>,
    ) -> Result<Kept<P>, E> {
        let mut pressures = self.surroundings(mesh, pressure);
        let base = solve(ShutIn { pockets: self, pressures: &pressures }, None)?;
        let (mut trials, mut floors) = (Vec::new(), Vec::new());
        for b in 0..self.len() {
            let (was, raise) = (pressures[b], 0.1 * pressures[b].abs() + least);
            pressures[b] += raise;
            // Across one cell, the pressure moves water by this flow.
            floors.push(LEAST_RESPONSE * raise * self.pieces[b].surface / mesh.tree().grid().dx());
            trials.push(solve(ShutIn { pockets: self, pressures: &pressures }, Some(&base))?);
            pressures[b] = was;
        }
        let weights = balance(&inflow(&base), &trials.iter().map(&inflow).collect::<Vec<_>>(), &floors);
        let mut kept = Kept { base, trials: trials.into_iter().zip(weights).collect() };
        let u = velocity(&kept.base);
        let fastest = par::max(u.len(), |i| u[FaceId(i as u32)].abs());
        let around = self.faces().map(|(k, _)| kept.value(|p| velocity(p)[k]).abs());
        if around.fold(0.0, f64::max) > FASTER * fastest {
            kept.trials.iter_mut().for_each(|(_, weight)| *weight = 0.0);
        }
        Ok(kept)
    }

    /// Returns the mean of the pressure in the water around each pocket.
    fn surroundings(&self, mesh: &impl FaceGeometry, pressure: &Field<CellId, f64>) -> Vec<f64> {
        let mut sums = vec![(0.0, 0.0); self.len()];
        for (k, b) in self.faces() {
            mesh.faces().for_cells_beside(mesh.tree(), k, |c, _| {
                if pressure[c] != 0.0 && self.of_cell(c).is_none() {
                    sums[b] = (sums[b].0 + pressure[c], sums[b].1 + 1.0);
                }
            });
        }
        sums.into_iter().map(|(sum, n)| if n > 0.0 { sum / n } else { 0.0 }).collect()
    }
}

/// Returns the faces between cells of a piece and all that is not part of it.
fn around(mesh: &impl FaceGeometry, of_cell: &[u8]) -> Vec<Around> {
    let mut all = Vec::new();
    for face in (0..mesh.n_faces() as u32).map(FaceId) {
        let (first, mut is_inner) = (all.len(), mesh.side_of(face).is_none());
        let mut pocket = None;
        mesh.faces().for_cells_beside(mesh.tree(), face, |cell, is_high| {
            let b = of_cell[cell.0 as usize];
            is_inner &= *pocket.get_or_insert(b) == b;
            if b != NONE {
                all.push(Around { face, cell, is_high });
            }
        });
        if is_inner {
            all.truncate(first);
        }
    }
    all
}

/// Returns the weights μ of trial pressures for which nothing flows into pockets: with the flow `before`, and with
/// the flow `trials[b]` if the pressure of pocket b is raised by its trial pressure,
///
/// ```text
/// before_a + Σ_b μ_b (trials[b]_a − before_a) = 0.
/// ```
///
/// Pockets whose pressure changes their flow by less than `floors` keep it: water that cannot leave does not respond, and
/// the rest is the solver's error.
fn balance(before: &[f64], trials: &[Vec<f64>], floors: &[f64]) -> Vec<f64> {
    let n = before.len();
    let mut rows: Vec<Vec<f64>> =
        (0..n).map(|a| trials.iter().map(|t| t[a] - before[a]).chain([-before[a]]).collect()).collect();
    let mut pivots = Vec::new();
    for column in 0..n {
        let free = (0..n).filter(|row| !pivots.iter().any(|&(used, _)| used == *row));
        let Some(pivot) = free.max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))
        else {
            continue;
        };
        if rows[pivot][column].abs() <= floors[pivot] {
            continue;
        }
        let own = rows[pivot].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|&(i, _)| i != pivot) {
            let factor = row[column] / own[column];
            row.iter_mut().zip(&own).for_each(|(x, y)| *x -= factor * y);
        }
        pivots.push((pivot, column));
    }
    let mut weights = vec![0.0; n];
    for (row, column) in pivots {
        weights[column] = rows[row][n] / rows[row][column];
    }
    weights
}

#[cfg(test)]
mod tests;
