//! Velocity continued past the surface with its slope.
//!
//! A wave's velocity falls off with depth. Continued as a constant from the last faces that the pressure has
//! set, it is too small on the surface itself by half a cell's share of that, and the wave too slow by O(h).
//! Here planes are carried outwards, u + g·(x − x̄) with x̄ where u is known. Their slopes g are by least
//! squares over the neighbors that are set. Farther out than a few cells, and in solids, velocity is constant
//! again.

use super::fill_faces;
use crate::apertures::Apertures;
use crate::mesh::Mesh;
use glam::{DMat3, DVec3};
use octide_core::index::{CellId, FaceId, Field};
use octide_core::par;
use octide_core::surface::extrapolate::extrapolate;
use std::ops::{Add, Mul, Sub};

/// Planes count in full up to this many cells from the surface ...
const PLANE_CELLS: f64 = 3.0;
/// ... and not at all from here on.
const CONSTANT_CELLS: f64 = 5.0;

/// Added to the least squares, whose sum is 2 a direction with both neighbors: a slope that nothing tells of
/// is zero.
const RIDGE: f64 = 0.02;

/// A velocity component about a cell.
#[derive(Clone, Copy, Default)]
struct Plane {
    /// Carried as it is.
    u: f64,
    /// The plane g·x + c.
    c: f64,
    g: DVec3,
}

impl Add for Plane {
    type Output = Self;
    fn add(self, b: Self) -> Self {
        Self { u: self.u + b.u, c: self.c + b.c, g: self.g + b.g }
    }
}

impl Sub for Plane {
    type Output = Self;
    fn sub(self, b: Self) -> Self {
        Self { u: self.u - b.u, c: self.c - b.c, g: self.g - b.g }
    }
}

impl Mul<f64> for Plane {
    type Output = Self;
    fn mul(self, s: f64) -> Self {
        Self { u: s * self.u, c: s * self.c, g: s * self.g }
    }
}

/// What is known of a component in a cell: the mean over its faces, and where that is.
#[derive(Clone, Copy)]
struct Known {
    is_set: bool,
    u: f64,
    x: DVec3,
    /// Along the axis, where both faces tell.
    slope: Option<f64>,
}

/// As [`extend_velocity`](super::extend_velocity), with slopes.
pub fn continue_velocity(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    apertures: &Apertures,
    mut u: Field<FaceId, f64>,
    valid: &Field<FaceId, bool>,
) -> Field<FaceId, f64> {
    let n = mesh.n_cells();
    let order = par::map(n, |c: CellId| phi[c].max(-apertures.solid_distance(c)).max(0.0));
    let at_cell: [Field<CellId, f64>; 3] = std::array::from_fn(|axis| {
        let known = par::map(n, |c: CellId| known(mesh, apertures, &u, valid, axis, c));
        let is_set = par::map(n, |c: CellId| known[c].is_set);
        let mut planes = par::map(n, |c: CellId| plane(mesh, &known, axis, c));
        extrapolate(mesh, &is_set, &order, &mut planes);
        par::map(n, |c: CellId| {
            let Plane { u, c: constant, g } = planes[c];
            let near = if apertures.solid_distance(c) < 0.0 {
                0.0
            } else {
                ((CONSTANT_CELLS - order[c] / mesh.tree.size(c)) / (CONSTANT_CELLS - PLANE_CELLS))
                    .clamp(0.0, 1.0)
            };
            u + near * (constant + g.dot(mesh.tree.center(c)) - u)
        })
    });
    fill_faces(mesh, apertures, valid, &at_cell, &mut u);
    u
}

fn known(
    mesh: &Mesh,
    apertures: &Apertures,
    u: &Field<FaceId, f64>,
    valid: &Field<FaceId, bool>,
    axis: usize,
    cell: CellId,
) -> Known {
    let (x, h) = (mesh.tree.center(cell), mesh.tree.size(cell));
    let pair = [mesh.faces.of_cell(cell)[2 * axis], mesh.faces.of_cell(cell)[2 * axis + 1]];
    let is_set = pair.iter().any(|&k| valid[k]);
    // Walls hold still: they count beside a valid face.
    match pair.map(|k| is_set && (valid[k] || apertures.is_wall(mesh, k))) {
        [true, true] => {
            let (a, b) = (u[pair[0]], u[pair[1]]);
            Known { is_set, u: 0.5 * (a + b), x, slope: Some((b - a) / h) }
        }
        [false, false] => Known { is_set, u: 0.0, x, slope: None },
        [low, _] => {
            let mut x = x;
            x[axis] += if low { -0.5 * h } else { 0.5 * h };
            Known { is_set, u: u[pair[usize::from(!low)]], x, slope: None }
        }
    }
}

/// The plane through what is known in a cell; nothing where nothing is.
fn plane(mesh: &Mesh, known: &Field<CellId, Known>, axis: usize, cell: CellId) -> Plane {
    let Known { is_set, u, x, slope } = known[cell];
    if !is_set {
        return Plane::default();
    }
    let (mut a, mut b) = (DMat3::from_diagonal(DVec3::splat(RIDGE)), DVec3::ZERO);
    let mut add = |r: DVec3, du: f64| {
        let w = r / r.length_squared().max(f64::MIN_POSITIVE);
        a += DMat3::from_cols(r * w.x, r * w.y, r * w.z);
        b += w * du;
    };
    if let Some(slope) = slope {
        let h = mesh.tree.size(cell);
        add(DVec3::AXES[axis] * h, slope * h);
    }
    for &j in mesh.contacts.face_neighbors(cell) {
        let other = known[CellId(j)];
        if other.is_set && other.x != x {
            add(other.x - x, other.u - u);
        }
    }
    let g = a.inverse() * b;
    Plane { u, c: u - g.dot(x), g }
}
