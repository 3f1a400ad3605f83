use super::{Keyframe, Motion, Pose};
use glam::{DQuat, DVec3, dvec3};
use std::f64::consts::{PI, TAU};

fn key(time: f64, position: DVec3, rotation: DQuat) -> Keyframe {
    Keyframe { time, pose: Pose { position, rotation } }
}

fn wild_keys() -> Motion {
    let q = |x, y, z| DQuat::from_scaled_axis(dvec3(x, y, z));
    Motion::Keyframes(vec![
        key(0.5, dvec3(0.0, 0.0, 0.0), q(0.1, 0.0, 0.0)),
        key(1.0, dvec3(1.0, 0.5, -1.0), q(0.1, 2.0, 0.3)),
        key(1.3, dvec3(1.5, 0.2, -1.0), -q(1.1, 2.0, 0.5)),
        key(3.0, dvec3(2.5, 0.9, 1.0), q(-1.0, 0.5, 2.5)),
        key(4.0, dvec3(2.6, 1.0, 1.5), q(-1.2, 0.6, 2.0)),
    ])
}

fn motions() -> Vec<Motion> {
    let orbit = |turning| Motion::Orbit {
        center: dvec3(1.0, 0.5, 0.0),
        axis: dvec3(0.2, 2.0, 0.4),
        period: 3.0,
        turning,
    };
    let about = |motion| Motion::About { pivot: dvec3(0.3, -0.4, 0.8), motion: Box::new(motion) };
    vec![
        Motion::Still,
        wild_keys(),
        orbit(false),
        orbit(true),
        Motion::Oscillation { amplitude: dvec3(1.0, 0.0, -2.0), period: 0.7 },
        about(wild_keys()),
        about(orbit(false)),
        about(orbit(true)),
        about(about(wild_keys())),
    ]
}

#[test]
fn velocity_is_the_derivative_of_the_pose() {
    let h = 1e-6;
    for (m, motion) in motions().iter().enumerate() {
        for i in 0..500 {
            let t = 0.01 * i as f64 + 0.0031;
            for body in [DVec3::ZERO, dvec3(0.3, -1.0, 2.0)] {
                let at = |t| motion.pose(t).to_world(body);
                let expected = (at(t + h) - at(t - h)) / (2.0 * h);
                let found = motion.velocity(at(t), t);
                assert!(found.abs_diff_eq(expected, 1e-6), "motion {m} at {t}: {found} is not {expected}");
            }
        }
    }
}

#[test]
fn keyframes_are_met_with_continuous_velocity_and_rest_at_the_ends() {
    let motion = wild_keys();
    let Motion::Keyframes(keys) = &motion else { unreachable!() };
    let x = dvec3(1.0, 2.0, 3.0);
    for k in keys {
        let pose = motion.pose(k.time);
        assert!(pose.position.abs_diff_eq(k.pose.position, 1e-12));
        assert!(pose.rotation.dot(k.pose.rotation).abs() > 1.0 - 1e-12);
        let before = motion.velocity(x, k.time - 1e-9);
        let after = motion.velocity(x, k.time + 1e-9);
        assert!(before.abs_diff_eq(after, 1e-5), "a jump of velocity at {}", k.time);
    }
    for t in [-1.0, 0.5, 4.0, 9.0] {
        assert_eq!(motion.velocity(x, t), DVec3::ZERO);
    }
    assert_eq!(motion.pose(-1.0), keys[0].pose);
    assert_eq!(motion.pose(9.0), keys[4].pose);
}

#[test]
fn keyframes_do_not_overshoot() {
    let heights = [0.0, 1.0, 1.0, 0.2, 0.2, 3.0];
    let times = [0.0, 0.2, 1.0, 1.5, 4.0, 4.1];
    let q = DQuat::IDENTITY;
    let keys = heights.iter().zip(times).map(|(&y, t)| key(t, dvec3(0.0, y, 0.0), q)).collect();
    let motion = Motion::Keyframes(keys);
    for i in 0..4100 {
        let t = 0.001 * i as f64;
        let span = times.iter().rposition(|&k| k <= t).unwrap();
        let (a, b) = (heights[span], heights[span + 1]);
        let y = motion.pose(t).position.y;
        assert!(y >= a.min(b) - 1e-12 && y <= a.max(b) + 1e-12, "{y} at {t}");
    }
}

#[test]
fn a_round_keyed_in_quarters_goes_round() {
    let keys =
        (0..5).map(|i| key(i as f64, DVec3::ZERO, DQuat::from_rotation_y(0.5 * PI * i as f64))).collect();
    let motion = Motion::Keyframes(keys);
    let mut angle = 0.0;
    let n = 4000;
    for i in 0..n {
        let state = motion.state((i as f64 + 0.5) * 4.0 / n as f64);
        assert!(state.angular.y > 0.0 && state.angular.x.abs() < 1e-12);
        angle += state.angular.y * 4.0 / n as f64;
    }
    assert!((angle - TAU).abs() < 1e-6, "{angle}");
}

#[test]
fn orbits_follow_the_right_hand() {
    let orbit = |turning| Motion::Orbit { center: DVec3::ZERO, axis: 3.0 * DVec3::Y, period: 4.0, turning };
    let start = dvec3(0.0, 0.0, 1.0);
    // A quarter of a revolution about y moves z to x.
    assert!(orbit(true).pose(1.0).to_world(start).abs_diff_eq(DVec3::X, 1e-15));
    assert!(orbit(true).pose(1e6 + 1.0).to_world(start).abs_diff_eq(DVec3::X, 1e-9));
    // Without turning, the pivot moves around the axis and the other points move in parallel.
    let round = Motion::About { pivot: start, motion: Box::new(orbit(false)) };
    assert!(round.pose(1.0).to_world(start).abs_diff_eq(DVec3::X, 1e-15));
    assert!(round.pose(1.0).to_world(start + DVec3::Z).abs_diff_eq(DVec3::X + DVec3::Z, 1e-15));
    assert!(orbit(false).is_still() && !orbit(true).is_still() && !round.is_still());
}

#[test]
fn keyframes_about_a_pivot_turn_about_it() {
    let pivot = dvec3(2.0, 0.0, 0.0);
    let keys =
        vec![key(0.0, DVec3::ZERO, DQuat::IDENTITY), key(1.0, DVec3::Y, DQuat::from_rotation_z(0.5 * PI))];
    let motion = Motion::About { pivot, motion: Box::new(Motion::Keyframes(keys)) };
    assert!(motion.pose(1.0).to_world(pivot).abs_diff_eq(pivot + DVec3::Y, 1e-15));
    assert!(motion.pose(1.0).to_world(pivot + DVec3::X).abs_diff_eq(pivot + 2.0 * DVec3::Y, 1e-15));
}

#[test]
fn poses_compose_and_invert() {
    let a = Pose { position: dvec3(1.0, 2.0, 3.0), rotation: DQuat::from_rotation_x(0.4) };
    let b = Pose { position: dvec3(-1.0, 0.5, 0.0), rotation: DQuat::from_rotation_z(1.4) };
    let p = dvec3(0.3, 0.7, -2.0);
    assert!(a.then(&b).to_world(p).abs_diff_eq(b.to_world(a.to_world(p)), 1e-14));
    assert!(a.inverse().to_world(p).abs_diff_eq(a.to_body(p), 1e-14));
    assert!(a.to_body(a.to_world(p)).abs_diff_eq(p, 1e-14));
}

#[test]
fn validate_names_what_is_wrong() {
    let said = |m: Motion| m.validate().unwrap_err().to_string();
    let q = DQuat::IDENTITY;
    let late = vec![key(1.0, DVec3::ZERO, q), key(1.0, DVec3::ZERO, q)];
    assert_eq!(
        said(Motion::Keyframes(late)),
        "keyframes[1].time is 1.0, but must be greater than the time before it, 1"
    );
    assert_eq!(
        said(Motion::Keyframes(vec![])),
        "keyframes is an empty list, but must be a list of at least one keyframe"
    );
    let orbit = Motion::Orbit { center: DVec3::ZERO, axis: DVec3::ZERO, period: 1.0, turning: true };
    assert!(said(orbit).starts_with("orbit.axis is [0.0, 0.0, 0.0], but must be a direction"));
    let swing = Motion::Oscillation { amplitude: DVec3::X, period: 0.0 };
    assert_eq!(
        said(Motion::About { pivot: DVec3::ZERO, motion: Box::new(swing) }),
        "about.oscillation.period is 0.0, but must be a finite number greater than 0"
    );
    for m in motions() {
        m.validate().unwrap();
    }
    // Times that `validate` rejects still give finite values.
    let twice = Motion::Keyframes(vec![key(0.0, DVec3::X, q), key(0.0, DVec3::X, q), key(1.0, DVec3::Y, q)]);
    assert!(twice.pose(0.5).position.is_finite());
    wild_keys().pose(f64::NAN);
    Motion::Keyframes(vec![key(0.0, DVec3::X, q)]).pose(f64::NAN);
}
