use super::*;
use crate::geometry::{Keyframe, Motion};
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
