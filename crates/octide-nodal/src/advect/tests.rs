use super::*;

/// Advects to all faces by either scheme.
fn advect_all<V: Vector>(
    old: &Mesh,
    u: &Field<FaceId, f64>,
    corners: &Field<NodeId, V>,
    new: &Mesh,
    dt: f64,
    advection: Advection,
) -> Field<FaceId, f64> {
    match advection {
        Advection::SemiLagrangian => {
            advect_faces(old, |k| u[k], corners, Paths::free(corners), new, dt, |_| true)
        }
        Advection::MacCormack => {
            advect_faces_maccormack(old, |k| u[k], corners, Paths::free(corners), new, dt, |_| true)
        }
    }
}

use crate::testing::jagged;
use crate::transfer::corner_velocity;
use glam::Vec3Swizzles;
use octide_core::octree::{Grading, Octree};
use octide_core::scene::Scene;
use proptest::prelude::*;

const BOTH: [Advection; 2] = [Advection::SemiLagrangian, Advection::MacCormack];

fn noise(i: u32) -> f64 {
    f64::from(i.wrapping_mul(2_654_435_761) >> 8) / f64::from(1 << 24) - 0.5
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn a_step_of_no_length_is_the_identity(seed: u64) {
        let mesh = jagged(seed);
        let u = par::map(mesh.n_faces(), |k: FaceId| noise(k.0));
        // Single precision, as in the backward pass, so that both have the same error.
        let corners = short_corner_velocity(&mesh, |k| u[k]);
        let mut q = par::map(mesh.n_nodes(), |v: NodeId| noise(v.0));
        let mut other = par::map(mesh.n_nodes(), |v: NodeId| noise(v.0 + 99));
        mesh.constrain(&mut q);
        mesh.constrain(&mut other);
        for advection in BOTH {
            let now = advect_all(&mesh, &u, &corners, &mesh, 0.0, advection);
            prop_assert!(u.ids().all(|k| (now[k] - u[k]).abs() < 1e-14));
            let now = advect_nodes(&mesh, [&q, &other], Paths::free(&corners), &mesh, 0.0, advection);
            prop_assert!(q.ids().all(|v| (now[0][v] - q[v]).abs() < 1e-14));
            prop_assert!(q.ids().all(|v| (now[1][v] - other[v]).abs() < 1e-14));
        }
    }

    #[test]
    fn coarser_faces_have_the_mean_of_what_they_cover(seed: u64) {
        let fine = jagged(seed);
        let grid = fine.tree.grid().clone();
        let roots = Mesh::new(Octree::build(&grid, Grading::Unrestricted, |_| false));
        let u = par::map(fine.n_faces(), |k: FaceId| noise(k.0));
        let still = Field::filled(fine.n_nodes(), DVec3::ZERO);
        let now = advect_all(&fine, &u, &still, &roots, 1.0, BOTH[0]);
        for k in now.ids() {
            let (mut sum, mut area) = (0.0, 0.0);
            let (x, axis, h) = (roots.face_position(k), roots.faces.axis(k), roots.face_size(k));
            for j in u.ids().filter(|&j| fine.faces.axis(j) == axis) {
                let way = (fine.face_position(j) - x).abs();
                if way[axis] < 1e-9 && way.max_element() < 0.5 * h {
                    let a = fine.face_size(j).powi(2);
                    (sum, area) = (sum + a * u[j], area + a);
                }
            }
            prop_assert!((area - h * h).abs() < 1e-9);
            prop_assert!((now[k] - sum / area).abs() < 1e-12);
        }
    }
}

fn uniform(n: u32) -> Mesh {
    let scene = Scene::empty("nodal-octree", DVec3::new(1.0, 0.25, 1.0), n, 2);
    Mesh::new(Octree::build(&scene.domain.root_grid(), Grading::Unrestricted, |_| true))
}

/// Returns the fraction of a blob's sum of squares that is left after advection, at corners and on faces.
fn kept(mesh: &Mesh, advection: Advection) -> [f64; 2] {
    let blob = |p: DVec3| (-60.0 * ((p.x - 0.3).powi(2) + (p.z - 0.4).powi(2))).exp();
    // So faint on faces that it does not advect itself.
    let faint = 1e-6;
    let velocity = |p: DVec3| DVec3::new(1.0, faint * blob(p), 0.3);
    let mut u = par::map(mesh.n_faces(), |k: FaceId| velocity(mesh.face_position(k))[mesh.faces.axis(k)]);
    let mut q = par::map(mesh.n_nodes(), |v: NodeId| blob(mesh.node_position(v)));
    let square = |q: &[f64]| q.iter().map(|q| q * q).sum::<f64>();
    let upright = |u: &Field<FaceId, f64>| {
        let of = |k: FaceId| if mesh.faces.axis(k) == 1 { (u[k] / faint).powi(2) } else { 0.0 };
        u.ids().map(of).sum::<f64>()
    };
    let start = [square(&q), upright(&u)];
    for _ in 0..20 {
        let corners = corner_velocity(mesh, &u);
        [q, _] = advect_nodes(mesh, [&q, &q], Paths::free(&corners), mesh, 0.02, advection);
        u = advect_all(mesh, &u, &corners, mesh, 0.02, advection);
    }
    [square(&q) / start[0], upright(&u) / start[1]]
}

#[test]
fn maccormack_keeps_more() {
    let mesh = uniform(32);
    let [plain, better] = BOTH.map(|a| kept(&mesh, a));
    for i in 0..2 {
        assert!(plain[i] < 0.97 && plain[i] > 0.5, "{plain:?}");
        assert!(better[i] > 0.5 * (1.0 + plain[i]) && better[i] < 1.02, "{plain:?} {better:?}");
    }
}

/// Advects smoke by a wind to the domain boundary and beyond. Returns the largest relative loss inside over
/// 18 steps.
fn lost_at_the_rim(advection: Advection) -> f64 {
    let mesh = uniform(32);
    let blob = |x: f64| (-20.0 * (x - 0.6).powi(2)).exp();
    let corners = Field::filled(mesh.n_nodes(), DVec3::X);
    let mut q = par::map(mesh.n_nodes(), |v: NodeId| blob(mesh.node_position(v).x));
    // One row of corners is enough: nothing changes across it.
    let row: Vec<NodeId> = q.ids().filter(|&v| mesh.node_position(v).yz().length() < 1e-9).collect();
    let at = |v: NodeId| mesh.node_position(v).x;
    let weight = |v: NodeId| if at(v) > 1.0 - 1e-9 { 0.5 } else { 1.0 };
    let all: f64 = row.iter().map(|&v| blob(at(v))).sum();
    let dt = 0.02;
    let mut worst: f64 = 0.0;
    for i in 1..=18 {
        [q, _] = advect_nodes(&mesh, [&q, &q], Paths::free(&corners), &mesh, dt, advection);
        let exact = |v: NodeId| blob(at(v) - dt * f64::from(i));
        let missing: f64 = row.iter().map(|&v| weight(v) * (exact(v) - q[v])).sum();
        worst = worst.max(missing / all);
    }
    worst
}

/// There is no backward path from beyond an open side. A backward path from the boundary itself would take
/// arriving smoke for an error and remove half of it.
#[test]
fn maccormack_lets_smoke_out_as_it_comes() {
    let [plain, better] = BOTH.map(lost_at_the_rim);
    assert!(better < 0.002 && better < 0.5 * plain, "{plain} {better}");
}
