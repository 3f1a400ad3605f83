//! Small scenes for tests.
#![allow(dead_code)] // each test file uses some of them

use glam::DVec3;
use octide_core::contract::{Method, StepReport, TimeStep};
use octide_core::geometry::Shape;
use octide_core::scene::{Liquid, Scene, Solid};
use octide_octree::OctreeLiquid;

/// A closed, empty box.
pub fn scene(size: DVec3, resolution: u32, levels: u8) -> Scene {
    Scene::empty("octree", size, resolution, levels)
}

pub fn box_of(min: [f64; 3], max: [f64; 3]) -> Shape {
    Shape::Box { min: DVec3::from_array(min), max: DVec3::from_array(max) }
}

pub fn ball(center: [f64; 3], radius: f64) -> Shape {
    Shape::Sphere { center: DVec3::from_array(center), radius }
}

pub fn at_rest(shape: Shape) -> Liquid {
    Liquid { shape, velocity: DVec3::ZERO, roughness: 0.0 }
}

pub fn fixed(shape: Shape) -> Solid {
    Solid::still(shape)
}

/// Water up to `height` that extends beyond the domain on the other sides.
pub fn pool(height: f64) -> Liquid {
    at_rest(box_of([-9.0, -9.0, -9.0], [9.0, height, 9.0]))
}

/// A drop over a pool in a small tank.
pub fn drop_over_pool(resolution: u32) -> Scene {
    let levels = (resolution / 2 / 8).ilog2() as u8;
    let mut s = scene(DVec3::new(1.0, 0.5, 1.0), resolution, levels);
    s.liquids = vec![pool(0.245), at_rest(ball([0.5, 0.37, 0.5], 0.075))];
    s
}

/// Takes steps until `end` and returns the reports.
pub fn run(sim: &mut OctreeLiquid, end: f64) -> Vec<StepReport> {
    let mut reports = Vec::new();
    while end - sim.time() > 1e-9 {
        let left = end - sim.time();
        let dt = left / (left / sim.max_dt()).ceil();
        reports.push(sim.step(TimeStep::new(dt).unwrap()).unwrap());
    }
    reports
}
