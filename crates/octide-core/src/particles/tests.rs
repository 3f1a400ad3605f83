use super::*;
use crate::contract::Particles;
use crate::geometry::{Motion, Pose, Shape};
use crate::index::{FaceId, Field};
use crate::octree::RootGrid;
use crate::scene::{Heading, OpenSides, Solid};
use crate::solids::Solids;
use glam::{DVec3, IVec3, Vec3};

fn walls(open: OpenSides) -> Walls {
    let grid = RootGrid::new(DVec3::ZERO, 0.25, 2, IVec3::ZERO, IVec3::ONE, |_| true);
    Walls::new(&grid, 0.01, open)
}

#[test]
fn walls_hold_what_open_sides_let_out() {
    let far = DVec3::new(0.5, 1.3, -0.2);
    let closed = walls(OpenSides::default());
    assert_eq!(closed.inside(far), (DVec3::new(0.5, 0.99, 0.01), [false, true, true]));
    assert!(closed.holds(closed.clamped(far)) && !closed.holds(far));
    let open = walls(OpenSides::of(&[Heading { axis: 1, forward: true }]));
    assert_eq!(open.inside(far), (DVec3::new(0.5, 1.3, 0.01), [false, false, true]));
}

/// Motion around a circle: the midpoint rule is of second order.
#[test]
fn particles_follow_the_flow_to_second_order() {
    let u = |x: DVec3| DVec3::new(-x.y, x.x, 0.0);
    let off = |steps: i32| {
        let dt = 1.0 / f64::from(steps);
        let x = (0..steps).fold(DVec3::X, |x, _| x + midpoint_displacement(x, u(x), dt, |x| x, u));
        x.distance(DVec3::new(1f64.cos(), 1f64.sin(), 0.0))
    };
    let order = (off(10) / off(20)).log2();
    assert!((order - 2.0).abs() < 0.1, "{order}");
}

#[test]
fn what_flies_falls_by_the_parabola_in_any_number_of_steps() {
    let gravity = DVec3::new(0.0, -10.0, 0.0);
    let flown = |steps: u32| {
        let dt = 0.5 / f64::from(steps);
        (0..steps).fold((DVec3::ZERO, DVec3::new(1.0, 2.0, 0.0)), |(x, v), _| {
            let (x, gain) = fall(x, v, gravity, dt);
            (x, v + gain)
        })
    };
    for steps in [1, 8] {
        let (x, v) = flown(steps);
        assert!(x.distance(DVec3::new(0.5, 1.0 - 1.25, 0.0)) < 1e-12 && (v.y + 3.0).abs() < 1e-12);
    }
}

/// The ball moves up: a particle that falls onto it leaves with the ball's velocity along the normal.
#[test]
fn solids_push_particles_out_and_take_the_speed_into_them() {
    let ball = Shape::Sphere { center: DVec3::ZERO, radius: 0.2 };
    let at = |time: f64, y: f64| crate::geometry::Keyframe {
        time,
        pose: Pose { position: DVec3::new(0.0, y, 0.0), ..Pose::IDENTITY },
    };
    let rising = Motion::Keyframes(vec![at(0.0, 0.0), at(1.0, 1.0)]);
    let solids = Solids::at(&[Solid::moving(ball, rising)], 0.5);
    let inside = DVec3::new(0.0, 0.65, 0.0);
    let (mut x, v) = (inside, DVec3::new(3.0, -2.0, 0.0));
    let lost = push_out(&solids, &mut x, v, 0.05, 0.01).unwrap();
    assert!((x.y - 0.75).abs() < 1e-9, "{x}");
    let speed = solids.velocity(x).y;
    assert!(speed > 0.0 && ((v - lost) - DVec3::new(3.0, speed, 0.0)).length() < 1e-6, "{lost}");
    // A particle that moves away from the ball keeps its velocity.
    let (mut x, away) = (inside, DVec3::new(0.0, 9.0, 0.0));
    assert_eq!(push_out(&solids, &mut x, away, 0.05, 0.01).unwrap().length(), 0.0);
    assert!(push_out(&solids, &mut x, v, 0.049, 0.01).is_none());
}

#[test]
fn deliveries_move_faces_toward_the_velocity_of_particles() {
    let give = |face: u32, share: f64, velocity: f64| Delivery { face: FaceId(face), share, velocity };
    let mut u = Field::filled(2, 1.0);
    deliver_in_turn([give(0, 0.5, 3.0), give(0, 0.5, 4.0)], &mut u);
    assert_eq!((u[FaceId(0)], u[FaceId(1)]), (3.0, 1.0));
    let all = vec![give(1, 0.25, 2.0), give(0, 3.0, 5.0), give(1, 0.25, 4.0), give(0, 1.0, 1.0)];
    let mut turned = all.clone();
    turned.reverse();
    let (mut u, mut same) = (Field::filled(2, 1.0), Field::filled(2, 1.0));
    deliver_together(all, &mut u);
    deliver_together(turned, &mut same);
    assert_eq!(u, same);
    // Particles make up half of the fluid at the second face, and all of it at the first.
    assert_eq!((u[FaceId(0)], u[FaceId(1)]), (4.0, 2.0));
}

#[test]
fn shown_particles_are_columns() {
    let p = |id: u32, is_spray: bool| ShownParticle {
        x: DVec3::splat(f64::from(id)),
        v: Vec3::X,
        radius: 0.5,
        is_spray,
        id,
    };
    let all: Particles = [p(7, false), p(9, true)].into_iter().collect();
    assert_eq!((all.len(), all.ids.as_slice(), all.kinds.as_slice()), (2, &[7, 9][..], &[0, 1][..]));
    assert_eq!((all.positions[1], all.radii[0], all.velocities[0]), ([9.0; 3], 0.5, [1.0, 0.0, 0.0]));
}
