//! Outflow through open sides of the domain, on this mesh: see [`octide_core::faces::open_sides`].

use crate::boundary::Boundary;
use crate::mesh::Mesh;
use octide_core::faces::open_sides;
use octide_core::geometry::negative_share;
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::octree::{CellCorners, SplitFaces};

/// Returns the flow into each cell through open sides, in m³/s: negative, because water only leaves there.
pub fn losses(
    mesh: &Mesh<SplitFaces, impl CellCorners>,
    phi: &Field<NodeId, f64>,
    boundary: &Boundary,
    u: &Field<FaceId, f64>,
) -> Vec<(CellId, f64)> {
    open_sides::losses(mesh, boundary, u, |k, _, _| wet_share(mesh, phi, k))
}

/// Returns the fraction of a face that is under water.
fn wet_share(mesh: &Mesh<SplitFaces, impl CellCorners>, phi: &Field<NodeId, f64>, face: FaceId) -> f64 {
    negative_share(mesh.face_corners(face).map(|v| phi[v]))
}
