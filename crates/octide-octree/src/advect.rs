//! Semi-Lagrangian advection of φ and of each velocity component from the old tree to the new one (§3.2),
//!
//! ```text
//! q_new(x) = q_old(x − ∫ u dt)
//! ```
//!
//! with a second-order path. Near T-junctions a least-squares fit does not interpolate its own samples and
//! would blur resting water a little in every step. Where a sample of the new tree also exists in the old
//! one, the error of the fit at that sample, q_i − q(x_i), is added. It is weighted by the overlap of the
//! sample's kernel with the foot of the path: one at rest, zero from one cell's distance on.
//! [`advect_faces_maccormack`] removes most of the remaining blur.

mod maccormack;

pub use maccormack::{OldFlow, advect_faces_maccormack};

use crate::apertures::Apertures;
use crate::interpolate::{
    CurvedPhi, sample_cells, sample_cells_together, sample_faces_from, sample_faces_together,
};
use crate::mesh::Mesh;
use crate::nodal::{CornerVelocity, trace_back_from};
use glam::DVec3;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::par;

/// Returns the signed distance φ on the cells of `new`. Where the surface cannot come within two cells in
/// `dt`, only the sign of φ is kept correct: redistancing computes the distance there. `apertures` belong to
/// `old`.
pub fn advect_distance(
    old: &Mesh,
    phi: &Field<CellId, f64>,
    apertures: &Apertures,
    corners: &CornerVelocity,
    new: &Mesh,
    dt: f64,
) -> Field<CellId, f64> {
    let curved = CurvedPhi::new(old, phi, apertures);
    advect_near(old, phi, corners, new, dt, |cell, there| {
        advect_cell(old, phi, corners, new, dt, (cell, there), |near, foot, way| {
            curved.sample(near, foot, way)
        })
    })
}

/// As [`advect_distance`], with `carried` near the surface: its arguments are a cell of `new` and the cell of
/// `old` at its center.
pub fn advect_near(
    old: &Mesh,
    phi: &Field<CellId, f64>,
    corners: &CornerVelocity,
    new: &Mesh,
    dt: f64,
    carried: impl Fn(CellId, CellId) -> f64 + Sync + Send,
) -> Field<CellId, f64> {
    let way = dt * corners.max_speed();
    par::map(new.n_cells(), |cell: CellId| {
        let there = old.tree.nearest_leaf(new.tree.center(cell));
        let far = way + 4.0 * old.tree.size(there).max(new.tree.size(cell));
        if phi[there].abs() > far { phi[there] } else { carried(cell, there) }
    })
}

/// Advects a cell-centered field to the cells of `new`.
pub fn advect_cells(
    old: &Mesh,
    q: &Field<CellId, f64>,
    corners: &CornerVelocity,
    new: &Mesh,
    dt: f64,
) -> Field<CellId, f64> {
    par::map(new.n_cells(), |cell: CellId| {
        let there = old.tree.nearest_leaf(new.tree.center(cell));
        advect_cell(old, q, corners, new, dt, (cell, there), |_, foot, way| sample_cells(old, q, foot, way))
    })
}

/// Advects a cell-centered field to one cell of `new`, whose center lies in the second cell, of `old`. `at` samples it at a
/// point, given a cell near it and the displacement.
pub fn advect_cell(
    old: &Mesh,
    q: &Field<CellId, f64>,
    corners: &CornerVelocity,
    new: &Mesh,
    dt: f64,
    (cell, there): (CellId, CellId),
    at: impl Fn(CellId, DVec3, DVec3) -> f64,
) -> f64 {
    let x = new.tree.center(cell);
    let mut near = there;
    let foot = trace_back_from(old, corners, &mut near, x, dt);
    let way = foot - x;
    let same = same_cell(old, new, cell).filter(|&same| !old.contacts.is_regular(same));
    match same {
        Some(same) if way == DVec3::ZERO => q[same],
        Some(same) => match overlap(way, old.tree.size(same)) {
            0.0 => at(near, foot, way),
            left => {
                let [there, here] = sample_cells_together(old, q, near, [foot, x], way)
                    .unwrap_or_else(|| [at(near, foot, way), sample_cells(old, q, x, way)]);
                there + left * (q[same] - here)
            }
        },
        None => at(near, foot, way),
    }
}

/// Returns the weight of a sample's own kernel after the displacement `way`.
fn overlap(way: DVec3, size: f64) -> f64 {
    let k = (1.0 - way.abs() / size).max(DVec3::ZERO);
    k.x * k.y * k.z
}

/// Advects the velocity to the faces of `new` that are `wanted`; zero on the others and on walls.
pub fn advect_faces(
    old: &Mesh,
    u: &Field<FaceId, f64>,
    corners: &CornerVelocity,
    new: &Mesh,
    dt: f64,
    wanted: impl Fn(FaceId) -> bool + Sync + Send,
) -> Field<FaceId, f64> {
    par::map(new.n_faces(), |face: FaceId| {
        if new.faces.is_wall(face) || !wanted(face) {
            return 0.0;
        }
        advect_face(old, u, corners, new, dt, face)
    })
}

/// Advects the velocity to one face of `new`.
#[inline]
pub fn advect_face(
    old: &Mesh,
    u: &Field<FaceId, f64>,
    corners: &CornerVelocity,
    new: &Mesh,
    dt: f64,
    face: FaceId,
) -> f64 {
    let axis = new.faces.axis(face);
    let x = new.face_position(face);
    let there = old.tree.nearest_leaf(x);
    let mut near = there;
    let foot = trace_back_from(old, corners, &mut near, x, dt);
    let way = foot - x;
    match same_face_near(old, new, there, face) {
        Some((same, _)) if way == DVec3::ZERO => u[same],
        Some((same, false)) => match overlap(way, old.face_size(same)) {
            0.0 => sample_faces_from(old, u, axis, near, foot, way),
            left => {
                let [there, here] = sample_faces_together(old, u, axis, near, [foot, x], way)
                    .unwrap_or_else(|| [foot, x].map(|p| sample_faces_from(old, u, axis, near, p, way)));
                there + left * (u[same] - here)
            }
        },
        _ => sample_faces_from(old, u, axis, near, foot, way),
    }
}

/// Returns the leaf of the old tree with the same position and size.
pub(crate) fn same_cell(old: &Mesh, new: &Mesh, cell: CellId) -> Option<CellId> {
    let node = new.tree.node_of(cell);
    let found = old.tree.find(new.tree.node_level(node), new.tree.coord(node));
    let same =
        found.is_some() && old.tree.node_level(found) == new.tree.node_level(node) && old.tree.is_leaf(found);
    same.then(|| old.tree.leaf_of(found))
}

/// As [`same_face`], where `there` is the leaf of the old tree at the center of the face: mostly it is that on the high side.
fn same_face_near(old: &Mesh, new: &Mesh, there: CellId, face: FaceId) -> Option<(FaceId, bool)> {
    let node = new.faces.sides(face)[1];
    if node.is_some() && new.tree.is_leaf(node) {
        let was = old.tree.node_of(there);
        let is_same = old.tree.node_level(was) == new.tree.node_level(node)
            && old.tree.coord(was) == new.tree.coord(node)
            && new.faces.level(face) == new.tree.node_level(node);
        let same = old.faces.of_cell(there)[2 * new.faces.axis(face)];
        if is_same && old.faces.level(same) == new.faces.level(face) {
            return Some((same, is_regular(old, same)));
        }
    }
    same_face(old, new, face)
}

/// Returns whether all cells beside a face are regular.
fn is_regular(mesh: &Mesh, face: FaceId) -> bool {
    let sides = mesh.faces.sides(face);
    let is_regular = |s| mesh.tree.is_leaf(s) && mesh.contacts.is_regular(mesh.tree.leaf_of(s));
    sides.into_iter().all(|s| s.is_none() || is_regular(s))
}

/// Returns the face of the old tree with the same position and size, and whether interpolation is trilinear
/// there and so reproduces its value.
fn same_face(old: &Mesh, new: &Mesh, face: FaceId) -> Option<(FaceId, bool)> {
    let axis = new.faces.axis(face);
    new.faces.sides(face).iter().enumerate().find_map(|(side, &node)| {
        if node.is_none() || !new.tree.is_leaf(node) {
            return None;
        }
        let cell = same_cell(old, new, new.tree.leaf_of(node))?;
        let same = old.faces.of_cell(cell)[2 * axis + 1 - side];
        let equal = old.faces.level(same) == new.faces.level(face);
        equal.then(|| (same, is_regular(old, same)))
    })
}

#[cfg(test)]
mod tests;
