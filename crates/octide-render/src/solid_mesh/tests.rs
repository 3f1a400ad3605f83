use super::*;
use glam::DQuat;
use std::f64::consts::PI;

fn domain() -> Domain {
    Domain { origin: DVec3::ZERO, size: DVec3::new(1.0, 0.5, 1.0), resolution: 64, levels: 3 }
}

fn close(shape: &Shape, volume: f64) {
    let mesh = solid_mesh(shape, &domain(), SolidDetail::FULL);
    assert!(mesh.is_closed_manifold(), "{shape:?}: {:?}", mesh.topology());
    assert!((mesh.volume() - volume).abs() < 0.02 * volume, "{shape:?}: {} for {volume}", mesh.volume());
}

#[test]
fn meshes_are_closed_and_hold_the_volume_of_their_shape() {
    let (a, b) = (DVec3::new(0.1, 0.1, 0.2), DVec3::new(0.4, 0.2, 0.4));
    let axis = b - a;
    close(&Shape::Box { min: a, max: b }, 0.3 * 0.1 * 0.2);
    close(&Shape::Sphere { center: a, radius: 0.3 }, 4.0 / 3.0 * PI * 0.027);
    close(&Shape::Cylinder { from: a, to: b, radius: 0.1 }, PI * 0.01 * axis.length());
    close(&Shape::Cylinder { from: b, to: a, radius: 0.1 }, PI * 0.01 * axis.length());
    let capsule = PI * 0.01 * axis.length() + 4.0 / 3.0 * PI * 0.001;
    close(&Shape::Capsule { from: a, to: b, radius: 0.1 }, capsule);
    let torus = Shape::Torus { center: a, axis, major: 0.3, minor: 0.1 };
    close(&torus, 2.0 * PI * PI * 0.3 * 0.01);
    let hollow = Shape::Difference {
        of: Box::new(Shape::Sphere { center: a, radius: 0.3 }),
        minus: vec![Shape::Sphere { center: a, radius: 0.2 }],
    };
    close(&hollow, 4.0 / 3.0 * PI * (0.027 - 0.008));
    let turned = Shape::Transformed {
        shape: Box::new(Shape::Box { min: a, max: b }),
        scale: 2.0,
        rotation: DQuat::from_rotation_z(1.0),
        translation: b,
    };
    close(&turned, 8.0 * 0.3 * 0.1 * 0.2);
}

#[test]
fn a_plane_covers_the_domain() {
    let plane = Shape::Plane { point: DVec3::new(0.0, 0.1, 0.0), normal: DVec3::new(0.2, 1.0, 0.0) };
    let mesh = solid_mesh(&plane, &domain(), SolidDetail::FULL);
    let (min, max) = mesh.bounds().unwrap();
    assert!(mesh.is_closed_manifold());
    assert!(min.x < -0.5 && max.x > 1.5 && min.z < -0.5 && max.z > 1.5, "{min} {max}");
}

#[test]
fn many_solids_have_few_triangles_each_and_large_ones_keep_theirs() {
    let (a, b) = (DVec3::ZERO, DVec3::splat(0.01));
    let kinds = [
        Shape::Sphere { center: a, radius: 0.01 },
        Shape::Cylinder { from: a, to: b, radius: 0.01 },
        Shape::Capsule { from: a, to: b, radius: 0.01 },
        Shape::Ellipsoid { center: a, radii: DVec3::new(0.01, 0.02, 0.01) },
    ];
    let large = Shape::Sphere { center: a, radius: 0.3 };
    let triangles = |n: usize, shape: &Shape| {
        let shapes: Vec<&Shape> = std::iter::once(&large).chain((1..n).map(|_| shape)).collect();
        let details = solid_details(&shapes, &domain());
        assert_eq!(details[0], SolidDetail::FULL);
        let mesh = solid_mesh(shape, &domain(), details[n - 1]);
        assert!(mesh.is_closed_manifold() && mesh.volume() > 0.0, "{shape:?}");
        mesh.triangles.len()
    };
    for shape in &kinds {
        assert_eq!(triangles(100, shape), solid_mesh(shape, &domain(), SolidDetail::FULL).triangles.len());
        let (few, many) = (triangles(100, shape), triangles(100_000, shape));
        assert!(many <= 800 && 10 * many < few, "{shape:?}: {few} triangles, then {many}");
    }
}
