//! Linear extension of the velocity beyond the surface.
//!
//! A wave's velocity decreases with depth. If the velocity of the last faces that the pressure has set is
//! extended as a constant, it is too small on the surface by its change over half a cell, and the wave is too
//! slow by O(h); stretching films thicken by about h/8 times their change of velocity per unit of time, because water
//! leaves them too slowly. Here planes u + g·(x − x̄) are extrapolated outward, where x̄ is the point at which u is
//! known. The slopes g are found by least squares over the neighbors that are set; they matter only in cells beside some
//! that are not, and are limited in splashes. More than a few
//! cells from the surface, and in solids, the velocity is extended as a constant.

use super::fill_faces;
use crate::apertures::Apertures;
use crate::mesh::Mesh;
use crate::nodal::cell_velocity;
use glam::{DMat3, DVec3};
use octide_core::index::{CellId, FaceId, Field};
use octide_core::par;
use octide_core::surface::extrapolate::extrapolate;
use std::ops::{Add, Mul, Sub};

/// The planes are used unchanged up to this many cells from the surface ...
const PLANE_CELLS: f64 = 3.0;
/// ... and the constants alone from this distance on.
const CONSTANT_CELLS: f64 = 5.0;

/// Along a plane a component changes by at most this fraction of the speed: a wave that the cells resolve well is less steep,
/// and in splashes slopes mean nothing. Nor does it change by more than it does between known neighbors.
pub const STEEPEST: f64 = 0.1;

/// Regularization added to the least-squares matrix, to which two neighbors along one direction contribute 2.
/// Slopes that the neighbors do not determine become zero.
const RIDGE: f64 = 0.02;

/// A velocity component around a cell.
#[derive(Clone, Copy, Default)]
struct Plane {
    /// The value that is extended as a constant.
    u: f64,
    /// The plane g·x + c.
    c: f64,
    g: DVec3,
    /// The plane differs from `u` by at most this.
    most: f64,
}

impl Add for Plane {
    type Output = Self;
    fn add(self, b: Self) -> Self {
        Self { u: self.u + b.u, c: self.c + b.c, g: self.g + b.g, most: self.most + b.most }
    }
}

impl Sub for Plane {
    type Output = Self;
    fn sub(self, b: Self) -> Self {
        Self { u: self.u - b.u, c: self.c - b.c, g: self.g - b.g, most: self.most - b.most }
    }
}

impl Mul<f64> for Plane {
    type Output = Self;
    fn mul(self, s: f64) -> Self {
        Self { u: s * self.u, c: s * self.c, g: s * self.g, most: s * self.most }
    }
}

/// What is known of a component in a cell: the mean over its faces, and the point of that mean.
#[derive(Clone, Copy)]
struct Known {
    u: f64,
    x: DVec3,
    /// The slope along the axis, if both faces are known.
    slope: Option<f64>,
}

/// One component of the velocity, and where it is known.
struct Component<'a> {
    mesh: &'a Mesh,
    apertures: &'a Apertures,
    u: &'a Field<FaceId, f64>,
    valid: &'a Field<FaceId, bool>,
    axis: usize,
    steepest: Option<f64>,
}

/// As [`extend_velocity`](super::extend_velocity), but linear near the surface. Along a plane a component changes by at most
/// the fraction `steepest` of the speed, if there is one.
pub fn continue_velocity(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    apertures: &Apertures,
    mut u: Field<FaceId, f64>,
    valid: &Field<FaceId, bool>,
    steepest: Option<f64>,
) -> Field<FaceId, f64> {
    let n = mesh.n_cells();
    let order = par::map(n, |c: CellId| phi[c].max(-apertures.solid_distance(c)).max(0.0));
    // One bit for each axis: cells with a valid face along it, and cells whose neighbors all have one.
    let set = par::map(n, |c: CellId| {
        let faces = mesh.faces.of_cell(c);
        (0..3).fold(0u8, |bits, a| bits | u8::from(valid[faces[2 * a]] || valid[faces[2 * a + 1]]) << a)
    });
    let inside = par::map(n, |c: CellId| {
        let around = mesh.contacts.face_neighbors(c);
        around.iter().fold(set[c], |bits, &j| if bits == 0 { 0 } else { bits & set[CellId(j)] })
    });
    let at_cell: [Field<CellId, f64>; 3] = std::array::from_fn(|axis| {
        let component = Component { mesh, apertures, u: &u, valid, axis, steepest };
        let is_set = par::map(n, |c: CellId| set[c] >> axis & 1 == 1);
        let mut planes = par::map(n, |c: CellId| component.plane(&is_set, inside[c] >> axis & 1 == 1, c));
        extrapolate(mesh, &is_set, &order, &mut planes);
        par::map(n, |c: CellId| {
            let Plane { u, c: constant, g, most } = planes[c];
            let near = if apertures.solid_distance(c) < 0.0 {
                0.0
            } else {
                ((CONSTANT_CELLS - order[c] / mesh.tree.size(c)) / (CONSTANT_CELLS - PLANE_CELLS))
                    .clamp(0.0, 1.0)
            };
            u + near * (constant + g.dot(mesh.tree.center(c)) - u).clamp(-most.abs(), most.abs())
        })
    });
    fill_faces(mesh, apertures, valid, &at_cell, &mut u);
    u
}

impl Component<'_> {
    /// Returns the faces of a cell along the axis.
    fn pair(&self, cell: CellId) -> [FaceId; 2] {
        let faces = self.mesh.faces.of_cell(cell);
        [faces[2 * self.axis], faces[2 * self.axis + 1]]
    }

    /// Returns what is known in a cell with a valid face. Walls have zero velocity and are included.
    fn known(&self, cell: CellId) -> Known {
        let (mut x, h) = (self.mesh.tree.center(cell), self.mesh.tree.size(cell));
        let pair = self.pair(cell);
        match pair.map(|k| self.valid[k] || self.apertures.is_wall(self.mesh, k)) {
            [true, true] => {
                let (a, b) = (self.u[pair[0]], self.u[pair[1]]);
                Known { u: 0.5 * (a + b), x, slope: Some((b - a) / h) }
            }
            [low, _] => {
                x[self.axis] += if low { -0.5 * h } else { 0.5 * h };
                Known { u: self.u[pair[usize::from(!low)]], x, slope: None }
            }
        }
    }

    /// Returns the plane through the known value of a cell; the default where there is none, a constant where no
    /// neighbor takes it because all are set: then the cell is inside.
    fn plane(&self, is_set: &Field<CellId, bool>, is_inside: bool, cell: CellId) -> Plane {
        if !is_set[cell] {
            return Plane::default();
        }
        let mesh = self.mesh;
        let Known { u, x, slope } = self.known(cell);
        let neighbors = mesh.contacts.face_neighbors(cell);
        if is_inside {
            return Plane { u, c: u, ..Plane::default() };
        }
        let mut range = slope.map_or(0.0, |slope| 0.5 * (slope * mesh.tree.size(cell)).abs());
        let (mut a, mut b) = (DMat3::from_diagonal(DVec3::splat(RIDGE)), DVec3::ZERO);
        let mut add = |r: DVec3, du: f64| {
            let w = r / r.length_squared().max(f64::MIN_POSITIVE);
            a += DMat3::from_cols(r * w.x, r * w.y, r * w.z);
            b += w * du;
        };
        if let Some(slope) = slope {
            let h = mesh.tree.size(cell);
            add(DVec3::AXES[self.axis] * h, slope * h);
        }
        for other in neighbors.iter().map(|&j| CellId(j)).filter(|&j| is_set[j]) {
            let other = self.known(other);
            range = range.max((other.u - u).abs());
            if other.x != x {
                add(other.x - x, other.u - u);
            }
        }
        let g = a.inverse() * b;
        let limit = |steepest| range.min(steepest * cell_velocity(mesh, self.u, cell).length());
        let most = self.steepest.map_or(f64::MAX, limit);
        Plane { u, c: u - g.dot(x), g, most }
    }
}
