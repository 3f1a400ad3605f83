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

use super::open_fraction;
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

/// Within this many cells of a solid, φ may be small because of water on the other side of a wall.
const SIGHT_CELLS: f64 = 2.5;

/// The distance to the surface, in cells, where none is near.
const DEEP: f64 = 1e3;

/// Neighbors are farther in or out if their φ differs by more than this many cells: less is rounding.
const LEAST_STEP: f64 = 1e-3;

/// Excess below this fraction of a cell is rounding.
const ROUNDING: f64 = 1e-13;

/// What cells hold and what φ shows of it.
pub(super) struct Cells<'a> {
    mesh: &'a Mesh,
    apertures: &'a Apertures,
    /// Cells whose φ is given.
    is_set: &'a Field<CellId, bool>,
    /// The distance to the surface in edges of each cell; infinite where the surface cannot be moved.
    rank: Field<CellId, f64>,
    /// Those that may take or give.
    active: Vec<CellId>,
}

impl<'a> Cells<'a> {
    /// Finds the cells near the surface. φ is not moved in cells that are `set`.
    pub fn new(
        mesh: &'a Mesh,
        apertures: &'a Apertures,
        phi: &Field<CellId, f64>,
        is_set: &'a Field<CellId, bool>,
    ) -> Self {
        let mut cells = Self { mesh, apertures, is_set, rank: Field::default(), active: Vec::new() };
        cells.rank = par::map(mesh.n_cells(), |c: CellId| cells.find_rank(phi, c));
        let is_active = |c: &CellId| cells.rank[*c] <= REACH_CELLS || cells.rank[*c].is_infinite();
        cells.active = mesh.tree.cells().filter(is_active).collect();
        cells
    }

    /// Returns the fraction of a cell that solids leave.
    fn open(&self, cell: CellId) -> f64 {
        open_fraction(self.apertures.solid_distance(cell), self.mesh.tree.size(cell))
    }

    fn find_rank(&self, phi: &Field<CellId, f64>, cell: CellId) -> f64 {
        if self.open(cell) < LEAST_OPEN || self.is_set[cell] {
            return f64::INFINITY;
        }
        let h = self.mesh.tree.size(cell);
        let rank = phi[cell].abs() / h;
        let is_beside_solid = self.apertures.solid_distance(cell) < SIGHT_CELLS * h;
        if rank <= REACH_CELLS && is_beside_solid && !self.sees_surface(phi, cell) {
            return DEEP;
        }
        rank
    }

    /// Returns whether the surface is near on this side of walls: in the middle of a thin wall φ has the sign of the other
    /// side.
    fn sees_surface(&self, phi: &Field<CellId, f64>, cell: CellId) -> bool {
        let open = OpenFaces { mesh: self.mesh, apertures: self.apertures };
        let is_other = |j: CellId| self.open(j) >= LEAST_OPEN && (phi[j] < 0.0) != (phi[cell] < 0.0);
        let mut found = false;
        open.for_each_open(cell, |j| {
            found |= is_other(j);
            if !found {
                open.for_each_open(j, |k| found |= is_other(k));
            }
        });
        found
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
        let open = OpenFaces { mesh: self.mesh, apertures: self.apertures };
        let rank = &self.rank;
        let takes = |giver: CellId, up: bool, taker: CellId| {
            let step = (phi[taker] - phi[giver]) * if up { 1.0 } else { -1.0 };
            let is_on_the_way = step > LEAST_STEP * self.mesh.tree.size(giver);
            rank[taker] <= REACH_CELLS && (rank[giver].is_infinite() || is_on_the_way)
        };
        let mut moved = 0.0;
        for _ in 0..ROUNDS {
            let gifts = par::collect(self.active.len(), |i, out: &mut Vec<(CellId, CellId, f64)>| {
                let c = self.active[i];
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
        let is_near = |c: CellId| rank[c] <= NEAR_CELLS;
        let near: Vec<CellId> = self.active.iter().copied().filter(|&c| is_near(c)).collect();
        for _ in 0..EVENING_ROUNDS {
            let next = par::collect(near.len(), |i, out: &mut Vec<f64>| {
                let c = near[i];
                let mut sum = excess[c];
                open.for_each_open(c, |j| {
                    if is_near(j) && self.mesh.tree.level(j) == self.mesh.tree.level(c) {
                        sum += EVENING * (excess[j] - excess[c]);
                    }
                });
                out.push(sum);
            });
            near.iter().zip(next).for_each(|(&c, next)| excess[c] = next);
        }
        moved
    }

    /// Moves the surface so that φ shows more of the excess, but not in solids. Returns φ as it was. Cells that do not move
    /// are NaN on the way.
    pub fn shift(&self, phi: &mut Field<CellId, f64>, excess: &Field<CellId, f64>) -> Field<CellId, f64> {
        let n = self.mesh.n_cells();
        let tree = &self.mesh.tree;
        let mut by = par::map(n, |c: CellId| {
            let h = tree.size(c);
            if self.rank[c] > NEAR_CELLS || excess[c].abs() < ROUNDING * h.powi(3) {
                return f64::NAN;
            }
            let far = FARTHEST_CELLS * h;
            (SHARE * excess[c] / (h * h * self.open(c))).clamp(-far, far)
        });
        // Cells around move along, so that the surface keeps its slope, but not what is behind a wall.
        let open = OpenFaces { mesh: self.mesh, apertures: self.apertures };
        for _ in 0..2 {
            let next = par::collect(n, |i, out: &mut Vec<(CellId, f64)>| {
                let c = CellId(i as u32);
                let is_inside = self.apertures.solid_distance(c) < 0.0;
                if !by[c].is_nan() || phi[c].abs() > REACH_CELLS * tree.size(c) || is_inside {
                    return;
                }
                let (mut sum, mut count) = (0.0, 0.0);
                open.for_each_open(c, |j: CellId| {
                    if !by[j].is_nan() {
                        (sum, count) = (sum + by[j], count + 1.0);
                    }
                });
                if count > 0.0 {
                    out.push((c, sum / count));
                }
            });
            next.into_iter().for_each(|(c, mean)| by[c] = mean);
        }
        let before = phi.clone();
        par::update(phi, |i, phi| {
            let c = CellId(i as u32);
            if !by[c].is_nan() && !self.is_set[c] {
                *phi -= by[c];
            }
        });
        before
    }

    /// Returns the divergence, in 1/s, that removes the excess of cells deep in the water over `time`, or over the time in
    /// which gravity moves water by a cell if that is longer. With `time` alone, short steps would cause fast water, and that
    /// again short steps.
    pub fn divergence(
        &self,
        phi: &Field<CellId, f64>,
        excess: &Field<CellId, f64>,
        time: f64,
        gravity: f64,
    ) -> Field<CellId, f64> {
        par::map(self.mesh.n_cells(), |c: CellId| {
            let h = self.mesh.tree.size(c);
            let is_deep = phi[c] < 0.0 && self.rank[c] > NEAR_CELLS && self.rank[c].is_finite();
            let time = if gravity > 0.0 { time.max((h / gravity).sqrt()) } else { time };
            if is_deep { excess[c] / (h.powi(3) * time) } else { 0.0 }
        })
    }
}
