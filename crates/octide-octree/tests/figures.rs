//! Figures that only this method reports.

use glam::DVec3;
use octide_core::contract::{Method, StepReport, TimeStep};
use octide_core::faces::figures::{COARSE_SURFACE_CELLS, CUT_T_FACES, FACES};
use octide_core::geometry::Shape;
use octide_core::index::CellId;
use octide_core::scene::{Liquid, Scene};
use octide_octree::OctreeLiquid;
use octide_octree::project::DEGENERATE_T_FACES;

#[test]
fn reports_have_the_same_figures_before_and_after_a_step() {
    let mut scene = Scene::empty("octree", DVec3::ONE, 64, 3);
    let (min, max) = (DVec3::ZERO, DVec3::new(1.0, 0.41, 1.0));
    scene.liquids.push(Liquid { shape: Shape::Box { min, max }, velocity: DVec3::ZERO, roughness: 0.0 });
    let mut sim = OctreeLiquid::new(&scene);
    let names = |report: &StepReport| report.figures.iter().map(|f| f.kind.name).collect::<Vec<_>>();
    let counts = [&COARSE_SURFACE_CELLS, &CUT_T_FACES, &DEGENERATE_T_FACES, &FACES].map(|kind| kind.name);
    let all = [&counts[..], &["volume_in_cells", "volume_in_spray", "volume_balance"]].concat();
    let before = sim.report();
    assert_eq!(names(&before), all);
    assert_eq!((before.count(&CUT_T_FACES), before.count(&FACES)), (0, sim.state().mesh.n_faces()));
    let after = sim.step(TimeStep::new(0.01).unwrap()).unwrap();
    assert_eq!(names(&after), all);

    let mesh = &sim.state().mesh;
    let finest = mesh.tree.grid().max_level();
    let coarse = (0..mesh.n_cells() as u32)
        .map(CellId)
        .filter(|&c| mesh.is_surface(&sim.state().phi, c) && mesh.tree.level(c) < finest)
        .count();
    assert!(coarse > 0, "a calm surface is coarse");
    assert_eq!(after.count(&COARSE_SURFACE_CELLS), coarse);
    assert_eq!(after.count(&FACES), mesh.n_faces());
    assert!(after.count(&DEGENERATE_T_FACES) <= after.count(&CUT_T_FACES));
}
