//! How much water passes each face in a step.
//!
//! ```text
//! ΔM_k = α_k A_k u_k a_k dt,   α_k = 1/dt ∫ (liquid fraction of the face where it was the time s ago) ds
//! ```
//!
//! a_k is the face's area, A_k its open fraction, and u_k the projected velocity, so that Σ ± A_k u_k a_k is zero
//! in full cells, which stay full. α_k is that of the box that the face sweeps: it is cut into oblique pieces that follow the
//! flow over no more than half a cell, each piece is moved to where its water was, cut along the sides of the cells
//! there, and filled to the plane of each. The plane of a cell has the normal of φ and leaves the cell's content behind it.
//! At a T-junction each small face has its own α.
//!
//! The scheme is not limited by the length of the step, because the boxes are traced through as many cells as they
//! cross. It differs from splitting by directions (Weymouth & Yue 2010) in that a cell may be left with a little
//! more than it can hold or less than nothing; what becomes of that is in [`super::matching`].

mod fillings;

use crate::apertures::Apertures;
use crate::mesh::Mesh;
use crate::nodal::{CornerVelocity, velocity_from};
use crate::solids::Solids;
use crate::state::{ExactFlow, State};
use crate::volume::cell_room;
use fillings::{Fillings, Swept};
use glam::DVec3;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::par;

/// Longest piece of a swept box, in edges of the face.
const PIECE: f64 = 0.5;

/// The fastest water passes a whole number of pieces, up to rounding.
const ROUNDING: f64 = 1e-6;

/// Most pieces of a swept box: fast flow through slivers beside solids needs no more.
const MOST_PIECES: f64 = 8.0;

/// A face counts as full or dry if the surface is farther away than its water has come from, times this ...
const PATH: f64 = 1.5;
/// ... plus this many edges of the cells beside it.
const MARGIN_CELLS: f64 = 1.4;

/// Less than this fraction of a cell is nothing.
const EMPTY: f64 = 1e-12;

/// Within this many cells of a solid, boxes are traced along the normal of the face only.
const SOLID_CELLS: f64 = 2.0;

/// The volume of water in m³ that passes faces along their axes in a step.
pub(super) struct Passed {
    faces: Field<FaceId, f64>,
    /// The same for the small faces of T-junctions, in the order of the small cells in the stencil.
    small: Vec<(FaceId, [f64; 4])>,
}

/// The number of a cell among the small cells of a T-junction; `None` for the large cell.
fn small_number(mesh: &Mesh, face: FaceId, cell: CellId) -> Option<usize> {
    let level = mesh.faces.level(face);
    if mesh.tree.level(cell) == level {
        return None;
    }
    let small = mesh.faces.stencil(&mesh.tree, face);
    small.iter().filter(|&(c, _)| mesh.tree.level(c) != level).position(|(c, _)| c == cell)
}

impl Passed {
    /// Computes what passes the faces of a state within `dt`.
    pub fn of(state: &State, corners: &CornerVelocity, solids: &Solids, dt: f64) -> Self {
        let State { mesh, phi, u, apertures, content, exact_flow, .. } = state;
        let filled = |c: CellId| match cell_room(mesh, apertures, solids, c) {
            room if room > EMPTY * mesh.tree.size(c).powi(3) => content[c] / room,
            _ => 0.0,
        };
        let fillings = &Fillings::new(mesh, phi, filled);
        let longest = dt * corners.max_speed() * (1.0 + ROUNDING);
        let paths = Paths { mesh, phi, fillings, corners, apertures, dt, longest };
        let through = |k: FaceId, part: Part, open: f64| {
            let exact =
                exact_flow.binary_search_by_key(&k.0, |flow| flow.face.0).ok().map(|i| &exact_flow[i]);
            let area = part.size * part.size;
            match exact {
                // An inflow supplies what it prescribes.
                Some(&ExactFlow { rate, is_inflow: true, .. }) => dt * rate * part.share,
                Some(&ExactFlow { rate, .. }) => {
                    let velocity = rate / (apertures.open(k) * mesh.face_size(k).powi(2));
                    dt * open * area * velocity * paths.wet_fraction(k, &part, velocity)
                }
                None if open <= 0.0 || u[k] == 0.0 => 0.0,
                None => dt * open * area * u[k] * paths.wet_fraction(k, &part, u[k]),
            }
        };
        let is_t = |k: FaceId| mesh.faces.is_t_junction(&mesh.tree, k);
        let small = par::collect(mesh.n_faces(), |i, out: &mut Vec<(FaceId, [f64; 4])>| {
            let k = FaceId(i as u32);
            if !is_t(k) {
                return;
            }
            let (axis, size) = (mesh.faces.axis(k), 0.5 * mesh.face_size(k));
            let middle = mesh.face_position(k);
            let (stencil, level) = (mesh.faces.stencil(&mesh.tree, k), mesh.faces.level(k));
            let openings = apertures.small(k);
            let mut passed = [0.0; 4];
            let beside = stencil.iter().filter(|&(c, _)| mesh.tree.level(c) != level);
            for (n, (c, _)) in beside.enumerate() {
                let mut x = mesh.tree.center(c);
                x[axis] = middle[axis];
                let open = openings.map_or_else(|| apertures.open(k), |o| o.open(n));
                passed[n] = through(k, Part { x, size, share: 0.25 }, open);
            }
            out.push((k, passed));
        });
        let mut faces = par::map(mesh.n_faces(), |k: FaceId| {
            if is_t(k) {
                return 0.0;
            }
            let part = Part { x: mesh.face_position(k), size: mesh.face_size(k), share: 1.0 };
            through(k, part, apertures.open(k))
        });
        for (k, passed) in &small {
            faces[*k] = passed.iter().sum();
        }
        Self { faces, small }
    }

    /// Returns the volume that passes the part of a face that belongs to a cell, along the axis.
    #[inline]
    fn through(&self, mesh: &Mesh, face: FaceId, cell: CellId) -> f64 {
        if self.faces[face] == 0.0 && self.small.is_empty() {
            return 0.0;
        }
        match small_number(mesh, face, cell) {
            None => self.faces[face],
            Some(n) => {
                self.small.binary_search_by_key(&face.0, |(k, _)| k.0).map_or(0.0, |i| self.small[i].1[n])
            }
        }
    }

    /// Returns the volume that a cell gains.
    pub fn gain(&self, mesh: &Mesh, cell: CellId) -> f64 {
        let faces = mesh.faces.of_cell(cell).iter().enumerate();
        faces
            .map(|(direction, &k)| {
                let passed = self.through(mesh, k, cell);
                if direction & 1 == 1 { -passed } else { passed }
            })
            .sum()
    }

    /// Calls `f` with what a cell gains through each of its faces, and the cell beyond; there is none at sides of the
    /// domain.
    pub fn for_each(&self, mesh: &Mesh, cell: CellId, mut f: impl FnMut(f64, Option<CellId>)) {
        for (direction, &k) in mesh.faces.of_cell(cell).iter().enumerate() {
            let sign = if direction & 1 == 1 { -1.0 } else { 1.0 };
            let small = mesh.faces.is_t_junction(&mesh.tree, k).then(|| self.small_of(k)).flatten();
            if small.is_none() && self.faces[k] == 0.0 {
                continue;
            }
            let (stencil, level) = (mesh.faces.stencil(&mesh.tree, k), mesh.faces.level(k));
            let Some(small) = small else {
                f(sign * self.faces[k], stencil.iter().map(|(c, _)| c).find(|&c| c != cell));
                continue;
            };
            let beside = stencil.iter().map(|(c, _)| c).filter(|&c| mesh.tree.level(c) != level);
            if mesh.tree.level(cell) == level {
                beside.zip(small).for_each(|(c, by)| f(sign * by, Some(c)));
            } else {
                let large = stencil.iter().map(|(c, _)| c).find(|&c| mesh.tree.level(c) == level);
                beside.zip(small).filter(|&(c, _)| c == cell).for_each(|(_, by)| f(sign * by, large));
            }
        }
    }

    /// Returns what passes the small faces of a T-junction.
    fn small_of(&self, face: FaceId) -> Option<&[f64; 4]> {
        self.small.binary_search_by_key(&face.0, |(k, _)| k.0).ok().map(|i| &self.small[i].1)
    }

    /// Multiplies what passes a face by a factor of the cells that it leaves and that it enters.
    pub fn scale(
        &mut self,
        mesh: &Mesh,
        face: FaceId,
        factor: impl Fn(Option<CellId>, Option<CellId>) -> f64,
    ) {
        let along = |by: f64, [low, high]: [Option<CellId>; 2]| {
            by * if by > 0.0 { factor(low, high) } else { factor(high, low) }
        };
        let (stencil, level) = (mesh.faces.stencil(&mesh.tree, face), mesh.faces.level(face));
        let Ok(i) = self.small.binary_search_by_key(&face.0, |(k, _)| k.0) else {
            let mut sides = [None; 2];
            stencil.iter().for_each(|(c, w)| sides[usize::from(w > 0.0)] = Some(c));
            self.faces[face] = along(self.faces[face], sides);
            return;
        };
        let large = stencil.iter().map(|(c, _)| c).find(|&c| mesh.tree.level(c) == level);
        let beside = stencil.iter().filter(|&(c, _)| mesh.tree.level(c) != level);
        for (by, (c, w)) in self.small[i].1.iter_mut().zip(beside) {
            *by = along(*by, if w > 0.0 { [large, Some(c)] } else { [Some(c), large] });
        }
        self.faces[face] = self.small[i].1.iter().sum();
    }

    /// Returns the volume that leaves through the sides of the domain.
    pub fn lost(&self, mesh: &Mesh, apertures: &Apertures) -> f64 {
        par::sum(mesh.n_faces(), |i| {
            let k = FaceId(i as u32);
            match mesh.side_of(k) {
                Some(side) if apertures.open(k) > 0.0 => {
                    if side & 1 == 1 {
                        self.faces[k]
                    } else {
                        -self.faces[k]
                    }
                }
                _ => 0.0,
            }
        })
    }
}

#[cfg(test)]
impl Passed {
    /// What passes faces without T-junctions.
    pub fn through_faces(faces: Field<FaceId, f64>) -> Self {
        Self { faces, small: Vec::new() }
    }
}

/// A face, or one of the small faces of a T-junction.
struct Part {
    /// Its center.
    x: DVec3,
    /// Its edge.
    size: f64,
    /// Its share of the whole face.
    share: f64,
}

/// Where the water of a step comes from.
struct Paths<'a> {
    mesh: &'a Mesh,
    phi: &'a Field<CellId, f64>,
    fillings: &'a Fillings,
    corners: &'a CornerVelocity,
    apertures: &'a Apertures,
    dt: f64,
    /// No water goes farther.
    longest: f64,
}

impl Paths<'_> {
    /// Returns the liquid fraction α of what passes a part of a face with a velocity along its axis.
    fn wet_fraction(&self, face: FaceId, part: &Part, velocity: f64) -> f64 {
        let Self { mesh, phi, corners, apertures, dt, longest, .. } = *self;
        let stencil = mesh.faces.stencil(&mesh.tree, face);
        let margin = MARGIN_CELLS * mesh.face_size(face);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for (c, _) in stencil.iter() {
            (low, high) = (low.min(phi[c]), high.max(phi[c]));
        }
        if low * high > 0.0 && low.abs().min(high.abs()) > PATH * longest + margin {
            return if high < 0.0 { 1.0 } else { 0.0 };
        }
        let mut near = stencil.iter().next().map_or(CellId(0), |(c, _)| c);
        let velocity_here = velocity_from(mesh, corners, &mut near, part.x);
        if low * high > 0.0 && low.abs().min(high.abs()) > margin {
            let path = PATH * dt * velocity_here.length() + margin;
            if high < -path {
                return 1.0;
            }
            if low > path {
                return 0.0;
            }
        }
        let axis = mesh.faces.axis(face);
        // Paths along a solid could lead through it; those along the normal come through the open face.
        let is_free =
            stencil.iter().all(|(c, _)| apertures.solid_distance(c) > SOLID_CELLS * mesh.tree.size(c));
        let fastest = if is_free { velocity_here.abs().max_element() } else { 0.0 };
        let path = dt * velocity.abs().max(fastest);
        let n = (path / (PIECE * part.size) - ROUNDING).ceil().clamp(1.0, MOST_PIECES);
        let mut edges = DVec3::splat(part.size);
        edges[axis] = velocity.abs() * dt / n;
        let mut wet = 0.0;
        for piece in 0..n as usize {
            let ago = (piece as f64 + 0.5) / n * dt;
            let (mut x, mut way) = (part.x, DVec3::ZERO);
            if is_free {
                let half = velocity_from(mesh, corners, &mut near, x - 0.5 * ago * velocity_here);
                x = corners.barriers().stop_back(&mesh.tree, x, x - ago * half);
                way = half / velocity;
            }
            x[axis] = part.x[axis] - ago * velocity;
            way[axis] = 1.0;
            wet += self.fillings.wet_fraction(&mesh.tree, &mut near, Swept { x, edges, axis, way });
        }
        wet / n
    }
}
