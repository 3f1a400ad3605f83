//! Values that probes report for this method.
#![allow(clippy::unwrap_used)] // a test may fail loudly

mod common;

use common::*;
use glam::DVec3;
use octide_core::contract::{Method, TimeStep};
use octide_core::probes::{Room, gauge, read};
use octide_core::scene::{Heading, Probe, ProbeKind, Scene};
use octide_octree::OctreeLiquid;

const DENSITY: f64 = 850.0;

/// A tank with water up to `height` whose tree has several levels.
fn tank(height: f64) -> Scene {
    let mut s = scene(DVec3::new(1.0, 0.5, 0.5), 64, 3);
    s.physics.density = DENSITY;
    s.liquids = vec![pool(height)];
    s
}

fn probe(kind: ProbeKind) -> Probe {
    Probe { name: "a".into(), kind }
}

#[test]
fn pressure_at_rest_is_the_weight_of_the_water() {
    let height = 0.303;
    let mut scene = tank(height);
    // A ball for points beside a solid, and a box for points under an overhang.
    scene.solids =
        vec![fixed(ball([0.5, 0.14, 0.25], 0.08)), fixed(box_of([0.8, 0.1, 0.1], [0.9, 0.16, 0.4]))];
    let mut sim = OctreeLiquid::new(&scene);
    assert_eq!(sim.view().sample(DVec3::splat(0.1)).pressure, None);
    for dt in [0.004, 0.0013, 0.007] {
        sim.step(TimeStep::new(dt).unwrap()).unwrap();
        let view = sim.view();
        let points = [
            [0.1, 0.0, 0.1], // on the floor
            [0.0, 0.2, 0.0], // in a corner
            [0.23, 0.111, 0.07],
            [0.31, 0.25, 0.25],
            [0.31, 0.295, 0.25], // within half a cell of the surface
            [0.31, 0.3, 0.25],
            [0.5, 0.225, 0.25], // on the ball
            [0.415, 0.14, 0.25],
            [0.85, 0.0999, 0.25], // under the box
            [0.85, 0.1601, 0.25], // on it
            [0.7999, 0.13, 0.25], // beside it
        ];
        for p in points.map(DVec3::from_array) {
            let expected = DENSITY * 9.8 * (height - p.y);
            let found = view.sample(p).pressure.unwrap();
            let within = 0.01 * expected.max(DENSITY * 9.8 * 0.5 / 64.0);
            assert!((found - expected).abs() < within, "{p}: {found} {expected}");
        }
        assert_eq!(view.sample(DVec3::new(0.3, 0.31, 0.2)).pressure, Some(0.0));
        assert!(view.liquid_distance(DVec3::new(0.5, 0.14, 0.25)) > 0.0, "no water in the ball");
    }
}

#[test]
fn gauges_read_still_water_and_leave_solids_out() {
    let mut scene = tank(0.303);
    scene.solids = vec![fixed(box_of([0.4, 0.1, -1.0], [0.6, 0.18, 1.0]))];
    let sim = OctreeLiquid::new(&scene);
    let (view, room) = (sim.view(), Room::new(&scene));
    let water = |p| view.liquid_distance(p);
    let free = gauge::column(&water, DVec3::new(0.2, 0.0, 0.3), &room);
    assert!((free.height - 0.303).abs() < 1e-6 && (free.depth - 0.303).abs() < 1e-6, "{free:?}");
    let over = gauge::column(&water, DVec3::new(0.5, 0.0, 0.3), &room);
    assert!((over.height - 0.303).abs() < 1e-6 && (over.depth - 0.223).abs() < 1e-6, "{over:?}");
}

#[test]
fn a_block_in_flight_has_its_volume_energies_momentum_and_center() {
    let mut scene = scene(DVec3::new(1.0, 1.0, 0.5), 64, 3);
    scene.physics.density = DENSITY;
    scene.domain.origin = DVec3::new(5.0, -3.0, 0.0);
    let (low, high) = (DVec3::new(5.21, -2.6, 0.13), DVec3::new(5.55, -2.27, 0.34));
    let velocity = DVec3::new(1.0, -0.5, 0.25);
    scene.liquids = vec![at_rest(box_of(low.to_array(), high.to_array()))];
    scene.liquids[0].velocity = velocity;
    scene.probes = vec![probe(ProbeKind::Whole), probe(ProbeKind::Front(Heading { axis: 0, forward: true }))];
    let sim = OctreeLiquid::new(&scene);
    let shown: Vec<f64> = read(&scene, &sim).into_iter().map(Option::unwrap).collect();
    let mass = DENSITY * (high - low).element_product();
    let center = 0.5 * (low + high);
    let near = |a: f64, b: f64| assert!((a - b).abs() < 0.01 * b.abs(), "{a} {b}");
    near(shown[0], mass / DENSITY);
    near(shown[1], 0.5 * mass * velocity.length_squared());
    near(shown[2], mass * 9.8 * (center.y + 3.0));
    for axis in 0..3 {
        near(shown[3 + axis], mass * velocity[axis]);
        assert!((shown[6 + axis] - center[axis]).abs() < 1e-3, "{} {}", shown[6 + axis], center[axis]);
    }
    assert!((shown[9] - high.x).abs() < 0.01, "{} {}", shown[9], high.x);
    let report = sim.report();
    assert!((shown[1] - report.kinetic_energy).abs() < 1e-9 * report.kinetic_energy);
}

#[test]
fn the_center_of_still_water_does_not_depend_on_the_cells_it_ends_in() {
    for height in [0.3, 0.304, 0.31, 0.3125] {
        let sim = OctreeLiquid::new(&tank(height));
        let totals = sim.totals();
        assert!((totals.volume - 0.5 * height).abs() < 1e-9, "{height}: {}", totals.volume);
        let center = totals.center.unwrap();
        assert!(center.distance(DVec3::new(0.5, 0.5 * height, 0.25)) < 2e-4, "{height}: {center}");
        let weight = DENSITY * 9.8 * 0.5 * height;
        assert!((totals.potential_energy - weight * center.y).abs() < 1e-9 * weight);
    }
}

#[test]
fn velocity_is_that_of_the_water() {
    let mut scene = tank(0.3);
    scene.liquids[0].velocity = DVec3::new(0.4, 0.0, -0.2);
    let sim = OctreeLiquid::new(&scene);
    let v = sim.view().sample(DVec3::new(0.43, 0.17, 0.21)).velocity;
    assert!(v.distance(DVec3::new(0.4, 0.0, -0.2)) < 1e-9, "{v}");
}

#[test]
fn an_empty_scene_has_heights_of_zero_and_no_front() {
    let mut scene = tank(0.3);
    scene.liquids.clear();
    let front = ProbeKind::Front(Heading { axis: 2, forward: false });
    scene.probes = vec![
        probe(ProbeKind::Gauge(DVec3::new(0.5, 0.0, 0.2))),
        probe(front),
        probe(ProbeKind::Point(DVec3::splat(0.2))),
        probe(ProbeKind::Whole),
    ];
    let mut sim = OctreeLiquid::new(&scene);
    sim.step(TimeStep::new(0.01).unwrap()).unwrap();
    let shown = read(&scene, &sim);
    assert_eq!(shown[..3], [Some(0.0), Some(0.0), None]);
    assert_eq!(shown[3..7], [Some(0.0), None, None, None]);
    assert!(shown[7].unwrap() > 0.0);
    assert_eq!(shown[8], Some(0.0));
    assert_eq!(shown[14..], [None; 3]);
}
