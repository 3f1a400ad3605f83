use super::*;
use crate::advect::advect_faces;
use crate::nodal::{CornerVelocity, corner_velocity};
use glam::{IVec3, Vec3};
use octide_core::index::NodeId;
use octide_core::octree::{Grading, Octree, RootGrid};

/// Three levels around a ball.
fn around(ball: DVec3) -> Mesh {
    let grid = RootGrid::new(DVec3::ZERO, 1.0 / 32.0, 3, IVec3::ZERO, IVec3::splat(4), |_| true);
    Mesh::new(Octree::build(&grid, Grading::Graded, |c| (c.center - ball).length() < 0.25 + 1.2 * c.size))
}

fn on_faces(mesh: &Mesh, f: impl Fn(DVec3, usize) -> f64 + Sync + Send) -> Field<FaceId, f64> {
    par::map(mesh.n_faces(), |k: FaceId| {
        if mesh.faces.is_wall(k) { 0.0 } else { f(mesh.face_position(k), mesh.faces.axis(k)) }
    })
}

/// All water, far from any surface.
fn deep(mesh: &Mesh) -> Field<CellId, f64> {
    Field::filled(mesh.n_cells(), -10.0)
}

fn wavy(p: DVec3, axis: usize) -> f64 {
    (9.0 * p.x).sin() + (7.0 * p.y).cos() * p.z + axis as f64
}

#[test]
fn without_velocity_on_the_same_tree_nothing_changes() {
    let mesh = around(DVec3::new(0.45, 0.55, 0.4));
    let (u, phi) = (on_faces(&mesh, wavy), deep(&mesh));
    let still = CornerVelocity::new(&mesh, Field::filled(mesh.nodes().len(), Vec3::ZERO));
    let old = OldFlow { mesh: &mesh, phi: &phi, u: &u, corners: &still };
    assert_eq!(advect_faces_maccormack(&old, &mesh, &phi, 0.1, |_| true), u);
}

#[test]
fn an_even_flow_stays_even_from_tree_to_tree() {
    let (mesh, new) = (around(DVec3::splat(0.45)), around(DVec3::new(0.5, 0.55, 0.6)));
    let velocity = DVec3::new(0.02, -0.01, 0.03);
    let u = par::map(mesh.n_faces(), |k: FaceId| velocity[mesh.faces.axis(k)]);
    let (phi, corners) = (deep(&mesh), corner_velocity(&mesh, &u));
    let old = OldFlow { mesh: &mesh, phi: &phi, u: &u, corners: &corners };
    let out = advect_faces_maccormack(&old, &new, &deep(&new), 1.0, |_| true);
    for k in out.ids().filter(|&k| !new.faces.is_wall(k)) {
        assert!((out[k] - velocity[new.faces.axis(k)]).abs() < 1e-12);
    }
}

/// Energy that is left of a bump of w after a turn about the vertical axis through the middle, and its
/// largest value.
fn after_a_turn(maccormack: bool) -> (f64, f64) {
    let mesh = around(DVec3::splat(0.5));
    let bump = |p: DVec3| (-((p - DVec3::new(0.65, 0.5, 0.5)) / 0.09).length_squared()).exp();
    let mut u = on_faces(&mesh, |p, axis| if axis == 2 { bump(p) } else { 0.0 });
    let corners = par::map(mesh.nodes().len(), |v: NodeId| {
        let r = mesh.tree.grid().position(mesh.nodes().place(v)) - 0.5;
        DVec3::new(-r.y, r.x, 0.0).as_vec3()
    });
    let corners = CornerVelocity::new(&mesh, corners);
    let phi = deep(&mesh);
    let energy =
        |u: &Field<FaceId, f64>| u.ids().map(|k| u[k] * u[k] * mesh.face_size(k).powi(3)).sum::<f64>();
    let start = energy(&u);
    let n = 60;
    for _ in 0..n {
        let dt = std::f64::consts::TAU / f64::from(n);
        u = if maccormack {
            let old = OldFlow { mesh: &mesh, phi: &phi, u: &u, corners: &corners };
            advect_faces_maccormack(&old, &mesh, &phi, dt, |_| true)
        } else {
            advect_faces(&mesh, &u, &corners, &mesh, dt, |_| true)
        };
    }
    (energy(&u) / start, u.ids().map(|k| u[k].abs()).fold(0.0, f64::max))
}

#[test]
fn a_turning_bump_keeps_far_more_energy() {
    let (plain, (kept, most)) = (after_a_turn(false).0, after_a_turn(true));
    assert!(kept > 0.6 && kept < 1.0 && kept > 1.8 * plain, "{kept} against {plain}");
    assert!(most <= 1.0, "the limit holds: {most}");
}

#[test]
fn faces_near_the_surface_and_beside_unknown_ones_are_semi_lagrangian() {
    let mesh = around(DVec3::splat(0.5));
    let u = on_faces(&mesh, wavy);
    let corners = CornerVelocity::new(&mesh, Field::filled(mesh.nodes().len(), Vec3::new(0.3, 0.2, 0.1)));
    let (dt, plain) = (0.1, advect_faces(&mesh, &u, &corners, &mesh, 0.1, |_| true));
    let run = |phi: &Field<CellId, f64>, wanted: &(dyn Fn(FaceId) -> bool + Sync)| {
        let old = OldFlow { mesh: &mesh, phi, u: &u, corners: &corners };
        advect_faces_maccormack(&old, &mesh, phi, dt, wanted)
    };
    let surface = par::map(mesh.n_cells(), |c: CellId| mesh.tree.center(c).y - 0.6);
    let out = run(&surface, &|_| true);
    let is_changed = |out: &Field<FaceId, f64>, k: FaceId| (out[k] - plain[k]).abs() > 1e-12;
    let y = |k: FaceId| mesh.face_position(k).y;
    // The way goes 0.02 up.
    assert!(out.ids().all(|k| y(k) < 0.58 - mesh.face_size(k) || !is_changed(&out, k)));
    assert!(out.ids().any(|k| y(k) < 0.5 && is_changed(&out, k)));

    let known = |k: FaceId| y(k) < 0.5;
    let out = run(&deep(&mesh), &known);
    assert!(out.ids().all(|k| out[k].is_finite()));
    assert!(out.ids().filter(|&k| !known(k)).all(|k| out[k] == 0.0));
    assert!(out.ids().any(|k| y(k) > 0.45 && known(k) && !is_changed(&out, k)));
    assert!(out.ids().any(|k| y(k) < 0.4 && is_changed(&out, k)));
}
