//! Which point of one mesh becomes which point of another, if their triangles have nothing to do with each other: the
//! nearest one, after the whole body has moved by D.

use crate::geometry::{MeshBlend, MeshShape, TriMesh};
use glam::DVec3;

/// A blend may lose this share of the vertices that move.
const MAX_LOST: f64 = 0.2;

/// A vertex is lost if the blend's surface is farther from it, halfway, than this share of its way.
const FAR: f64 = 0.3;

/// Ways shorter than this share of the body's extent do not count.
const SHORT: f64 = 1e-5;

/// Returns the point of a mesh nearest to `p`.
fn nearest(mesh: &MeshShape, p: DVec3) -> DVec3 {
    mesh.sdf.closest(p).map_or(p, |at| at.position)
}

/// Returns whether sheets would vanish from a blend: halfway between a vertex and where it goes, the blend is zero in
/// a thick body, and positive between the two places of a sheet.
pub(super) fn blend_loses(blend: &MeshBlend) -> bool {
    let halfway = blend.with_share(0.5);
    let mesh = blend.from.sdf.mesh();
    let (low, high) = blend.bounds();
    let short = SHORT * (high - low).max_element();
    let (mut n_moved, mut n_lost) = (0.0, 0.0);
    for v in 0..mesh.positions.len() as u32 {
        // Both places as the blend sees them halfway.
        let a = mesh.vertex(v) + 0.5 * blend.shift;
        let b = nearest(&blend.to, mesh.vertex(v) + blend.shift) - 0.5 * blend.shift;
        let way = a.distance(b);
        if way > short {
            n_moved += 1.0;
            n_lost += f64::from(u8::from(halfway.distance(0.5 * (a + b)) > FAR * way));
        }
    }
    n_lost > MAX_LOST * n_moved
}

/// Returns both meshes together, as they are at the start and at the end.
pub(super) fn merged(blend: &MeshBlend) -> (TriMesh, Vec<[f32; 3]>) {
    let (a, b) = (blend.from.sdf.mesh(), blend.to.sdf.mesh());
    let end_of_a = a.mapped(|p| nearest(&blend.to, p + blend.shift));
    let start_of_b = b.mapped(|p| nearest(&blend.from, p - blend.shift));
    let mut from = a.clone();
    from.append(&start_of_b);
    let mut to = end_of_a.positions;
    to.extend_from_slice(&b.positions);
    (from, to)
}
