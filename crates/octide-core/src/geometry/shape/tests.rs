mod rounded_box;

use super::{Shape, smooth_min::smooth_min};
use glam::{DQuat, DVec3, dvec3};
use proptest::prelude::*;
use std::f64::consts::{PI, TAU};

fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b} within {tolerance}");
}

fn unit_box() -> Shape {
    Shape::Box { min: dvec3(-1.0, -2.0, -3.0), max: dvec3(1.0, 2.0, 3.0) }
}

fn tilted() -> DQuat {
    DQuat::from_axis_angle(dvec3(1.0, 2.0, -0.5).normalize(), 0.7)
}

/// Returns one of each primitive shape, all with surface points that [`surface_points`] can find.
fn solids() -> Vec<Shape> {
    let (from, to) = (dvec3(-0.3, 0.2, 0.1), dvec3(0.5, -0.4, 0.9));
    vec![
        unit_box(),
        Shape::RoundedBox { min: dvec3(-1.0, 0.0, 2.0), max: dvec3(0.5, 1.0, 4.0), radius: 0.2 },
        Shape::Sphere { center: from, radius: 0.7 },
        Shape::Ellipsoid { center: to, radii: dvec3(0.4, 1.5, 0.9) },
        Shape::Cylinder { from, to, radius: 0.3 },
        Shape::Capsule { from, to, radius: 0.3 },
        Shape::Torus { center: from, axis: dvec3(0.3, 1.0, -2.0), major: 1.0, minor: 0.25 },
    ]
}

#[test]
fn box_inside_face_edge_and_corner() {
    let s = unit_box();
    close(s.distance(DVec3::ZERO), -1.0, 0.0);
    close(s.distance(dvec3(3.0, 0.0, 0.0)), 2.0, 1e-15);
    close(s.distance(dvec3(4.0, 6.0, 0.0)), 5.0, 1e-15);
    close(s.distance(dvec3(2.0, 4.0, 5.0)), 3.0, 1e-15);
}

#[test]
fn bars_rings_and_planes_at_known_points() {
    let (from, to) = (DVec3::ZERO, dvec3(0.0, 2.0, 0.0));
    let cylinder = Shape::Cylinder { from, to, radius: 0.5 };
    close(cylinder.distance(dvec3(0.0, 1.0, 0.0)), -0.5, 1e-15);
    close(cylinder.distance(dvec3(0.0, 3.0, 0.0)), 1.0, 1e-15);
    close(cylinder.distance(dvec3(3.5, 6.0, 0.0)), 5.0, 1e-15);
    let capsule = Shape::Capsule { from, to, radius: 0.5 };
    close(capsule.distance(dvec3(0.0, 3.0, 0.0)), 0.5, 1e-15);
    close(capsule.distance(dvec3(2.0, 1.0, 0.0)), 1.5, 1e-15);
    close(Shape::Capsule { from, to: from, radius: 0.5 }.distance(to), 1.5, 1e-15);
    let torus = Shape::Torus { center: from, axis: to, major: 2.0, minor: 0.5 };
    close(torus.distance(DVec3::ZERO), 1.5, 1e-15);
    close(torus.distance(dvec3(0.0, 0.0, 2.0)), -0.5, 1e-15);
    close(torus.distance(dvec3(5.0, 4.0, 0.0)), 4.5, 1e-15);
    let plane = Shape::Plane { point: dvec3(0.0, 1.0, 0.0), normal: dvec3(0.0, 3.0, 0.0) };
    close(plane.distance(dvec3(9.0, 3.0, 1.0)), 2.0, 1e-15);
    close(plane.distance(dvec3(9.0, 0.0, 1.0)), -1.0, 1e-15);
}

/// Returns the distance by search: the smallest over a fine grid of directions, refined around the best.
fn ellipsoid_by_search(p: DVec3, radii: DVec3) -> f64 {
    let at = |u: f64, v: f64| radii * dvec3(u.cos() * v.sin(), u.sin() * v.sin(), v.cos());
    let (mut best, mut bu, mut bv) = (f64::INFINITY, 0.0, 0.0);
    for i in 0..120 {
        for j in 0..=60 {
            let (u, v) = (TAU * i as f64 / 120.0, PI * j as f64 / 60.0);
            if at(u, v).distance(p) < best {
                (best, bu, bv) = (at(u, v).distance(p), u, v);
            }
        }
    }
    let mut h = 0.05;
    while h > 1e-9 {
        let (cu, cv) = (bu, bv);
        for (du, dv) in [(h, 0.0), (-h, 0.0), (0.0, h), (0.0, -h), (h, h), (-h, -h), (h, -h), (-h, h)] {
            if at(cu + du, cv + dv).distance(p) < best {
                (best, bu, bv) = (at(cu + du, cv + dv).distance(p), cu + du, cv + dv);
            }
        }
        if (bu, bv) == (cu, cv) {
            h *= 0.5;
        }
    }
    if (p / radii).length_squared() < 1.0 { -best } else { best }
}

#[test]
fn ellipsoid_in_its_special_places() {
    let radii = dvec3(3.0, 2.0, 1.0);
    let d = |p| Shape::Ellipsoid { center: DVec3::ZERO, radii }.distance(p);
    close(d(DVec3::ZERO), -1.0, 1e-15);
    for p in [
        dvec3(1.0, 0.0, 0.0),      // on the longest axis, inside the focal curve
        dvec3(2.9, 0.0, 0.0),      // and beyond it
        dvec3(0.0, 1.2, 0.0),      // on the middle axis
        dvec3(0.5, 0.5, 0.0),      // in the plane of the shortest
        dvec3(0.5, 0.5, 1e-12),    // hardly off it
        dvec3(0.0, 0.0, 0.5),      // on the shortest
        dvec3(0.0, 0.0, 40.0),     // far out
        dvec3(-2.0, 1.0, -0.3),    // anywhere
        dvec3(-7.0, 5.0, -0.0001), // outside
    ] {
        close(d(p), ellipsoid_by_search(p, radii), 1e-7);
    }
    // Spheres and spheroids have equal radii.
    close(
        Shape::Ellipsoid { center: DVec3::ZERO, radii: DVec3::splat(2.0) }.distance(DVec3::ZERO),
        -2.0,
        1e-15,
    );
    close(
        Shape::Ellipsoid { center: DVec3::ZERO, radii: DVec3::splat(2.0) }.distance(DVec3::ONE),
        3f64.sqrt() - 2.0,
        1e-14,
    );
    for (radii, p) in
        [(dvec3(1.0, 1.0, 4.0), dvec3(0.0, 0.0, 1.0)), (dvec3(4.0, 1.0, 4.0), dvec3(1.0, 0.0, 1.0))]
    {
        close(
            Shape::Ellipsoid { center: DVec3::ZERO, radii }.distance(p),
            ellipsoid_by_search(p, radii),
            1e-7,
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn ellipsoid_agrees_with_a_search(
        x in -3.0..3.0f64, y in -3.0..3.0f64, z in -3.0..3.0f64,
        a in 0.1..2.0f64, b in 0.1..2.0f64, c in 0.1..2.0f64,
    ) {
        let (p, radii) = (dvec3(x, y, z), dvec3(a, b, c));
        let d = Shape::Ellipsoid { center: DVec3::ZERO, radii }.distance(p);
        // The search may end in a local minimum, which is never nearer than the true distance.
        prop_assert!(d.abs() <= ellipsoid_by_search(p, radii).abs() + 1e-7);
        prop_assert_eq!(d < 0.0, (p / radii).length() < 1.0);
        // The point at the distance d against the gradient is on the surface.
        let step = 1e-6;
        let gradient = DVec3::from_array([0, 1, 2].map(|k| {
            let e = DVec3::AXES[k] * step;
            let f = |q| Shape::Ellipsoid { center: DVec3::ZERO, radii }.distance(q);
            (f(p + e) - f(p - e)) / (2.0 * step)
        }));
        let foot = p - gradient * d;
        // Near the medial surface the gradient mixes two closest points and is shorter than one.
        if (gradient.length() - 1.0).abs() < 1e-6 {
            prop_assert!(((foot / radii).length() - 1.0).abs() < 1e-3);
        }
    }

    #[test]
    fn exact_distances_have_gradients_of_length_one(
        kind in 0..7usize, x in -2.0..2.0f64, y in -2.0..2.0f64, z in -2.0..4.0f64,
    ) {
        let s = &solids()[kind];
        let p = dvec3(x, y, z);
        let d = s.distance(p);
        let h = 1e-5;
        let gradient = DVec3::from_array([0, 1, 2].map(|k| {
            let e = DVec3::AXES[k] * h;
            (s.distance(p + e) - s.distance(p - e)) / (2.0 * h)
        }));
        prop_assert!(gradient.length() < 1.0 + 1e-6);
        // Outside of convex solids the distance has no ridges; elsewhere ridges are skipped.
        if d > 0.01 && kind < 6 {
            prop_assert!(gradient.length() > 1.0 - 1e-3, "{} at {p}", gradient.length());
        }
        if gradient.length() > 1.0 - 1e-6 {
            prop_assert!(s.distance(p - d * gradient).abs() < 1e-3);
        }
    }

    #[test]
    fn smooth_min_does_not_depend_on_the_order(a in -1.0..1.0f64, b in -1.0..1.0f64, c in -1.0..1.0f64, k in 0.1..2.0f64) {
        let f = smooth_min(&mut [a, b, c], k);
        for mut other in [[b, a, c], [c, b, a], [b, c, a]] {
            prop_assert_eq!(smooth_min(&mut other, k).to_bits(), f.to_bits());
        }
        let weight: f64 = [a, b, c].iter().map(|d| (1.0 - ((d - f).max(0.0) / k).sqrt()).max(0.0)).sum();
        prop_assert!((weight - 1.0).abs() < 1e-6);
        let least = a.min(b).min(c);
        prop_assert!(f <= least && f >= least - super::smooth_min::reach(3, k) - 1e-12);
        let h = (1.0 - (a - b).abs() / k).max(0.0);
        prop_assert!((smooth_min(&mut [a, b], k) - (a.min(b) - 0.25 * k * h * h)).abs() < 1e-14);
    }
}

/// Returns a pile of ellipsoids and other shapes, primitive and combined.
fn pile(n: usize) -> Vec<Shape> {
    let noise = |i: usize, k: usize| ((i * 7 + k * 13) as f64 * 0.618).fract();
    let mut shapes: Vec<_> = (0..n)
        .map(|i| Shape::Ellipsoid {
            center: 3.0 * dvec3(noise(i, 1), noise(i, 2), noise(i, 3)) - DVec3::splat(1.5),
            radii: dvec3(0.05 + noise(i, 4), 0.05 + noise(i, 5), 0.05 + noise(i, 6)) * 0.6,
        })
        .collect();
    shapes.extend(solids());
    shapes.push(Shape::Union(shapes[..3].to_vec()));
    shapes.push(Shape::SmoothUnion { shapes: shapes[1..4].to_vec(), radius: 0.3 });
    shapes.push(Shape::Intersection(vec![shapes[0].clone(), shapes[1].clone()]));
    shapes.push(Shape::Difference { of: Box::new(shapes[2].clone()), minus: shapes[3..5].to_vec() });
    let (rotation, translation) = (tilted(), dvec3(0.5, -0.5, 1.0));
    shapes.push(Shape::Transformed { shape: Box::new(shapes[3].clone()), scale: 0.7, rotation, translation });
    shapes
}

#[test]
fn unions_that_leave_out_far_parts_are_the_same_to_the_bit() {
    let shapes = pile(40);
    let each = |p: DVec3| shapes.iter().map(|s| s.distance(p)).collect::<Vec<_>>();
    let union = Shape::Union(shapes.clone());
    let mut left_out = 0;
    for i in 0..4000 {
        let noise = |k: usize| ((i * 11 + k * 17) as f64 * 0.754877).fract();
        let reach = if i % 4 == 0 { 60.0 } else { 5.0 };
        let p = reach * (dvec3(noise(1), noise(2), noise(3)) - DVec3::splat(0.5));
        let mut d = each(p);
        let least = d.iter().copied().fold(f64::INFINITY, f64::min);
        assert_eq!(union.distance(p).to_bits(), least.to_bits(), "at {p}");
        for (s, d) in shapes.iter().zip(&d) {
            assert!(s.at_least(p) <= d + 1e-12 * (1.0 + d.abs()), "{} > {d} for {s:?} at {p}", s.at_least(p));
            left_out += usize::from(s.is_beyond(p, least));
        }
        for radius in [0.05, 0.4, 8.0] {
            let smooth = Shape::SmoothUnion { shapes: shapes.clone(), radius };
            assert_eq!(smooth.distance(p).to_bits(), smooth_min(&mut d, radius).to_bits(), "at {p}");
        }
    }
    assert!(left_out > 4000 * 30, "only {left_out} parts are left out");
}

#[test]
fn combinations_have_the_sign_of_their_sets() {
    let a = Shape::Sphere { center: DVec3::ZERO, radius: 1.0 };
    let b = Shape::Sphere { center: dvec3(1.0, 0.0, 0.0), radius: 1.0 };
    let (left, middle, right) = (dvec3(-0.5, 0.0, 0.0), dvec3(0.5, 0.0, 0.0), dvec3(1.5, 0.0, 0.0));
    let signs = |s: Shape| [left, middle, right].map(|p| s.distance(p) < 0.0);
    assert_eq!(signs(Shape::Union(vec![a.clone(), b.clone()])), [true, true, true]);
    assert_eq!(signs(Shape::Intersection(vec![a.clone(), b.clone()])), [false, true, false]);
    assert_eq!(
        signs(Shape::Difference { of: Box::new(a.clone()), minus: vec![b.clone()] }),
        [true, false, false]
    );
    // The waist between the balls is thin; the smooth union fills it.
    let waist = dvec3(0.5, 0.95, 0.0);
    assert!(Shape::Union(vec![a.clone(), b.clone()]).distance(waist) > 0.0);
    assert!(Shape::SmoothUnion { shapes: vec![a, b], radius: 0.5 }.distance(waist) < 0.0);
}

#[test]
fn transform_scales_then_turns_then_moves() {
    let rotation = DQuat::from_rotation_z(0.5 * PI);
    let s = Shape::Transformed {
        shape: Box::new(Shape::Box { min: DVec3::ZERO, max: dvec3(2.0, 1.0, 1.0) }),
        scale: 2.0,
        rotation,
        translation: dvec3(0.0, 0.0, 10.0),
    };
    // The long side, now 4, points along y; the short one, 2, along −x.
    close(s.distance(dvec3(-1.0, 6.0, 11.0)), 2.0, 1e-14);
    close(s.distance(dvec3(1.0, 2.0, 11.0)), 1.0, 1e-14);
    let (min, max) = s.bounds().unwrap();
    assert!(min.abs_diff_eq(dvec3(-2.0, 0.0, 10.0), 1e-14) && max.abs_diff_eq(dvec3(0.0, 4.0, 12.0), 1e-14));
}

#[test]
fn bounds_hold_the_solid_and_touch_it() {
    let mut shapes = solids();
    shapes.push(Shape::SmoothUnion { shapes: solids()[2..5].to_vec(), radius: 0.4 });
    shapes.push(Shape::Transformed {
        shape: Box::new(unit_box()),
        scale: 0.5,
        rotation: tilted(),
        translation: dvec3(1.0, 0.0, 2.0),
    });
    for (k, s) in shapes.iter().enumerate() {
        let (min, max) = s.bounds().unwrap();
        // The distance to each side of the box is 0 if the box is tight, and never negative.
        for a in 0..3 {
            for (side, at) in [(-1.0, min[a]), (1.0, max[a])] {
                let n = 80;
                let mut nearest = f64::INFINITY;
                for i in 0..=n {
                    for j in 0..=n {
                        let mut p = min + (max - min) * dvec3(i as f64, i as f64, i as f64) / n as f64;
                        p[(a + 1) % 3] = min[(a + 1) % 3] + (max - min)[(a + 1) % 3] * j as f64 / n as f64;
                        p[a] = at + side * 1e-9;
                        nearest = nearest.min(s.distance(p));
                    }
                }
                assert!(nearest > 0.0, "shape {k} leaves its bounds on axis {a}");
                if k < solids().len() {
                    assert!(nearest < 0.02, "shape {k} has loose bounds on axis {a}: {nearest}");
                }
            }
        }
    }
}

#[test]
fn bounds_of_what_has_no_end() {
    let plane = Shape::Plane { point: DVec3::ZERO, normal: DVec3::Y };
    let ball = Shape::Sphere { center: DVec3::ZERO, radius: 1.0 };
    assert!(plane.bounds().is_none());
    assert!(Shape::Union(vec![plane.clone(), ball.clone()]).bounds().is_none());
    let cap = Shape::Intersection(vec![plane.clone(), ball.clone()]);
    assert_eq!(cap.bounds(), ball.bounds());
    let cut = Shape::Difference { of: Box::new(ball.clone()), minus: vec![plane] };
    assert_eq!(cut.bounds(), ball.bounds());
}

#[test]
fn validate_names_the_value_and_what_is_allowed() {
    let said = |s: Shape| s.validate().unwrap_err().to_string();
    let (zero, one) = (DVec3::ZERO, DVec3::ONE);
    let bad_ball = Shape::Sphere { center: zero, radius: -1.0 };
    for (shape, text) in [
        (bad_ball.clone(), "sphere.radius is -1.0, but must be a finite number greater than 0"),
        (
            Shape::Sphere { center: dvec3(0.0, f64::NAN, 0.0), radius: 1.0 },
            "sphere.center is [0.0, NaN, 0.0], but must be three finite numbers",
        ),
        (
            Shape::Box { min: zero, max: dvec3(1.0, -1.0, 1.0) },
            "box.max[1] is -1.0, but must be greater than min[1], which is 0",
        ),
        (
            Shape::RoundedBox { min: zero, max: one, radius: 0.6 },
            "rounded_box.radius is 0.6, but must be from 0 to 0.5, half the box's shortest side",
        ),
        (
            Shape::Ellipsoid { center: zero, radii: dvec3(1.0, 1.0, f64::INFINITY) },
            "ellipsoid.radii[2] is inf, but must be a finite number greater than 0",
        ),
        (
            Shape::Cylinder { from: one, to: one, radius: 1.0 },
            "cylinder.to is [1.0, 1.0, 1.0], but must be another point than from",
        ),
        (
            Shape::Torus { center: zero, axis: one, major: 1.0, minor: 1.5 },
            "torus.minor is 1.5, but must be at most major, which is 1",
        ),
        (
            Shape::Plane { point: zero, normal: zero },
            "plane.normal is [0.0, 0.0, 0.0], but must be a direction: three finite numbers that are not all 0",
        ),
        (Shape::Union(vec![]), "union is an empty list, but must be a list of at least one shape"),
        (
            Shape::Difference { of: Box::new(unit_box()), minus: vec![unit_box(), bad_ball.clone()] },
            "difference.minus[1].sphere.radius is -1.0, but must be a finite number greater than 0",
        ),
        (
            Shape::Intersection(vec![unit_box(), bad_ball]),
            "intersection[1].sphere.radius is -1.0, but must be a finite number greater than 0",
        ),
        (
            Shape::Transformed {
                shape: Box::new(unit_box()),
                scale: 1.0,
                rotation: DQuat::from_xyzw(0.0, 0.0, 0.0, 2.0),
                translation: zero,
            },
            "transformed.rotation is [0.0, 0.0, 0.0, 2.0], but must be a unit quaternion",
        ),
    ] {
        assert_eq!(said(shape), text);
    }
    for s in solids() {
        s.validate().unwrap();
    }
}
