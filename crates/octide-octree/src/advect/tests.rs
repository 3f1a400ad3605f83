use super::*;
use crate::nodal::{CornerVelocity, corner_velocity};
use crate::solids::Solids;
use glam::{IVec3, Vec3};
use octide_core::octree::{Grading, Octree, RootGrid};

fn grid() -> RootGrid {
    RootGrid::new(DVec3::ZERO, 1.0 / 32.0, 3, IVec3::ZERO, IVec3::splat(4), |_| true)
}

fn around(ball: DVec3) -> Mesh {
    Mesh::new(Octree::build(&grid(), Grading::Graded, |c| (c.center - ball).length() < 0.2 + 1.2 * c.size))
}

fn wavy(p: DVec3) -> f64 {
    (9.0 * p.x).sin() + (7.0 * p.y).cos() * p.z
}

#[test]
fn without_velocity_on_the_same_tree_nothing_changes() {
    let mesh = around(DVec3::new(0.45, 0.55, 0.4));
    let q = par::map(mesh.n_cells(), |c: CellId| wavy(mesh.tree.center(c)));
    let u = par::map(
        mesh.n_faces(),
        |k: FaceId| {
            if mesh.faces.is_wall(k) { 0.0 } else { wavy(mesh.face_position(k)) }
        },
    );
    let still = CornerVelocity::new(&mesh, Field::filled(mesh.nodes().len(), Vec3::ZERO));
    assert_eq!(advect_cells(&mesh, &q, &still, &mesh, 0.1), q);
    let open = Apertures::within_walls(&mesh, &Solids::default());
    assert_eq!(advect_distance(&mesh, &q, &open, &still, &mesh, 0.1), q);
    assert_eq!(advect_faces(&mesh, &u, &still, &mesh, 0.1, |_| true), u);
}

#[test]
fn a_linear_field_is_carried_exactly_from_tree_to_tree() {
    let (old, new) = (around(DVec3::splat(0.45)), around(DVec3::new(0.5, 0.55, 0.6)));
    let velocity = DVec3::new(0.02, -0.01, 0.03);
    let f = |p: DVec3| p.dot(DVec3::new(1.0, 2.0, -0.5));
    let q = par::map(old.n_cells(), |c: CellId| f(old.tree.center(c)));
    let u = par::map(old.n_faces(), |k: FaceId| velocity[old.faces.axis(k)]);
    let corners = corner_velocity(&old, &u);
    let moved = advect_cells(&old, &q, &corners, &new, 1.0);
    for c in moved.ids() {
        let x = new.tree.center(c);
        if x.min_element() > 0.2 && x.max_element() < 0.8 {
            assert!((moved[c] - f(x - velocity)).abs() < 1e-8);
        }
    }
    let carried = advect_faces(&old, &u, &corners, &new, 1.0, |_| true);
    for k in carried.ids().filter(|&k| !new.faces.is_wall(k)) {
        assert!((carried[k] - velocity[new.faces.axis(k)]).abs() < 1e-12);
    }
}

#[test]
fn corner_velocities_are_exact_for_linear_flow() {
    let mesh = around(DVec3::new(0.45, 0.55, 0.4));
    let flow = |p: DVec3| DVec3::new(p.y - 2.0 * p.z, p.x + p.z, 0.5 * p.y);
    let u = par::map(mesh.n_faces(), |k: FaceId| flow(mesh.face_position(k))[mesh.faces.axis(k)]);
    let corners = corner_velocity(&mesh, &u);
    let corners = corners.at_corners();
    for v in corners.ids() {
        let x = mesh.tree.grid().position(mesh.nodes().place(v));
        // Corners at walls are mirrored, and others may hang on them.
        if x.min_element() > 0.13 && x.max_element() < 0.87 {
            assert!((corners[v].as_dvec3() - flow(x)).length() < 1e-6, "{x}");
        }
    }
}

#[test]
fn a_turned_flow_is_carried_as_turned() {
    // A quarter turn about z: component x of the first is minus component y of the other, y is its x.
    let turn = |p: DVec3| DVec3::new(p.y, 1.0 - p.x, p.z);
    let back = |p: DVec3| DVec3::new(1.0 - p.y, p.x, p.z);
    let make = |at: &(dyn Fn(DVec3) -> DVec3 + Sync), ball: DVec3| {
        Mesh::new(Octree::build(&grid(), Grading::Graded, |c| {
            (at(c.center) - ball).length() < 0.2 + 1.2 * c.size
        }))
    };
    let balls = [DVec3::new(0.45, 0.55, 0.4), DVec3::new(0.42, 0.5, 0.45)];
    let [old, new] = balls.map(|b| make(&|p| p, b));
    let [old_t, new_t] = balls.map(|b| make(&back, b));
    let flow = |p: DVec3| DVec3::new((5.0 * p.y).sin(), (4.0 * p.x * p.z).cos() - 0.7, (3.0 * p.x).cos());
    let u = par::map(old.n_faces(), |k: FaceId| {
        if old.faces.is_wall(k) { 0.0 } else { flow(old.face_position(k))[old.faces.axis(k)] }
    });
    let u_t = par::map(old_t.n_faces(), |k: FaceId| {
        let v = flow(back(old_t.face_position(k)));
        if old_t.faces.is_wall(k) { 0.0 } else { [v.y, -v.x, v.z][old_t.faces.axis(k)] }
    });
    let out = advect_faces(&old, &u, &corner_velocity(&old, &u), &new, 0.04, |_| true);
    let out_t = advect_faces(&old_t, &u_t, &corner_velocity(&old_t, &u_t), &new_t, 0.04, |_| true);
    for c in new.tree.cells() {
        let there = new_t.tree.nearest_leaf(turn(new.tree.center(c)));
        let (a, b) = (new.faces.of_cell(c), new_t.faces.of_cell(there));
        // −x → +y, +x → −y, −y → −x, +y → +x.
        for (d, to, sign) in [(0, 3, -1.0), (1, 2, -1.0), (2, 0, 1.0), (3, 1, 1.0), (4, 4, 1.0), (5, 5, 1.0)]
        {
            let x = new.face_position(a[d]);
            assert!(
                (out[a[d]] - sign * out_t[b[to]]).abs() < 1e-6,
                "{x} {d}: {} {}",
                out[a[d]],
                out_t[b[to]]
            );
        }
    }
}
