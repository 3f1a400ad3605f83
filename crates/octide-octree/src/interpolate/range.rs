//! The range of the samples around a point, which bounds what interpolation can return there.

use super::samples::step_to;
use super::{FaceSamples, Samples, for_views};
use crate::mesh::Mesh;
use glam::DVec3;
use octide_core::index::{CellId, FaceId, Field};

/// Samples whose kernels end at the query, up to rounding, are included.
const EDGE: f64 = 1.0 + 1e-9;

/// Returns the smallest and the largest of the values along `axis` whose kernels reach `p`; `toward` is as in
/// [`super::sample_faces`].
pub fn faces_range(mesh: &Mesh, u: &Field<FaceId, f64>, axis: usize, p: DVec3, toward: DVec3) -> (f64, f64) {
    let grid = mesh.tree.grid();
    let p = p.clamp(grid.low(), grid.high());
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut meet = |value: f64| {
        least = least.min(value);
        most = most.max(value);
    };
    for_views(mesh, CellId::NONE, p, toward, |cell| {
        let home = mesh.tree.node_of(cell);
        if mesh.contacts.is_regular(cell) {
            let r = p - mesh.tree.center(cell);
            let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
            let nb = step_to(mesh, home, b, usize::from(r[b] >= 0.0));
            let side = usize::from(r[c] >= 0.0);
            for node in [home, nb, step_to(mesh, home, c, side), step_to(mesh, nb, c, side)] {
                let faces = mesh.faces.of_cell(mesh.tree.leaf_of(node));
                meet(u[faces[2 * axis]]);
                meet(u[faces[2 * axis + 1]]);
            }
        } else {
            let at = grid.to_lattice(p);
            FaceSamples { u, axis }.for_around(mesh, cell, &mut |s| {
                let apart = (s.place.as_dvec3() - at).abs().max_element();
                if apart <= EDGE * f64::from(s.size) {
                    meet(s.value);
                }
            });
        }
    });
    (least, most)
}
