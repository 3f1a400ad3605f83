use super::*;
use crate::geometry::primitives::icosphere;
use crate::geometry::{MeshSdf, MeshShape};
use glam::{DQuat, dvec3};
use std::sync::Arc;

fn shapes() -> Vec<Shape> {
    let egg = |x: f64| Shape::Ellipsoid { center: dvec3(x, 0.1, 0.0), radii: dvec3(0.5, 0.3, 0.2) };
    let cuboid = Shape::Box { min: dvec3(-0.5, -0.3, -0.2), max: dvec3(0.4, 0.6, 0.3) };
    let ball = Shape::Sphere { center: dvec3(0.3, 0.2, 0.1), radius: 0.4 };
    let sdf = MeshSdf::new(&icosphere(dvec3(0.1, 0.0, 0.0), 0.5, 2)).unwrap();
    vec![
        cuboid.clone(),
        Shape::RoundedBox { min: dvec3(-0.5, -0.3, -0.2), max: dvec3(0.4, 0.6, 0.3), radius: 0.1 },
        ball.clone(),
        egg(0.0),
        Shape::Cylinder { from: dvec3(-0.3, 0.0, 0.1), to: dvec3(0.4, 0.3, 0.0), radius: 0.2 },
        Shape::Capsule { from: dvec3(-0.3, 0.0, 0.1), to: dvec3(0.4, 0.3, 0.0), radius: 0.2 },
        Shape::Torus { center: dvec3(0.0, 0.1, 0.0), axis: dvec3(0.2, 1.0, 0.1), major: 0.5, minor: 0.1 },
        Shape::Plane { point: dvec3(0.0, 0.1, 0.0), normal: dvec3(0.2, 1.0, 0.1) },
        Shape::Mesh(Arc::new(MeshShape { source: "ball".to_owned(), sdf, is_shell: false })),
        Shape::Union(vec![cuboid.clone(), ball.clone(), egg(0.5)]),
        Shape::Intersection(vec![cuboid.clone(), ball.clone()]),
        Shape::Difference { of: Box::new(cuboid.clone()), minus: vec![ball] },
        Shape::SmoothUnion { shapes: vec![egg(-0.4), egg(0.4), cuboid], radius: 0.2 },
        Shape::Transformed {
            shape: Box::new(egg(0.1)),
            scale: 1.5,
            rotation: DQuat::from_rotation_z(0.7),
            translation: dvec3(0.1, 0.2, 0.3),
        },
    ]
}

#[test]
fn gradients_are_those_of_differences_away_from_creases() {
    let h = 1e-5;
    let at = |i: u32, step: f64| ((f64::from(i) * step).fract() * 2.0 - 1.0) * 0.9;
    for shape in shapes() {
        let mut at_creases = 0;
        for i in 1..=2000 {
            let p = dvec3(at(i, 0.819_172_5), at(i, 0.671_043_6), at(i, 0.549_700_5));
            let (d, gradient) = shape.distance_and_gradient(p);
            assert!((d - shape.distance(p)).abs() < 1e-12, "{shape:?} at {p}");
            let difference = |e: DVec3| (shape.distance(p + h * e) - shape.distance(p - h * e)) / (2.0 * h);
            let expected = dvec3(difference(DVec3::X), difference(DVec3::Y), difference(DVec3::Z));
            at_creases += usize::from((gradient - expected).length() > 1e-4);
        }
        assert!(at_creases <= 3, "{shape:?}: {at_creases}");
    }
}

#[test]
fn gradients_on_a_surface_are_normals() {
    for (shape, p) in [
        (Shape::Ellipsoid { center: DVec3::ZERO, radii: dvec3(0.5, 0.3, 0.2) }, dvec3(0.0, 0.3, 0.0)),
        (Shape::Box { min: DVec3::splat(-0.3), max: DVec3::splat(0.3) }, dvec3(0.1, 0.3, 0.0)),
    ] {
        let (_, gradient) = shape.distance_and_gradient(p);
        assert!((gradient - DVec3::Y).length() < 1e-9, "{shape:?}: {gradient}");
    }
}
