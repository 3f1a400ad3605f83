//! Friction of water at walls: of films, and of walls that water does not slide along freely.
//!
//! ```text
//! du/dt = −r (u − w) + g − ∇p,   r = 3 ν/d²                in a film of thickness d ≤ 3 cells, in all of its cells
//!                                r += −ln s · |u − w|/ℓ    in the cells that touch a wall,  ℓ = min(h, d)
//! u_new = w + e^(−x) (u − w) + m (g dt − ∇p),   x = r dt,   m = (1 − e^(−x))/x
//! ```
//!
//! u is the velocity along the wall, w that of the wall, h the edge of the cell. The first term is the shear at the wall
//! of a laminar film with a free surface, τ = 3 ρ ν ū/d, divided by the film's mass: its mean velocity on a slope is that of
//! Nusselt, g sin α d²/(3 ν). It counts the boundary layer as fully grown, which it is after a time of about d²/(3 ν). ν is
//! [`Physics::film_viscosity`]. The second is the drag of a rough wall with the slip s ([`Physics::slip`]): water that has slid
//! along it by its own thickness ℓ keeps the fraction s of its velocity. Darcy's friction factor is f = −8 ln s. With s = 0 the
//! water sticks, x = [`MOST`]. In a step the drag counts with x = ln(1 + r dt), which is exact while nothing else acts.
//!
//! The solution over a step is exact for constant forces: a film decays and falls as it should in steps of any length. The
//! pressure is a force too: its solve has m ∇p on these faces, so that the velocity is free of divergence after friction, water
//! at rest stays at rest, and water that sticks does not creep downhill. Friction adds no kinetic energy relative to the wall,
//! whatever the step, because e^(−x) ≤ m ≤ 1 on each face.
//!
//! On a face with axis a, friction acts on the share of u_a − w_a that is along the wall, with the unit normal n,
//!
//! ```text
//! t_a = (1 − n_a²) (u_a − w_a) − n_a Σ_{b≠a} n_b (u_b − w_b),      θ = t_a/(u_a − w_a) within [0, 1],   x = θ r dt
//! ```
//!
//! so that water falls onto a wall freely, and slides along an oblique one with the same friction on all of its faces.
//!
//! A cell is part of a film if on its normal there is water all the way to the wall, and air within three cells of it. Where the
//! first cell of air on the normal is D away from the wall, the film is
//!
//! ```text
//! d = D − φ/(∂φ/∂n)
//! ```
//!
//! thick; ∂φ/∂n ≥ ½, so that the surface faces the wall. Deep water beside a wall is not part of a film, nor is the rim of a pool,
//! and neither is a drop above the wall.

use super::detach::{Detached, Walled};
use super::{Apertures, FaceGeometry, FaceTable};
use crate::index::{CellId, FaceId, Field};
use crate::par;
use crate::scene::{OpenSides, Physics};
use glam::DVec3;

/// Water is a film if it is no thicker than this many cells.
const FILM_CELLS: f64 = 3.0;

/// Films count as at least this thick, in cells: φ does not resolve less.
const LEAST_THICKNESS: f64 = 0.05;

/// ∂φ/∂n is at least this above a film: its surface faces the wall.
const LEAST_SLOPE: f64 = 0.5;

/// The most friction x of a step. With more the pressure could not move water that is enclosed by faces on which it sticks.
pub const MOST: f64 = 1e4;

/// Less friction than this in a step is none.
const NEGLIGIBLE: f64 = 1e-7;

/// A way in a step, in cells, that is rounding: slower water has no direction.
const ROUNDING: f64 = 1e-6;

/// How walls slow water.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Friction {
    /// ν of films in m²/s.
    viscosity: f64,
    /// −ln s; infinite if water sticks.
    drag: f64,
}

/// The water beside walls.
pub struct Shore<'a, M, P> {
    /// The grid and the solids on it.
    pub walled: Walled<'a, M>,
    /// The walls that water has detached from.
    pub detached: &'a Detached,
    /// The sides of the domain that are no walls.
    pub open: OpenSides,
    /// φ at the center of a cell.
    pub phi: P,
    /// The velocity before forces act.
    pub u: &'a Field<FaceId, f64>,
}

/// The faces on which walls slow the water.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SlowedFaces(Vec<SlowedFace>);

#[derive(Clone, Copy, Debug, PartialEq)]
struct SlowedFace {
    face: FaceId,
    /// u before the step.
    before: f64,
    /// w + e^(−x) (u − w).
    slowed: f64,
    /// m, in the precision in which the pressure solve reads it.
    share: f32,
}

/// A wall that slows the water in a cell.
struct Contact {
    cell: CellId,
    normal: DVec3,
    /// w at the cell's center.
    wall: DVec3,
    /// u − w there.
    sliding: DVec3,
    /// r dt, or ln(1 + r dt) for the drag.
    friction: f64,
}

impl Friction {
    /// Returns the friction of a scene's walls.
    pub fn of(physics: &Physics) -> Self {
        Self { viscosity: physics.film_viscosity, drag: -physics.slip.ln() }
    }

    /// Returns whether there is any.
    pub fn acts(self) -> bool {
        self.viscosity > 0.0 || self.drag > 0.0
    }

    /// Finds the faces on which walls slow the water in a step of length `dt`, and by how much.
    pub fn find<M: FaceGeometry, P: Fn(CellId) -> f64 + Sync>(
        self,
        shore: &Shore<M, P>,
        dt: f64,
    ) -> SlowedFaces {
        if !self.acts() {
            return SlowedFaces::default();
        }
        let (mesh, tree) = (shore.walled.mesh, shore.walled.mesh.tree());
        let contacts = par::collect(tree.n_cells(), |i, out| self.contacts(shore, CellId(i as u32), dt, out));
        let of_cell = |c: CellId| {
            let first = contacts.partition_point(|contact| contact.cell.0 < c.0);
            contacts[first..].iter().take_while(move |contact| contact.cell == c)
        };
        let mut faces: Vec<FaceId> = Vec::new();
        for contact in &contacts {
            (0..6).for_each(|d| faces.extend(mesh.faces().of_cell_toward(contact.cell, d)));
        }
        faces.sort_unstable();
        faces.dedup();
        SlowedFaces(par::collect(faces.len(), |i, out| {
            let (face, axis) = (faces[i], mesh.axis(faces[i]));
            if mesh.side_of(face).is_some() || shore.walled.apertures.open(face) <= 0.0 {
                return;
            }
            let (mut friction, mut toward, mut n_wet) = (0.0, 0.0, 0.0);
            mesh.faces().for_cells_beside(tree, face, |c, _| {
                if (shore.phi)(c) >= 0.0 {
                    return;
                }
                n_wet += 1.0;
                for contact in of_cell(c) {
                    let rounding = ROUNDING * tree.size(c) / dt;
                    let part = contact.share_along(axis, shore.u[face], rounding) * contact.friction;
                    friction += part;
                    toward += part * contact.wall[axis];
                }
            });
            if friction > 0.0 {
                let (x, wall, before) = (friction / n_wet, toward / friction, shore.u[face]);
                let slowed = wall + (-x).exp() * (before - wall);
                out.push(SlowedFace { face, before, slowed, share: (-(-x).exp_m1() / x) as f32 });
            }
        }))
    }

    /// Adds the walls that slow the water in a cell.
    fn contacts<M: FaceGeometry, P: Fn(CellId) -> f64 + Sync>(
        self,
        shore: &Shore<M, P>,
        cell: CellId,
        dt: f64,
        out: &mut Vec<Contact>,
    ) {
        let phi = (shore.phi)(cell);
        if phi >= 0.0 {
            return;
        }
        let Walled { mesh, apertures, solids } = shore.walled;
        let (tree, grid) = (mesh.tree(), mesh.tree().grid());
        let (x, h) = (tree.center(cell), tree.size(cell));
        // Neither touched nor part of a film.
        let is_far = |distance: f64| {
            (self.drag <= 0.0 || distance > 1.2 * h)
                && (self.viscosity <= 0.0 || distance - phi > FILM_CELLS * h)
        };
        let mut add = |distance: f64, normal: DVec3, wall: DVec3| {
            let friction = self.at_wall(shore, cell, (distance, normal, wall), dt);
            if friction > NEGLIGIBLE {
                out.push(Contact { cell, normal, wall, sliding: shore.velocity(cell) - wall, friction });
            }
        };
        for side in (0..6).filter(|&side| !shore.open.sides[side]) {
            let (axis, sign) = (side / 2, if side & 1 == 1 { -1.0 } else { 1.0 });
            let from = if side & 1 == 1 { grid.high() } else { grid.low() };
            let distance = sign * (x - from)[axis];
            if !is_far(distance) {
                let mut normal = DVec3::ZERO;
                normal[axis] = sign;
                add(distance, normal, DVec3::ZERO);
            }
        }
        let distance = apertures.solid_distance(cell);
        if distance > -h && !is_far(distance) {
            let normal = solids.normal(x, h);
            if normal != DVec3::ZERO && !shore.is_free(cell, normal) {
                add(distance, normal, solids.velocity_within(x, 2.0 * FILM_CELLS * h));
            }
        }
    }

    /// Returns the friction of a step on the water in a cell, by a wall with this distance, normal and velocity.
    fn at_wall<M: FaceGeometry, P: Fn(CellId) -> f64 + Sync>(
        self,
        shore: &Shore<M, P>,
        cell: CellId,
        (distance, normal, wall): (f64, DVec3, DVec3),
        dt: f64,
    ) -> f64 {
        let h = shore.walled.mesh.tree().size(cell);
        let film = shore.thickness(cell, distance, normal);
        let mut friction = film.map_or(0.0, |d| 3.0 * self.viscosity * dt / (d * d));
        let touches = distance <= h * (0.25 + 0.5 * normal.abs().element_sum());
        if self.drag > 0.0 && touches {
            let sliding = shore.velocity(cell) - wall;
            let speed = (sliding - sliding.dot(normal) * normal).length();
            let thickness = film.map_or(h, |d| d.min(h));
            friction += if self.drag.is_finite() {
                (self.drag * speed * dt / thickness).ln_1p()
            } else {
                f64::INFINITY
            };
        }
        friction.min(MOST)
    }
}

impl Contact {
    /// Returns θ of a face with velocity `u`, which has no direction if it is slower than `rounding`.
    fn share_along(&self, axis: usize, u: f64, rounding: f64) -> f64 {
        let (n, relative) = (self.normal, u - self.wall[axis]);
        let own = 1.0 - n[axis] * n[axis];
        let across = n.dot(self.sliding) - n[axis] * self.sliding[axis];
        let along = own * relative - n[axis] * across;
        let small = rounding * rounding;
        ((along * relative + small * own) / (relative * relative + small)).clamp(0.0, 1.0)
    }
}

impl<M: FaceGeometry, P: Fn(CellId) -> f64 + Sync> Shore<'_, M, P> {
    /// Returns the thickness of the film that a cell is part of, if it is, on a wall at this distance.
    fn thickness(&self, cell: CellId, distance: f64, normal: DVec3) -> Option<f64> {
        let tree = self.walled.mesh.tree();
        let (x, h) = (tree.center(cell), tree.size(cell));
        if distance - (self.phi)(cell) > FILM_CELLS * h {
            return None;
        }
        let at = |cells: f64| tree.nearest_leaf_from(cell, x + cells * h * normal);
        let distance_of = |c: CellId| distance + normal.dot(tree.center(c) - x);
        // A drop above the wall is no film.
        let n_below = (distance / h).ceil().max(1.0) as usize;
        if (1..n_below).any(|i| (self.phi)(at(-(i as f64))) >= 0.0) {
            return None;
        }
        let mut below = distance;
        for i in 1..=FILM_CELLS as usize + 1 {
            let c = at(i as f64);
            let (phi, there) = ((self.phi)(c), distance_of(c));
            if phi < 0.0 {
                below = below.max(there);
                continue;
            }
            // φ in the air tells where the surface is; in the water, walls may have changed it.
            // Two cells on, which is another leaf whatever the normal is.
            let next = at(i as f64 + 2.0);
            let way = distance_of(next) - there;
            let slope = if way > 0.0 { ((self.phi)(next) - phi) / way } else { 0.0 };
            if slope < LEAST_SLOPE {
                return None;
            }
            let d = (there - phi / slope.min(1.0)).max(below).max(LEAST_THICKNESS * h);
            return (d <= FILM_CELLS * h).then_some(d);
        }
        None
    }

    /// Returns whether water has detached from the wall below a cell.
    fn is_free(&self, cell: CellId, normal: DVec3) -> bool {
        let n = normal.abs();
        let axis = (0..3).fold(0, |best, a| if n[a] > n[best] { a } else { best });
        let tree = self.walled.mesh.tree();
        let below = tree.neighbor(tree.node_of(cell), 2 * axis + usize::from(normal[axis] < 0.0));
        let is_free = |c: CellId| self.detached.contains(c);
        is_free(cell) || below.is_some() && tree.is_leaf(below) && is_free(tree.leaf_of(below))
    }

    /// Returns the velocity at a cell's center: the mean of its faces along each axis.
    fn velocity(&self, cell: CellId) -> DVec3 {
        let Walled { mesh, apertures, .. } = self.walled;
        let at = |k: FaceId| {
            if apertures.open(k) > 0.0 { self.u[k] } else { apertures.solid_velocity(k) }
        };
        let toward = |direction: usize| {
            let faces = mesh.faces().of_cell_toward(cell, direction);
            faces.iter().map(|&k| at(k)).sum::<f64>() / faces.len() as f64
        };
        DVec3::from_array([0, 1, 2].map(|a| 0.5 * (toward(2 * a) + toward(2 * a + 1))))
    }
}

impl SlowedFaces {
    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Slows the velocity after forces have acted, before the pressure does.
    pub fn slow(&self, u: &mut Field<FaceId, f64>) {
        for &SlowedFace { face, before, slowed, share } in &self.0 {
            u[face] = slowed + f64::from(share) * (u[face] - before);
        }
    }

    /// Lets the pressure solve know how much of the pressure's gradient acts on these faces.
    pub fn set(&self, apertures: &mut Apertures) {
        apertures.set_yields(self.0.iter().map(|f| (f.face, f.share)));
    }
}

#[cfg(test)]
mod tests;
