//! Velocity at corners: the continuous field along which points are traced; and velocity in cells.
//!
//! Around a corner that does not hang, each axis has four faces with that corner, one in each quadrant; their
//! centers lie at (±h_q/2, ±h_q/2) from it. The weights 1/h_q have no first moment, so
//!
//! ```text
//! u = Σ (u_q / h_q) / Σ (1 / h_q)
//! ```
//!
//! is exact for linear fields. Missing quadrants beyond a wall are the mirror images of those inside. Hanging
//! corners lie on the line between others, so the field is continuous across T-junctions. Values that are
//! transported are never taken from here (§5.1: no diffusion through corners), only the paths are. So 32 bits
//! are enough.

use crate::mesh::Mesh;
use glam::{DVec3, Vec3};
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::octree::nodal;
use octide_core::par;

/// The velocity at every corner.
pub fn corner_velocity(mesh: &Mesh, u: &Field<FaceId, f64>) -> Field<NodeId, Vec3> {
    let mut at = par::map(mesh.nodes().len(), |v: NodeId| {
        if mesh.nodes().is_hanging(v) { DVec3::ZERO } else { around(mesh, u, v) }
    });
    mesh.nodes().constrain(&mesh.tree, &mut at);
    par::map(at.len(), |v: NodeId| at[v].as_vec3())
}

fn around(mesh: &Mesh, u: &Field<FaceId, f64>, v: NodeId) -> DVec3 {
    let cells = mesh.nodes().cells(v);
    let mut out = DVec3::ZERO;
    for axis in 0..3 {
        let (mut sum, mut weights) = (0.0, 0.0);
        for o in (0..8).filter(|o| o >> axis & 1 == 0) {
            let (lo, hi) = (cells[o], cells[o | 1 << axis]);
            let face = if lo.is_some() {
                mesh.faces.of_cell(lo)[2 * axis + 1]
            } else if hi.is_some() {
                mesh.faces.of_cell(hi)[2 * axis]
            } else {
                continue;
            };
            let w = 1.0 / mesh.face_size(face);
            sum += w * u[face];
            weights += w;
        }
        out[axis] = sum / weights;
    }
    out
}

/// The velocity of a cell: along each axis the mean of its two faces.
pub fn cell_velocity(mesh: &Mesh, u: &Field<FaceId, f64>, cell: CellId) -> DVec3 {
    let k = mesh.faces.of_cell(cell);
    DVec3::from_array(std::array::from_fn(|a| 0.5 * (u[k[2 * a]] + u[k[2 * a + 1]])))
}

/// The velocity at a point: trilinear between the corners of its cell.
#[inline]
pub fn velocity_at(mesh: &Mesh, corners: &Field<NodeId, Vec3>, p: DVec3) -> DVec3 {
    nodal::sample_by(&mesh.tree, mesh.nodes(), |v| corners[v].as_dvec3(), p)
}

/// Where the water at `x` was `dt` ago, by the midpoint rule.
#[inline]
pub fn trace_back(mesh: &Mesh, corners: &Field<NodeId, Vec3>, x: DVec3, dt: f64) -> DVec3 {
    nodal::trace_back_by(|p| velocity_at(mesh, corners, p), x, dt)
}
