//! Shut-in air keeps its volume, or the step says that it collapses, with every method.
#![allow(clippy::unwrap_used)] // a test that fails may panic

use octide_core::DVec3;
use octide_core::contract::{CollapseReason, CollapsingAir};
use octide_core::geometry::{Keyframe, Motion, Pose, Shape};
use octide_core::scene::Scene;
use octide_methods::Simulation;

const METHODS: [&str; 2] = ["octree", "nodal-octree"];

/// Returns what the steps until `end` say of air.
fn collapsing_air(scene: &Scene, end: f64) -> Vec<CollapsingAir> {
    let mut sim = Simulation::new(octide_methods::start(scene).unwrap(), scene.time.fps);
    let mut found = Vec::new();
    while sim.time() < end - 1e-9 {
        found.extend(sim.step_towards(end).unwrap().report.collapsing_air);
    }
    found
}

fn tank(method: &str, liquid: Shape) -> Scene {
    Scene::empty(method, DVec3::splat(0.6), 24, 2).with_liquid(liquid)
}

fn pool(depth: f64) -> Shape {
    Shape::Box { min: DVec3::splat(-1.0), max: DVec3::new(2.0, depth, 2.0) }
}

#[test]
fn a_bubble_in_water_is_reported_with_its_place_and_volume() {
    let center = DVec3::new(0.3, 0.2, 0.3);
    let bubble = Shape::Sphere { center, radius: 0.09 };
    for method in METHODS {
        let liquid = Shape::Difference { of: Box::new(pool(0.4)), minus: vec![bubble.clone()] };
        let found = collapsing_air(&tank(method, liquid), 0.1);
        let CollapsingAir { center: at, volume, reason } = found[0];
        assert!(at.distance(center) < 0.01 && (2e-3..4e-3).contains(&volume), "{method}: {found:?}");
        assert_eq!(reason, CollapseReason::NoSolid);
    }
}

#[test]
fn nothing_is_said_of_the_air_in_a_diving_glass_and_in_a_closed_vessel() {
    let at = |y: f64| DVec3::new(0.3, y, 0.3);
    let cylinder = |from, to, radius| Shape::Cylinder { from: at(from), to: at(to), radius };
    let glass =
        Shape::Difference { of: Box::new(cylinder(0.28, 0.5, 0.2)), minus: vec![cylinder(0.1, 0.42, 0.13)] };
    let key =
        |time: f64| Keyframe { time, pose: Pose { position: -0.4 * time * DVec3::Y, ..Pose::IDENTITY } };
    let dive = Motion::Keyframes([-1.0, 0.0, 1.0, 2.0].map(key).to_vec());
    let cube = |a: f64| Shape::Box { min: DVec3::splat(0.3 - a), max: DVec3::splat(0.3 + a) };
    let vessel = Shape::Difference { of: Box::new(cube(0.25)), minus: vec![cube(0.18)] };
    for method in METHODS {
        let diving = tank(method, pool(0.25)).with_moving_solid(glass.clone(), dive.clone());
        assert_eq!(collapsing_air(&diving, 0.3), [], "{method}, glass");
        let closed = tank(method, pool(0.25)).with_solid(vessel.clone());
        assert_eq!(collapsing_air(&closed, 0.1), [], "{method}, vessel");
    }
}
