use super::*;
use crate::geometry::{Keyframe, MeshSequence, Motion, SequenceOptions, TriMesh};
use glam::DQuat;

/// A wall across x with its middle at 0.
fn wall(thickness: f64) -> Shape {
    let half = 0.5 * thickness;
    Shape::Box { min: DVec3::new(-half, -9.0, -9.0), max: DVec3::new(half, 9.0, 9.0) }
}

#[test]
fn thin_walls_are_as_thick_as_it_takes_and_thick_ones_as_they_are() {
    let dx = 0.1;
    for thickness in [1e-6, 0.03, 0.1, 0.17, 0.2, 0.5] {
        let solids = Solids::on_grid(&[Solid::still(wall(thickness))], 0.0, dx);
        let half = 0.5 * f64::max(thickness, Solids::holding_thickness(dx));
        for x in [-0.3, -0.2, -0.08, -0.01, 0.0, 0.004, 0.05, 0.12, 0.3] {
            let d = solids.distance(DVec3::new(x, 0.1, 0.2));
            assert!((d - (x.abs() - half)).abs() < 1e-9, "{thickness} thick, at {x}: {d}");
        }
    }
}

#[test]
fn bodies_without_thin_parts_are_not_changed() {
    let dx = 0.1;
    let cube = Shape::Box { min: DVec3::splat(-0.2), max: DVec3::splat(0.2) };
    // A difference might be thin anywhere, so that its thickness is measured.
    let cut = Shape::Difference {
        of: Box::new(cube.clone()),
        minus: vec![Shape::Sphere { center: DVec3::splat(9.0), radius: 1.0 }],
    };
    let solids = Solids::on_grid(&[Solid::still(cut)], 0.0, dx);
    for i in 0..1000 {
        let x = DVec3::new(f64::from(i % 10), f64::from(i / 10 % 10), f64::from(i / 100)) * 0.0531 - 0.24;
        let (d, exact) = (solids.distance(x), cube.distance(x));
        assert!((d - exact).abs() < 1e-6, "{x}: {d}, {exact}");
    }
}

#[test]
fn the_rim_of_a_hole_is_not_thickened() {
    // The distance of a difference is too small beside its edges. It must not be mistaken for a thin wall.
    let dx = 0.1;
    let plate = Shape::Box { min: DVec3::new(-9.0, 0.0, -9.0), max: DVec3::new(9.0, 2.0 * dx, 9.0) };
    let hole = Shape::Cylinder { from: -9.0 * DVec3::Y, to: 9.0 * DVec3::Y, radius: 8.0 * dx };
    let cut = Shape::Difference { of: Box::new(plate), minus: vec![hole] };
    let solids = Solids::on_grid(&[Solid::still(cut.clone())], 0.0, dx);
    for r in [7.2, 7.52, 7.9, 8.3] {
        for y in [-0.8, -0.46, -0.2, 0.5, 1.5, 2.2, 2.46, 2.8] {
            let x = dx * DVec3::new(r, y, 0.03);
            let (seen, is) = (solids.distance(x), cut.distance(x));
            assert!((seen - is).abs() < 0.1 * dx, "at r {r}, y {y}: {} not {} cells", seen / dx, is / dx);
        }
    }
}

#[test]
fn a_path_ends_where_it_enters_a_wall_that_it_would_cross() {
    let dx = 0.1;
    let solids = Solids::on_grid(&[Solid::still(wall(0.01))], 0.0, dx);
    let sweep = Sweep::new(&solids, &solids, 0.0);
    let half = 0.5 * Solids::holding_thickness(dx);
    let stopped = |a: f64, b: f64| sweep.stop(DVec3::new(a, 0.0, 0.0), DVec3::new(b, 0.1, 0.0)).x;
    assert_eq!(stopped(0.3, 0.15), 0.15);
    // Into the wall, but not past its middle.
    assert_eq!(stopped(0.3, 0.03), 0.03);
    for (from, to) in [(0.3, -0.3), (0.3, -0.02), (-0.3, 0.9), (0.11, -0.1)] {
        let x = stopped(from, to);
        assert!(x * from > 0.0 && x.abs() > half - 0.5 * dx && x.abs() <= half, "{from} to {to}: {x}");
    }
    // What starts in the wall stays on its side.
    assert_eq!(stopped(0.05, -0.3), 0.05);
    assert_eq!(stopped(-0.05, -0.3), -0.3);
}

#[test]
fn a_wall_that_sweeps_over_a_point_takes_it_along() {
    let dx = 0.1;
    let key = |time, x| Keyframe {
        time,
        pose: Pose { position: DVec3::new(x, 0.0, 0.0), rotation: DQuat::IDENTITY },
    };
    let solid = Solid::moving(wall(0.01), Motion::Keyframes(vec![key(0.0, 0.0), key(1.0, 0.5)]));
    let at = |t| Solids::on_grid(std::slice::from_ref(&solid), t, dx);
    let (start, end) = (at(0.0), at(1.0));
    let sweep = Sweep::new(&start, &end, 0.5);
    let half = 0.5 * Solids::holding_thickness(dx);
    // A point at rest ahead of the wall ends ahead of it.
    let x = sweep.stop(DVec3::new(0.3, 0.0, 0.0), DVec3::new(0.3, 0.0, 0.0)).x;
    assert!(x > 0.5 + half - 0.5 * dx && x <= 0.5 + half + 1e-12, "{x}");
    // One behind it stays where it is.
    assert_eq!(sweep.stop(DVec3::new(-0.2, 0.0, 0.0), DVec3::new(-0.2, 0.0, 0.0)).x, -0.2);
    // Backwards in time: what is ahead of the wall now was ahead of it before.
    let x = sweep.reversed().stop(DVec3::new(0.7, 0.0, 0.0), DVec3::new(-0.3, 0.0, 0.0)).x;
    assert!(x > half - 0.5 * dx && x <= half, "{x}");
}

#[test]
fn cells_are_too_large_for_a_wall_that_they_cannot_hold() {
    let solids = Solids::on_grid(&[Solid::still(wall(0.3))], 0.0, 0.1);
    let needs = |x: f64, h: f64| solids.needs_smaller_cells(DVec3::new(x, 0.0, 0.0), h);
    assert!(!needs(0.0, 0.1) && needs(0.0, 0.2) && needs(0.25, 0.2) && !needs(0.6, 0.2) && needs(0.6, 0.8));
}

#[test]
fn a_path_into_the_corner_of_a_thin_box_ends_outside() {
    let dx = 0.1;
    let cube = |half: f64| Shape::Box { min: DVec3::splat(-half), max: DVec3::splat(half) };
    let shell = Shape::Difference { of: Box::new(cube(0.51)), minus: vec![cube(0.49)] };
    let solids = Solids::on_grid(&[Solid::still(shell)], 0.0, dx);
    for i in 0..170 {
        let y = 0.4 + 0.0013 * f64::from(i);
        let (from, to) = (DVec3::new(0.7, y, 0.3), DVec3::new(0.3, y - 0.15, 0.35));
        let end = solids.separate(from, to);
        assert!(end, "from {from}");
    }
}

/// A smooth body with thin parts, whose distance is sampled on cells of edge `dx`.
fn fish(dx: f64, motion: Motion) -> Solid {
    let shape = Shape::SmoothUnion {
        radius: 0.08,
        shapes: vec![
            Shape::Ellipsoid { center: DVec3::ZERO, radii: DVec3::new(0.11, 0.16, 0.45) },
            Shape::Ellipsoid { center: DVec3::new(0.0, 0.0, 0.52), radii: DVec3::new(0.05, 0.21, 0.12) },
        ],
    };
    let samples = Samples::new(&shape, dx, None).map(Arc::new);
    assert!(samples.is_some());
    Solid { samples, ..Solid::moving(shape, motion) }
}

/// Returns a fixed set of points in the box around the fish.
fn points_around(n: u32) -> impl Iterator<Item = DVec3> {
    let at = |i: u32, step: f64| (f64::from(i) * step).fract() * 2.0 - 1.0;
    (1..=n).map(move |i| DVec3::new(0.5 * at(i, 0.8191725), 0.5 * at(i, 0.6710436), 0.9 * at(i, 0.5497004)))
}

#[test]
fn how_much_a_sampled_body_is_thickened_is_what_is_measured() {
    let dx = 0.0625;
    let sampled = fish(dx, Motion::Still);
    let exact = Solid { samples: None, ..sampled.clone() };
    let [sampled, exact] = [sampled, exact].map(|s| Solids::on_grid(&[s], 0.0, dx));
    let (mut thickened, mut off) = (0, 0);
    for x in points_around(4000) {
        let (a, b, raw) = (sampled.distance(x), exact.distance(x), exact.nearest_shape(x).0);
        if raw > 3.5 * dx {
            continue;
        }
        thickened += usize::from(b < raw - 0.2 * dx);
        off += usize::from((a - b).abs() > 0.15 * dx);
        assert!(a <= raw + 0.1 * dx, "{x}: {a}, {raw}");
    }
    // At edges the thickness jumps, and a tiny shift of the point finds the other value.
    assert!(thickened > 50 && off < thickened / 10, "{off} of {thickened}");
}

#[test]
fn the_nearest_of_several_bodies_is_the_least_of_their_distances() {
    let dx = 0.0625;
    let plate = Shape::Union(vec![
        Shape::Box { min: DVec3::new(-0.5, 0.3, -0.8), max: DVec3::new(0.5, 0.31, 0.0) },
        Shape::Box { min: DVec3::new(-0.5, 0.3, 0.0), max: DVec3::new(0.5, 0.31, 0.8) },
    ]);
    let ball = Shape::Sphere { center: DVec3::new(0.2, 0.0, 0.0), radius: 0.25 };
    let all = [fish(dx, Motion::Still), Solid::still(plate), Solid::still(ball)];
    let together = Solids::on_grid(&all, 0.0, dx);
    let each = all.clone().map(|s| Solids::on_grid(&[s], 0.0, dx));
    for x in points_around(3000) {
        let least = each.iter().map(|s| s.distance(x)).fold(f64::INFINITY, f64::min);
        assert_eq!(together.distance(x), least, "{x}");
    }
}

#[test]
fn velocities_near_a_moving_body_are_found_from_its_bounds() {
    let dx = 0.0625;
    let still = Solid::still(Shape::Box { min: DVec3::splat(-9.0), max: DVec3::new(9.0, -0.1, 9.0) });
    let key = |time: f64| {
        let pose =
            Pose { position: time * DVec3::new(0.3, 0.2, 0.1), rotation: DQuat::from_rotation_y(time) };
        Keyframe { time, pose }
    };
    let moving = fish(dx, Motion::Keyframes(vec![key(0.0), key(1.0)]));
    let solids = Solids::on_grid(&[still, moving], 0.5, dx);
    let mut moved = 0;
    for x in points_around(3000) {
        let d = solids.distance(x);
        let v = solids.velocity(x);
        assert_eq!(solids.velocity_within(x, d.max(0.0)), v, "{x}");
        moved += usize::from(v != DVec3::ZERO);
    }
    assert!(moved > 100, "{moved}");
}

/// A sheet across x that bends by `bend` in the middle; every vertex elsewhere if `n` differs.
fn sheet(bend: f64, n: u32) -> TriMesh {
    let at = |i: u32| 2.0 * f64::from(i) / f64::from(n) - 1.0;
    let position = |i: u32| {
        let (y, z) = (at(i % (n + 1)), at(i / (n + 1)));
        [(bend * (1.0 - y * y)) as f32, y as f32, z as f32]
    };
    let quad = |i: u32| {
        let v = i / n * (n + 1) + i % n;
        [[v, v + n + 1, v + 1], [v + 1, v + n + 1, v + n + 2]]
    };
    TriMesh {
        positions: (0..(n + 1).pow(2)).map(position).collect(),
        triangles: (0..n * n).flat_map(quad).collect(),
    }
}

#[test]
fn a_sheet_that_bends_over_a_point_takes_it_along() {
    let dx = 0.1;
    // With the same triangles, and with others.
    for n in [16, 13] {
        let meshes = vec![sheet(0.0, 16), sheet(0.5, n)];
        let options = SequenceOptions { start: 0.0, rate: 1.0, is_shell: true };
        let solid = Solid::deforming(MeshSequence::new(Arc::new(meshes), 2, options).unwrap());
        let at = |t| Solids::on_grid(std::slice::from_ref(&solid), t, dx);
        let (start, end) = (at(0.0), at(1.0));
        let sweep = Sweep::new(&start, &end, 0.5);
        let half = 0.5 * Solids::holding_thickness(dx);
        // The middle of the sheet moves by five cells, over points at rest ahead of it. They end ahead of it.
        for x in [0.15, 0.25, 0.4] {
            let p = DVec3::new(x, 0.02, 0.03);
            let moved = sweep.stop(p, p).x;
            assert!(moved > 0.5 + half - dx && moved < 0.5 + half + 0.1 * dx, "{n}: {x} to {moved}");
        }
        // Its edges do not move, and nothing beside them does.
        for p in [DVec3::new(0.25, 0.98, 0.0), DVec3::new(-0.2, 0.02, 0.0)] {
            assert_eq!(sweep.stop(p, p), p, "{n}");
        }
        // Backwards in time: what is ahead of the sheet now was ahead of it before.
        let x = sweep.reversed().stop(DVec3::new(0.7, 0.02, 0.0), DVec3::new(-0.3, 0.02, 0.0)).x;
        assert!(x > half - dx && x < half + 0.1 * dx, "{n}: back to {x}");
    }
}
