//! Inflows, outflows and open sides: the volume that enters and leaves is known and does not count as drift.
#![allow(clippy::unwrap_used)] // a test may fail loudly

mod common;

use common::*;
use glam::DVec3;
use octide_core::contract::{Method, StepReport, TimeStep};
use octide_core::geometry::Shape;
use octide_core::scene::{Heading, Inflow, OpenSides, Outflow, Scene, Span};
use octide_octree::OctreeLiquid;

/// A tank of 32 × 16 × 16 finest cells.
fn tank() -> Scene {
    scene(DVec3::new(1.0, 0.5, 0.5), 32, 1)
}

fn inflow(shape: Shape, velocity: [f64; 3]) -> Inflow {
    Inflow::new(shape, DVec3::from_array(velocity))
}

fn open(names: &[&str]) -> OpenSides {
    let named: Vec<Heading> = Heading::ALL.into_iter().filter(|h| names.contains(&h.name())).collect();
    OpenSides::of(&named)
}

fn last(reports: &[StepReport]) -> &StepReport {
    reports.last().unwrap()
}

fn worst_drift(reports: &[StepReport]) -> f64 {
    reports.iter().map(|r| r.volume_drift.abs()).fold(0.0, f64::max)
}

/// A nozzle of 8 × 8 finest cells at the wall x = 0, two cells deep, and its flow rate at 1 m/s.
const NOZZLE: ([f64; 3], [f64; 3]) = ([0.0, 0.125, 0.125], [0.0625, 0.375, 0.375]);
const RATE: f64 = 0.25 * 0.25;

#[test]
fn a_jet_in_air_brings_its_flux() {
    let mut s = tank();
    s.physics.gravity = DVec3::ZERO;
    s.inflows = vec![inflow(box_of(NOZZLE.0, NOZZLE.1), [1.0, 0.0, 0.0])];
    let mut sim = OctreeLiquid::new(&s);
    let at_start = sim.report().volume;
    let reports = run(&mut sim, 0.5);
    let end = last(&reports);
    assert!((end.volume_in / (0.5 * RATE) - 1.0).abs() < 1e-9, "{}", end.volume_in);
    // Advection rounds off the jet's four edges.
    let grown = end.volume - at_start;
    assert!((grown / (0.5 * RATE) - 1.0).abs() < 0.06, "{}", grown / (0.5 * RATE));
    assert!(worst_drift(&reports) < 0.08, "{}", worst_drift(&reports));
}

/// An inflow is a source wherever it is, because its back is closed.
#[test]
fn an_inflow_under_water_lifts_the_surface() {
    for (shape, velocity, rate) in [
        (box_of([0.0, 0.1875, 0.1875], [0.0625, 0.3125, 0.3125]), [1.0, 0.0, 0.0], 0.125 * 0.125),
        (box_of([0.375, 0.125, 0.1875], [0.5, 0.1875, 0.3125]), [0.0, 0.5, 0.0], 0.5 * 0.125 * 0.125),
    ] {
        let mut s = tank();
        s.liquids = vec![pool(0.36)];
        s.inflows = vec![inflow(shape, velocity)];
        let mut sim = OctreeLiquid::new(&s);
        let at_start = sim.report().volume;
        let reports = run(&mut sim, 0.4);
        let grown = (last(&reports).volume - at_start) / (0.4 * rate);
        assert!((last(&reports).volume_in / (0.4 * rate) - 1.0).abs() < 1e-9);
        assert!((grown - 1.0).abs() < 0.15, "{grown}");
        assert!(worst_drift(&reports) < 0.01, "{}", worst_drift(&reports));
        let divergence = reports.iter().map(|r| r.max_divergence).fold(0.0, f64::max);
        assert!(divergence < 0.1, "{divergence}");
    }
}

#[test]
fn an_inflow_without_velocity_keeps_its_shape_full() {
    let mut s = tank();
    s.inflows = vec![inflow(ball([0.5, 0.35, 0.25], 0.1), [0.0; 3])];
    let mut sim = OctreeLiquid::new(&s);
    let reports = run(&mut sim, 0.2);
    let end = last(&reports);
    assert!(end.volume_in > 0.1 * end.volume, "{end:?}");
    assert!(sim.view().liquid_distance(DVec3::new(0.5, 0.35, 0.25)) < -0.05);
    assert!(sim.view().liquid_distance(DVec3::new(0.5, 0.2, 0.25)) < 0.0, "it falls");
}

#[test]
fn an_inflow_acts_when_it_should_and_finds_fine_cells() {
    let mut s = scene(DVec3::new(1.0, 0.5, 0.5), 64, 3);
    let ball = ball([0.3, 0.25, 0.25], 0.06);
    s.inflows =
        vec![Inflow { when: Span { start: 0.05, end: 0.1 }, ..inflow(ball.clone(), [1.0, 0.0, 0.0]) }];
    let mut sim = OctreeLiquid::new(&s);
    assert_eq!(last(&run(&mut sim, 0.05)).volume_in, 0.0);
    let first = sim.step(TimeStep::new(1e-3).unwrap()).unwrap();
    let (dx, exact) = (s.domain.dx(), 4.0 / 3.0 * std::f64::consts::PI * 0.06f64.powi(3));
    assert!((first.volume_in / exact - 1.0).abs() < 0.03, "{}", first.volume_in / exact);
    let state = sim.state();
    for c in state.mesh.tree.cells().filter(|&c| ball.distance(state.mesh.tree.center(c)).abs() < dx) {
        assert_eq!(state.mesh.tree.size(c), dx);
    }
    let at_end = last(&run(&mut sim, 0.1 + 1e-6)).volume_in;
    // A step that extends past the end of the inflow still has its effect.
    let later = last(&run(&mut sim, 0.15)).volume_in;
    let rate = std::f64::consts::PI * 0.06f64.powi(2);
    assert!(later - at_end < 0.02 * rate, "{at_end} {later}");
}

#[test]
fn an_outflow_takes_what_is_counted() {
    let mut s = tank();
    s.liquids = vec![pool(0.3)];
    s.outflows = vec![Outflow::new(box_of([0.4, 0.0, 0.2], [0.6, 0.06, 0.3]))];
    let mut sim = OctreeLiquid::new(&s);
    let at_start = sim.report().volume;
    let reports = run(&mut sim, 0.3);
    let end = last(&reports);
    assert!(end.volume < 0.9 * at_start, "{}", end.volume / at_start);
    assert!((at_start - end.volume_out - end.volume).abs() < 0.01 * at_start, "{end:?}");
    assert!(worst_drift(&reports) < 0.01, "{}", worst_drift(&reports));
}

#[test]
fn a_tank_drains_through_an_open_side() {
    let mut s = tank();
    s.liquids = vec![pool(0.25)];
    s.open = open(&["+x"]);
    let mut sim = OctreeLiquid::new(&s);
    let at_start = sim.report().volume;
    let reports = run(&mut sim, 0.6);
    let end = last(&reports);
    assert!(end.volume < 0.75 * at_start, "{}", end.volume / at_start);
    assert!(worst_drift(&reports) < 0.03, "{}", worst_drift(&reports));
    assert!(reports.windows(2).all(|w| w[1].volume_out >= w[0].volume_out));
    let divergence = reports.iter().map(|r| r.max_divergence).fold(0.0, f64::max);
    assert!(divergence < 0.5, "{divergence}");
}

/// The tank drains completely: the last drops must not cause a failure.
#[test]
fn a_tank_without_sides_runs_dry() {
    let mut s = tank();
    s.liquids = vec![at_rest(box_of([0.3, 0.0, 0.0], [0.7, 0.3, 9.0]))];
    s.open = open(&["+x", "-x"]);
    let mut sim = OctreeLiquid::new(&s);
    let at_start = sim.report().volume;
    let reports = run(&mut sim, 1.5);
    assert!(last(&reports).volume < 0.2 * at_start, "{}", last(&reports).volume / at_start);
}

#[test]
fn opposite_sides_drain_alike() {
    let end = |side: &str| {
        let mut s = tank();
        s.liquids = vec![pool(0.25)];
        s.open = open(&[side]);
        let mut sim = OctreeLiquid::new(&s);
        last(&run(&mut sim, 0.2)).volume
    };
    let (left, right) = (end("-x"), end("+x"));
    assert!((left / right - 1.0).abs() < 1e-6, "{left} {right}");
}

#[test]
fn nothing_comes_in_by_an_open_side() {
    let mut s = tank();
    s.physics.gravity = DVec3::ZERO;
    s.open = open(&["+x"]);
    s.liquids = vec![at_rest(box_of([0.7, 0.1, 0.1], [1.0, 0.4, 0.4]))];
    s.liquids[0].velocity = DVec3::new(-0.5, 0.0, 0.0);
    s.numerics.volume_correction = octide_core::scene::VolumeCorrection::Off;
    let mut sim = OctreeLiquid::new(&s);
    let at_start = sim.report().volume;
    let end = run(&mut sim, 0.4).pop().unwrap();
    assert!(end.volume < 1.01 * at_start, "{}", end.volume / at_start);
    assert_eq!(end.volume_in, 0.0);
}

#[test]
fn an_open_top_that_no_water_reaches_changes_nothing() {
    let mut s = tank();
    s.liquids = vec![pool(0.263)];
    s.open = open(&["+y"]);
    s.numerics.tolerance = 1e-10;
    let mut sim = OctreeLiquid::new(&s);
    let reports = run(&mut sim, 0.2);
    let fastest = reports.iter().map(|r| r.max_speed).fold(0.0, f64::max);
    assert!(fastest < 1e-6, "{fastest:e}");
    assert_eq!(last(&reports).volume_out, 0.0);
}
