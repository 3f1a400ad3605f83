//! Volume correction of each body of water.
#![allow(clippy::unwrap_used)] // a test may fail loudly

mod common;

use common::*;
use glam::DVec3;
use octide_core::contract::Method;
use octide_core::geometry::Motion;
use octide_core::scene::{Scene, Seeding, Solid, VolumeCorrection};
use octide_octree::OctreeLiquid;

fn weightless(correction: VolumeCorrection) -> Scene {
    let mut s = scene(DVec3::new(1.0, 0.5, 0.5), 32, 1);
    s.physics.gravity = DVec3::ZERO;
    s.numerics.volume_correction = correction;
    s.numerics.particles = Seeding::Off;
    s
}

/// Returns the volume inside a ball around a point, twice as wide as the drop there.
fn volume_near(sim: &OctreeLiquid, center: DVec3) -> f64 {
    let state = sim.state();
    let solids = octide_octree::solids::Solids::default();
    let near = |c: &_| (state.mesh.tree.center(*c) - center).length() < 0.2;
    state
        .mesh
        .tree
        .cells()
        .filter(near)
        .map(|c| octide_octree::volume::cell_volume(&state.mesh, &state.phi, &state.apertures, &solids, c))
        .sum()
}

/// A drop of few cells loses volume as it moves; a large drop at rest must not receive that volume.
#[test]
fn two_drops_exchange_no_volume() {
    let still = DVec3::new(0.78, 0.25, 0.25);
    let grown = |correction| {
        let mut s = weightless(correction);
        s.liquids = vec![at_rest(ball([0.15, 0.22, 0.22], 0.07)), at_rest(ball(still.to_array(), 0.15))];
        s.liquids[0].velocity = DVec3::new(0.6, 0.15, 0.11);
        let mut sim = OctreeLiquid::new(&s);
        let before = volume_near(&sim, still);
        let target = sim.state().regions.as_ref().map(|r| r.bodies.clone());
        run(&mut sim, 0.3);
        if let Some(before) = target {
            let after = &sim.state().regions.as_ref().unwrap().bodies;
            assert_eq!(after.len(), 2, "{after:?}");
            for (a, b) in after.iter().zip(&before) {
                assert!((a.target / b.target - 1.0).abs() < 1e-9, "{a:?} {b:?}");
            }
        }
        volume_near(&sim, still) / before - 1.0
    };
    let (regional, global) = (grown(VolumeCorrection::Regional), grown(VolumeCorrection::Global));
    assert!(regional.abs() < 2e-3, "{regional}");
    assert!(global > 4.0 * regional.abs(), "{global} {regional}");
}

#[test]
fn bodies_that_merge_keep_what_all_should_have() {
    let mut s = drop_over_pool(32);
    s.numerics.volume_correction = VolumeCorrection::Regional;
    let mut sim = OctreeLiquid::new(&s);
    let whole = sim.state().regions.as_ref().unwrap().target();
    assert_eq!(sim.state().regions.as_ref().unwrap().bodies.len(), 2);
    let reports = run(&mut sim, 0.25);
    let regions = sim.state().regions.as_ref().unwrap();
    assert_eq!(regions.bodies.len(), 1, "they have merged");
    assert!((regions.target() / whole - 1.0).abs() < 1e-12);
    assert!((sim.state().control.target / whole - 1.0).abs() < 1e-12);
    assert!(reports.iter().all(|r| r.volume_drift.abs() < 0.02));
}

/// A gate moves down through a pool and up again.
#[test]
fn a_body_that_splits_keeps_what_all_should_have() {
    let mut s = scene(DVec3::new(1.0, 0.5, 0.5), 32, 1);
    s.numerics.volume_correction = VolumeCorrection::Regional;
    s.liquids = vec![pool(0.2)];
    s.solids = vec![Solid::moving(
        box_of([0.43, 0.3, -1.0], [0.57, 2.0, 2.0]),
        Motion::Oscillation { amplitude: DVec3::new(0.0, -0.4, 0.0), period: 1.0 },
    )];
    let mut sim = OctreeLiquid::new(&s);
    let whole = sim.state().regions.as_ref().unwrap().target();
    let mut seen = Vec::new();
    for _ in 0..10 {
        run_for(&mut sim, 0.05);
        let regions = sim.state().regions.as_ref().unwrap();
        seen.push(regions.bodies.len());
        assert!((regions.target() / whole - 1.0).abs() < 1e-12, "{}", regions.target() / whole - 1.0);
    }
    assert_eq!((seen[0], seen[4], seen[9]), (1, 2, 1), "{seen:?}");
}

fn run_for(sim: &mut OctreeLiquid, time: f64) {
    let end = sim.time() + time;
    run(sim, end);
}

/// A wall between two pools: φ is extended inside it, but they are two bodies.
#[test]
fn a_wall_parts_bodies() {
    let mut s = scene(DVec3::new(1.0, 0.5, 0.5), 32, 1);
    s.numerics.volume_correction = VolumeCorrection::Regional;
    s.liquids = vec![pool(0.25)];
    s.solids = vec![fixed(box_of([0.47, -1.0, -1.0], [0.53, 2.0, 2.0]))];
    let sim = OctreeLiquid::new(&s);
    assert_eq!(sim.state().regions.as_ref().unwrap().bodies.len(), 2);
}
