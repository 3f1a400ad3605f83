//! Velocity from faces to corners and back (§3).
//!
//! A corner takes, for each axis, the mean of the four faces around it. Where these differ in size, the
//! coarsest of them is the scale: on the others' sides a face of that size is put together from the small
//! ones, area by area, so that the four centers lie evenly around the corner and linear fields are exact.
//! Beyond a wall there is the mirror image of what is inside. Hanging corners are constrained after that.
//!
//! A face takes the mean of its four corners.

use crate::mesh::Mesh;
use glam::{DVec3, Vec3};
use octide_core::index::{CellId, FaceId, Field, NodeId, TreeId};
use octide_core::octree::{CellCorners, CellFaces, CornerTable, FaceCells};

/// The velocity at every corner.
pub fn corner_velocity(mesh: &Mesh, u: &Field<FaceId, f64>) -> Field<NodeId, DVec3> {
    let mut at = mesh.nodes.map_leaves(&mesh.tree, DVec3::ZERO, |v, cells| {
        if mesh.is_hanging(v) { DVec3::ZERO } else { mean(mesh, |k| u[k], cells) }
    });
    mesh.constrain(&mut at);
    at
}

/// The same of 32 bits, from a velocity on faces that is told for each: enough for paths, and where faces
/// differ in size. The leaves around corners need not be known.
pub fn short_corner_velocity(
    mesh: &Mesh<impl CellFaces, impl CornerTable>,
    u: impl Fn(FaceId) -> f64 + Copy + Sync + Send,
) -> Field<NodeId, Vec3> {
    let mut at = mesh.nodes.map_leaves(&mesh.tree, Vec3::ZERO, |v, cells| {
        if mesh.is_hanging(v) { Vec3::ZERO } else { mean(mesh, u, cells).as_vec3() }
    });
    mesh.nodes.corners().constrain_as(&mesh.tree, &mut at, |v| v.as_dvec3(), |v| v.as_vec3());
    at
}

/// The velocity at one corner; hanging ones are not constrained here.
pub fn velocity_at(mesh: &Mesh, u: &Field<FaceId, f64>, v: NodeId) -> DVec3 {
    mean(mesh, |k| u[k], mesh.nodes.cells(v))
}

/// The velocity at a corner with these leaves around it; hanging ones are not constrained here.
#[inline]
fn mean<N>(mesh: &Mesh<impl CellFaces, N>, u: impl Fn(FaceId) -> f64 + Copy, cells: &[CellId; 8]) -> DVec3 {
    DVec3::from_array([0, 1, 2].map(|axis| around(mesh, u, cells, axis, |_| true).unwrap_or(0.0)))
}

/// The velocity along an axis at a corner with these leaves around it, by those of the faces there that are
/// known; none where none is. Also for hanging corners, which are not constrained here.
pub fn known_velocity<N>(
    mesh: &Mesh<impl CellFaces, N>,
    u: &Field<FaceId, f64>,
    known: &Field<FaceId, bool>,
    cells: &[CellId; 8],
    axis: usize,
) -> Option<f64> {
    around(mesh, |k| u[k], cells, axis, |k| known[k])
}

/// The velocity at a face's center along its axis, from its corners.
#[inline]
pub fn face_velocity(
    mesh: &Mesh<impl FaceCells, impl CellCorners>,
    corners: &Field<NodeId, DVec3>,
    face: FaceId,
) -> f64 {
    mesh.at_face(corners, face)[mesh.axis(face)]
}

#[inline]
fn around<N>(
    mesh: &Mesh<impl CellFaces, N>,
    u: impl Fn(FaceId) -> f64 + Copy,
    cells: &[CellId; 8],
    axis: usize,
    known: impl Fn(FaceId) -> bool + Copy,
) -> Option<f64> {
    let level = |c: CellId| if c.is_some() { mesh.tree.level(c) } else { 0 };
    // The two leaves of each quadrant around the axis.
    let pairs = [0, 1, 2, 3].map(|q| {
        let o = (q & 1) << ((axis + 1) % 3) | (q >> 1) << ((axis + 2) % 3);
        [cells[o], cells[o | 1 << axis]]
    });
    let is_there = |p: &[CellId; 2]| p[0].is_some() || p[1].is_some();
    let fine = |p: &[CellId; 2]| level(p[0]).max(level(p[1]));
    let coarsest = pairs.iter().filter(|p| is_there(p)).map(fine).min().unwrap_or(0);
    let (mut sum, mut n) = (0.0, 0.0);
    for &pair in pairs.iter().filter(|p| is_there(p)) {
        if pair[0] == pair[1] {
            continue; // the corner hangs within the leaf: there is no face
        }
        if fine(&pair) == coarsest {
            let k = face_between(mesh, pair, axis);
            if known(k) {
                sum += u(k);
                n += 1.0;
            }
        } else {
            let (flux, area) = coarsened(mesh, u, pair, axis, coarsest, known);
            if area > 0.0 {
                sum += flux / area;
                n += 1.0;
            }
        }
    }
    (n > 0.0).then(|| sum / n)
}

/// The face between two leaves of which the finer one has no other neighbor there.
#[inline]
fn face_between<N>(mesh: &Mesh<impl CellFaces, N>, [lo, hi]: [CellId; 2], axis: usize) -> FaceId {
    let low_is_finer = lo.is_some() && (hi.is_none() || mesh.tree.level(lo) >= mesh.tree.level(hi));
    if low_is_finer { mesh.faces_toward(lo, 2 * axis + 1)[0] } else { mesh.faces_toward(hi, 2 * axis)[0] }
}

/// Σ u A and Σ A over the square of the size of `level` that the pair's common face is part of.
fn coarsened<N>(
    mesh: &Mesh<impl CellFaces, N>,
    u: impl Fn(FaceId) -> f64,
    pair: [CellId; 2],
    axis: usize,
    level: u8,
    known: impl Fn(FaceId) -> bool + Copy,
) -> (f64, f64) {
    let tree = &mesh.tree;
    // The finer of the two lies under a node of that level, whose side is the square.
    let is_finer = |c: CellId| c.is_some() && tree.level(c) > level;
    let side = usize::from(!is_finer(pair[0]));
    let mut node = tree.node_of(pair[side]);
    while tree.node_level(node) > level {
        node = tree.parent(node);
    }
    square(mesh, u, node, 2 * axis + (1 - side), known)
}

/// Σ u A and Σ A over the known faces on a node's side.
pub(crate) fn square<N>(
    mesh: &Mesh<impl CellFaces, N>,
    u: impl Fn(FaceId) -> f64,
    node: TreeId,
    direction: usize,
    known: impl Fn(FaceId) -> bool + Copy,
) -> (f64, f64) {
    let (mut sum, mut area) = (0.0, 0.0);
    mesh.tree.for_leaves_at(node, direction, &mut |leaf| {
        mesh.faces.faces_of_cells().for_sized(&mesh.tree, leaf, direction, &mut |k, size| {
            if known(k) {
                sum += u(k) * size.powi(2);
                area += size.powi(2);
            }
        });
    });
    (sum, area)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::jagged;
    use octide_core::par;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        /// Away from walls, where there is no mirror image, linear fields are exact at corners and at faces.
        #[test]
        fn linear_velocities_are_exact(seed: u64) {
            let mesh = jagged(seed);
            let field = |p: DVec3| DVec3::new(0.3 * p.y - p.z, p.x + 0.2 * p.z, 1.0 - p.y + 0.5 * p.x);
            let u = par::map(mesh.n_faces(), |k: FaceId| field(mesh.face_position(k))[mesh.faces.axis(k)]);
            let corners = corner_velocity(&mesh, &u);
            let grid = mesh.tree.grid();
            // What hangs takes part of its value from its leaf's corners, which may lie on a wall.
            let clear = |v: NodeId| {
                let x = mesh.node_position(v);
                let inside = x.cmpgt(grid.low()).all() && x.cmplt(grid.high()).all();
                inside && !mesh.nodes.is_hanging(v)
            };
            for v in corners.ids().filter(|&v| clear(v)) {
                let x = mesh.node_position(v);
                prop_assert!((corners[v] - field(x)).length() < 1e-12, "{x}: {}", corners[v] - field(x));
            }
            for k in u.ids().filter(|&k| mesh.face_corners(k).iter().all(|&v| clear(v))) {
                prop_assert!((face_velocity(&mesh, &corners, k) - u[k]).abs() < 1e-12);
            }
        }

        #[test]
        fn constant_velocities_are_exact_everywhere(seed: u64) {
            let mesh = jagged(seed);
            let c = DVec3::new(0.3, -1.5, 2.25);
            let u = par::map(mesh.n_faces(), |k: FaceId| c[mesh.faces.axis(k)]);
            let corners = corner_velocity(&mesh, &u);
            prop_assert!(corners.iter().all(|v| (*v - c).length() < 1e-13));
        }
    }
}
