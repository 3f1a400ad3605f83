use super::*;
use crate::nodal::{CornerVelocity, corner_velocity};
use glam::{DMat3, DVec3, IVec3, Vec3};
use octide_core::octree::{Grading, Octree, RootGrid};

fn grid(levels: u8, roots: i32) -> RootGrid {
    RootGrid::new(DVec3::ZERO, 1.0, levels, IVec3::ZERO, IVec3::splat(roots), |_| true)
}

fn uniform(n: i32) -> Mesh {
    Mesh::new(Octree::build(&grid(0, n), Grading::Graded, |_| true))
}

fn at(mesh: &Mesh, p: [f64; 3]) -> CellId {
    mesh.tree.nearest_leaf(DVec3::from_array(p))
}

#[test]
fn at_rest_values_fall_to_t1_after_t2() {
    let mesh = uniform(4);
    let still = CornerVelocity::new(&mesh, Field::filled(mesh.nodes().len(), Vec3::ZERO));
    let decay = Decay { fraction: 0.7, time: 0.02 };
    for steps in [1, 7] {
        let mut s = par::map(mesh.n_cells(), |c: CellId| 1.0 + f64::from(c.0));
        for _ in 0..steps {
            let left = decayed(&mesh, &s, &still, &mesh, 0.02 / f64::from(steps), decay);
            s = par::map(left.len(), |c: CellId| f64::from(left[c]));
        }
        for c in s.ids() {
            assert!((s[c] / (1.0 + f64::from(c.0)) - 0.7).abs() < 1e-6, "{steps} steps: {}", s[c]);
        }
    }
}

#[test]
fn values_are_carried_with_the_flow() {
    let mesh = uniform(8);
    // One cell along x per second.
    let u = par::map(mesh.n_faces(), |k: FaceId| if mesh.faces.axis(k) == 0 { 1.0 } else { 0.0 });
    let corners = corner_velocity(&mesh, &u);
    let mut s = Field::filled(mesh.n_cells(), 0.0);
    s[at(&mesh, [2.5, 3.5, 3.5])] = 5.0;
    let decay = Decay { fraction: 0.9, time: 1.0 };
    let s = decayed(&mesh, &s, &corners, &mesh, 1.0, decay);
    let there = at(&mesh, [3.5, 3.5, 3.5]);
    assert!((s[there] - 4.5).abs() < 1e-6 && s.ids().all(|c| c == there || s[c] == 0.0));
}

#[test]
fn the_pseudo_cell_size_is_the_paper_s() {
    for above in 0..8 {
        assert!((pseudo_size(0.25, above, 1.0) - 0.25 * 2f64.powi(i32::from(above))).abs() < 1e-9);
    }
    // 2^(ln 4 / ln 1.4) of eq. (38), evaluated independently.
    let expected = 2f64.powf(4f64.ln() / 1.4f64.ln()) * 0.25;
    assert!((pseudo_size(0.25, 2, 0.4) / expected - 1.0).abs() < 1e-12);
    assert_eq!(pseudo_size(0.25, 0, 0.0), 0.25);
    assert_eq!(pseudo_size(0.25, 1, 0.0), f64::INFINITY);
}

/// A strain of the flow and the same strain turned by any angle about the vertical need cells of the same size.
#[test]
fn strain_does_not_depend_on_the_grid_s_axes() {
    let mesh = Mesh::new(Octree::build(&grid(1, 4), Grading::Graded, |c| c.center.x < 4.0));
    // Water that flows together along one direction, apart along another, and rises.
    let strain = DMat3::from_diagonal(DVec3::new(-2.0, 0.5, 1.5));
    for degrees in [0.0, 15.0, 30.0, 45.0] {
        let turn = DMat3::from_rotation_y(f64::to_radians(degrees));
        let gradient = turn * strain * turn.transpose();
        let u = par::map(mesh.n_faces(), |k: FaceId| (gradient * mesh.face_position(k))[mesh.faces.axis(k)]);
        // A small cell one away from the change of size, a large one beside it, and a small one far from it.
        for p in [[2.5, 2.5, 2.5], [5.0, 3.0, 3.0], [1.5, 2.5, 5.5]] {
            let found = function::strain(&mesh, &u, at(&mesh, p));
            let expected = (0.4f64 * (4.0 + 0.25 + 2.25)).sqrt();
            assert!((found / expected - 1.0).abs() < 1e-12, "{degrees}° at {p:?}: {found}, not {expected}");
        }
    }
}
