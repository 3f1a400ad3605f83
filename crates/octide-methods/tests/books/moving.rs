//! Inflows and outflows that move, and inflows with a given flow.

use super::{Auditor, METHODS};
use octide_core::DVec3;
use octide_core::contract::{Method, StepReport};
use octide_core::geometry::{Keyframe, Motion, Pose, Shape};
use octide_core::scene::{GivenFlow, Inflow, Liquid, Outflow, Scene, Solid, Span};
use octide_core::snapshot::Snapshot;
use octide_methods::{load, start, step_towards};

/// An empty cube of 1 m³ without gravity.
fn empty(method: &str) -> Scene {
    let mut scene = Scene::empty(method, DVec3::ONE, 32, 2);
    scene.time.fps = 24.0;
    scene.physics.gravity = DVec3::ZERO;
    scene
}

fn ball(center: [f64; 3], radius: f64) -> Shape {
    Shape::Sphere { center: DVec3::from_array(center), radius }
}

fn oscillation(amplitude: [f64; 3], period: f64) -> Motion {
    Motion::Oscillation { amplitude: DVec3::from_array(amplitude), period }
}

/// A quarter turn about the z axis through a point, from 0 to `end`.
fn quarter_turn(pivot: DVec3, end: f64) -> Motion {
    let turning = Motion::Orbit { center: DVec3::ZERO, axis: DVec3::Z, period: 4.0, turning: true };
    let keys = [(0.0, 0.0), (end, 1.0)].map(|(time, t)| Keyframe { time, pose: turning.pose(t) }).to_vec();
    Motion::About { pivot, motion: Box::new(Motion::Keyframes(keys)) }
}

/// Steps a scene to a time with its books checked.
fn run(scene: &Scene, end: f64) -> (Box<dyn Method>, Vec<StepReport>) {
    let mut method = start(scene).unwrap();
    let mut reports = vec![method.report()];
    let mut auditor = Auditor::new(&reports[0], scene.domain.size.element_product());
    while method.time() < end - 1e-9 {
        let step = step_towards(method.as_mut(), end).unwrap();
        auditor.check(&step.report).unwrap();
        reports.push(step.report);
    }
    (method, reports)
}

#[test]
fn a_given_flow_is_what_enters_however_the_inflow_moves_and_turns() {
    let center = DVec3::new(0.5, 0.7, 0.5);
    let flow = GivenFlow { rate: 0.03, direction: DVec3::new(0.0, -2.0, 0.0) };
    let motions = [Motion::Still, oscillation([0.2, 0.0, 0.0], 1.0), quarter_turn(center, 0.3)];
    for method in METHODS {
        for motion in &motions {
            let mut scene = empty(method);
            let shape = ball(center.to_array(), 0.12);
            let inflow = Inflow::with_flow(shape, flow, &scene.domain);
            scene.inflows = vec![Inflow { motion: motion.clone(), ..inflow }];
            let (_, reports) = run(&scene, 0.3);
            let brought = reports.last().unwrap().volume_in;
            assert!((brought / (0.3 * flow.rate) - 1.0).abs() < 1e-6, "{method}, {motion:?}: {brought} m³");
        }
    }
}

/// A solid covers half of the mouth, so that the water is faster; what the nozzle held at first counts, too.
#[test]
fn a_given_flow_is_kept_through_half_a_mouth_and_from_start_to_end() {
    let flow = GivenFlow { rate: 0.02, direction: DVec3::NEG_Y };
    for method in METHODS {
        let mut scene = empty(method);
        let below = Shape::Box { min: DVec3::ZERO, max: DVec3::new(0.5, 0.6, 1.0) };
        scene.solids = vec![Solid::still(below)];
        let inflow = Inflow::with_flow(ball([0.5, 0.6, 0.5], 0.15), flow, &scene.domain);
        scene.inflows = vec![Inflow { when: Span { start: 0.1, end: 0.35 }, ..inflow }];
        let (_, reports) = run(&scene, 0.5);
        let acting: Vec<_> = reports.iter().filter(|r| r.volume_in > 0.0).collect();
        let times = |n: usize| reports[..n].iter().map(|r| r.dt).sum::<f64>();
        let first = reports.iter().position(|r| r.volume_in > 0.0).unwrap();
        let last = reports.windows(2).rposition(|r| r[1].volume_in > r[0].volume_in).unwrap() + 1;
        let brought = reports[last].volume_in - reports[first].volume_in;
        let lasted = times(last + 1) - times(first + 1);
        assert!((brought / (lasted * flow.rate) - 1.0).abs() < 1e-6, "{method}: {brought} m³ in {lasted} s");
        // It acts in all steps that overlap its time.
        let step = reports.iter().map(|r| r.dt).fold(0.0, f64::max);
        assert!((lasted - 0.25).abs() < 2.0 * step && acting[0].volume_in < 0.012, "{method}: {lasted} s");
    }
}

#[test]
fn water_leaves_a_moving_inflow_with_its_own_velocity_and_that_of_the_motion() {
    for method in METHODS {
        let mut scene = empty(method);
        // 1 m/s along x at time 0, and hardly slower after 0.1 s.
        let motion = oscillation([0.4, 0.0, 0.0], 0.8 * std::f64::consts::PI);
        let inflow = Inflow::new(ball([0.3, 0.7, 0.5], 0.12), DVec3::new(0.0, -1.5, 0.0));
        scene.inflows = vec![Inflow { motion: motion.clone(), ..inflow }];
        let (sim, reports) = run(&scene, 0.125);
        let at = motion.pose(0.125).to_world(DVec3::new(0.3, 0.7, 0.5));
        let expected = DVec3::new(0.97, -1.5, 0.0);
        for below in [0.0, 0.18] {
            let found = sim.view().sample(at - below * DVec3::Y);
            assert!(found.phi < 0.0, "{method}, {below} m below: {found:?}");
            assert!((found.velocity - expected).length() < 0.15, "{method}, {below} m below: {found:?}");
        }
        // Nothing is left behind.
        let behind = sim.view().sample(DVec3::new(0.2, 0.7, 0.5));
        assert!(behind.phi > 0.0, "{method}: {behind:?}");
        // Moving along displaces as much as it leaves: the flow is that of an inflow at rest.
        let rate = reports.last().unwrap().volume_in / 0.125;
        scene.inflows[0].motion = Motion::Still;
        let (_, reports) = run(&scene, 0.125);
        let at_rest = reports.last().unwrap().volume_in / 0.125;
        assert!((rate / at_rest - 1.0).abs() < 0.1, "{method}: {rate} m³/s, {at_rest} at rest");
        let drift = reports.last().unwrap().volume_drift;
        assert!(drift.abs() < 0.12, "{method}: {drift}");
    }
}

#[test]
fn the_velocity_turns_with_the_inflow() {
    for method in METHODS {
        let mut scene = empty(method);
        let center = DVec3::new(0.3, 0.5, 0.5);
        let inflow = Inflow::new(ball(center.to_array(), 0.12), DVec3::new(0.0, -1.0, 0.0));
        scene.inflows = vec![Inflow { motion: quarter_turn(center, 0.1), ..inflow }];
        let (sim, _) = run(&scene, 0.35);
        let found = sim.view().sample(center + DVec3::new(0.2, 0.0, 0.0));
        assert!(found.phi < 0.0 && (found.velocity - DVec3::X).length() < 0.2, "{method}: {found:?}");
    }
}

/// The flanks of a nozzle that is oblique to the grid are stairs of cells; they once let out more than the mouth.
#[test]
fn an_oblique_nozzle_brings_what_its_cross_section_does() {
    for method in METHODS {
        let mut scene = empty(method);
        let axis = DVec3::new(1.0, -1.0, 0.5).normalize();
        let from = DVec3::new(0.3, 0.75, 0.4);
        let (to, radius, speed) = (from + 0.25 * axis, 0.1, 1.5);
        let nozzle = Shape::Cylinder { from, to, radius };
        scene.inflows = vec![Inflow::new(nozzle, speed * axis)];
        let (_, reports) = run(&scene, 0.1);
        let last = reports.last().unwrap();
        let exact = 0.1 * speed * std::f64::consts::PI * radius * radius;
        assert!((last.volume_in / exact - 1.0).abs() < 0.2, "{method}: {} of {exact} m³", last.volume_in);
        assert!(last.volume_drift.abs() < 0.1, "{method}: {}", last.volume_drift);
    }
}

/// A hole that moves through water at rest takes what it sweeps over.
#[test]
fn an_outflow_that_moves_takes_the_water_on_its_way() {
    for method in METHODS {
        let mut scene = empty(method);
        let shape = Shape::Box { min: DVec3::ZERO, max: DVec3::new(1.0, 0.6, 1.0) };
        scene.liquids = vec![Liquid { shape, velocity: DVec3::ZERO, roughness: 0.0 }];
        let hole = Shape::Box { min: DVec3::new(0.15, 0.2, 0.375), max: DVec3::new(0.3, 0.7, 0.625) };
        let keys = [0.0, 0.4].map(|time| Keyframe {
            time,
            pose: Pose { position: DVec3::new(time, 0.0, 0.0), ..Pose::IDENTITY },
        });
        let motion = Motion::Keyframes(keys.to_vec());
        scene.outflows = vec![Outflow { motion, ..Outflow::new(hole) }];
        let (sim, reports) = run(&scene, 0.4);
        let last = reports.last().unwrap();
        let swept = 0.4 * 0.4 * 0.25;
        assert!((last.volume_out / swept - 1.0).abs() < 0.15, "{method}: {} of {swept} m³", last.volume_out);
        assert!(last.volume_drift.abs() < 0.02, "{method}: {}", last.volume_drift);
        let there = sim.view().sample(DVec3::new(0.62, 0.4, 0.5));
        assert!(there.phi > 0.0, "{method}: {there:?}");
    }
}

/// An inflow that only keeps its region full leaves a trail, whose volume is counted.
#[test]
fn an_inflow_without_velocity_leaves_a_trail_of_what_it_brought() {
    for method in METHODS {
        let mut scene = empty(method);
        let inflow = Inflow::new(ball([0.3, 0.5, 0.5], 0.12), DVec3::ZERO);
        let keys = [0.0, 0.4].map(|time| Keyframe {
            time,
            pose: Pose { position: DVec3::new(time, 0.0, 0.0), ..Pose::IDENTITY },
        });
        scene.inflows = vec![Inflow { motion: Motion::Keyframes(keys.to_vec()), ..inflow }];
        let (_, reports) = run(&scene, 0.4);
        let last = reports.last().unwrap();
        let swept = 0.4 * std::f64::consts::PI * 0.12 * 0.12;
        assert!((last.volume_in / swept - 1.0).abs() < 0.15, "{method}: {} of {swept} m³", last.volume_in);
        assert!(last.volume_drift.abs() < 0.03, "{method}: {}", last.volume_drift);
    }
}

#[test]
fn a_saved_state_goes_on_to_the_same_bits() {
    for method in METHODS {
        let mut scene = empty(method);
        let flow = GivenFlow { rate: 0.03, direction: DVec3::NEG_Y };
        let inflow = Inflow::with_flow(ball([0.5, 0.7, 0.5], 0.12), flow, &scene.domain);
        scene.inflows = vec![Inflow { motion: oscillation([0.2, 0.0, 0.1], 0.5), ..inflow }];
        let outflow = Outflow::new(ball([0.5, 0.2, 0.5], 0.12));
        scene.outflows = vec![Outflow { motion: oscillation([0.0, 0.1, 0.1], 0.5), ..outflow }];
        let saved = |sim: &dyn Method| {
            let mut snapshot = Snapshot::default();
            sim.save(&mut snapshot);
            snapshot
        };
        let (mut sim, _) = run(&scene, 0.1);
        let mut again = load(&scene, &mut saved(sim.as_ref())).unwrap();
        assert_eq!(again.max_dt().to_bits(), sim.max_dt().to_bits(), "{method}");
        for sim in [&mut sim, &mut again] {
            (0..2).for_each(|_| drop(step_towards(sim.as_mut(), 0.2).unwrap()));
        }
        assert_eq!(saved(again.as_ref()), saved(sim.as_ref()), "{method}");
    }
}
