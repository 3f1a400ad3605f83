use super::super::{sample_cells, sample_cells_in, sample_faces, sample_faces_in};
use super::*;
use octide_core::index::{FaceId, Field};
use octide_core::octree::{Grading, Octree, RootGrid};
use octide_core::par;
use octide_core::scene::Interpolation;

/// Even noise from 0 to 1, the same every time.
fn noise(seed: u64, i: u64) -> f64 {
    let mut x = (seed << 32 ^ i).wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((x ^ x >> 31) >> 11) as f64 / (1u64 << 53) as f64
}

/// Cells of four sizes, scattered without order.
fn scattered(seed: u64) -> Mesh {
    let grid = RootGrid::new(DVec3::ZERO, 1.0 / 16.0, 3, IVec3::ZERO, IVec3::splat(2), |_| true);
    let tree = Octree::build(&grid, Grading::Graded, |c| {
        let p = (c.center * 64.0).as_u64vec3();
        noise(seed, p.x << 20 | p.y << 10 | p.z) < 0.3
    });
    Mesh::new(tree).with_interpolation(Interpolation::Continuous)
}

/// Values without order, so that nothing cancels.
fn noisy(mesh: &Mesh) -> (Field<CellId, f64>, Field<FaceId, f64>) {
    let q = par::map(mesh.n_cells(), |c: CellId| noise(91, u64::from(c.0)));
    let u = par::map(mesh.n_faces(), |k: FaceId| noise(92, u64::from(k.0)));
    (q, u)
}

fn place(seed: u64, i: u64) -> DVec3 {
    DVec3::new(noise(seed, 3 * i), noise(seed, 3 * i + 1), noise(seed, 3 * i + 2))
}

fn is_inside(p: DVec3) -> bool {
    p.min_element() > 1e-6 && p.max_element() < 1.0 - 1e-6
}

/// The largest difference between what two neighbors say of points between them; cells, then faces by axis.
fn jumps(mesh: &Mesh) -> [f64; 4] {
    let (q, u) = noisy(mesh);
    let mut worst = [0.0f64; 4];
    for cell in mesh.tree.cells() {
        let (center, size) = (mesh.tree.center(cell), mesh.tree.size(cell));
        for i in 0..60 {
            let mut p = center + size * (place(7, u64::from(cell.0) * 60 + i) - 0.5);
            let axis = (i % 3) as usize;
            p[axis] = center[axis] + 0.5 * size;
            if p[axis] > 1.0 - 1e-6 {
                continue;
            }
            let mut over = p;
            over[axis] += 1e-6;
            let other = mesh.tree.nearest_leaf(over);
            let of_cells = |c| sample_cells_in(mesh, &q, c, p);
            // At edges of the domain distances may jump.
            let near = (0..3).filter(|&a| p[a] < 0.25 || p[a] > 0.75).count();
            if near < 2 {
                worst[0] = worst[0].max((of_cells(cell) - of_cells(other)).abs());
            }
            for a in 0..3 {
                let of_faces = |c| sample_faces_in(mesh, &u, a, c, p);
                worst[a + 1] = worst[a + 1].max((of_faces(cell) - of_faces(other)).abs());
            }
        }
    }
    worst
}

#[test]
fn neighbors_agree_on_what_lies_between_them() {
    for seed in 1..4 {
        let mesh = scattered(seed);
        let found = jumps(&mesh);
        assert!(found.iter().all(|&jump| jump < 1e-9), "{found:?}");
        let fast = jumps(&mesh.with_interpolation(Interpolation::Fast));
        assert!(fast.iter().all(|&jump| jump > 1e-2), "the test sees jumps: {fast:?}");
    }
}

#[test]
fn values_do_not_jump_inside_cells() {
    let mesh = scattered(2);
    let (q, u) = noisy(&mesh);
    for i in 0..60_000 {
        // On a plane, a line or a point where kernels begin and end.
        let mut p = place(8, i);
        for a in (0..3).filter(|&a| a as u64 == i % 3 || i >> (a + 2) & 1 == 1) {
            p[a] = (p[a] * 64.0).round() / 64.0;
        }
        let e = 2e-9 * (place(9, i) - 0.5);
        if !is_inside(p) {
            continue;
        }
        let near = (0..3).filter(|&a| p[a] < 0.25 || p[a] > 0.75).count();
        let cells = |p| sample_cells(&mesh, &q, p, DVec3::ZERO);
        assert!(near > 1 || (cells(p + e) - cells(p - e)).abs() < 1e-5, "cells at {p}");
        for a in 0..3 {
            let faces = |p| sample_faces(&mesh, &u, a, p, DVec3::ZERO);
            assert!((faces(p + e) - faces(p - e)).abs() < 1e-5, "faces along {a} at {p}");
        }
    }
}

#[test]
fn linear_fields_are_reproduced() {
    let mesh = scattered(3);
    let f = |p: DVec3| 0.3 + p.dot(DVec3::new(1.0, -2.0, 0.5));
    let q = par::map(mesh.n_cells(), |c: CellId| f(mesh.tree.center(c)));
    let u = par::map(mesh.n_faces(), |k: FaceId| f(mesh.face_position(k)));
    for i in 0..20_000 {
        let p = place(10, i);
        // Distances go on at walls.
        assert!((sample_cells(&mesh, &q, p, DVec3::ZERO) - f(p)).abs() < 1e-10, "{p}");
        if p.min_element() > 0.25 && p.max_element() < 0.75 {
            for a in 0..3 {
                assert!((sample_faces(&mesh, &u, a, p, DVec3::ZERO) - f(p)).abs() < 1e-10, "{p} {a}");
            }
        }
    }
}
