//! Bodies that enter and leave the water, and bodies that rotate in it.
#![allow(clippy::unwrap_used)] // a test may fail loudly

mod common;

use common::*;
use glam::{DQuat, DVec3};
use octide_core::contract::StepReport;
use octide_core::geometry::{Keyframe, Motion, Pose};
use octide_core::scene::{Scene, Solid};
use octide_octree::OctreeLiquid;

fn pool_with(solid: Solid) -> Scene {
    let mut s = scene(DVec3::new(1.0, 0.5, 0.5), 32, 1);
    s.liquids = vec![pool(0.22)];
    s.solids = vec![solid];
    s
}

/// Returns the largest volume drift, and the largest divergence in units of speed over the finest cell.
fn worst(s: &Scene, end: f64) -> (f64, f64) {
    let reports = run(&mut OctreeLiquid::new(s), end);
    let most = |f: &dyn Fn(&StepReport) -> f64| reports.iter().map(f).fold(0.0, f64::max);
    let fastest = most(&|r| r.max_speed);
    (most(&|r| r.volume_drift.abs()), most(&|r| r.max_divergence) * s.domain.dx() / fastest)
}

#[test]
fn a_ball_that_dives_in_and_out_keeps_the_volume() {
    let ball = Solid::moving(
        ball([0.5, 0.36, 0.25], 0.08),
        Motion::Oscillation { amplitude: DVec3::new(0.0, -0.22, 0.0), period: 1.0 },
    );
    let (drift, divergence) = worst(&pool_with(ball), 1.0);
    assert!(drift < 0.03, "{drift}");
    assert!(divergence < 0.01, "{divergence}");
}

#[test]
fn a_paddle_that_turns_keeps_the_volume() {
    let turn = |quarter: u32| Keyframe {
        time: 0.25 * f64::from(quarter),
        pose: Pose {
            position: DVec3::ZERO,
            rotation: DQuat::from_rotation_z(f64::from(quarter) * std::f64::consts::FRAC_PI_2),
        },
    };
    let pivot = DVec3::new(0.5, 0.24, 0.25);
    let paddle = Solid::moving(
        box_of([0.34, 0.205, 0.1], [0.66, 0.275, 0.4]),
        Motion::About { pivot, motion: Box::new(Motion::Keyframes((0..=4).map(turn).collect())) },
    );
    let (drift, divergence) = worst(&pool_with(paddle), 1.0);
    assert!(drift < 0.05, "{drift}");
    assert!(divergence < 0.01, "{divergence}");
}
