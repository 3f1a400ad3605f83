//! MacCormack advection of velocity (Selle et al. 2008), an option: advect forward and backward with the
//! semi-Lagrangian scheme, and add half of the round-trip error.
//!
//! ```text
//! u₁(x)  = u(x − dt u)           from the old tree to the new one
//! u₀     = u(x)                  the old velocity at the new face
//! u₀ᵇ    = u₁(x + dt u)          advected back, on the new tree
//! u_new  = clamp(u₁ + (u₀ − u₀ᵇ)/2)
//! ```
//!
//! clamped to the range of u₁ and the samples around x − dt u. A face keeps u₁ where the forward or backward
//! path comes closer to the surface than the face's size, φ(x ∓ dt u) > −Δx, because velocities beyond the
//! surface are extrapolated. It also keeps u₁ where u₁ would be read on a face that has no value: dry faces,
//! and faces whose velocity comes from particles.
//!
//! As in [`super`], the error of the least-squares fit at its own samples is added in both directions, so
//! that nothing changes at rest.

use super::{overlap, same_face};
use crate::interpolate::{faces_range, sample_cells, sample_faces};
use crate::mesh::Mesh;
use crate::nodal::{CornerVelocity, trace_back};
use glam::DVec3;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::par;

/// Where φ is this many cell sizes deeper than required, it need not be interpolated.
const DEEP_CELLS: f64 = 2.0;

/// The flow at the start of a step.
pub struct OldFlow<'a> {
    /// The tree and its tables.
    pub mesh: &'a Mesh,
    /// Signed distance.
    pub phi: &'a Field<CellId, f64>,
    /// Velocity.
    pub u: &'a Field<FaceId, f64>,
    /// Velocity at corners.
    pub corners: &'a CornerVelocity,
}

/// Advects the velocity to the faces of `new` that are `wanted`; zero on the others and on walls. `phi` is
/// the distance on `new`.
pub fn advect_faces_maccormack(
    old: &OldFlow<'_>,
    new: &Mesh,
    phi: &Field<CellId, f64>,
    dt: f64,
    wanted: impl Fn(FaceId) -> bool + Sync + Send,
) -> Field<FaceId, f64> {
    // Faces without a value are NaN, so that reading them is detected. Walls have a value, but only for
    // interpolation.
    let first = par::map(new.n_faces(), |face: FaceId| {
        let known = new.faces.is_wall(face) || wanted(face);
        if known { super::advect_face(old.mesh, old.u, old.corners, new, dt, face) } else { f64::NAN }
    });
    par::map(new.n_faces(), |face: FaceId| {
        if new.faces.is_wall(face) || first[face].is_nan() {
            0.0
        } else {
            corrected(old, new, phi, dt, &first, face).unwrap_or(first[face])
        }
    })
}

/// Returns the corrected velocity, or `None` where u₁ is kept.
fn corrected(
    old: &OldFlow<'_>,
    new: &Mesh,
    phi: &Field<CellId, f64>,
    dt: f64,
    first: &Field<FaceId, f64>,
    face: FaceId,
) -> Option<f64> {
    let axis = new.faces.axis(face);
    let x = new.face_position(face);
    let foot = trace_back(old.mesh, old.corners, x, dt);
    let head = trace_back(old.mesh, old.corners, x, -dt);
    let dx = new.face_size(face);
    if foot == x || !is_under(old.mesh, old.phi, foot, dx) || !is_under(new, phi, head, dx) {
        return None;
    }
    let before = match same_face(old.mesh, new, face) {
        Some((same, _)) => old.u[same],
        None => sample_faces(old.mesh, old.u, axis, x, DVec3::ZERO),
    };
    let way = head - x;
    let missed = first[face] - sample_faces(new, first, axis, x, way);
    let back = sample_faces(new, first, axis, head, way) + overlap(way, dx) * missed;
    let (least, most) = faces_range(old.mesh, old.u, axis, foot, foot - x);
    let value = first[face] + 0.5 * (before - back);
    value.is_finite().then(|| value.clamp(least.min(first[face]), most.max(first[face])))
}

/// Returns whether `p` is in water, at least `depth` below its surface.
fn is_under(mesh: &Mesh, phi: &Field<CellId, f64>, p: DVec3, depth: f64) -> bool {
    let cell = mesh.tree.nearest_leaf(p);
    phi[cell] < -(depth + DEEP_CELLS * mesh.tree.size(cell))
        || sample_cells(mesh, phi, p, DVec3::ZERO) <= -depth
}

#[cfg(test)]
mod tests;
