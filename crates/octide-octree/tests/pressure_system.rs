//! The pressure system of a step is available without taking the step.
#![allow(clippy::unwrap_used)] // a test may fail loudly

mod common;

use common::*;
use octide_core::contract::{Method, TimeStep};
use octide_octree::OctreeLiquid;
use octide_solve::Operator;

#[test]
fn the_system_is_the_one_that_the_next_step_solves() {
    let mut scene = drop_over_pool(32);
    scene.solids = vec![fixed(ball([0.7, 0.2, 0.4], 0.1))];
    scene.numerics.tolerance = 1e-10;
    let mut sim = OctreeLiquid::new(&scene);
    run(&mut sim, 0.05);
    let dt = 0.7 * sim.max_dt();
    let (time, before) = (sim.time(), sim.state().u.clone());
    let (mesh, system) = sim.pressure_system(dt).unwrap();
    assert!(sim.time().to_bits() == time.to_bits() && sim.state().u == before);

    let report = sim.step(TimeStep::new(dt).unwrap()).unwrap();
    assert_eq!(report.liquid_cells, system.cells.len());
    assert!(*sim.state().mesh == mesh);
    let x: Vec<f64> = system.cells.iter().map(|&c| dt * sim.state().pressure[c]).collect();
    let mut ax = vec![0.0; x.len()];
    system.matrix.apply(&x, &mut ax);
    let norm = |v: &mut dyn Iterator<Item = f64>| v.map(|x| x * x).sum::<f64>().sqrt();
    let off = norm(&mut ax.iter().zip(&system.rhs).map(|(a, b)| a - b));
    let all = norm(&mut system.rhs.iter().copied());
    assert!(all > 0.0 && off < 1e-7 * all, "{off:e} of {all:e}");
}
