use super::*;
use glam::{DQuat, dvec3};
use std::cell::Cell;

/// Returns a number from 0 to 1 that depends on `i` only.
fn number(i: usize) -> f64 {
    (i as f64 * 0.618_033_988_749_894_9).fract()
}

fn place(i: usize) -> DVec3 {
    dvec3(number(i), number(7 * i + 3), number(13 * i + 5))
}

/// Returns `n` small bodies of all kinds, and one that is not bounded.
fn bodies(n: usize) -> Vec<(Shape, Pose)> {
    let size = 0.3 / (n as f64).cbrt();
    let body = |i: usize| {
        let (c, r) = (place(i), size * (0.3 + number(5 * i)));
        let ball = |at: DVec3| Shape::Sphere { center: at, radius: r };
        let cube = |at: DVec3| Shape::Box { min: at - r, max: at + r };
        let shape = match i % 7 {
            0 => ball(c),
            1 => Shape::Ellipsoid { center: c, radii: dvec3(r, 0.4 * r, 2.0 * r) },
            2 => Shape::Intersection(vec![cube(c), ball(c + 0.7 * r), cube(c + r)]),
            3 => Shape::Union(vec![ball(c), cube(c + 2.0 * r), ball(c - 3.0 * r)]),
            4 => Shape::Difference { of: Box::new(cube(c)), minus: vec![ball(c + r)] },
            5 => Shape::SmoothUnion { shapes: vec![ball(c), ball(c + r), cube(c)], radius: r },
            _ => Shape::Transformed {
                shape: Box::new(Shape::Intersection(vec![cube(DVec3::ZERO), ball(DVec3::splat(0.6 * r))])),
                scale: 1.4,
                rotation: DQuat::from_axis_angle(dvec3(0.6, 0.8, 0.0), 3.0 * number(i)),
                translation: c,
            },
        };
        let rotation = DQuat::from_axis_angle(DVec3::Y, number(3 * i));
        (
            shape,
            if i.is_multiple_of(2) {
                Pose::IDENTITY
            } else {
                Pose { position: 0.2 * place(i + 1), rotation }
            },
        )
    };
    let mut all: Vec<(Shape, Pose)> = (0..n).map(body).collect();
    // Equal to an earlier one, which must win.
    all.push(all[n / 2].clone());
    all.insert(
        n / 3,
        (Shape::Plane { point: dvec3(0.0, -0.2, 0.0), normal: dvec3(0.1, 1.0, 0.0) }, Pose::IDENTITY),
    );
    all
}

fn tree(bodies: &[(Shape, Pose)]) -> ShapeTree {
    ShapeTree::new(bodies.iter().map(|(s, pose)| (s, *pose)))
}

/// Loops over all bodies.
fn nearest_of_all(bodies: &[(Shape, Pose)], p: DVec3) -> (usize, f64) {
    let mut best = (0, f64::INFINITY);
    for (i, (shape, pose)) in bodies.iter().enumerate() {
        let d = shape.distance(pose.to_body(p));
        if d < best.1 {
            best = (i, d);
        }
    }
    best
}

#[test]
fn the_nearest_is_that_of_a_loop_to_the_last_bit() {
    for n in [1, 4, 6, 300] {
        let bodies = bodies(n);
        let tree = tree(&bodies);
        for k in 0..3000 {
            let p = 1.6 * place(k + 11) - 0.3;
            let found = tree.nearest(p, |i| (&bodies[i].0, bodies[i].1.to_body(p))).unwrap();
            let expected = nearest_of_all(&bodies, p);
            assert_eq!((found.0, found.1.to_bits()), (expected.0, expected.1.to_bits()), "{n} bodies at {p}");
        }
    }
    assert!(ShapeTree::default().nearest(DVec3::ZERO, |_| unreachable!()).is_none());
}

#[test]
fn the_first_within_reach_is_that_of_a_loop() {
    let bodies = bodies(300);
    let tree = tree(&bodies);
    let mut n_found = 0;
    for k in 0..2000 {
        let (p, reach) = (place(k + 11), 0.1 * number(k));
        let is_near = |i: usize| bodies[i].0.distance(bodies[i].1.to_body(p)).abs() < reach;
        let found = tree.first_within(p, reach, is_near);
        assert_eq!(found, (0..bodies.len()).find(|&i| is_near(i)), "at {p}");
        n_found += usize::from(found.is_some());
    }
    assert!((100..1900).contains(&n_found), "{n_found}");
}

#[test]
fn the_work_of_a_query_grows_slowly_with_the_number_of_shapes() {
    let work = |n: usize| {
        let balls: Vec<Shape> =
            (0..n).map(|i| Shape::Sphere { center: place(i), radius: 0.1 / (n as f64).cbrt() }).collect();
        // As separate shapes, and as the parts of one union.
        let union = [Shape::Union(balls.clone())];
        [&balls[..], &union[..]].map(|shapes| {
            let tree = ShapeTree::new(shapes.iter().map(|s| (s, Pose::IDENTITY)));
            let evaluations = Cell::new(0);
            for k in 0..500 {
                let p = place(k + 17);
                let local = |i: usize| {
                    evaluations.set(evaluations.get() + 1);
                    (&shapes[i], p)
                };
                assert!(tree.nearest(p, local).is_some());
            }
            evaluations.get() / 500
        })
    };
    let (few, many) = (work(1_000), work(64_000));
    for (few, many) in few.into_iter().zip(many) {
        // Inside a shape, all leaves around the point are opened: another shape may be deeper.
        assert!(few < 60 && many < 2 * few.max(30), "{few} evaluations of 1000 shapes, {many} of 64,000");
    }
}
