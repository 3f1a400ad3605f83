//! Memory limits, which are checked before memory is allocated.
#![allow(clippy::unwrap_used)] // a test may fail loudly

mod common;

use common::*;
use glam::DVec3;
use octide_core::contract::{Method, StepError, TimeStep};
use octide_octree::OctreeLiquid;
use octide_octree::memory::MODEL;

/// A block of water over an empty floor, whose surface grows as the block collapses.
fn block(resolution: u32) -> octide_core::scene::Scene {
    let mut s = scene(DVec3::new(1.0, 0.5, 1.0), resolution, 3);
    s.liquids = vec![at_rest(box_of([0.3, 0.05, 0.3], [0.7, 0.3, 0.7]))];
    s
}

fn is_memory(e: &StepError) -> bool {
    matches!(e, StepError::Memory { needed, limit, .. } if needed > limit)
}

#[test]
fn most_cells_are_those_that_fit() {
    let s = block(64);
    let bytes = 200_000_000;
    let n = MODEL.most_cells(&s, bytes, 10_000, 5000);
    assert!(MODEL.step_bytes(&s, 10_000, n, 5000) <= bytes);
    assert!(MODEL.step_bytes(&s, 10_000, n + n / 5, 5000) > bytes, "a tenth is kept back, not more");
    assert_eq!(MODEL.most_cells(&s, MODEL.grid_bytes(&s.domain), 0, 0), 0);
}

#[test]
fn a_start_that_does_not_fit_is_refused() {
    let s = block(64);
    let cells = OctreeLiquid::new(&s).report().cells;
    let enough = (1.2 * MODEL.step_bytes(&s, cells, cells, 0) as f64) as u64;
    assert!(OctreeLiquid::within(&s, enough).is_ok());
    for bytes in [1, MODEL.grid_bytes(&s.domain) + 1000, MODEL.step_bytes(&s, 0, cells / 2, 0)] {
        let error = OctreeLiquid::within(&s, bytes).err().unwrap();
        assert!(is_memory(&error), "{error}");
    }
    // The tree of this uniform grid alone would take gigabytes.
    let mut uniform = block(1024);
    uniform.domain.levels = 6;
    uniform.adaptivity.strength = 0.0;
    let error = OctreeLiquid::within(&uniform, 1_000_000_000).err().unwrap();
    assert!(is_memory(&error) && error.to_string().contains("536870912 cells"), "{error}");
    // So would finest cells in a region that covers the whole domain.
    let mut region = block(512);
    region.domain.levels = 5;
    let everywhere = box_of([-1.0; 3], [2.0; 3]);
    region.adaptivity.regions =
        vec![octide_core::scene::Region { shape: everywhere, at_most: 1e-3, at_least: 0.0 }];
    let error = OctreeLiquid::within(&region, 200_000_000).err().unwrap();
    assert!(is_memory(&error), "{error}");
}

#[test]
fn a_step_onto_a_tree_that_does_not_fit_leaves_everything_as_it_was() {
    let s = block(64);
    let mut free = OctreeLiquid::new(&s);
    let first = free.report().cells;
    let most = run(&mut free, 0.3).iter().map(|r| r.cells).max().unwrap();
    assert!(most as f64 > 1.3 * first as f64, "the tree grows: {first} to {most}");

    let mut sim = OctreeLiquid::within(&s, u64::MAX).unwrap();
    let between = (first + most) / 2;
    sim.limit_memory((1.1 * MODEL.step_bytes(&s, between, between, 0) as f64) as u64);
    let (error, refused) = loop {
        assert!(sim.time() < 0.3, "it is never refused");
        let dt = sim.max_dt();
        match sim.step(TimeStep::new(dt).unwrap()) {
            Ok(report) => assert!(report.cells <= most),
            Err(e) => break (e, dt),
        }
    };
    assert!(is_memory(&error) && sim.time() > 0.0, "{error}");
    let before = sim.frame();
    assert!(sim.step(TimeStep::new(refused).unwrap()).is_err(), "it is refused again");
    assert_eq!(sim.frame().surface, before.surface);
    sim.limit_memory(u64::MAX);
    let there = sim.step(TimeStep::new(refused).unwrap()).unwrap();
    assert!(there.cells > 0 && sim.time() > before.time);
}
