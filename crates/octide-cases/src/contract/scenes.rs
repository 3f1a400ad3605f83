//! Scenes of the contract, and how they are stepped.

pub(super) use crate::stage::{at_rest, fixed, start, step_towards, take_step};

use glam::{DQuat, DVec3};
use octide_core::contract::{Method, StepReport};
use octide_core::geometry::{Keyframe, Motion, Pose, Shape};
use octide_core::scene::{Liquid, Scene, Solid};
use octide_verify::CaseError;

/// A closed box without anything in it.
pub fn empty(method: &str, size: [f64; 3], resolution: u32, levels: u8) -> Scene {
    Scene::empty(method, DVec3::from_array(size), resolution, levels)
}

/// Water up to a height, through all walls.
pub fn pool(height: f64) -> Liquid {
    at_rest(Shape::Box { min: DVec3::splat(-9.0), max: DVec3::new(9.0, height, 9.0) })
}

/// A ball.
pub fn ball(center: [f64; 3], radius: f64) -> Shape {
    Shape::Sphere { center: DVec3::from_array(center), radius }
}

/// A body that goes straight from rest to rest, by `way` in `time` seconds.
pub fn going(shape: Shape, way: DVec3, time: f64) -> Solid {
    let key = |time, position| Keyframe { time, pose: Pose { position, rotation: DQuat::IDENTITY } };
    Solid::moving(shape, Motion::Keyframes(vec![key(0.0, DVec3::ZERO), key(time, way)]))
}

/// A drop that falls into a pool past a body: no symmetry of its own.
pub fn splash(method: &str) -> Scene {
    let mut s = empty(method, [1.0, 0.5, 0.5], 32, 1);
    let velocity = DVec3::new(0.3, -1.0, 0.2);
    s.liquids = vec![pool(0.16), Liquid { shape: ball([0.41, 0.28, 0.22], 0.09), velocity, roughness: 0.0 }];
    s.solids = vec![fixed(ball([0.7, 0.1, 0.3], 0.08))];
    s
}

/// Steps until `end`, each step as long as the method allows; what it reports.
pub fn advance(sim: &mut dyn Method, end: f64) -> Result<Vec<StepReport>, CaseError> {
    let mut reports = Vec::new();
    loop {
        let step = step_towards(sim, end)?;
        reports.push(step.report);
        if step.arrived {
            return Ok(reports);
        }
    }
}

/// `n` steps of length `dt`; what they report.
pub fn steps(sim: &mut dyn Method, n: usize, dt: f64) -> Result<Vec<StepReport>, CaseError> {
    (0..n).map(|_| take_step(sim, dt)).collect()
}

/// The largest of a figure over some steps.
pub fn most(reports: &[StepReport], figure: impl Fn(&StepReport) -> f64) -> f64 {
    reports.iter().map(figure).fold(0.0, worse)
}

/// The larger one; what is not a number is the largest, where [`f64::max`] would forget it.
pub fn worse(a: f64, b: f64) -> f64 {
    if b > a || b.is_nan() { b } else { a }
}
