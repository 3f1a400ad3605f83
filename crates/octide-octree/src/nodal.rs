//! Velocity at corners: the continuous field along which points are traced.
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
use octide_core::octree::{CornerTable, CornersOfCells, Nodes, nodal};
use octide_core::par;

/// The velocity at corners, with the corners of each cell: all that tracing a point reads, for as long as
/// points are traced.
#[derive(Clone, Debug)]
pub struct CornerVelocity {
    at: Field<NodeId, Vec3>,
    of_cell: CornersOfCells,
}

impl CornerVelocity {
    /// A velocity at the corners of a mesh.
    pub fn new(mesh: &Mesh, at: Field<NodeId, Vec3>) -> Self {
        Self { at, of_cell: mesh.nodes().corners().cells().clone() }
    }

    /// The velocity at each corner.
    pub fn at_corners(&self) -> &Field<NodeId, Vec3> {
        &self.at
    }

    /// The largest speed.
    pub fn max_speed(&self) -> f64 {
        par::max(self.at.len(), |v| f64::from(self.at[NodeId(v as u32)].length()))
    }

    /// The velocity at a cell's center: the mean of its corners.
    pub fn at_center(&self, cell: CellId) -> DVec3 {
        self.of_cell.of_cell(cell).iter().map(|&v| self.at[v].as_dvec3()).sum::<DVec3>() / 8.0
    }
}

/// The velocity at every corner.
pub fn corner_velocity(mesh: &Mesh, u: &Field<FaceId, f64>) -> CornerVelocity {
    CornerVelocity::new(mesh, at_corners(mesh.nodes(), mesh, u))
}

/// As [`corner_velocity`]. The mesh gives its corners away: while points are traced only the corners of cells
/// are left of them.
pub fn take_corner_velocity(mesh: &mut Mesh, u: &Field<FaceId, f64>) -> CornerVelocity {
    let nodes = mesh.take_nodes();
    let at = at_corners(&nodes, mesh, u);
    CornerVelocity { at, of_cell: nodes.without_leaves().into_cells() }
}

fn at_corners(nodes: &Nodes, mesh: &Mesh, u: &Field<FaceId, f64>) -> Field<NodeId, Vec3> {
    let mut at = par::map(nodes.len(), |v: NodeId| {
        if nodes.is_hanging(v) { DVec3::ZERO } else { around(mesh, u, nodes.cells(v)) }
    });
    nodes.constrain(&mesh.tree, &mut at);
    par::map(at.len(), |v: NodeId| at[v].as_vec3())
}

/// The velocity at a corner with these cells around it.
fn around(mesh: &Mesh, u: &Field<FaceId, f64>, cells: &[CellId; 8]) -> DVec3 {
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

/// The velocity at a point: trilinear between the corners of its cell.
#[inline]
pub fn velocity_at(mesh: &Mesh, corners: &CornerVelocity, p: DVec3) -> DVec3 {
    nodal::sample_by(&mesh.tree, &corners.of_cell, |v| corners.at[v].as_dvec3(), p)
}

/// Where the water at `x` was `dt` ago, by the midpoint rule.
#[inline]
pub fn trace_back(mesh: &Mesh, corners: &CornerVelocity, x: DVec3, dt: f64) -> DVec3 {
    nodal::trace_back_by(|p| velocity_at(mesh, corners, p), x, dt)
}
