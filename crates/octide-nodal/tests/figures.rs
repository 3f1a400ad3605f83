//! Figures that only this method reports.

use glam::DVec3;
use octide_core::contract::{Method, StepReport, TimeStep};
use octide_core::faces::figures::{COARSE_SURFACE_CELLS, CUT_T_FACES, FACES};
use octide_core::geometry::Shape;
use octide_core::scene::{Liquid, Scene};
use octide_nodal::NodalLiquid;

#[test]
fn reports_have_the_same_figures_before_and_after_a_step() {
    let mut scene = Scene::empty("nodal-octree", DVec3::ONE, 16, 2);
    let (min, max) = (DVec3::ZERO, DVec3::new(1.0, 0.41, 1.0));
    scene.liquids.push(Liquid { shape: Shape::Box { min, max }, velocity: DVec3::ZERO, roughness: 0.0 });
    let mut sim = NodalLiquid::new(&scene);
    let names = |report: &StepReport| report.figures.iter().map(|f| f.kind.name).collect::<Vec<_>>();
    let all = [&COARSE_SURFACE_CELLS, &CUT_T_FACES, &FACES].map(|kind| kind.name);
    let before = sim.report();
    assert_eq!(names(&before), all);
    let after = sim.step(TimeStep::new(0.01).unwrap()).unwrap();
    assert_eq!(names(&after), all);
    assert_eq!(after.count(&FACES), sim.state().mesh.n_faces());
    // All cells at the surface are finest, so the level does not change there.
    assert_eq!((after.count(&COARSE_SURFACE_CELLS), after.count(&CUT_T_FACES)), (0, 0));
    assert!(after.surface_cells >= 256, "{}", after.surface_cells);
}
