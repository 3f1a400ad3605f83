//! Advection of φ that preserves its curvature.
//!
//! Trilinear interpolation of a curved φ has a one-sided error: a surface that moves back and forth loses
//! volume, and its curvature jumps from cell to cell. With tension φ near the surface is therefore sampled
//! from quadrics,
//!
//! ```text
//! φ_new(x) = φ_c + s (a − φ_c) + b·r + ½ r·C r,      r = foot − x_c,
//! ```
//!
//! where c is the cell with the foot of the path. s is small: a − φ_c is the part of φ that the cells around
//! do not share, ripples with a length of two cells, which nothing else would damp in an inviscid liquid.
//!
//! Paths start with the velocity of faces. Averages at corners, and at centers between them, have lost every
//! component that changes sign from cell to cell: tension would act on the shortest ripples, and they would
//! never respond.

use super::{Quadric, capillary_limit};
use crate::advect::{advect_cell, advect_near};
use crate::interpolate::{CurvedPhi, sample_faces};
use crate::mesh::Mesh;
use crate::nodal::{CornerVelocity, velocity_at};
use crate::params::Params;
use crate::state::State;
use glam::DVec3;
use octide_core::index::{CellId, FaceId, Field};

/// Cells closer to the surface than this many of their sizes use quadrics.
const QUADRIC_CELLS: f64 = 4.0;

/// If the slope of φ differs from 1 by more than this, φ is not a smooth distance.
const MAX_SLOPE_ERROR: f64 = 0.5;

/// The fraction s in a step as long as tension allows; it is smaller in shorter steps.
const RIPPLE_SHARE: f64 = 0.05;

/// Advects φ of `old` to the cells of `new` over `dt`.
pub fn advect_phi_by_quadrics(
    old: &State,
    corners: &CornerVelocity,
    new: &Mesh,
    dt: f64,
    params: &Params,
) -> Field<CellId, f64> {
    let State { mesh, phi, u, apertures, .. } = old;
    let share = RIPPLE_SHARE * (dt / capillary_limit(mesh, phi, params)).min(1.0);
    let curved = CurvedPhi::new(mesh, phi, apertures);
    advect_near(mesh, phi, corners, new, dt, |cell, there| {
        let foot = foot(mesh, u, corners, new.tree.center(cell), dt);
        smooth(mesh, phi, there, foot, share).unwrap_or_else(|| {
            let at = |near, p, way| curved.sample(near, p, way);
            advect_cell(mesh, phi, corners, new, dt, (cell, there), at)
        })
    })
}

/// Returns φ at `p` by the quadric around its cell; `None` away from the surface, at walls, and where φ is
/// not smooth.
fn smooth(mesh: &Mesh, phi: &Field<CellId, f64>, hint: CellId, p: DVec3, share: f64) -> Option<f64> {
    let grid = mesh.tree.grid();
    let cell = mesh.tree.nearest_leaf_from(hint, p.clamp(grid.low(), grid.high()));
    let (node, h) = (mesh.tree.node_of(cell), mesh.tree.size(cell));
    let at_wall = (0..6).any(|d| mesh.tree.neighbor(node, d).is_none());
    if at_wall || phi[cell].abs() > QUADRIC_CELLS * h {
        return None;
    }
    let q = Quadric::about(mesh, phi, cell).filter(|q| (q.slope() - 1.0).abs() < MAX_SLOPE_ERROR)?;
    let ripple = h * q.value() - phi[cell];
    Some(phi[cell] + share * ripple + h * q.change((p - mesh.tree.center(cell)) / h))
}

/// Returns where the water at `x` was `dt` ago. The velocity at `x` is taken from faces, only its change
/// along the path from corners.
fn foot(mesh: &Mesh, u: &Field<FaceId, f64>, corners: &CornerVelocity, x: DVec3, dt: f64) -> DVec3 {
    let here = DVec3::from_array([0, 1, 2].map(|axis| sample_faces(mesh, u, axis, x, DVec3::ZERO)));
    let change = velocity_at(mesh, corners, x - 0.5 * dt * here) - velocity_at(mesh, corners, x);
    x - dt * (here + change)
}
