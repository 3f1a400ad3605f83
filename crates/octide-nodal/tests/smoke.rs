//! Smoke as a whole: properties that every run must preserve.

#![allow(clippy::unwrap_used, reason = "the lint lets tests unwrap, but not their helpers")]

use glam::DVec3;
use octide_core::contract::{Method, TimeStep};
use octide_core::geometry::{Keyframe, Motion, Pose, Shape};
use octide_core::scene::{
    Advection, Buoyancy, HalfLife, Heading, OpenSides, Release, Scene, SmokeSource, Solid,
};
use octide_core::snapshot::Snapshot;
use octide_nodal::NodalSmoke;

fn open_but_floor() -> OpenSides {
    let floor = Heading { axis: 1, forward: false };
    OpenSides::of(&Heading::ALL.into_iter().filter(|&h| h != floor).collect::<Vec<_>>())
}

fn vent(velocity: Option<DVec3>, when: Release) -> SmokeSource {
    let (from, to) = (DVec3::new(0.5, -0.1, 0.5), DVec3::new(0.5, 0.1, 0.5));
    let shape = Shape::Cylinder { from, to, radius: 0.15 };
    SmokeSource { shape, density: 1.0, temperature: 60.0, velocity, motion: Motion::Still, when }
}

/// Returns a puff half a cell larger than the vent on all sides.
fn puff() -> SmokeSource {
    let (from, to) = (DVec3::new(0.5, -0.1, 0.5), DVec3::new(0.5, 0.1 + 0.5 / 32.0, 0.5));
    let shape = Shape::Cylinder { from, to, radius: 0.15 + 0.5 / 32.0 };
    SmokeSource { shape, ..vent(None, Release::Puff(0.0)) }
}

/// Returns a scene with a vent under a ball, at resolution 32.
fn plume() -> Scene {
    let mut scene = Scene::empty("nodal-octree", DVec3::ONE, 32, 3);
    scene.open = open_but_floor();
    scene.physics.density = 1.2;
    scene.physics.buoyancy = Buoyancy { weight: 0.1, lift: 0.034 };
    scene.physics.confinement = 1.0;
    scene.smoke.push(vent(Some(DVec3::new(0.0, 0.5, 0.0)), Release::default()));
    scene.solids.push(Solid::still(Shape::Sphere { center: DVec3::new(0.52, 0.42, 0.5), radius: 0.12 }));
    scene.numerics.advection = Advection::MacCormack;
    scene
}

fn run(scene: &Scene, steps: usize) -> NodalSmoke {
    let mut sim = NodalSmoke::new(scene);
    for _ in 0..steps {
        sim.step(TimeStep::new(sim.max_dt()).unwrap()).unwrap();
    }
    sim
}

fn saved(sim: &NodalSmoke) -> Snapshot {
    let mut snapshot = Snapshot::default();
    sim.save(&mut snapshot);
    snapshot
}

#[test]
fn a_loaded_state_goes_on_to_the_same_bits() {
    let mut scene = plume();
    let motion = Motion::Oscillation { amplitude: DVec3::new(0.1, 0.0, 0.0), period: 1.0 };
    scene.smoke[0].motion = motion.clone();
    scene.solids[0] = Solid { temperature: 20.0, ..Solid::moving(scene.solids[0].shape.clone(), motion) };
    let mut sim = run(&scene, 4);
    let mut again = NodalSmoke::load(&scene, &mut saved(&sim)).unwrap();
    assert_eq!(saved(&again), saved(&sim));
    assert_eq!(again.max_dt().to_bits(), sim.max_dt().to_bits());
    for _ in 0..3 {
        sim.step(TimeStep::new(0.02).unwrap()).unwrap();
        again = NodalSmoke::load(&scene, &mut saved(&again)).unwrap();
        again.step(TimeStep::new(0.02).unwrap()).unwrap();
    }
    assert_eq!(saved(&again), saved(&sim));
    scene.domain.resolution = 64;
    assert!(NodalSmoke::load(&scene, &mut saved(&sim)).is_err());
}

/// The smoke of a source that moves is drawn out along its way, and a source that blows drags the air along.
#[test]
fn a_moving_source_leaves_a_trail() {
    let mut scene = plume();
    scene.physics.gravity = DVec3::ZERO;
    scene.solids.clear();
    let shape = Shape::Sphere { center: DVec3::new(0.25, 0.5, 0.5), radius: 0.1 };
    // 1 m/s along x.
    let keys = [0.0, 0.4]
        .map(|time| Keyframe { time, pose: Pose { position: DVec3::new(time, 0.0, 0.0), ..Pose::IDENTITY } });
    let motion = Motion::Keyframes(keys.to_vec());
    scene.smoke = vec![SmokeSource { shape, motion, ..vent(None, Release::default()) }];
    let density = |sim: &NodalSmoke, x: f64| {
        let smoke = sim.view().sample(DVec3::new(x, 0.5, 0.5)).smoke.unwrap();
        smoke.density
    };
    let mut sim = NodalSmoke::new(&scene);
    let mut most: f64 = 0.0;
    while sim.time() < 0.4 - 1e-9 {
        let dt = sim.max_dt().min(0.4 - sim.time());
        most = most.max(dt);
        sim.step(TimeStep::new(dt).unwrap()).unwrap();
    }
    // No more than two finest cells in a step, though the air rests.
    assert!(most < 1.05 * 2.0 / 32.0 / 1.0, "{most}");
    for x in [0.25, 0.4, 0.55, 0.65] {
        assert!(density(&sim, x) > 0.9, "{x}: {}", density(&sim, x));
    }
    assert!(density(&sim, 0.85) < 0.05);
    scene.smoke[0].velocity = Some(DVec3::ZERO);
    let mut sim = NodalSmoke::new(&scene);
    sim.step(TimeStep::new(0.2).unwrap()).unwrap();
    let inside = sim.view().sample(DVec3::new(0.45, 0.5, 0.5)).velocity;
    assert!((inside - 1.5 * DVec3::X).length() < 0.05, "{inside}");
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| saved(&run(&plume(), 4)))
    };
    assert_eq!(with(1), with(3));
}

#[test]
fn a_failed_step_leaves_all_as_it_was() {
    let mut scene = plume();
    (scene.numerics.max_iterations, scene.numerics.tolerance) = (1, 1e-14);
    let mut sim = NodalSmoke::new(&scene);
    let before = saved(&sim);
    assert!(sim.step(TimeStep::new(0.02).unwrap()).is_err());
    assert_eq!(saved(&sim), before);
}

#[test]
fn air_without_forces_stays_at_rest_and_cold_smoke_in_it_stays_where_it_is() {
    let mut scene = plume();
    scene.physics.gravity = DVec3::ZERO;
    scene.smoke = vec![puff()];
    let mut sim = NodalSmoke::new(&scene);
    let before = sim.totals();
    for _ in 0..3 {
        let report = sim.step(TimeStep::new(0.03).unwrap()).unwrap();
        assert_eq!(report.max_speed, 0.0);
    }
    let change = sim.totals().smoke.unwrap().amount / before.smoke.unwrap().amount - 1.0;
    assert!(change.abs() < 0.01, "{change}");
}

/// Warm smoke rises and does not enter the ball, and its divergence is the solver's residual.
#[test]
fn smoke_rises_past_a_ball() {
    let sim = run(&plume(), 40);
    let report = sim.report();
    let center = report.smoke.unwrap().center.unwrap();
    assert!(center.y > 0.15 && (center.x - 0.5).abs() < 0.05 && (center.z - 0.5).abs() < 1e-3, "{center}");
    let at = |p: DVec3| sim.view().sample(p).smoke.unwrap().density;
    assert_eq!(at(DVec3::new(0.52, 0.42, 0.5)), 0.0);
    assert!(at(DVec3::new(0.5, 0.2, 0.5)) > 0.9);
    assert!(sim.totals().momentum.y > 0.0 && report.smoke.unwrap().max_density <= 1.0 + 1e-12);
}

/// The air that enters through the floor leaves through the open sides: the projection loses no air.
#[test]
fn an_inlet_brings_as_much_as_leaves() {
    let mut scene = plume();
    scene.numerics.tolerance = 1e-9;
    let sim = run(&scene, 3);
    let s = sim.state();
    let (mut volume_in, mut left) = (0.0, 0.0);
    for k in s.u.ids() {
        if let Some(side) = s.mesh.side_of(k) {
            let out = if side & 1 == 1 { s.u[k] } else { -s.u[k] } * s.mesh.face_size(k).powi(2);
            *(if side == 2 { &mut volume_in } else { &mut left }) += out;
        }
    }
    let area = 0.15f64.powi(2) * std::f64::consts::PI;
    assert!((-volume_in / (0.5 * area) - 1.0).abs() < 0.1, "{volume_in}");
    assert!((volume_in + left).abs() < 1e-6 * left, "{volume_in} {left}");
}

#[test]
fn a_warm_ball_drives_a_plume_and_smoke_fades_by_its_half_life() {
    let mut scene = plume();
    scene.physics.half_life = HalfLife { density: 0.1, temperature: f64::INFINITY };
    scene.smoke = vec![SmokeSource { temperature: 0.0, ..vent(None, Release::Puff(0.0)) }];
    scene.solids[0].temperature = 100.0;
    let mut sim = NodalSmoke::new(&scene);
    let before = sim.totals().smoke.unwrap().amount;
    for _ in 0..10 {
        sim.step(TimeStep::new(0.01).unwrap()).unwrap();
    }
    let after = sim.totals();
    assert!((after.smoke.unwrap().amount / before - 0.5).abs() < 0.05);
    assert!(after.momentum.y > 0.0);
    let above = sim.view().sample(DVec3::new(0.52, 0.56, 0.5));
    assert!(above.velocity.y > 0.01 && above.smoke.unwrap().temperature > 0.0, "{above:?}");
}

#[test]
fn wind_carries_smoke_out_and_brings_none_in() {
    let mut scene = plume();
    scene.physics.gravity = DVec3::ZERO;
    scene.solids.clear();
    scene.open = OpenSides::of(&[Heading { axis: 0, forward: false }, Heading { axis: 0, forward: true }]);
    scene.smoke = vec![puff()];
    let mut sim = NodalSmoke::new(&scene);
    sim.set_velocity(|_| DVec3::new(1.0, 0.0, 0.0));
    let start = sim.totals().smoke.unwrap().amount;
    for _ in 0..6 {
        sim.step(TimeStep::new(0.03).unwrap()).unwrap();
    }
    let way = sim.totals().smoke.unwrap();
    assert!(
        (way.amount / start - 1.0).abs() < 0.03 && (way.center.unwrap().x - 0.68).abs() < 0.01,
        "{way:?}"
    );
    for _ in 0..32 {
        sim.step(TimeStep::new(0.03).unwrap()).unwrap();
    }
    let rest = sim.totals().smoke.unwrap();
    // The rest is thin, and large cells at the boundary release it slowly.
    assert!(rest.amount < 0.05 * start && rest.max_density < 0.1, "{rest:?} of {start}");
}

/// A ball that moves through air at rest pushes it ahead of itself.
#[test]
fn a_moving_ball_takes_air_along() {
    let mut scene = plume();
    scene.physics.gravity = DVec3::ZERO;
    scene.smoke = vec![puff()];
    let motion = Motion::Oscillation { amplitude: DVec3::new(0.2, 0.0, 0.0), period: 2.0 };
    scene.solids = vec![Solid::moving(Shape::Sphere { center: DVec3::splat(0.5), radius: 0.12 }, motion)];
    let mut sim = NodalSmoke::new(&scene);
    for _ in 0..3 {
        sim.step(TimeStep::new(0.02).unwrap()).unwrap();
    }
    let speed = 0.2 * std::f64::consts::PI;
    let ahead = sim.view().sample(DVec3::new(0.5 + 0.06 * speed + 0.14, 0.5, 0.5)).velocity;
    assert!(ahead.x > 0.4 * speed && ahead.x < 1.1 * speed, "{ahead} {speed}");
}

/// A lid that sinks by this many meters within a second.
fn under_a_lid(sink: f64) -> Scene {
    let mut scene = Scene::empty("nodal-octree", DVec3::ONE, 16, 1);
    scene.time.fps = 24.0;
    scene.smoke.push(puff());
    let key = |time, y| Keyframe { time, pose: Pose { position: DVec3::new(0.0, y, 0.0), ..Pose::IDENTITY } };
    let motion = Motion::Keyframes(vec![key(0.0, 0.0), key(1.0, -sink)]);
    let (min, max) = (DVec3::new(-1.0, 0.97, -1.0), DVec3::new(2.0, 3.0, 2.0));
    scene.solids.push(Solid::moving(Shape::Box { min, max }, motion));
    scene
}

#[test]
fn air_in_a_closed_room_cannot_be_squeezed() {
    let last = |scene: &Scene| {
        let mut sim = NodalSmoke::new(scene);
        while sim.time() < 1.0 {
            if let Err(e) = sim.step(TimeStep::new(sim.max_dt()).unwrap()) {
                return Err((sim.time(), e.to_string()));
            }
        }
        Ok(())
    };
    assert_eq!(last(&under_a_lid(0.15)), Ok(()));
    let (time, error) = last(&under_a_lid(0.91)).unwrap_err();
    assert!(time < 0.5 && error.contains("past the limit of 80.00 %; open a side"), "{time} {error}");
    let mut open = under_a_lid(0.91);
    open.open = OpenSides::of(&[Heading { axis: 0, forward: true }]);
    assert_eq!(last(&open), Ok(()));
}
