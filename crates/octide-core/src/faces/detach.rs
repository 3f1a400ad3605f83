//! The walls of solids that water has detached from, for methods with velocity on faces: see [`crate::detach`].
//!
//! A wall is represented by the cells inside the solid next to cells outside, its fronts. Water has detached from
//! a cell's wall where φ at the cell's center is that of air, φ = gap + depth: then the surface of the solid is a
//! surface of the water, the faces toward the fronts are open, and the pressure on the wall is that of the air, at
//! the place where the line of centers crosses it. No water is removed.
//!
//! A step begins with the walls that water had detached from before and that still have a gap
//! ([`Detached::carried`]). They move with the body, not with the water, which flows along them. The pressure is
//! solved, walls that pull too hard are detached, and it is solved again ([`Detached::settle`]). Within a step walls
//! are only detached, never attached again, so this ends. Air advances by one cell in each solve and continues in
//! the next step; the number of solves is limited.
//!
//! φ is read and set at the centers of cells. A method that stores it elsewhere averages it there.

pub mod saved;
mod walled;

pub use walled::Walled;

use super::pockets::Pockets;
use super::sealed::Pieces;
use super::{Apertures, FaceGeometry, FaceTable};
use crate::detach::{Gap, wall_pressure};
use crate::index::{CellId, FaceId, Field};
use crate::par;
use crate::solids::Solids;
use glam::DVec3;
use walled::{Front, MOST_BESIDE};

/// A cell nearer to a wall than this many of its edges touches it.
const TOUCHES: f64 = 1.2;

/// The fraction of the suction that walls may exert by which another front may press on a wall that detaches.
const PRESSED: f64 = 0.5;

/// Cells nearer to each other than this many edges are on the same side of a wall: it is thicker.
const BESIDE: f64 = 1.75;

/// Fewer connected cells of air than this are no air to draw from: rounding of φ makes specks in water.
const FEWEST_AIR_CELLS: usize = 64;

/// Maximum number of pressure solves in a step in which water detaches from solids.
const MAX_SOLVES: usize = 3;

/// Fewer new walls than this fraction of those that detached after the first solve do not warrant a third one: they pull
/// in the next step too.
const LEAST_SHARE: f64 = 0.2;

/// The walls that water has detached from.
#[derive(Clone, Debug, Default)]
pub struct Detached {
    /// The directions, one bit each, in which water has detached from the wall of a cell inside a solid; empty
    /// without solids.
    free: Field<CellId, u8>,
}

/// The pressure of a step at walls.
struct Pull<'a> {
    /// The velocity before the pressure acts.
    u_star: &'a Field<FaceId, f64>,
    /// The pressure times dt/ρ.
    pressure: &'a Field<CellId, f64>,
    /// The suction that walls may exert, times dt/ρ.
    holds: f64,
}

/// The cells whose walls water has detached from, in order, and in which directions.
pub type DetachedCells = Vec<(CellId, u8)>;

/// Returns the directions in which water has detached from the wall of a cell.
pub fn directions_at(detached: &[(CellId, u8)], cell: CellId) -> u8 {
    detached.binary_search_by_key(&cell.0, |c| c.0.0).map_or(0, |i| detached[i].1)
}

impl Detached {
    /// Finds the walls that water had detached from before the step of length `dt` and that stay so. `phi` was
    /// advected to the grid and is not yet extended into solids; it is set behind them. `before` gives the
    /// directions in which a cell's wall was free, from where it was if it moves with the solid, and `water` the
    /// velocity of the water in a cell.
    pub fn carried<M: FaceGeometry>(
        walled: Walled<M>,
        phi: &mut Field<CellId, f64>,
        dt: f64,
        before: impl Fn(CellId, DVec3) -> u8 + Sync,
        water: impl Fn(CellId) -> DVec3 + Sync,
    ) -> Self {
        let Walled { apertures, solids, .. } = walled;
        if !apertures.has_solids() {
            return Self::default();
        }
        let tree = walled.tree();
        let mut detached = Self { free: Field::filled(tree.n_cells(), 0) };
        let still_free = |cell: CellId| {
            let x = tree.center(cell);
            let velocity = solids.velocity_within(x, tree.size(cell));
            let free = before(cell, x - dt * velocity);
            if free == 0 {
                return None;
            }
            let (mut directions, mut width) = (0, f64::INFINITY);
            for f in walled.fronts(cell).filter(|f| free >> f.direction & 1 == 1 && phi[f.cell] < 0.0) {
                let gap =
                    Gap { width: walled.gap(phi, f.cell), opening: (water(f.cell) - velocity).dot(f.normal) };
                if gap.stays(dt) {
                    directions |= 1 << f.direction;
                    width = width.min(gap.width);
                }
            }
            (directions != 0).then_some((cell, directions, width))
        };
        let found = par::collect(tree.n_cells(), |i, out: &mut Vec<(CellId, u8, f64)>| {
            let cell = CellId(i as u32);
            if walled.is_in_wall(cell) {
                out.extend(still_free(cell));
            }
        });
        detached.set_air(walled, phi, &found);
        detached
    }

    /// Returns the same without any walls that water has detached from; `n_cells` is zero without solids.
    pub fn none(n_cells: usize) -> Self {
        Self { free: Field::filled(n_cells, 0) }
    }

    /// Returns whether water has detached from the wall of a cell inside a solid.
    pub fn contains(&self, cell: CellId) -> bool {
        !self.free.is_empty() && self.free[cell] != 0
    }

    /// Returns whether water has detached from no wall.
    pub fn is_empty(&self) -> bool {
        self.n_cells() == 0
    }

    /// Returns the number of cells whose walls water has detached from.
    pub fn n_cells(&self) -> usize {
        self.free.iter().filter(|&&free| free != 0).count()
    }

    /// Returns the cells whose walls water has detached from, in order, and in which directions.
    pub fn cells(&self) -> DetachedCells {
        self.free.ids().map(|c| (c, self.free[c])).filter(|&(_, free)| free != 0).collect()
    }

    /// Sets φ behind all walls that water has detached from, with gaps as wide as φ beside them says.
    pub fn fill<M: FaceGeometry>(&mut self, walled: Walled<M>, phi: &mut Field<CellId, f64>) {
        let cells: Vec<(CellId, u8, f64)> =
            self.cells().into_iter().map(|(c, free)| (c, free, self.width(walled, phi, c))).collect();
        self.set_air(walled, phi, &cells);
    }

    /// Returns the width of the gap between the wall of a cell and the water that has detached from it.
    pub fn width<M: FaceGeometry>(&self, walled: Walled<M>, phi: &Field<CellId, f64>, cell: CellId) -> f64 {
        let wet = self.free_fronts(walled, cell).filter(|&f| phi[f] < 0.0);
        let least = wet.map(|f| walled.gap(phi, f)).fold(f64::INFINITY, f64::min);
        if least.is_finite() { least } else { 0.0 }
    }

    /// Returns the cells outside solids toward which the wall of a cell is free.
    pub fn free_fronts<'a, M: FaceGeometry>(
        &self,
        walled: Walled<'a, M>,
        cell: CellId,
    ) -> impl Iterator<Item = CellId> + use<'a, M> {
        let free = self.free[cell];
        walled.fronts(cell).filter(move |f| free >> f.direction & 1 == 1).map(|f| f.cell)
    }

    /// Projects until no wall pulls the water harder than `holds`, a suction times dt/ρ, or often enough. Opens the
    /// faces of walls that water detaches from, except those that are `kept`, and sets φ there. `project` gets the
    /// apertures, φ and the result of the solve before, and returns a result whose pressure `pressure` reads. Air that
    /// is shut in has a pressure of its own, and does not spread.
    pub fn settle<M: FaceGeometry, P, E>(
        &mut self,
        (mesh, solids, shut_in): (&M, &Solids, &Pockets),
        apertures: &mut Apertures,
        phi: &mut Field<CellId, f64>,
        (u_star, holds): (&Field<FaceId, f64>, f64),
        kept: impl Fn(FaceId) -> bool + Sync,
        mut project: impl FnMut(&Field<CellId, f64>, &mut Apertures, Option<P>) -> Result<P, E>,
        pressure: impl Fn(&P) -> &Field<CellId, f64>,
    ) -> Result<P, E> {
        let mut out = project(phi, apertures, None)?;
        let mut least = 1;
        for _ in 1..MAX_SOLVES {
            let pull = Pull { u_star, pressure: pressure(&out), holds };
            let walled = Walled { mesh, apertures, solids };
            let new = self.pulled(walled, phi, &pull, shut_in);
            if new.len() < least {
                break;
            }
            least = (LEAST_SHARE * new.len() as f64).ceil() as usize;
            self.set_air(walled, phi, &new);
            self.open_faces(mesh, apertures, solids, &kept);
            out = project(phi, apertures, Some(out))?;
        }
        Ok(out)
    }

    /// Returns the walls that pull harder than they may, where the wall beside them is dry or detached, and the directions
    /// in which water detaches from them, without a gap.
    fn pulled<M: FaceGeometry>(
        &self,
        walled: Walled<M>,
        phi: &Field<CellId, f64>,
        pull: &Pull,
        shut_in: &Pockets,
    ) -> Vec<(CellId, u8, f64)> {
        let Walled { mesh, apertures, solids } = walled;
        let tree = walled.tree();
        let pulled_at = |cell: CellId| {
            let mut velocity = None;
            let depth = -apertures.solid_distance(cell);
            let (mut least, mut free) = ((f64::INFINITY, CellId::NONE), 0u8);
            for f in walled.fronts(cell).filter(|f| walled.is_deep(phi, f.cell)) {
                let outside = apertures.solid_distance(f.cell);
                let way = outside / (outside + depth) * tree.size(f.cell);
                let solid = *velocity
                    .get_or_insert_with(|| solids.velocity_within(tree.center(cell), tree.size(cell)));
                // Friction has changed u* − u_solid by the same factor as the pressure gradient.
                let along = f.normal.dot(DVec3::ONE) * pull.u_star[f.face] - solid.dot(f.normal);
                let along = along / apertures.yields(f.face);
                let p = wall_pressure(pull.pressure[f.cell], way, along);
                if p < least.0 {
                    least = (p, f.cell);
                }
                if p < PRESSED * pull.holds {
                    free |= 1 << f.direction;
                }
            }
            (least.0 < -pull.holds).then_some((cell, free, least.1))
        };
        let pulled = par::collect(tree.n_cells(), |i, out: &mut Vec<(CellId, u8, CellId)>| {
            let cell = CellId(i as u32);
            if self.free[cell] == 0 && walled.is_in_wall(cell) {
                out.extend(pulled_at(cell));
            }
        });
        if pulled.is_empty() {
            return Vec::new();
        }
        let air = Pieces::find(mesh, apertures, |c| phi[c] >= 0.0 && shut_in.of_cell(c).is_none());
        let reaches = |front: CellId| self.reaches_air(walled, &air, front);
        let new = pulled.into_iter().filter(|&(.., front)| reaches(front));
        new.map(|(cell, free, _)| (cell, free, 0.0)).collect()
    }

    /// Returns whether air is at the wall beside a cell: in a neighbor outside solids that touches a wall, or between
    /// the water and a neighbor inside a solid. Air on the other side of a thin wall does not count, nor do specks of
    /// it among the pieces of `air`.
    fn reaches_air<M: FaceGeometry>(&self, walled: Walled<M>, air: &Pieces, cell: CellId) -> bool {
        let tree = walled.tree();
        let (center, h) = (tree.center(cell), tree.size(cell));
        let is_beside = |front: &Front| tree.center(front.cell).distance(center) < BESIDE * h;
        (0..27).filter(|&o| o != 13).any(|o| {
            let step = DVec3::new(f64::from(o % 3), f64::from(o / 3 % 3), f64::from(o / 9)) - 1.0;
            let near = tree.nearest_leaf_from(cell, center + h * step);
            if walled.apertures.solid_distance(near) >= 0.0 {
                let touches = walled.apertures.solid_distance(near) < TOUCHES * tree.size(near);
                return touches && air.n_cells(near) >= FEWEST_AIR_CELLS;
            }
            let free = self.free[near];
            free != 0 && walled.fronts(near).any(|f| free >> f.direction & 1 == 1 && is_beside(&f))
        })
    }

    /// Sets φ behind the walls of `cells`, which are free in these directions with gaps of these widths, to that of
    /// air, and makes the surface of the solid the surface of the water beside it.
    fn set_air<M: FaceGeometry>(
        &mut self,
        walled: Walled<M>,
        phi: &mut Field<CellId, f64>,
        cells: &[(CellId, u8, f64)],
    ) {
        let (tree, apertures) = (walled.tree(), walled.apertures);
        for &(cell, free, width) in cells {
            self.free[cell] = free;
            let at = |x| phi[tree.nearest_leaf_from(cell, x)];
            let air = width - apertures.solid_distance(cell);
            phi[cell] = walled.solids.bounded_in_thin_wall(tree.center(cell), air, tree.size(cell), at);
            for f in walled.fronts(cell).filter(|f| free >> f.direction & 1 == 1) {
                phi[f.cell] = phi[f.cell].max(width - apertures.solid_distance(f.cell));
            }
        }
    }

    /// Returns the faces of cells whose walls water has detached from, and all that solids cover in part, in order.
    fn faces_near<M: FaceGeometry>(&self, walled: Walled<M>) -> Vec<FaceId> {
        let mesh = walled.mesh;
        let mut near = par::collect(mesh.n_faces(), |i, out: &mut Vec<FaceId>| {
            let open = walled.apertures.open(FaceId(i as u32));
            if open > 0.0 && open < 1.0 {
                out.push(FaceId(i as u32));
            }
        });
        for cell in self.free.ids().filter(|&c| self.free[c] != 0) {
            (0..6).for_each(|d| near.extend(mesh.faces().of_cell_toward(cell, d)));
        }
        near.sort_unstable();
        near.dedup();
        near
    }

    /// Opens the faces that detached walls close, except those in the middle of thin walls and those that are
    /// `kept`. Closes the faces between the air behind a detached wall and water that presses on the solid from
    /// another direction.
    pub fn open_faces<M: FaceGeometry>(
        &self,
        mesh: &M,
        apertures: &mut Apertures,
        solids: &Solids,
        kept: impl Fn(FaceId) -> bool + Sync,
    ) {
        if self.is_empty() {
            return;
        }
        let walled = Walled { mesh, apertures, solids };
        let tree = walled.tree();
        let is_outside = |c: CellId| apertures.solid_distance(c) >= 0.0;
        // Whether all walls beside a cell outside solids are detached from it, and there are any.
        let is_clear = |c: CellId| {
            let walls = (0..6).map(|d| walled.neighbor(c, d)).filter(|n| !is_outside(n.cell));
            let mut walls = walls.map(|n| self.free[n.cell] >> (n.direction ^ 1) & 1 == 1).peekable();
            is_outside(c) && walls.peek().is_some() && walls.all(|is_free| is_free)
        };
        let near = self.faces_near(walled);
        let faces = par::collect(near.len(), |i, out: &mut Vec<(FaceId, bool)>| {
            let k = near[i];
            if mesh.side_of(k).is_some() || kept(k) {
                return;
            }
            let mut all = [(CellId::NONE, false); MOST_BESIDE];
            let n = walled.beside(k, &mut all);
            let beside = &all[..n];
            // A face is in the low direction of the cells on its high side.
            let toward = |is_high: bool| 2 * mesh.axis(k) + usize::from(!is_high);
            let (mut opens, mut closes) = (false, false);
            for &(c, is_high) in beside.iter().filter(|&&(c, _)| self.free[c] != 0) {
                let is_free = self.free[c] >> toward(is_high) & 1 == 1;
                opens |= is_free;
                closes |=
                    !is_free && beside.iter().any(|&(other, high)| high != is_high && is_outside(other));
            }
            let open = apertures.open(k);
            opens |= !closes && open > 0.0 && open < 1.0 && beside.iter().any(|&(c, _)| is_clear(c));
            if opens && open < 1.0 {
                let first = tree.center(beside[0].0);
                if !beside[1..].iter().any(|&(c, _)| solids.separate(first, tree.center(c))) {
                    out.push((k, true));
                }
            } else if closes && !opens && open > 0.0 {
                out.push((k, false));
            }
        });
        for (k, opens) in faces {
            if opens {
                apertures.set_open(k, 1.0);
            } else {
                apertures.close(k, solids.velocity(mesh.face_position(k))[mesh.axis(k)]);
            }
        }
    }
}

#[cfg(test)]
mod tests;
