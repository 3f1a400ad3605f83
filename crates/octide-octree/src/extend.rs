//! What the next step will sample must exist wherever it looks: φ inside solids and as distance, velocity in air
//! and in solids (§7.1).
//!
//! φ continues into solids from just outside, with its own slope along gravity and level across it, so that a
//! flat surface stays flat where a solid pierces it, and a wave stays as high as it is at the solid. Velocity goes from the faces that the pressure has set to cells (the mean along each axis), from cell to
//! cell outwards, and back to the faces that have none.

use crate::apertures::Apertures;
use crate::mesh::Mesh;
use crate::solids::Solids;
use crate::volume::cell_gradient;
use glam::DVec3;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::par;
use octide_core::surface::extrapolate::extrapolate;

/// How many cells deep φ is continued into solids; deeper there is no liquid. A body may bare as many in a step.
const DEPTH: f64 = 3.0;

/// φ continued into solids. `gravity` tells which way is up.
pub fn extend_phi(
    mesh: &Mesh,
    phi: Field<CellId, f64>,
    apertures: &Apertures,
    solids: &Solids,
    gravity: DVec3,
) -> Field<CellId, f64> {
    if !apertures.has_solids() {
        return phi;
    }
    let up = -gravity.normalize_or_zero();
    par::map(mesh.n_cells(), |cell: CellId| {
        let (x, h) = (mesh.tree.center(cell), mesh.tree.size(cell));
        let depth = -apertures.solid_distance(cell);
        if depth <= 0.0 {
            return phi[cell];
        }
        let deep = depth - DEPTH * h;
        if deep > 0.0 {
            return phi[cell].max(deep);
        }
        let outside = mesh.tree.locate_from(cell, x + (depth + h) * solids.normal(x, h));
        if apertures.solid_distance(outside) < 0.0 {
            return phi[cell].max(deep);
        }
        let rise = cell_gradient(mesh, &phi, outside).dot(up).clamp(-1.0, 1.0);
        (phi[outside] + rise * (x - mesh.tree.center(outside)).dot(up)).max(deep)
    })
}

/// Velocity on all faces, from those that are valid.
pub fn extend_velocity(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    apertures: &Apertures,
    mut u: Field<FaceId, f64>,
    valid: &Field<FaceId, bool>,
) -> Field<FaceId, f64> {
    let n = mesh.n_cells();
    // Walls hold still and do not count as unknown.
    let known = |k: FaceId| valid[k] || mesh.faces.is_wall(k);
    let known_axis =
        |c: CellId, axis: usize| mesh.faces.of_cell(c)[2 * axis..2 * axis + 2].iter().any(|&k| valid[k]);
    let is_set = par::map(n, |c: CellId| (0..3).all(|axis| known_axis(c, axis)));
    let mut at_cell = par::map(n, |c: CellId| {
        let mut v = DVec3::ZERO;
        if is_set[c] {
            let faces = mesh.faces.of_cell(c);
            for axis in 0..3 {
                let pair = &faces[2 * axis..2 * axis + 2];
                let count = pair.iter().filter(|&&k| known(k)).count();
                let sum: f64 = pair.iter().filter(|&&k| known(k)).map(|&k| u[k]).sum();
                v[axis] = sum / count as f64;
            }
        }
        v
    });
    let order = par::map(n, |c: CellId| phi[c].max(-apertures.solid_distance(c)).max(0.0));
    extrapolate(mesh, &is_set, &order, &mut at_cell);
    par::update(&mut u, |i, u| {
        let k = FaceId(i as u32);
        if valid[k] {
            return;
        }
        if mesh.faces.is_wall(k) {
            *u = 0.0;
            return;
        }
        let axis = mesh.faces.axis(k);
        let (mut sum, mut weights) = (0.0, 0.0);
        for (c, w) in mesh.faces.stencil(&mesh.tree, k).iter() {
            sum += w.abs() * at_cell[c][axis];
            weights += w.abs();
        }
        *u = sum / weights;
    });
    u
}
