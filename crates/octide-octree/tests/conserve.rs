//! Every cell keeps the water that flows into it: the books balance to rounding, and φ shows what is in them.
#![allow(clippy::unwrap_used)] // a test may fail loudly

mod common;

use common::*;
use glam::DVec3;
use octide_core::contract::{Method, StepReport};
use octide_core::index::CellId;
use octide_core::scene::{Inflow, Liquid, Outflow, Scene, Seeding, VolumeCorrection};
use octide_octree::{OctreeLiquid, State};

fn figure(report: &StepReport, name: &str) -> f64 {
    report.figures.iter().find(|f| f.kind.name == name).unwrap().value
}

/// Returns the largest error of the books and the largest drift of the volume shown.
fn worst(reports: &[StepReport]) -> (f64, f64) {
    let most = |of: &dyn Fn(&StepReport) -> f64| reports.iter().map(|r| of(r).abs()).fold(0.0, f64::max);
    (most(&|r| figure(r, "volume_balance")), most(&|r| r.volume_drift))
}

fn content_where(state: &State, is: impl Fn(DVec3) -> bool) -> f64 {
    let cells = (0..state.mesh.n_cells() as u32).map(CellId);
    cells.filter(|&c| is(state.mesh.tree.center(c))).map(|c| state.content[c].abs()).sum()
}

fn breaking_dam(particles: Seeding) -> Scene {
    let mut s = scene(DVec3::new(1.0, 0.5, 0.5), 32, 2);
    s.liquids = vec![at_rest(box_of([0.0; 3], [0.4, 0.4, 0.5])), at_rest(box_of([0.0; 3], [1.0, 0.06, 0.5]))];
    s.numerics.particles = particles;
    s.numerics.volume_correction = VolumeCorrection::Local;
    s
}

/// A closed, empty box whose water is kept cell by cell.
fn empty_box(size: DVec3, resolution: u32, levels: u8) -> Scene {
    let mut s = scene(size, resolution, levels);
    s.numerics.volume_correction = VolumeCorrection::Local;
    s
}

#[test]
fn a_breaking_dam_keeps_its_water() {
    for particles in [Seeding::Off, Seeding::WhereNeeded] {
        let mut s = breaking_dam(particles);
        let reports = run(&mut OctreeLiquid::new(&s), 0.8);
        let (balance, drift) = worst(&reports);
        assert!(balance < 1e-12, "{balance}");
        assert!(drift < 0.03, "{drift}");
        // What the flow did not move there: the differences between content and φ were a sixth of the water.
        let moved = reports.last().unwrap().volume_correction;
        assert!(moved < 0.04, "{moved}");
        s.numerics.volume_correction = VolumeCorrection::Off;
        let (_, without) = worst(&run(&mut OctreeLiquid::new(&s), 0.8));
        assert!(without > 2.0 * drift, "{without} {drift}");
    }
}

/// A jet that lands on a floor with hardly any water: most of it was lost at its landing.
#[test]
fn a_jet_fills_an_empty_tank() {
    let mut s = empty_box(DVec3::new(0.5, 0.5, 0.5), 16, 1);
    s.inflows = vec![Inflow::new(box_of([0.1875, 0.4375, 0.1875], [0.3125, 0.5, 0.3125]), DVec3::NEG_Y)];
    let mut sim = OctreeLiquid::new(&s);
    let reports = run(&mut sim, 1.0);
    let (balance, drift) = worst(&reports);
    assert!(balance < 1e-12, "{balance}");
    assert!(drift < 0.15, "{drift}");
    let (end, rate) = (reports.last().unwrap(), 0.125 * 0.125);
    assert!((end.volume_in / rate - 1.0).abs() < 1e-6, "{}", end.volume_in);
}

/// What an outflow takes is what flows into it.
#[test]
fn an_outflow_takes_what_it_counts() {
    let mut s = empty_box(DVec3::new(0.5, 0.5, 0.5), 16, 1);
    s.liquids = vec![at_rest(box_of([0.0; 3], [0.5, 0.3, 0.5]))];
    s.outflows = vec![Outflow::new(box_of([0.1875, 0.0, 0.1875], [0.3125, 0.0625, 0.3125]))];
    let mut sim = OctreeLiquid::new(&s);
    let at_start = sim.report().volume;
    let reports = run(&mut sim, 0.3);
    let (balance, drift) = worst(&reports);
    assert!(balance < 1e-12 && drift < 0.01, "{balance} {drift}");
    let end = reports.last().unwrap();
    assert!(end.volume_out > 0.05 * at_start, "{} {at_start}", end.volume_out);
}

/// A ball of water hits a wall of two cells: neither content nor spray appears behind it.
#[test]
fn no_content_passes_a_wall() {
    let mut s = empty_box(DVec3::new(1.0, 0.5, 0.5), 32, 1);
    s.liquids = vec![Liquid {
        shape: ball([0.3, 0.25, 0.25], 0.15),
        velocity: DVec3::new(3.0, -1.0, 0.0),
        roughness: 0.0,
    }];
    s.solids = vec![fixed(box_of([0.51, 0.0, 0.0], [0.572, 0.5, 0.5]))];
    let mut sim = OctreeLiquid::new(&s);
    let (balance, _) = worst(&run(&mut sim, 0.5));
    assert!(balance < 1e-12, "{balance}");
    let behind = content_where(sim.state(), |x| x.x > 0.58);
    // Rounding, and what large cells hold that the wall cuts.
    assert!(behind < 1e-4 / 32f64.powi(3), "{behind}");
    let spray = sim.frame().particles;
    assert!(spray.positions.iter().all(|x| x[0] < 0.58));
}

#[test]
fn water_at_rest_keeps_content_and_surface() {
    let mut s = empty_box(DVec3::new(0.5, 0.5, 0.5), 32, 2);
    s.liquids = vec![at_rest(box_of([0.0; 3], [0.5, 0.21, 0.5]))];
    s.solids = vec![fixed(ball([0.25, 0.2, 0.25], 0.1))];
    let mut sim = OctreeLiquid::new(&s);
    let reports = run(&mut sim, 0.3);
    assert!(reports.iter().all(|r| r.max_speed < 1e-4), "{}", reports.last().unwrap().max_speed);
    assert!(worst(&reports).1 < 1e-5);
}

/// What a face sweeps is oblique: straight boxes left cells a seventh too full.
#[test]
fn hardly_anything_of_a_ball_in_free_flight_is_moved_by_hand() {
    let mut s = empty_box(DVec3::ONE, 48, 2);
    s.physics.gravity = DVec3::ZERO;
    s.numerics.particles = Seeding::Off;
    let velocity = DVec3::new(1.0, 0.4, -0.3);
    s.liquids = vec![Liquid { shape: ball([0.3, 0.4, 0.6], 0.15), velocity, roughness: 0.0 }];
    let reports = run(&mut OctreeLiquid::new(&s), 0.25);
    let moved = reports.last().unwrap().volume_correction;
    assert!(moved < 5e-3, "{moved}");
}
