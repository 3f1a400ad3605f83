use super::*;
use crate::scene::Physics;

const UP: Heading = Heading { axis: 1, forward: true };

fn room() -> Room {
    Room { low: DVec3::new(-1.0, 0.0, 2.0), high: DVec3::new(1.0, 1.0, 3.0), dx: 1.0 / 32.0, up: UP }
}

fn at(x: f64, z: f64) -> DVec3 {
    room().foot(DVec3::new(x, 0.7, z))
}

/// Returns the finest cell size everywhere.
fn fine(_: DVec3) -> f64 {
    room().dx
}

fn heading(axis: usize, forward: bool) -> Heading {
    Heading { axis, forward }
}

#[test]
fn up_is_away_from_gravity() {
    let up = |x, y, z| Physics { gravity: DVec3::new(x, y, z), ..Physics::default() }.up().name();
    assert_eq!(up(0.0, -9.8, 0.0), "+y");
    assert_eq!(up(0.0, 0.0, 0.0), "+y");
    assert_eq!(up(0.0, 1.0, -9.8), "+z");
    assert_eq!(up(9.8, 3.0, 0.0), "-x");
}

#[test]
fn a_tilted_plane_has_its_height_and_depth() {
    let normal = DVec3::new(0.3, 0.9, -0.2).normalize();
    let plane = |p: DVec3| normal.dot(p - DVec3::new(0.0, 0.4, 2.5));
    for (x, z) in [(-1.0, 2.0), (0.1, 2.3), (0.77, 3.0)] {
        let height = 0.4 - (0.3 * x - 0.2 * (z - 2.5)) / 0.9;
        let found = column(&plane, at(x, z), &room());
        assert!((found.height - height).abs() < 1e-9, "{found:?} {height}");
        assert_eq!(found.height, found.depth);
    }
    assert_eq!(front(&plane, &fine, heading(0, true), &room()), Some(1.0));
    // The front is where the water is half a cell deep.
    let steep = |p: DVec3| DVec3::new(0.8, 0.6, 0.0).dot(p - DVec3::new(0.11, 0.0, 0.0));
    let place = 0.11 - 0.5 / 32.0 * 0.6 / 0.8;
    assert!((front(&steep, &fine, heading(0, true), &room()).unwrap() - place).abs() < 1e-5);
    assert_eq!(front(&steep, &fine, heading(0, false), &room()), Some(-1.0));
}

#[test]
fn a_sphere_over_the_floor_is_higher_than_deep() {
    let center = DVec3::new(0.2, 0.5, 2.5);
    let ball = |p: DVec3| (p - center).length() - 0.3;
    let found = column(&ball, at(0.3, 2.5), &room());
    let half = (0.3f64.powi(2) - 0.1f64.powi(2)).sqrt();
    assert!((found.height - (0.5 + half)).abs() < 1e-9, "{found:?}");
    assert!((found.depth - 2.0 * half).abs() < 1e-9, "{found:?}");
    assert_eq!(column(&ball, at(0.6, 2.5), &room()), gauge::Column::default());
    // Lines pass through the centers of squares, half a cell from the middle of the ball.
    let (quarter, off) = (0.25 / 32.0, 0.5 / 32.0);
    let reach = (0.3f64.powi(2) - quarter * quarter - off * off).sqrt();
    for (axis, forward) in [(0, true), (0, false), (2, true), (2, false)] {
        // Along z they are 0.1 cells from it: 0.2 m is 38.4 cells from the low corner.
        let off = if axis == 0 { off } else { 0.1 / 32.0 };
        let reach = if axis == 0 { reach } else { (0.09 - quarter * quarter - off * off).sqrt() };
        let h = heading(axis, forward);
        let place = front(&ball, &fine, h, &room()).unwrap();
        let expected = center[axis] + h.sign() * reach;
        assert!((place - expected).abs() < 1e-5, "{} {place} {expected}", h.name());
    }
}

#[test]
fn layers_with_air_between_count_once_each() {
    let layer = |low: f64, high: f64| move |p: DVec3| (low - p.y).max(p.y - high);
    let (pool, sheet) = (layer(-1.0, 0.213), layer(0.4, 0.4571));
    let both = |p: DVec3| pool(p).min(sheet(p));
    let found = column(&both, at(0.0, 2.5), &room());
    assert!((found.height - 0.4571).abs() < 1e-9);
    assert!((found.depth - (0.213 + 0.0571)).abs() < 1e-9);
    // Under a ceiling the water ends at the ceiling.
    let full = column(&layer(0.9, 2.0), at(0.0, 2.5), &room());
    assert!((full.height - 1.0).abs() < 1e-12 && (full.depth - 0.1).abs() < 1e-9);
}

#[test]
fn heights_are_over_the_side_that_gravity_points_to() {
    let hanging = Room { up: heading(1, false), ..room() };
    let water = |p: DVec3| 0.7 - p.y;
    let found = column(&water, hanging.foot(DVec3::new(0.0, 0.0, 2.5)), &hanging);
    assert!((found.height - 0.3).abs() < 1e-9 && (found.depth - 0.3).abs() < 1e-9, "{found:?}");
}

#[test]
fn without_water_heights_are_zero_and_there_is_no_front() {
    let nothing = |_: DVec3| 3.0;
    assert_eq!(column(&nothing, at(0.0, 2.5), &room()), gauge::Column::default());
    assert_eq!(front(&nothing, &fine, heading(0, true), &room()), None);
}

#[test]
fn films_and_drops_are_no_front() {
    let dx = room().dx;
    let block = |p: DVec3| (p.x + 0.5).max(p.y - 0.4);
    let film = move |p: DVec3| p.y - 0.4 * dx;
    let drop = move |p: DVec3| (p - DVec3::new(0.8, 0.6, 2.5)).length() - 0.4 * dx;
    let all = |p: DVec3| block(p).min(film(p)).min(drop(p));
    let place = front(&all, &fine, heading(0, true), &room()).unwrap();
    assert!((place + 0.5).abs() < 1e-5, "{place}");
}

#[test]
fn a_front_asks_for_few_distances() {
    let n = std::cell::Cell::new(0);
    let room = Room { low: DVec3::ZERO, high: DVec3::new(1.0, 0.5, 1.0), dx: 1.0 / 128.0, up: UP };
    let wave = |p: DVec3| {
        n.set(n.get() + 1);
        let tip = 0.3 + 0.02 * (9.0 * p.z).sin();
        (p.x - tip).max(p.y - 0.2)
    };
    front(&wave, &|_| room.dx, heading(0, true), &room).unwrap();
    // A wall of water is the worst case: lines in front of it take short steps along it. The domain has a
    // million finest cells.
    assert!(n.get() < 20_000, "{}", n.get());
}

#[test]
fn points_show_nothing_where_there_is_nothing() {
    let sample =
        Sample { phi: -0.1, solid: f64::INFINITY, velocity: DVec3::ONE, pressure: Some(5.0), smoke: None };
    assert_eq!(point(&sample, 0.1), [Some(5.0), Some(1.0), Some(1.0), Some(1.0), Some(-0.1)]);
    let air = Sample { phi: 0.1, pressure: Some(0.0), ..sample };
    assert_eq!(point(&air, 0.1), [Some(0.0), None, None, None, Some(0.1)]);
    assert_eq!(point(&Sample { solid: -0.06, ..sample }, 0.1), [None; 5]);
    assert_eq!(point(&Sample { pressure: None, ..sample }, 0.1)[0], None);
}
