//! The gradient of phi at a leaf's center: least squares over its face neighbors, min_g Σ w (g·d − Δφ)², w =
//! min(1, h_neighbor/h) / |d|². It is exact for linear fields, also at changes of level, and with these
//! weights nearly exact for quadratic ones.

use crate::index::{CellId, Field};
use crate::octree::{DIRECTIONS, Octree};
use glam::{DMat3, DVec3};

/// Returns the gradient at a leaf's center. Along a direction without neighbors it is zero.
pub fn gradient(tree: &Octree, phi: &Field<CellId, f64>, cell: CellId) -> DVec3 {
    let (x, h, value) = (tree.center(cell), tree.size(cell), phi[cell]);
    let mut a = DMat3::ZERO;
    let mut b = DVec3::ZERO;
    for direction in 0..DIRECTIONS {
        tree.for_face_neighbors(cell, direction, &mut |other| {
            let d = tree.center(other) - x;
            let wd = d * ((tree.size(other) / h).min(1.0) / d.length_squared());
            a += DMat3::from_cols(wd * d.x, wd * d.y, wd * d.z);
            b += wd * (phi[other] - value);
        });
    }
    // The entries are of order one, so this regularization is below the rounding error of a field.
    let ridge = 1e-13;
    let a = a + DMat3::from_diagonal(DVec3::splat(ridge));
    let g = a.inverse() * b;
    if g.is_finite() { g } else { DVec3::ZERO }
}
