use super::*;
use crate::geometry::Shape;
use crate::geometry::primitives::icosphere;
use std::f64::consts::PI;

const OPTIONS: SequenceOptions = SequenceOptions { start: 0.0, rate: 24.0, is_shell: false };

/// A sequence of meshes that are all in memory.
fn sequence(meshes: Vec<TriMesh>, options: SequenceOptions) -> MeshSequence {
    let n = meshes.len();
    MeshSequence::new(Arc::new(meshes), n, options).unwrap()
}

/// The radius of a ball that breathes.
fn radius(t: f64) -> f64 {
    0.2 + 0.05 * (2.0 * PI * t).sin()
}

fn radius_rate(t: f64) -> f64 {
    0.05 * 2.0 * PI * (2.0 * PI * t).cos()
}

/// The ball as a sequence; with other triangles in every second mesh if `is_remeshed`.
fn breathing(n: usize, is_remeshed: bool) -> MeshSequence {
    let turn = glam::DQuat::from_rotation_y(0.3);
    let mesh = |k: usize| {
        let ball = icosphere(DVec3::ZERO, radius(k as f64 / OPTIONS.rate), 5);
        let is_turned = is_remeshed && k % 2 == 1;
        let mut ball = ball.mapped(|p| if is_turned { turn * p } else { p } + DVec3::splat(0.5));
        ball.triangles.rotate_left(usize::from(is_turned));
        ball
    };
    sequence((0..n).map(mesh).collect(), OPTIONS)
}

/// Points on a sphere of radius 1.
fn directions() -> impl Iterator<Item = DVec3> {
    (0..400).map(|i| {
        let (z, a) = (1.0 - (f64::from(i) + 0.5) / 200.0, 2.399963 * f64::from(i));
        DVec3::new((1.0 - z * z).sqrt() * a.cos(), (1.0 - z * z).sqrt() * a.sin(), z)
    })
}

#[test]
fn a_breathing_ball_has_its_distance_and_the_velocity_of_its_surface() {
    let fastest = 0.05 * 2.0 * PI;
    for is_remeshed in [false, true] {
        let ball = breathing(25, is_remeshed);
        for t in [0.02, 0.11, 0.26, 0.49, 0.73] {
            let now = ball.at(t, None);
            for n in directions() {
                // The files' times are 1/24 s apart; the ball is a polyhedron.
                let (r, v) = (radius(t), radius_rate(t));
                for d in [-0.02, 0.0, 0.03] {
                    let p = DVec3::splat(0.5) + (r + d) * n;
                    let distance = now.shape().distance(p);
                    assert!((distance - d).abs() < 1.5e-3, "{is_remeshed}, t = {t}: {distance} for {d}");
                }
                let k = (t * 24.0).floor() / 24.0;
                // The velocity between two files is their difference.
                let between = (radius(k + 1.0 / 24.0) - radius(k)) * 24.0;
                assert!((between - v).abs() < 0.15 * fastest);
                let found = now.velocity(DVec3::splat(0.5) + r * n);
                let along = found.dot(n);
                assert!(
                    (along - between).abs() < 0.01 * fastest,
                    "{is_remeshed}, t = {t}: {along} for {between}"
                );
                assert!((found - along * n).length() < 0.03 * fastest, "{is_remeshed}, {t}: {found} for {n}");
            }
            assert!(now.max_speed() > 0.0 && now.max_speed() < 1.05 * fastest, "{}", now.max_speed());
        }
        assert_eq!(ball.failure(), None);
    }
}

/// Returns the volume of a shape in the unit cube and the integral of its normal velocity over its surface.
fn volume_and_flux(now: &Deformed, n: u32) -> (f64, f64) {
    volume_and_flux_of(now, |p| now.velocity(p), n)
}

/// Returns the same with another velocity.
fn volume_and_flux_of(now: &Deformed, velocity: impl Fn(DVec3) -> DVec3, n: u32) -> (f64, f64) {
    let h = 1.0 / f64::from(n);
    let width = 3.0 * h;
    // Smooth step and smooth delta of the distance.
    let step = |d: f64| {
        let x = (d / width).clamp(-1.0, 1.0);
        0.5 * (1.0 - x - (PI * x).sin() / PI)
    };
    let delta = |d: f64| if d.abs() < width { 0.5 / width * (1.0 + (PI * d / width).cos()) } else { 0.0 };
    let (mut volume, mut flux) = (0.0, 0.0);
    for i in 0..n.pow(3) {
        let at = DVec3::new(f64::from(i % n), f64::from(i / n % n), f64::from(i / n / n));
        let p = (at + 0.5) * h;
        let d = now.shape().distance(p);
        volume += step(d) * h.powi(3);
        if delta(d) > 0.0 {
            let mut normal = DVec3::ZERO;
            for axis in 0..3 {
                let mut e = DVec3::ZERO;
                e[axis] = 1e-4;
                normal[axis] = (now.shape().distance(p + e) - now.shape().distance(p - e)) / 2e-4;
            }
            flux += delta(d) * normal.dot(velocity(p)) * h.powi(3);
        }
    }
    (volume, flux)
}

#[test]
fn the_flux_of_the_surface_is_the_change_of_the_volume() {
    for is_remeshed in [false, true] {
        let ball = breathing(25, is_remeshed);
        let (t, dt) = (3.3 / 24.0, 0.4 / 24.0);
        let [before, middle, after] =
            [t, t + 0.5 * dt, t + dt].map(|t| volume_and_flux(&ball.at(t, None), 96));
        let change = (after.0 - before.0) / dt;
        assert!((middle.1 / change - 1.0).abs() < 0.02, "{is_remeshed}: flux {}, change {change}", middle.1);
    }
}

#[test]
fn a_surface_pushes_out_what_it_sweeps_in_the_step_that_follows() {
    for is_remeshed in [false, true] {
        let ball = breathing(25, is_remeshed);
        // The radius between two meshes.
        let radius = |tau: f64| {
            let [a, b] = [tau.floor(), tau.floor() + 1.0].map(|k| radius(k / 24.0));
            a + tau.fract() * (b - a)
        };
        // From the first mesh on, from a later one on, and between two; steps of up to a whole interval.
        for (k, share) in [(0.0, 1.0), (9.0, 1.0), (4.3, 0.6)] {
            let (t, dt) = (k / 24.0, share / 24.0);
            let now = ball.at(t, None);
            let push = ball.push(&now, t, dt).unwrap();
            let flux = volume_and_flux_of(&now, |p| now.pushed(&push, p), 40).1;
            let change = 4.0 / 3.0 * PI * (radius(k + share).powi(3) - radius(k).powi(3)) / dt;
            assert!((flux / change - 1.0).abs() < 0.015, "{is_remeshed}, {k}: {flux} for {change}");
        }
    }
}

#[test]
fn a_body_that_turns_pushes_nothing_out() {
    let turned = |k: u32| {
        let turn = glam::DQuat::from_rotation_y(0.3 * f64::from(k));
        icosphere(DVec3::ZERO, 0.25, 4).mapped(|p| turn * p + DVec3::splat(0.5))
    };
    let ball = sequence((0..4).map(turned).collect(), OPTIONS);
    let (t, dt) = (1.0 / 24.0, 1.0 / 24.0);
    let now = ball.at(t, None);
    let push = ball.push(&now, t, dt).unwrap();
    let area = 4.0 * PI * 0.25 * 0.25;
    let speed = 0.3 * 0.25 * 24.0;
    let mean = |velocity: &dyn Fn(DVec3) -> DVec3| volume_and_flux_of(&now, velocity, 64).1 / (area * speed);
    // Straight ways lead out of the ball at their end.
    let at_once = mean(&|p| now.velocity(p));
    let in_step = mean(&|p| now.pushed(&push, p));
    assert!(at_once > 0.05 && in_step.abs() < 0.005, "{at_once}, {in_step}");
}

#[test]
fn a_body_that_will_rest_does_not_push() {
    let meshes = (0..3).map(|k| icosphere(DVec3::ZERO, 0.1 + 0.01 * f64::from(k), 2)).collect();
    let ball = sequence(meshes, SequenceOptions { start: 0.5, ..OPTIONS });
    let beside = DVec3::new(0.12, 0.0, 0.0);
    let pushed = |t: f64| {
        let now = ball.at(t, None);
        now.pushed(&ball.push(&now, t, 0.02).unwrap(), beside).x
    };
    let end = 0.5 + 2.0 / 24.0;
    assert_eq!((pushed(0.4), pushed(end), pushed(2.0)), (0.0, 0.0, 0.0));
    // It begins to move in the step that follows, and has not ended yet.
    assert!(pushed(0.5) > 0.1 && pushed(end - 0.02) > 0.1);
}

#[test]
fn the_body_rests_before_the_first_and_after_the_last_mesh() {
    let meshes = (0..3).map(|k| icosphere(DVec3::ZERO, 0.1 + 0.01 * f64::from(k), 2)).collect();
    let ball = sequence(meshes, SequenceOptions { start: 1.0, rate: 10.0, is_shell: false });
    let out = DVec3::new(0.3, 0.0, 0.0);
    let beside = DVec3::new(0.11, 0.0, 0.0);
    let at = |t: f64| (ball.at(t, None).shape().distance(out), ball.at(t, None).velocity(beside).x);
    assert_eq!(at(0.0), at(0.5));
    assert!((at(0.0).0 - 0.2).abs() < 2e-3 && at(0.0).1 == 0.0);
    assert!((at(1.05).0 - 0.195).abs() < 2e-3 && (at(1.05).1 - 0.1).abs() < 0.02, "{:?}", at(1.05));
    // At the time of the last mesh it has just arrived.
    assert!(at(1.2).1 > 0.09 && at(1.2 + 1e-12).1 > 0.09 && at(1.21).1 == 0.0);
    assert!((at(9.0).0 - 0.18).abs() < 2e-3);
    let (speed, _) = ball.fastest_moment();
    assert!((speed - 0.1).abs() < 1e-3 && (ball.max_speed(0.0, 1.01) - 0.1).abs() < 1e-3);
    assert_eq!((ball.max_speed(0.0, 0.9), ball.max_speed(1.3, 9.0)), (0.0, 0.0));
}

/// A square sheet of `n`² quads across y at a height.
fn sheet(n: u32, y: impl Fn(f64, f64) -> f64) -> TriMesh {
    let at = |i: u32| f64::from(i) / f64::from(n) - 0.5;
    let positions = (0..(n + 1) * (n + 1)).map(|i| {
        let (x, z) = (at(i % (n + 1)), at(i / (n + 1)));
        [x as f32, y(x, z) as f32, z as f32]
    });
    let quad = |i: u32| {
        let v = i / n * (n + 1) + i % n;
        [[v, v + n + 1, v + 1], [v + 1, v + n + 1, v + n + 2]]
    };
    TriMesh { positions: positions.collect(), triangles: (0..n * n).flat_map(quad).collect() }
}

#[test]
fn a_sheet_takes_points_along_on_their_side() {
    let bend = |y: f64| move |x: f64, _: f64| y * (1.0 - 4.0 * x * x);
    for is_remeshed in [false, true] {
        let meshes =
            (0..5u32).map(|k| sheet(if is_remeshed { 16 + k } else { 16 }, bend(0.1 * f64::from(k))));
        let options = SequenceOptions { start: 0.0, rate: 10.0, is_shell: true };
        let all = sequence(meshes.collect(), options);
        for (t0, t1) in [(0.0, 0.04), (0.11, 0.18), (0.1, 0.2), (0.25, 0.2), (0.3, 0.21)] {
            let (from, to) = (all.at(t0, None), all.at(t1, None));
            for i in 0..40 {
                let x = -0.4 + 0.02 * f64::from(i);
                for side in [-0.03, 0.03] {
                    let height = |t: f64| t * (1.0 - 4.0 * x * x);
                    let p = DVec3::new(x, height(t0) + side, 0.1);
                    let moved = from.carry(p, &to);
                    let expected = height(t1) + side;
                    let what = format!("remeshed {is_remeshed}, {t0} to {t1}, {p}: {moved}, not {expected}");
                    assert!((moved.y - expected).abs() < 8e-3, "{what}");
                    let d = to.shape().distance(moved);
                    assert!(d > 0.012 && d < 0.035, "{what}: {d}");
                }
            }
        }
        assert_eq!(all.failure(), None);
    }
}

#[test]
fn a_thin_sheet_with_other_triangles_does_not_vanish_between_two_meshes() {
    // A closed sheet of 1 cm that moves by 5 cm from mesh to mesh while it bends.
    let slab = |n: u32, y: f64| {
        let bend = move |x: f64, up: f64| y * (1.0 - 4.0 * x * x) + up;
        let (mut top, low) = (sheet(n, |x, _| bend(x, 0.01)), sheet(n, |x, _| bend(x, 0.0)));
        let mut low = low;
        low.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        top.append(&low);
        top
    };
    let all = sequence((0..3u32).map(|k| slab(9 + k, 0.05 * f64::from(k))).collect(), OPTIONS);
    let now = all.at(0.5 / 24.0, None);
    let middle = now.shape().distance(DVec3::new(0.0, 0.025 + 0.005, 0.0));
    assert!(middle.abs() < 8e-3, "{middle}");
    assert!((now.velocity(DVec3::new(0.0, 0.04, 0.0)).y - 0.05 * 24.0).abs() < 0.1);
}

#[test]
fn a_ball_that_moves_far_and_is_remeshed_keeps_its_size() {
    let ball = |k: u32| icosphere(DVec3::new(0.5 * f64::from(k), 0.0, 0.0), 0.1, 3 + k % 2);
    let all = sequence((0..3).map(ball).collect(), OPTIONS);
    let now = all.at(0.5 / 24.0, None);
    assert!((now.shape().distance(DVec3::new(0.25, 0.0, 0.0)) + 0.1).abs() < 3e-3);
    assert!((now.velocity(DVec3::new(0.25, 0.1, 0.0)).x - 12.0).abs() < 0.2);
    // Steps end at each mesh, because its triangles change.
    assert!((all.next_change(0.01) - 1.0 / 24.0).abs() < 1e-12);
    assert!((all.next_change(1.0 / 24.0 - 1e-13) - 2.0 / 24.0).abs() < 1e-12);
    assert_eq!(all.next_change(0.1), f64::INFINITY);
}

#[test]
fn what_is_no_sequence_is_refused() {
    let ball = |r: f64| icosphere(DVec3::ZERO, r, 1);
    let refused = |meshes: Vec<TriMesh>| {
        let n = meshes.len();
        MeshSequence::new(Arc::new(meshes), n, OPTIONS).unwrap_err().to_string()
    };
    assert_eq!(refused(vec![]), "the sequence has no meshes");
    let jump = refused(vec![ball(0.1), ball(0.11), ball(110.0)]);
    assert_eq!(jump, "mesh 2 is 1000 times as long as mesh 1, the mesh before it (220 m instead of 0.22 m)");
    assert!(refused(vec![ball(100.0), ball(0.1)]).starts_with("mesh 1 is 1000 times as short as mesh 0"));
    assert_eq!(refused(vec![ball(0.1), TriMesh::default()]), "mesh 1: the mesh has no triangles");
    // A collapse between two meshes is found when it is there.
    let all = sequence(vec![ball(0.1), ball(0.1).mapped(|p| -p)], OPTIONS);
    let shape = all.at(0.5 / 24.0, None);
    assert!(matches!(shape.shape(), Shape::Sphere { .. }));
    assert!(
        all.failure().is_some_and(|f| f.starts_with("between mesh 0 and mesh 1: ")),
        "{:?}",
        all.failure()
    );
}

#[test]
fn few_meshes_are_in_memory_and_the_same_time_is_the_same_shape() {
    #[derive(Debug, Default)]
    struct Counting(std::sync::atomic::AtomicUsize);
    impl MeshSource for Counting {
        fn read(&self, k: usize) -> Result<TriMesh, String> {
            self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            Ok(icosphere(DVec3::ZERO, 0.1 + 1e-3 * k as f64, 2))
        }
        fn name(&self, k: usize) -> String {
            k.to_string()
        }
        fn reference(&self) -> String {
            String::new()
        }
    }
    let source = Arc::new(Counting::default());
    let all = MeshSequence::new(source.clone(), 100, OPTIONS).unwrap();
    let count = || source.0.load(std::sync::atomic::Ordering::Relaxed);
    let at_start = count();
    assert!(at_start < 110, "{at_start}");
    for k in 0..400 {
        let t = f64::from(k) / 96.0;
        assert!(Arc::ptr_eq(&all.at(t, None), &all.at(t, None)));
    }
    assert!(count() - at_start <= 2 * 100, "{}", count() - at_start);
    let cache = all.cache.lock().unwrap();
    assert!(cache.intervals.len() <= KEPT_INTERVALS && cache.moments.len() <= KEPT_MOMENTS);
}
