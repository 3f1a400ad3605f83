//! Advected fields do not change where nothing moves, the paper's rules hold, and redistancing returns
//! distances.

use super::*;
use glam::DVec3;
use octide_core::octree::{CellBox, Grading, Octree, RootGrid};
use octide_core::random::unit;

fn grid(levels: u8) -> RootGrid {
    let dx = 0.5f64.powi(i32::from(levels));
    RootGrid::new(DVec3::new(-0.3, 0.1, 0.7), dx, levels, glam::IVec3::ZERO, glam::IVec3::ONE, |_| true)
}

fn noise(x: DVec3, what: u64) -> f64 {
    unit([x.x.to_bits(), x.y.to_bits(), x.z.to_bits(), what])
}

fn jagged(seed: u64) -> Mesh {
    Mesh::new(Octree::build(&grid(5), Grading::Unrestricted, |c| noise(c.center, seed) < 0.55 || c.level < 2))
}

/// Builds a mesh whose levels jump arbitrarily, with finest cells around the surface.
fn around(levels: u8, phi: &(dyn Fn(DVec3) -> f64 + Sync)) -> Mesh {
    let fine = |c: &CellBox| phi(c.center).abs() < 0.87 * c.size + 4.0 * grid(levels).dx();
    let jump = |c: &CellBox| noise(c.center, 3) < 0.2;
    Mesh::new(Octree::build(&grid(levels), Grading::Unrestricted, |c| fine(c) || jump(c)))
}

fn at_corners(mesh: &Mesh, f: &dyn Fn(DVec3) -> f64) -> Field<NodeId, f64> {
    let mut phi =
        Field::from_vec((0..mesh.n_nodes() as u32).map(|v| f(mesh.node_position(NodeId(v)))).collect());
    mesh.constrain(&mut phi);
    phi
}

#[test]
fn at_rest_nothing_changes_to_the_bit() {
    let mesh = jagged(1);
    let phi = at_corners(&mesh, &|x| noise(x, 7) - 0.5);
    let still = Field::filled(mesh.n_nodes(), DVec3::ZERO);
    assert!(
        advect_phi(&mesh, &phi, SecondDifferences::new(&mesh, &phi), Paths::free(&still), &mesh, 0.1) == phi
    );
}

#[test]
fn coarsening_keeps_and_refining_takes_means_of_two_and_four() {
    let coarse = Mesh::new(Octree::build(&grid(4), Grading::Unrestricted, |c| c.level < 2));
    let fine = Mesh::new(Octree::build(&grid(4), Grading::Unrestricted, |c| c.level < 3));
    let phi = at_corners(&coarse, &|x| noise(x, 7));
    let still = |mesh: &Mesh| Field::filled(mesh.n_nodes(), DVec3::ZERO);
    let refined = advect_phi(
        &coarse,
        &phi,
        SecondDifferences::new(&coarse, &phi),
        Paths::free(&still(&coarse)),
        &fine,
        0.1,
    );
    // The corners of the coarse cells are every other corner of the fine cells.
    let mut seen = [0; 4];
    for cell in coarse.tree.cells() {
        let v = coarse.nodes.of_cell(cell);
        let h = coarse.tree.size(cell);
        for (axes, corners) in [
            (vec![0], vec![0, 1]),
            (vec![1, 2], vec![0, 2, 4, 6]),
            (vec![], vec![5]),
            (vec![0, 1, 2], (0..8).collect()),
        ] {
            let mean = corners.iter().map(|&c: &usize| phi[v[c]]).sum::<f64>() / corners.len() as f64;
            let mut x = coarse.node_position(v[if axes.is_empty() { 5 } else { 0 }]);
            axes.iter().for_each(|&a: &usize| x[a] += 0.5 * h);
            let at = refined.ids().find(|&w| fine.node_position(w).distance(x) < 1e-9).unwrap();
            assert!((refined[at] - mean).abs() < 1e-15, "{x}");
            seen[axes.len()] += 1;
        }
    }
    assert!(seen.iter().all(|&n| n == 64));
    let back = advect_phi(
        &fine,
        &refined,
        SecondDifferences::new(&fine, &refined),
        Paths::free(&still(&fine)),
        &coarse,
        0.1,
    );
    assert!(back == phi);
}

#[test]
fn a_plane_is_carried_as_a_plane_from_tree_to_tree() {
    let (old, new) = (jagged(1), jagged(2));
    let plane = |x: DVec3| x.dot(DVec3::new(0.36, 0.48, 0.8)) - 0.9;
    let u = DVec3::new(0.02, -0.01, 0.015);
    let velocity = Field::filled(old.n_nodes(), u);
    let phi = at_corners(&old, &plane);
    let carried =
        advect_phi(&old, &phi, SecondDifferences::new(&old, &phi), Paths::free(&velocity), &new, 1.0);
    let (low, high) = (new.tree.grid().low() + 0.03, new.tree.grid().high() - 0.03);
    for v in carried.ids() {
        let x = new.node_position(v);
        // Next to walls the foot is outside the domain, and hanging corners may depend on such corners.
        if x.cmpgt(low).all() && x.cmplt(high).all() && !new.nodes.is_hanging(v) {
            assert!((carried[v] - plane(x - u)).abs() < 1e-12, "{x}");
        }
    }
}

/// Returns the mean and the largest error of φ within three cells of the surface, in cells.
fn errors(mesh: &Mesh, phi: &Field<NodeId, f64>, exact: &dyn Fn(DVec3) -> f64) -> (f64, f64) {
    let dx = mesh.tree.grid().dx();
    // In the corners between walls too few edges lead away from the surface.
    let (low, high) = (mesh.tree.grid().low() + 1.5 * dx, mesh.tree.grid().high() - 1.5 * dx);
    let is_inside = |x: DVec3| x.cmpgt(low).all() && x.cmplt(high).all();
    let is_near = |x: DVec3| exact(x).abs() < 3.0 * dx && is_inside(x);
    let near = phi.ids().filter(|&v| is_near(mesh.node_position(v)));
    let off: Vec<f64> = near.map(|v| (phi[v] - exact(mesh.node_position(v))).abs() / dx).collect();
    (off.iter().sum::<f64>() / off.len() as f64, off.iter().copied().fold(0.0, f64::max))
}

#[test]
fn tilted_planes_stay_and_are_made_distances() {
    let plane = |x: DVec3| x.dot(DVec3::new(0.36, 0.48, 0.8)) - 1.26;
    let mesh = around(5, &plane);
    assert!(!mesh.nodes.hanging().is_empty());
    let phi = at_corners(&mesh, &plane);
    let again = redistance(&mesh, &phi, f64::INFINITY);
    assert!(errors(&mesh, &again, &plane).1 < 1e-9);
    let steep = at_corners(&mesh, &|x| 2.5 * plane(x));
    let again = redistance(&mesh, &steep, f64::INFINITY);
    assert!(errors(&mesh, &again, &plane).1 < 1e-9);
}

#[test]
fn spheres_keep_their_size_however_often() {
    let sphere = |x: DVec3| x.distance(DVec3::new(0.21, 0.63, 1.18)) - 0.24;
    let mesh = around(5, &sphere);
    let mut phi = at_corners(&mesh, &sphere);
    for _ in 0..20 {
        phi = redistance(&mesh, &phi, f64::INFINITY);
    }
    let (mean, most) = errors(&mesh, &phi, &sphere);
    assert!(mean < 0.08 && most < 0.5, "{mean} {most}");
}

#[test]
fn beyond_the_band_is_the_band_and_what_hangs_is_constrained() {
    let sphere = |x: DVec3| x.distance(DVec3::new(0.21, 0.63, 1.18)) - 0.24;
    let mesh = around(5, &sphere);
    let band = 5.0 * mesh.tree.grid().dx();
    let phi = redistance(&mesh, &at_corners(&mesh, &sphere), band);
    let mut constrained = phi.clone();
    mesh.constrain(&mut constrained);
    assert!(phi.iter().zip(constrained.iter()).all(|(a, b)| (a - b).abs() < 1e-12));
    assert!(phi.contains(&band) && phi.iter().all(|p| p.abs() <= band));
    assert!(
        phi.ids()
            .all(|v| mesh.nodes.is_hanging(v) || (phi[v] < 0.0) == (sphere(mesh.node_position(v)) < 0.0))
    );
}

/// The error of one step in a uniform flow is of third order in the cell size.
#[test]
fn curved_surfaces_are_carried_to_third_order() {
    let sphere = |x: DVec3| x.distance(DVec3::new(0.21, 0.63, 1.18)) - 0.24;
    let off = |levels: u8| {
        let mesh = around(levels, &sphere);
        let dx = mesh.tree.grid().dx();
        let u = dx * DVec3::new(0.5, 0.4, 0.3);
        let velocity = Field::filled(mesh.n_nodes(), u);
        let phi = at_corners(&mesh, &sphere);
        let phi =
            advect_phi(&mesh, &phi, SecondDifferences::new(&mesh, &phi), Paths::free(&velocity), &mesh, 1.0);
        let exact = |x: DVec3| sphere(x - u);
        let near = phi.ids().filter(|&v| exact(mesh.node_position(v)).abs() < dx);
        let all: Vec<f64> = near.map(|v| (phi[v] - exact(mesh.node_position(v))).abs()).collect();
        all.iter().sum::<f64>() / all.len() as f64
    };
    let (coarse, fine) = (off(5), off(6));
    assert!(fine < coarse / 5.0, "{coarse} {fine}");
}
