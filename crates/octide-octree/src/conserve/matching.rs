//! φ is matched to the content of cells, and content that no φ can show is moved to where one can.
//!
//! The excess of a cell is its content less the volume of φ in it, e = M − V(φ). It is handed from cell to cell
//! towards the surface, so that the cells near it have all of it, and evened out along the surface. There
//!
//! ```text
//! φ ← φ − ω e / a,   a the open area of the cell's side,
//! ```
//!
//! which moves the surface so far that V(φ) comes closer to M; what is left is corrected in later steps. Deep in
//! the water no surface is near: there e becomes a divergence, and the water flows off in the next step.

use crate::apertures::Apertures;
use crate::mesh::Mesh;
use crate::regions::OpenFaces;
use octide_core::index::{CellId, Field};
use octide_core::par;
use octide_core::volume::OpenNeighbors;

/// The surface is moved in cells whose centers are closer to it than this, in their edges.
const NEAR_CELLS: f64 = 1.0;

/// Excess is handed to the surface from this many cells around it.
const REACH_CELLS: f64 = 3.0;

/// Number of times that excess is handed from cell to cell in a step.
const ROUNDS: usize = 3;

/// Fraction of the excess that a step corrects.
const SHARE: f64 = 0.5;

/// The farthest that the surface is moved in a step, in cells.
const FARTHEST_CELLS: f64 = 0.2;

/// Fraction of the difference between neighbors that is evened out along the surface, a face.
const EVENING: f64 = 0.1;

/// Number of times that differences are evened out in a step.
const EVENING_ROUNDS: usize = 2;

/// Cells that solids leave less of than this take no excess.
const LEAST_OPEN: f64 = 0.1;

/// Within this many cells of a solid, where φ is extended into it and the volume of φ is not exact, ...
const SOLID_CELLS: f64 = 2.0;
/// ... excess of less than this fraction of a cell moves nothing in water at rest ...
const HELD: f64 = 0.1;
/// ... and less in water that moves, up to this fraction of a cell in the step.
const CALM: f64 = 0.1;

/// Excess below this fraction of a cell is rounding.
const ROUNDING: f64 = 1e-13;

/// What cells hold and what φ shows of it.
pub(super) struct Cells<'a> {
    pub mesh: &'a Mesh,
    pub apertures: &'a Apertures,
    /// Cells in which flows set φ.
    pub is_set: &'a (dyn Fn(CellId) -> bool + Sync),
}

impl Cells<'_> {
    /// Returns the fraction of a cell that solids leave.
    fn open(&self, cell: CellId) -> f64 {
        (0.5 + self.apertures.solid_distance(cell) / self.mesh.tree.size(cell)).clamp(0.0, 1.0)
    }

    /// Returns the distance to the surface in edges of the cell; infinite where the surface cannot be moved.
    fn rank(&self, phi: &Field<CellId, f64>, cell: CellId) -> f64 {
        if self.open(cell) < LEAST_OPEN || (self.is_set)(cell) {
            return f64::INFINITY;
        }
        phi[cell].abs() / self.mesh.tree.size(cell)
    }

    /// Takes out of the excess what may be an error of measuring the volume of φ beside solids, where the water moves
    /// by no more than a small part of a cell in the step. Returns it.
    pub fn hold_back(
        &self,
        excess: &mut Field<CellId, f64>,
        displacement: impl Fn(CellId) -> f64 + Sync + Send,
    ) -> Field<CellId, f64> {
        let held = par::map(self.mesh.n_cells(), |c: CellId| {
            let h = self.mesh.tree.size(c);
            if self.apertures.solid_distance(c) > SOLID_CELLS * h || excess[c] == 0.0 {
                return 0.0;
            }
            let calm = (1.0 - displacement(c) / (CALM * h)).max(0.0);
            let most = calm * HELD * h.powi(3);
            excess[c].clamp(-most, most)
        });
        par::update(excess, |i, excess| *excess -= held[CellId(i as u32)]);
        held
    }

    /// Returns the part of a cell's excess that it hands on, and whether to neighbors with larger φ.
    fn surplus(&self, phi: f64, in_phi: f64, excess: f64, rank: f64, cell: CellId) -> (f64, bool) {
        let h = self.mesh.tree.size(cell);
        if excess.abs() < ROUNDING * h.powi(3) || (rank > REACH_CELLS && rank.is_finite()) {
            return (0.0, false);
        }
        if rank > NEAR_CELLS {
            return (excess, phi < 0.0);
        }
        // A full cell shows no more, and an empty one no less.
        let room = h.powi(3) * self.open(cell) - in_phi;
        let rest = excess - excess.clamp(-in_phi, room.max(0.0));
        (rest, rest > 0.0)
    }

    /// Hands the excess to cells near the surface that can show it; `in_phi` is what they show. Returns the volume that
    /// was moved, in m³.
    pub fn gather(
        &self,
        phi: &Field<CellId, f64>,
        in_phi: &Field<CellId, f64>,
        excess: &mut Field<CellId, f64>,
    ) -> f64 {
        let (n, open) = (self.mesh.n_cells(), OpenFaces { mesh: self.mesh, apertures: self.apertures });
        let rank = par::map(n, |c: CellId| self.rank(phi, c));
        let takes = |giver: CellId, up: bool, taker: CellId| {
            rank[taker] <= REACH_CELLS && (rank[giver].is_infinite() || (phi[taker] > phi[giver]) == up)
        };
        let mut moved = 0.0;
        for _ in 0..ROUNDS {
            let gifts = par::collect(n, |i, out: &mut Vec<(CellId, CellId, f64)>| {
                let c = CellId(i as u32);
                let (surplus, up) = self.surplus(phi[c], in_phi[c], excess[c], rank[c], c);
                if surplus == 0.0 {
                    return;
                }
                let first = out.len();
                open.for_each_open(c, |j| {
                    if takes(c, up, j) {
                        out.push((c, j, surplus));
                    }
                });
                let takers = (out.len() - first) as f64;
                out[first..].iter_mut().for_each(|gift| gift.2 /= takers);
            });
            for (from, to, gift) in gifts {
                excess[from] -= gift;
                excess[to] += gift;
                moved += gift.abs();
            }
        }
        for _ in 0..EVENING_ROUNDS {
            let is_near = |c: CellId| rank[c] <= NEAR_CELLS;
            let next = par::map(n, |c: CellId| {
                if !is_near(c) {
                    return excess[c];
                }
                let mut sum = excess[c];
                open.for_each_open(c, |j| {
                    if is_near(j) && self.mesh.tree.level(j) == self.mesh.tree.level(c) {
                        sum += EVENING * (excess[j] - excess[c]);
                    }
                });
                sum
            });
            *excess = next;
        }
        moved
    }

    /// Moves the surface so that φ shows more of the excess. Returns where φ has changed.
    pub fn shift(&self, phi: &mut Field<CellId, f64>, excess: &Field<CellId, f64>) -> Field<CellId, bool> {
        let n = self.mesh.n_cells();
        let tree = &self.mesh.tree;
        let mut by = par::map(n, |c: CellId| {
            let h = tree.size(c);
            if self.rank(phi, c) > NEAR_CELLS || excess[c].abs() < ROUNDING * h.powi(3) {
                return None;
            }
            let far = FARTHEST_CELLS * h;
            Some((SHARE * excess[c] / (h * h * self.open(c))).clamp(-far, far))
        });
        // Cells around move along, so that the surface keeps its slope; those inside a solid with the water beside it,
        // but not what is behind a wall.
        let open = OpenFaces { mesh: self.mesh, apertures: self.apertures };
        let is_inside = |c: CellId| self.apertures.solid_distance(c) < 0.0;
        for _ in 0..2 {
            by = par::map(n, |c: CellId| {
                if by[c].is_some() || phi[c].abs() > REACH_CELLS * tree.size(c) {
                    return by[c];
                }
                let (mut sum, mut count) = (0.0, 0.0);
                let mut add = |j: CellId| {
                    if let Some(by) = by[j] {
                        (sum, count) = (sum + by, count + 1.0);
                    }
                };
                if is_inside(c) {
                    let around = self.mesh.contacts.face_neighbors(c).iter().map(|&j| CellId(j));
                    around.filter(|&j| !is_inside(j)).for_each(add);
                } else {
                    open.for_each_open(c, &mut add);
                }
                (count > 0.0).then(|| sum / count)
            });
        }
        par::update(phi, |i, phi| {
            let c = CellId(i as u32);
            if let Some(by) = by[c]
                && !(self.is_set)(c)
            {
                *phi -= by;
            }
        });
        par::map(n, |c: CellId| by[c].is_some())
    }

    /// Returns the divergence, in 1/s, that removes the excess of cells deep in the water over `time`.
    pub fn divergence(
        &self,
        phi: &Field<CellId, f64>,
        excess: &Field<CellId, f64>,
        time: f64,
    ) -> Field<CellId, f64> {
        par::map(self.mesh.n_cells(), |c: CellId| {
            let h = self.mesh.tree.size(c);
            if phi[c] > -NEAR_CELLS * h { 0.0 } else { excess[c] / (h.powi(3) * time) }
        })
    }
}
