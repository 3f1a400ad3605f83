//! Water detaches from solids where air can reach, and nowhere else.
#![allow(clippy::unwrap_used)] // a test that fails may panic

use octide_core::DVec3;
use octide_core::contract::{Method, TimeStep};
use octide_core::geometry::{Keyframe, Motion, Pose, Shape};
use octide_core::index::CellId;
use octide_core::scene::Scene;
use octide_core::snapshot::Snapshot;
use octide_nodal::NodalLiquid;

/// Returns a motion with a constant velocity.
fn uniform(velocity: DVec3) -> Motion {
    let at = |time: f64| Keyframe { time, pose: Pose { position: time * velocity, ..Pose::IDENTITY } };
    Motion::Keyframes([-2.0, -1.0, 0.0, 1.0, 2.0].map(at).to_vec())
}

fn slab(min: [f64; 3], max: [f64; 3]) -> Shape {
    Shape::Box { min: min.into(), max: max.into() }
}

/// A quarter of a ball of 0.05 m that falls into water at 3 m/s, and is below its surface from 0.035 s on.
fn falling_ball(resolution: u32) -> Scene {
    Scene::empty("nodal-octree", DVec3::new(0.3, 0.6, 0.3), resolution, 3)
        .with_liquid(slab([0.0; 3], [0.3, 0.45, 0.3]))
        .with_moving_solid(
            Shape::Sphere { center: DVec3::new(0.0, 0.505, 0.0), radius: 0.05 },
            uniform(-3.0 * DVec3::Y),
        )
}

fn advance(sim: &mut NodalLiquid, end: f64) {
    while sim.time() < end - 1e-9 {
        let dt = sim.max_dt().min(end - sim.time());
        sim.step(TimeStep::new(dt).unwrap()).unwrap();
    }
}

/// Returns the fraction of points on a line that are in air.
fn open_fraction(sim: &NodalLiquid, x: impl Fn(f64) -> DVec3) -> f64 {
    let view = sim.view();
    let is_open = |i: &i32| view.liquid_distance(x((f64::from(*i) + 0.5) / 40.0)) >= 0.0;
    (0..40).filter(is_open).count() as f64 / 40.0
}

/// The top of the ball is at 0.315 m in the end; its way from there to the surface is open. It was closed when the
/// pressure of the step before decided.
#[test]
fn a_ball_leaves_a_cavity_behind_it_unless_water_sticks() {
    let mut scene = falling_ball(96);
    let [loose, sticking] = [0.0, 1e6].map(|adhesion| {
        scene.physics.adhesion = adhesion;
        let mut sim = NodalLiquid::new(&scene);
        advance(&mut sim, 0.08);
        open_fraction(&sim, |s| DVec3::new(0.004, 0.34 + s * 0.11, 0.004))
    });
    assert!(loose > 0.9 && sticking < 0.3, "{loose} {sticking}");
}

/// A piston rises by 2.4 cells in a tube that ends below the surface of a basin.
#[test]
fn a_piston_draws_water_up() {
    let dx = 0.75 / 24.0;
    let scale = |v: [f64; 2], z: f64| [v[0] * dx, v[1] * dx, z];
    let at = |low: [f64; 2], high: [f64; 2]| slab(scale(low, -1.0), scale(high, 1.0));
    let scene = Scene::empty("nodal-octree", DVec3::new(0.5, 0.75, 0.125), 24, 2)
        .with_solid(at([7.0, 3.0], [9.0, 30.0]))
        .with_moving_solid(at([8.0, 9.6], [20.0, 13.0]), uniform(0.3 * DVec3::Y))
        .with_liquid(at([-1.0, -1.0], [8.0, 10.0]))
        .with_liquid(at([8.0, -1.0], [20.0, 12.0]));
    let mut sim = NodalLiquid::new(&scene);
    advance(&mut sim, 0.25);
    let dry = open_fraction(&sim, |s| dx * DVec3::new(12.0, 9.6 + s * 2.0, 2.0));
    assert!(dry < 0.03, "{dry} of the way is in air");
    assert!(sim.state().detached.is_empty(), "{:?}", sim.state().detached);
}

/// Which walls are free is remembered, moves with the body, and is part of a checkpoint.
#[test]
fn a_state_with_detached_walls_is_loaded_and_goes_on_to_the_same_bits() {
    let scene = falling_ball(64);
    let saved = |sim: &NodalLiquid| {
        let mut snapshot = Snapshot::default();
        sim.save(&mut snapshot);
        snapshot
    };
    let mut sim = NodalLiquid::new(&scene);
    advance(&mut sim, 0.05);
    let depth = |c: CellId| -sim.state().boundary.solid_distance(c);
    let detached = &sim.state().detached;
    assert!(detached.len() > 20 && detached.iter().all(|&(c, _)| depth(c) > 0.0), "{}", detached.len());
    let mut again = NodalLiquid::load(&scene, &mut saved(&sim)).unwrap();
    for sim in [&mut sim, &mut again] {
        advance(sim, 0.056);
    }
    assert_eq!(saved(&again), saved(&sim));
}
