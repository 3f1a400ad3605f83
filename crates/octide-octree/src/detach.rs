//! Water detaches from solids that would hold it by suction: see [`octide_core::detach`].
//!
//! A wall is represented by the cells inside the solid next to cells outside, its fronts. Water has detached from
//! a cell's wall where φ in the cell is that of air, φ = gap + depth: then the surface of the solid is a surface of
//! the water, the faces toward the fronts are open, and the pressure on the wall is that of the air, at the place
//! where the line of centers crosses it. No water is removed.
//!
//! A step begins with the walls that water had detached from before and that still have a gap
//! ([`Detached::carried`]). They move with the body, not with the water, which flows along them. The pressure is
//! solved, walls that pull too hard are detached, and it is solved again (`pressure.rs`). Within a step walls are
//! only detached, never attached again, so this ends. Air advances by one cell in each solve and continues in the
//! next step; the number of solves is limited.

use crate::apertures::Apertures;
use crate::extend::SOLID_DEPTH_CELLS;
use crate::mesh::Mesh;
use crate::nodal::{CornerVelocity, velocity_at};
use crate::solids::Solids;
use crate::state::State;
use glam::DVec3;
use octide_core::detach::{Gap, wall_pressure};
use octide_core::faces::sealed::Pieces;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::par;

/// A cell nearer to a wall than this many of its edges touches it.
const TOUCHES: f64 = 1.2;

/// The fraction of the suction that walls may exert by which another front may press on a wall that detaches.
const PRESSED: f64 = 0.5;

/// Cells nearer to each other than this many edges are on the same side of a wall: it is thicker.
const BESIDE: f64 = 1.75;

/// Fewer connected cells of air than this are no air to draw from: rounding of φ makes specks in water.
const FEWEST_AIR_CELLS: usize = 64;

/// Water whose surface is nearer to the center of its cell than this fraction of an edge is a film.
const FILM: f64 = 0.1;

/// The walls that water has detached from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Detached {
    /// The directions, one bit each, in which water has detached from the wall of a cell inside a solid; empty
    /// without solids.
    free: Field<CellId, u8>,
}

/// What the pressure of a step says about walls.
pub(crate) struct Pull<'a> {
    /// The velocity before the pressure acts.
    pub u_star: &'a Field<FaceId, f64>,
    /// The pressure times dt/ρ.
    pub pressure: &'a Field<CellId, f64>,
    /// The suction that walls may exert, times dt/ρ.
    pub holds: f64,
}

/// The grid and the solids on it.
#[derive(Clone, Copy)]
pub(crate) struct Walled<'a> {
    pub mesh: &'a Mesh,
    pub apertures: &'a Apertures,
    pub solids: &'a Solids,
}

/// A cell outside a solid next to one inside.
struct Front {
    cell: CellId,
    /// The face between the two.
    face: FaceId,
    /// The direction from the cell inside to the cell outside, 0 to 5.
    direction: usize,
    /// The same as a unit vector.
    normal: DVec3,
}

impl<'a> Walled<'a> {
    /// Returns whether a cell is inside a solid, not deeper than φ is extended.
    fn is_in_wall(self, cell: CellId) -> bool {
        let depth = -self.apertures.solid_distance(cell);
        depth > 0.0 && depth <= SOLID_DEPTH_CELLS * self.mesh.tree.size(cell)
    }

    /// Returns the neighbor of a cell in one of six directions, the face toward it, and the direction.
    fn neighbor(self, cell: CellId, direction: usize) -> Front {
        let mut normal = DVec3::ZERO;
        normal[direction / 2] = if direction & 1 == 1 { 1.0 } else { -1.0 };
        let x = self.mesh.tree.center(cell) + self.mesh.tree.size(cell) * normal;
        let face = self.mesh.faces.of_cell(cell)[direction];
        Front { cell: self.mesh.tree.nearest_leaf_from(cell, x), face, direction, normal }
    }

    /// Returns the cells outside solids next to a cell inside.
    fn fronts(self, cell: CellId) -> impl Iterator<Item = Front> + use<'a> {
        (0..6)
            .map(move |d| self.neighbor(cell, d))
            .filter(move |f| self.apertures.solid_distance(f.cell) >= 0.0)
    }

    /// Returns whether the water in a cell is more than a film: only then its pressure says something.
    fn is_deep(self, phi: &Field<CellId, f64>, cell: CellId) -> bool {
        phi[cell] < -FILM * self.mesh.tree.size(cell)
    }
}

impl Detached {
    /// Finds the walls that water had detached from in the old state and that stay so: `phi` was advected to the
    /// mesh and is not yet extended into solids. Sets φ behind them.
    pub fn carried(
        (old, corners): (&State, &CornerVelocity),
        walled: Walled,
        phi: &mut Field<CellId, f64>,
        dt: f64,
    ) -> Self {
        let Walled { mesh, apertures, solids } = walled;
        if !apertures.has_solids() {
            return Self::default();
        }
        let mut detached = Self { free: Field::filled(mesh.n_cells(), 0) };
        if old.detached.is_empty() {
            return detached;
        }
        let still_free = |cell: CellId| {
            let x = mesh.tree.center(cell);
            let velocity = solids.velocity(x);
            let before = old.mesh.tree.nearest_leaf(x - dt * velocity);
            let (_, free) = old.detached[old.detached.binary_search_by_key(&before.0, |c| c.0.0).ok()?];
            let (mut directions, mut width) = (0, f64::INFINITY);
            for f in walled.fronts(cell).filter(|f| free >> f.direction & 1 == 1 && phi[f.cell] < 0.0) {
                let water = velocity_at(&old.mesh, corners, mesh.tree.center(f.cell));
                let gap = Gap {
                    width: (phi[f.cell] + apertures.solid_distance(f.cell)).max(0.0),
                    opening: (water - velocity).dot(f.normal),
                };
                if gap.stays(dt) {
                    directions |= 1 << f.direction;
                    width = width.min(gap.width);
                }
            }
            (directions != 0).then_some((cell, directions, width))
        };
        let found = par::collect(mesh.n_cells(), |i, out: &mut Vec<(CellId, u8, f64)>| {
            let cell = CellId(i as u32);
            if walled.is_in_wall(cell) {
                out.extend(still_free(cell));
            }
        });
        detached.set_air(walled, phi, &found);
        detached
    }

    /// Returns whether water has detached from the wall of a cell inside a solid.
    pub fn contains(&self, cell: CellId) -> bool {
        !self.free.is_empty() && self.free[cell] != 0
    }

    /// Returns the cells whose walls water has detached from, in order, and in which directions.
    pub fn cells(&self) -> Vec<(CellId, u8)> {
        self.free.ids().map(|c| (c, self.free[c])).filter(|&(_, free)| free != 0).collect()
    }

    /// Detaches water from walls that pull harder than they may, where the wall beside them is dry or
    /// detached. Sets φ there; returns whether there were any.
    pub fn grow(&mut self, walled: Walled, phi: &mut Field<CellId, f64>, pull: &Pull) -> bool {
        let Walled { mesh, apertures, solids } = walled;
        let pulled_at = |cell: CellId| {
            let solid = solids.velocity(mesh.tree.center(cell));
            let depth = -apertures.solid_distance(cell);
            let (mut least, mut free) = ((f64::INFINITY, CellId::NONE), 0u8);
            for f in walled.fronts(cell).filter(|f| walled.is_deep(phi, f.cell)) {
                let outside = apertures.solid_distance(f.cell);
                let way = outside / (outside + depth) * mesh.tree.size(f.cell);
                let along = f.normal.dot(DVec3::ONE) * pull.u_star[f.face] - solid.dot(f.normal);
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
        let pulled = par::collect(mesh.n_cells(), |i, out: &mut Vec<(CellId, u8, CellId)>| {
            let cell = CellId(i as u32);
            if self.free[cell] == 0 && walled.is_in_wall(cell) {
                out.extend(pulled_at(cell));
            }
        });
        if pulled.is_empty() {
            return false;
        }
        let air = Pieces::find(mesh, apertures, |c| phi[c] >= 0.0);
        let reaches = |front: CellId| self.reaches_air(walled, phi, &air, front);
        let new = pulled.into_iter().filter(|&(.., front)| reaches(front));
        let new: Vec<(CellId, u8, f64)> = new.map(|(cell, free, _)| (cell, free, 0.0)).collect();
        self.set_air(walled, phi, &new);
        !new.is_empty()
    }

    /// Returns whether air is at the wall beside a cell: in a neighbor outside solids that touches a wall, or between
    /// the water and a neighbor inside a solid. Air on the other side of a thin wall does not count, nor do specks of
    /// it among the pieces of `air`.
    fn reaches_air(&self, walled: Walled, phi: &Field<CellId, f64>, air: &Pieces, cell: CellId) -> bool {
        let tree = &walled.mesh.tree;
        let (center, h) = (tree.center(cell), tree.size(cell));
        let is_beside = |front: &Front| tree.center(front.cell).distance(center) < BESIDE * h;
        (0..27).filter(|&o| o != 13).any(|o| {
            let step = DVec3::new(f64::from(o % 3), f64::from(o / 3 % 3), f64::from(o / 9)) - 1.0;
            let near = tree.nearest_leaf_from(cell, center + h * step);
            if walled.apertures.solid_distance(near) >= 0.0 {
                let touches = walled.apertures.solid_distance(near) < TOUCHES * tree.size(near);
                return phi[near] >= 0.0 && touches && air.n_cells(near) >= FEWEST_AIR_CELLS;
            }
            let free = self.free[near];
            free != 0 && walled.fronts(near).any(|f| free >> f.direction & 1 == 1 && is_beside(&f))
        })
    }

    /// Sets φ behind the walls of `cells`, which are free in these directions with gaps of these widths, to that of
    /// air, and makes the surface of the solid the surface of the water beside it.
    fn set_air(&mut self, walled: Walled, phi: &mut Field<CellId, f64>, cells: &[(CellId, u8, f64)]) {
        let Walled { mesh, apertures, solids } = walled;
        for &(cell, free, width) in cells {
            self.free[cell] = free;
            let at = |x| phi[mesh.tree.nearest_leaf_from(cell, x)];
            let air = width - apertures.solid_distance(cell);
            phi[cell] = solids.bounded_in_thin_wall(mesh.tree.center(cell), air, mesh.tree.size(cell), at);
            for f in walled.fronts(cell).filter(|f| free >> f.direction & 1 == 1) {
                phi[f.cell] = phi[f.cell].max(width - apertures.solid_distance(f.cell));
            }
        }
    }

    /// Opens the faces that detached walls close, except those in the middle of thin walls and those that are
    /// `kept`. Closes the faces between the air behind a detached wall and water that presses on the solid from
    /// another direction.
    pub fn open_faces(
        &self,
        mesh: &Mesh,
        apertures: &mut Apertures,
        solids: &Solids,
        kept: impl Fn(FaceId) -> bool + Sync,
    ) {
        if self.free.is_empty() {
            return;
        }
        let walled = Walled { mesh, apertures, solids };
        let is_outside = |c: CellId| apertures.solid_distance(c) >= 0.0;
        // Whether all walls beside a cell outside solids are detached from it, and there are any.
        let is_clear = |c: CellId| {
            let walls = (0..6).map(|d| walled.neighbor(c, d)).filter(|n| !is_outside(n.cell));
            let mut walls = walls.map(|n| self.free[n.cell] >> (n.direction ^ 1) & 1 == 1).peekable();
            is_outside(c) && walls.peek().is_some() && walls.all(|is_free| is_free)
        };
        let faces = par::collect(mesh.n_faces(), |i, out: &mut Vec<(FaceId, bool)>| {
            let k = FaceId(i as u32);
            if mesh.faces.is_wall(k) || kept(k) {
                return;
            }
            let s = mesh.faces.stencil(&mesh.tree, k);
            // A cell with a positive weight is on the high side, and the face is in its low direction.
            let toward = |w: f64| 2 * mesh.faces.axis(k) + usize::from(w < 0.0);
            let (mut opens, mut closes) = (false, false);
            for (c, w) in s.iter().filter(|&(c, _)| self.free[c] != 0) {
                let is_free = self.free[c] >> toward(w) & 1 == 1;
                opens |= is_free;
                closes |= !is_free && s.iter().any(|(other, v)| v * w < 0.0 && is_outside(other));
            }
            let open = apertures.open(k);
            opens |= !closes && open > 0.0 && open < 1.0 && s.iter().any(|(c, _)| is_clear(c));
            let center = |i: usize| mesh.tree.center(s.cells[i]);
            if opens && open < 1.0 {
                if !(1..s.n).any(|i| solids.separate(center(0), center(i))) {
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
                apertures.close(k, solids.velocity(mesh.face_position(k))[mesh.faces.axis(k)]);
            }
        }
    }
}
