//! What leaves through open sides of the domain, on this mesh: see [`octide_core::open_sides`].

use crate::boundary::Boundary;
use crate::mesh::Mesh;
use octide_core::geometry::negative_share;
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::octree::{CellCorners, SplitFaces};
use octide_core::open_sides;

/// What leaves each cell through open sides, as what comes to it: negative, in m³/s.
pub fn losses(
    mesh: &Mesh<SplitFaces, impl CellCorners>,
    phi: &Field<NodeId, f64>,
    boundary: &Boundary,
    u: &Field<FaceId, f64>,
) -> Vec<(CellId, f64)> {
    let mut out = Vec::new();
    for (k, way) in open_sides::faces(mesh, boundary) {
        let cell = mesh.faces.small_side(&mesh.tree, k);
        let area = mesh.face_size(k).powi(2) * boundary.open(k) * wet_share(mesh, phi, k);
        let rate = area * u[k] * way;
        if rate > 0.0 {
            out.push((cell, -rate));
        }
    }
    out
}

/// The share of a face that is under water.
fn wet_share(mesh: &Mesh<SplitFaces, impl CellCorners>, phi: &Field<NodeId, f64>, face: FaceId) -> f64 {
    negative_share(mesh.face_corners(face).map(|v| phi[v]))
}
