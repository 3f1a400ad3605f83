use super::*;
use crate::geometry::primitives::icosphere;
use crate::geometry::{MeshSdf, MeshShape};
use glam::{DQuat, dvec3};
use std::f64::consts::PI;
use std::sync::Arc;

const ROOM: (DVec3, DVec3) = (DVec3::splat(-2.0), DVec3::splat(2.0));

fn closed(mesh: &TriMesh) {
    assert!(!mesh.triangles.is_empty());
    assert!(mesh.is_closed_manifold(), "{:?}", mesh.topology());
    assert!(mesh.volume() > 0.0);
}

#[test]
fn a_ball_is_closed_smooth_and_of_the_right_size() {
    let center = dvec3(0.1, 0.2, -0.3);
    let mesh = Shape::Sphere { center, radius: 1.0 }.tessellate(ROOM, 24);
    closed(&mesh);
    for v in 0..mesh.positions.len() as u32 {
        assert!((mesh.vertex(v).distance(center) - 1.0).abs() < 1e-5);
    }
    assert!((mesh.volume() / (4.0 / 3.0 * PI) - 1.0).abs() < 0.01);
    // Almost no slivers are left.
    let thin = (0..mesh.triangles.len()).filter(|&t| {
        let [a, b, c] = mesh.corners(t);
        let longest = (b - a).length_squared().max((c - b).length_squared()).max((a - c).length_squared());
        // This ratio is 1 for a regular triangle.
        (b - a).cross(c - a).length() / longest * 2.0 / 3f64.sqrt() < 0.1
    });
    let share = thin.count() as f64 / mesh.triangles.len() as f64;
    assert!(share < 0.01, "{share}");
}

#[test]
fn all_kinds_are_closed_and_have_their_volume() {
    let torus = Shape::Torus { center: DVec3::ZERO, axis: dvec3(1.0, 1.0, 0.3), major: 1.0, minor: 0.3 };
    let capsule = Shape::Capsule { from: dvec3(-1.0, 0.0, 0.0), to: dvec3(1.0, 0.3, 0.0), radius: 0.4 };
    let ball = Shape::Sphere { center: DVec3::ZERO, radius: 1.0 };
    let plane = Shape::Plane { point: DVec3::ZERO, normal: DVec3::Y };
    let cut = Shape::Difference { of: Box::new(ball.clone()), minus: vec![plane.clone()] };
    let length = dvec3(2.0, 0.3, 0.0).length();
    let ellipsoid = Shape::Ellipsoid { center: DVec3::ZERO, radii: dvec3(1.0, 0.5, 0.8) };
    for (shape, volume) in [
        (torus, 2.0 * PI * PI * 0.09),
        (capsule, PI * 0.16 * (length + 4.0 / 3.0 * 0.4)),
        (cut, 2.0 / 3.0 * PI),
        (ellipsoid, 4.0 / 3.0 * PI * 0.4),
        (plane, 32.0),
        (Shape::Cylinder { from: DVec3::ZERO, to: DVec3::Y, radius: 0.5 }, PI * 0.25),
    ] {
        let mesh = shape.tessellate(ROOM, 40);
        closed(&mesh);
        assert!((mesh.volume() / volume - 1.0).abs() < 0.04, "{shape:?}: {} is not {volume}", mesh.volume());
    }
}

#[test]
fn signs_at_random_still_give_a_closed_manifold() {
    // Noise by a hash covers every case of every tetrahedron, sheets that touch, and islands.
    let noise = |p: DVec3| {
        let q = (p * 10.0).round();
        let n = (q.x * 127.1 + q.y * 311.7 + q.z * 74.7).sin() * 43_758.545;
        n - n.floor() - 0.5
    };
    let mesh = tetrahedra::surface(&noise, DVec3::ZERO, DVec3::ONE, 0.1);
    assert!(mesh.triangles.len() > 5000);
    closed(&mesh);
}

#[test]
fn boxes_keep_their_corners() {
    let shape = Shape::Box { min: dvec3(-1.0, -3.0, 0.0), max: DVec3::ONE };
    let mesh = shape.tessellate(ROOM, 10);
    closed(&mesh);
    assert_eq!(mesh.triangles.len(), 12);
    assert_eq!(mesh.bounds(), Some((dvec3(-1.0, -2.0, 0.0), DVec3::ONE)));
    let turned = Shape::Transformed {
        shape: Box::new(Shape::Box { min: DVec3::ZERO, max: DVec3::ONE }),
        scale: 0.5,
        rotation: DQuat::from_rotation_y(0.4),
        translation: dvec3(0.1, 0.2, 0.3),
    };
    let mesh = turned.tessellate(ROOM, 10);
    assert_eq!(mesh.triangles.len(), 12);
    for v in 0..8 {
        assert!(turned.distance(mesh.vertex(v)).abs() < 1e-6);
    }
}

#[test]
fn meshes_give_their_own_triangles() {
    let ball = icosphere(DVec3::ZERO, 1.0, 2);
    let sdf = MeshSdf::new(&ball).unwrap();
    let shape = Shape::Mesh(Arc::new(MeshShape { source: "ball.obj".to_owned(), sdf, is_shell: false }));
    assert_eq!(shape.tessellate(ROOM, 10), ball);
    let moved = Shape::Transformed {
        shape: Box::new(shape),
        scale: 2.0,
        rotation: DQuat::IDENTITY,
        translation: DVec3::X,
    };
    let mesh = moved.tessellate(ROOM, 10);
    assert_eq!(mesh.triangles, ball.triangles);
    assert!((mesh.volume() / ball.volume() - 8.0).abs() < 1e-4);
}

#[test]
fn what_is_not_in_the_box_is_not_there() {
    let far = Shape::Sphere { center: DVec3::splat(9.0), radius: 1.0 };
    assert_eq!(far.tessellate(ROOM, 10), TriMesh::default());
    let none = Shape::Intersection(vec![far, Shape::Sphere { center: DVec3::ZERO, radius: 1.0 }]);
    assert!(none.tessellate(ROOM, 10).triangles.is_empty());
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let shape = Shape::Torus { center: DVec3::ZERO, axis: DVec3::Y, major: 1.0, minor: 0.3 };
    let run = |n| {
        rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap().install(|| shape.tessellate(ROOM, 20))
    };
    assert_eq!(run(1), run(3));
}
