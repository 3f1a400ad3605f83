//! Trees and fields for tests.

use crate::mesh::Mesh;
use glam::DVec3;
use octide_core::index::{FaceId, Field};
use octide_core::octree::{Grading, Octree};
use octide_core::par;
use octide_core::scene::Scene;

/// n³ cells in the unit cube.
pub fn uniform(n: u32) -> Mesh {
    let scene = Scene::empty("nodal-octree", DVec3::ONE, n, 2);
    Mesh::new(Octree::build(&scene.domain.root_grid(), Grading::Unrestricted, |_| true))
}

/// The unit cube with cells of 1/n in the ball of radius 0.3 around its middle, twice as large ones
/// elsewhere.
pub fn two_levels(n: u32) -> Mesh {
    let scene = Scene::empty("nodal-octree", DVec3::ONE, n, 2);
    let grid = scene.domain.root_grid();
    let finest = grid.max_level();
    let refine = |center: DVec3, level: u8| level + 1 < finest || center.distance(DVec3::splat(0.5)) < 0.3;
    Mesh::new(Octree::build(&grid, Grading::Unrestricted, |c| refine(c.center, c.level)))
}

/// A velocity on the faces of a mesh.
pub fn on_faces(mesh: &Mesh, velocity: impl Fn(DVec3) -> DVec3 + Sync + Send) -> Field<FaceId, f64> {
    par::map(mesh.n_faces(), |k: FaceId| velocity(mesh.face_position(k))[mesh.faces.axis(k)])
}
