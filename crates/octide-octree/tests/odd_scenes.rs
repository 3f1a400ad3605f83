//! Requirements on this method beyond the contract of all methods (`octide-cases`, cases `contract-…`).
#![allow(clippy::unwrap_used)] // a test may fail loudly

mod common;

use common::*;
use glam::DVec3;
use octide_core::contract::{Method, StepError, TimeStep};
use octide_core::geometry::{Keyframe, Motion};
use octide_core::scene::Solid;
use octide_octree::{OctreeLiquid, Params};

/// Returns the center of mass of the liquid, by whole cells.
fn center_of_mass(sim: &OctreeLiquid) -> DVec3 {
    let st = sim.state();
    let (mut m, mut n) = (DVec3::ZERO, 0.0);
    for c in st.phi.ids().filter(|&c| st.phi[c] < 0.0) {
        let v = st.mesh.tree.size(c).powi(3);
        m += v * st.mesh.tree.center(c);
        n += v;
    }
    m / n
}

#[test]
fn water_that_hits_the_ceiling_falls_again() {
    let mut s = scene(DVec3::new(0.25, 0.5, 0.25), 32, 1);
    s.liquids = vec![at_rest(ball([0.12, 0.3, 0.13], 0.08))];
    s.liquids[0].velocity = DVec3::new(0.0, 2.5, 0.0);
    s.numerics.max_volume_drift = 0.5; // it spreads to a film of a cell
    let mut sim = OctreeLiquid::new(&s);
    let highest = |sim: &OctreeLiquid| {
        let st = sim.state();
        let liquid = st.phi.ids().filter(|&c| st.phi[c] < 0.0);
        liquid.map(|c| st.mesh.tree.center(c).y).fold(0.0, f64::max)
    };
    let mut top = 0.0f64;
    for frame in 1..=30 {
        run(&mut sim, f64::from(frame) / 60.0);
        top = top.max(highest(&sim));
    }
    assert!(top > 0.45, "it gets up there: {top}");
    let center = center_of_mass(&sim).y;
    assert!(center < 0.1, "and comes down: {center}");
}

#[test]
fn a_step_that_fails_leaves_everything_as_it_was() {
    let s = drop_over_pool(32);
    let good = Params::from_scene(&s);
    let no_solve = Params { max_iterations: 0, ..good.clone() };
    let no_drift = Params { max_volume_drift: -1.0, ..good };
    for (params, is_pressure) in [(no_solve, true), (no_drift, false)] {
        let mut sim = OctreeLiquid::with_params(&s, params);
        let before = sim.frame();
        let error = sim.step(TimeStep::new(sim.max_dt()).unwrap()).unwrap_err();
        assert_eq!(matches!(error, StepError::Pressure { at: Some(_), .. }), is_pressure, "{error}");
        let after = sim.frame();
        assert_eq!((before.time, before.surface), (after.time, after.surface));
        assert_eq!(sim.state().u.len(), sim.state().mesh.n_faces());
        assert!(sim.step(TimeStep::new(sim.max_dt()).unwrap()).is_err(), "and can be tried again");
    }
}

#[test]
fn small_drops_and_shallow_pools_are_there() {
    let volume = |liquid| {
        let mut s = scene(DVec3::new(1.0, 0.5, 1.0), 128, 3);
        s.liquids = vec![liquid];
        OctreeLiquid::new(&s).state().volume
    };
    let drop = volume(at_rest(ball([0.5, 0.25, 0.5], 0.025)));
    let exact = 4.0 / 3.0 * std::f64::consts::PI * 0.025f64.powi(3);
    assert!((drop / exact - 1.0).abs() < 0.1, "{drop} {exact}");
    let shallow = volume(at_rest(box_of([0.0, 0.0, 0.0], [1.0, 0.015, 1.0])));
    assert!((shallow / 0.015 - 1.0).abs() < 0.01, "{shallow}");
}

#[test]
fn steps_are_short_enough_for_a_body_that_is_about_to_move() {
    let mut s = scene(DVec3::new(1.0, 0.5, 0.5), 64, 2);
    s.liquids = vec![pool(0.2)];
    let amplitude = DVec3::new(0.2, 0.0, 0.0);
    let motion = Motion::Oscillation { amplitude, period: 0.1 };
    s.solids = vec![Solid::moving(ball([0.5, 0.2, 0.25], 0.05), motion.clone())];
    let mut sim = OctreeLiquid::new(&s);
    // Near the turning point the body is at rest.
    sim.step(TimeStep::new(1e-4).unwrap()).unwrap();
    for t in [0.0, 0.0249, 0.025] {
        let mut at = s.clone();
        at.solids[0].motion = Motion::Keyframes(vec![
            Keyframe { time: 0.0, pose: motion.pose(t) },
            Keyframe { time: 0.01, pose: motion.pose(t + 0.01) },
        ]);
        let sim = OctreeLiquid::new(&at);
        let dt = sim.max_dt();
        let way = at.solids[0].motion.pose(dt).position.distance(at.solids[0].motion.pose(0.0).position);
        assert!(way <= 2.01 * s.domain.dx(), "{t}: {way} in {dt}");
    }
}

#[test]
fn a_tank_one_cell_thick_lets_a_drop_fall() {
    let mut s = scene(DVec3::new(0.5, 0.5, 0.5 / 16.0), 16, 0);
    s.liquids = vec![at_rest(ball([0.25, 0.35, 0.015], 0.08))];
    let mut sim = OctreeLiquid::new(&s);
    let start = center_of_mass(&sim);
    run(&mut sim, 0.2);
    let fall = (center_of_mass(&sim) - start).y;
    assert!((fall + 0.5 * 9.8 * 0.04).abs() < 0.02, "{fall}");
}
