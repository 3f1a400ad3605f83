//! φ is matched to the content of cells, and content that does not fit into its cell goes to where it does.
//!
//! The excess of a cell is its content less the volume of φ in it, e = M − V(φ). Near the surface φ falls by the δ with
//!
//! ```text
//! V(φ − δ) = M,   where V is measured with the same slopes of φ, of both sides of a sheet and beside solids,
//! δ = d(f) − d(f + e/h³)   elsewhere, d(f) the value at the center of the plane of φ that leaves the fraction f behind it,
//! ```
//!
//! so that φ shows M; what is left because φ around moves too is corrected in later steps. All of e is
//! corrected at once: a surface that follows M with a delay τ makes waves grow at the rate ω²τ/2. M itself is
//! not moved by this. It moves only where it is less than nothing, or more than the cell holds and the cell is in the
//! air: then neighbors give it or take it. In the water, what is too much or too little becomes a divergence, and flows
//! off or in with the next step.

use super::open_fraction;
use crate::apertures::Apertures;
use crate::mesh::Mesh;
use crate::regions::OpenFaces;
use crate::solids::Solids;
use crate::volume::{ShownWater, cell_gradient, fraction_behind_plane};
use octide_core::index::{CellId, Field};
use octide_core::par;
use octide_core::volume::{OpenNeighbors, plane_of_fraction};

/// The surface is moved in cells whose centers are closer to it than this, in their edges.
const NEAR_CELLS: f64 = 1.0;

/// Cells within this many of the surface move with it. Beside solids they must see it.
const REACH_CELLS: f64 = 3.0;

/// Number of times that content is handed from cell to cell in a step.
const ROUNDS: usize = 3;

/// A neighbor that is full, or empty, takes this part of what an empty, or full, one does.
const LEAST_PART: f64 = 1e-3;

/// A moving solid within this many cells gives a cell room or takes it.
const MOVED_CELLS: f64 = 1.0;

/// The farthest that the surface is moved in a step, in cells.
const FARTHEST_CELLS: f64 = 0.5;

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

/// A plane is moved by at most this times the volume that it is to show, over the area of a side of the cell.
const STEEPEST: f64 = 1.0;

/// φ has no plane in a cell where it is flatter than this.
const LEAST_SLOPE: f64 = 0.5;

/// Excess of less than this fraction of a cell does not move the surface: in water at rest, flow and φ have such errors.
const STILL: f64 = 1e-4;

/// So much of a cell may be too much or too little water without that it flows off or in: it moves with the water.
const TOLERATED: f64 = 0.05;

/// Excess below this fraction of a cell is rounding.
const ROUNDING: f64 = 1e-13;

/// Cells count as water if φ is less than minus this many cells.
const NEARLY: f64 = 1e-6;

/// Returns what of a volume in a cell of edge `h` is more than this fraction of the cell.
fn beyond(fraction: f64, volume: f64, h: f64) -> f64 {
    let least = fraction * h.powi(3);
    volume - volume.clamp(-least, least)
}

/// What cells hold and what φ shows of it.
pub(super) struct Cells<'a> {
    mesh: &'a Mesh,
    apertures: &'a Apertures,
    /// Cells whose φ is given.
    is_set: &'a Field<CellId, bool>,
    /// The distance to the surface in edges of each cell; infinite where the surface cannot be moved.
    rank: Field<CellId, f64>,
    /// The volume that solids leave of each cell.
    room: Field<CellId, f64>,
    solids: &'a Solids,
}

impl<'a> Cells<'a> {
    /// Finds the cells near the surface. φ is not moved in cells that are `set`.
    pub fn new(
        mesh: &'a Mesh,
        apertures: &'a Apertures,
        phi: &Field<CellId, f64>,
        is_set: &'a Field<CellId, bool>,
        room: Field<CellId, f64>,
        solids: &'a Solids,
    ) -> Self {
        let mut cells = Self { mesh, apertures, is_set, rank: Field::default(), room, solids };
        cells.rank = par::map(mesh.n_cells(), |c: CellId| cells.find_rank(phi, c));
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

    /// Returns what a cell has more than it can hold or, negative, less than nothing. A cell below the surface keeps it: it
    /// flows off with the next step.
    fn surplus(&self, phi: &Field<CellId, f64>, content: f64, cell: CellId) -> f64 {
        let least = ROUNDING * self.mesh.tree.size(cell).powi(3);
        let surplus = content - content.clamp(0.0, self.room[cell]);
        let stays = self.is_water(phi, cell) && self.open(cell) >= LEAST_OPEN && !self.is_moved(cell);
        if surplus.abs() < least || (surplus > 0.0 && stays) { 0.0 } else { surplus }
    }

    /// Returns whether a cell has a pressure. Rounding of φ does not decide.
    fn is_water(&self, phi: &Field<CellId, f64>, cell: CellId) -> bool {
        phi[cell] < -NEARLY * self.mesh.tree.size(cell)
    }

    /// Returns whether a moving solid is beside a cell: it takes room in one cell and leaves it in the next.
    fn is_moved(&self, cell: CellId) -> bool {
        let h = self.mesh.tree.size(cell);
        self.apertures.solid_distance(cell) < MOVED_CELLS * h
            && self.solids.may_move_within(self.mesh.tree.center(cell), MOVED_CELLS * h)
    }

    /// Hands what cells cannot hold to their neighbors, and takes from these what cells have less than nothing. Returns the
    /// volume that was moved, in m³.
    pub fn settle(&self, phi: &Field<CellId, f64>, content: &mut Field<CellId, f64>) -> f64 {
        let open = OpenFaces { mesh: self.mesh, apertures: self.apertures };
        let mut moved = 0.0;
        for _ in 0..ROUNDS {
            let gifts = par::collect(self.mesh.n_cells(), |i, out: &mut Vec<(CellId, CellId, f64)>| {
                let c = CellId(i as u32);
                let surplus = self.surplus(phi, content[c], c);
                if surplus == 0.0 {
                    return;
                }
                // Neighbors take part by what they can hold or have. Only of what is too much in the air the others take
                // part, too.
                let is_in_water = self.is_water(phi, c) && self.open(c) >= LEAST_OPEN;
                let least = if surplus < 0.0 || is_in_water { 0.0 } else { LEAST_PART };
                let weight = |j: CellId| {
                    let able = if surplus > 0.0 { self.room[j] - content[j] } else { content[j] };
                    if self.open(j) < LEAST_OPEN { 0.0 } else { able.max(least * self.room[j]) }
                };
                let (first, mut sum) = (out.len(), 0.0);
                open.for_each_open(c, |j| {
                    let w = weight(j);
                    if w > 0.0 {
                        sum += w;
                        out.push((c, j, w));
                    }
                });
                let part = if least > 0.0 { surplus } else { surplus.clamp(-sum, sum) };
                out[first..].iter_mut().for_each(|gift| gift.2 *= part / sum);
            });
            for (from, to, gift) in gifts {
                content[from] -= gift;
                content[to] += gift;
                moved += gift.abs();
            }
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
            let excess = beyond(STILL, excess[c], h);
            if self.rank[c] > NEAR_CELLS || excess == 0.0 {
                return f64::NAN;
            }
            let far = FARTHEST_CELLS * h;
            self.offset(phi, c, excess).clamp(-far, far)
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

    /// Returns by how much φ must fall in a cell so that φ shows the excess too. Where the surface is smooth and far from
    /// solids that of a plane is enough.
    fn offset(&self, phi: &Field<CellId, f64>, c: CellId, excess: f64) -> f64 {
        let h = self.mesh.tree.size(c);
        // A plane that cuts a corner of the cell is far from another one with nearly the same volume behind it.
        let most = STEEPEST * excess.abs() / (h * h * self.open(c));
        let shown = ShownWater::new(self.mesh, phi, self.apertures, self.solids, c);
        if self.apertures.solid_distance(c) < h || shown.is_kinked() {
            return shown.fall(phi[c], excess, most);
        }
        let g = h * cell_gradient(self.mesh, phi, c);
        if g.length() <= LEAST_SLOPE * h {
            return excess / (h * h * self.open(c));
        }
        let fraction = fraction_behind_plane(g, phi[c]);
        let by = plane_of_fraction(g, fraction) - plane_of_fraction(g, fraction + excess / h.powi(3));
        by.clamp(-most, most)
    }

    /// Returns the divergence, in 1/s, that removes the excess of cells deep in the water over `time`, or over the time in
    /// which gravity moves water by a cell if that is longer. With `time` alone, short steps would cause fast water, and that
    /// again short steps.
    pub fn divergence(
        &self,
        phi: &Field<CellId, f64>,
        content: &Field<CellId, f64>,
        time: f64,
        gravity: f64,
    ) -> Field<CellId, f64> {
        par::map(self.mesh.n_cells(), |c: CellId| {
            let h = self.mesh.tree.size(c);
            if !self.is_water(phi, c) || !self.rank[c].is_finite() {
                return 0.0;
            }
            let surplus = beyond(TOLERATED, (content[c] - self.room[c]).clamp(-h.powi(3), h.powi(3)), h);
            // Near the surface only what is too much flows off: what is missing is air.
            let rest = if self.rank[c] > NEAR_CELLS { surplus } else { surplus.max(0.0) };
            let time = if gravity > 0.0 { time.max((h / gravity).sqrt()) } else { time };
            rest / (h.powi(3) * time)
        })
    }
}
