//! Advection of a surface by a given velocity.
#![allow(clippy::unwrap_used)] // a test may fail loudly

mod common;

use common::*;
use glam::DVec3;
use octide_core::contract::{Method, TimeStep};
use octide_core::index::CellId;
use octide_core::scene::{Scene, Seeding, VolumeCorrection};
use octide_octree::driven::on_faces;
use octide_octree::state::State;
use octide_octree::{OctreeLiquid, Params};

const VELOCITY: DVec3 = DVec3::new(0.5, 0.25, -0.125);

fn ball_in_a_box(radius: f64) -> Scene {
    let mut scene = scene(DVec3::splat(1.0), 32, 2);
    scene.physics.gravity = DVec3::ZERO;
    scene.liquids = vec![at_rest(ball([0.3, 0.4, 0.6], radius))];
    scene
}

/// Returns the relative volume after some steps of pure translation, and the liquid's centroid.
fn carried(radius: f64, volume_correction: bool, n_steps: usize, dt: f64) -> (f64, DVec3) {
    let scene = ball_in_a_box(radius);
    let params = Params {
        volume_correction: VolumeCorrection::global_if(volume_correction),
        fall_time: 0.1,
        ..Params::from_scene(&scene)
    };
    let mut sim = OctreeLiquid::with_params(&scene, params);
    let start = sim.state().volume;
    sim.set_velocity(&|_| VELOCITY);
    for _ in 0..n_steps {
        sim.step_driven(TimeStep::new(dt).unwrap(), &|_| VELOCITY).unwrap();
        let given = on_faces(&sim.state().mesh, &|_| VELOCITY);
        assert_eq!(sim.state().u == given, !volume_correction);
    }
    assert!((sim.time() - dt * n_steps as f64).abs() < 1e-12);
    let state = sim.state();
    let inside = || state.mesh.tree.cells().filter(|&c| state.phi[c] < 0.0);
    let weight = |c| state.mesh.tree.size(c).powi(3);
    let sum: f64 = inside().map(weight).sum();
    let middle = inside().map(|c| weight(c) * state.mesh.tree.center(c)).sum::<DVec3>() / sum;
    (state.volume / start, middle)
}

#[test]
fn a_ball_goes_where_the_velocity_carries_it() {
    let (volume, middle) = carried(0.15, false, 16, 0.05);
    let way = middle - DVec3::new(0.3, 0.4, 0.6) - 0.8 * VELOCITY;
    assert!(way.length() < 0.25 / 32.0, "{way}");
    assert!((volume - 1.0).abs() < 0.02, "{volume}");
}

#[test]
fn volume_correction_gives_back_what_is_lost() {
    // A drop with a radius of two and a half cells cannot keep its volume without correction.
    let (without, with) = (carried(0.08, false, 32, 0.025).0, carried(0.08, true, 32, 0.025).0);
    assert!((with - 1.0).abs() < 0.5 * (without - 1.0).abs(), "{without} {with}");
}

#[test]
fn contents_keep_their_sum_in_a_given_flow_and_full_cells_stay_full() {
    // A rotation goes through the sides of the domain, and is not the same on the four small faces of T-junctions.
    let mut scene = ball_in_a_box(0.25);
    scene.open.sides = [true; 6];
    scene.liquids = vec![at_rest(ball([0.5, 0.55, 0.5], 0.38))];
    let params = Params {
        volume_correction: VolumeCorrection::Local,
        particles: Seeding::Off,
        tolerance: 1e-8,
        ..Params::from_scene(&scene)
    };
    let spin = |x: DVec3| DVec3::new(x.y - 0.5, 0.5 - x.x, 0.0);
    let mut sim = OctreeLiquid::with_params(&scene, params);
    sim.drive_by(&spin).unwrap();
    let sum = |sim: &OctreeLiquid| sim.state().content.iter().sum::<f64>();
    let start = sum(&sim);
    for _ in 0..10 {
        sim.step_driven(TimeStep::new(0.1).unwrap(), &spin).unwrap();
    }
    assert!((sum(&sim) / start - 1.0).abs() < 1e-13, "{} {start}", sum(&sim));
    let State { mesh, phi, content, .. } = sim.state();
    let deep: Vec<CellId> = mesh.tree.cells().filter(|&c| phi[c] < -4.0 * mesh.tree.size(c)).collect();
    assert!(deep.iter().any(|&c| mesh.tree.level(c) < mesh.tree.grid().max_level()));
    for c in deep {
        let full = content[c] / mesh.tree.size(c).powi(3);
        assert!((full - 1.0).abs() < 1e-3, "{full} at {}", mesh.tree.center(c));
    }
}
