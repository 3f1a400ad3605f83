//! Water at rest stays at rest, however the tree changes.
#![allow(clippy::unwrap_used)] // a test may fail loudly

mod common;

use common::*;
use glam::{DVec3, IVec3};
use octide_core::contract::TimeStep;
use octide_core::faces::figures::CUT_T_FACES;
use octide_core::geometry::Shape;
use octide_core::octree::{Grading, Octree};
use octide_core::scene::Scene;
use octide_octree::OctreeLiquid;
use octide_octree::params::{FreeSurface, Params};

const CELLS: i32 = 16;
const COARSE: f64 = 0.5 / 4.0;

/// A tank of 16 × 16 × 8 finest cells with water up to `height` and optionally a solid in it.
fn tank(height: f64, solid: Option<Shape>) -> Scene {
    let mut s = scene(DVec3::new(0.5, 0.5, 0.25), CELLS as u32, 2);
    s.liquids = vec![pool(height)];
    s.solids = solid.map(fixed).into_iter().collect();
    s
}

/// Returns two trees with vertical T-junctions at different positions, so that the surface crosses them.
fn trees(scene: &Scene) -> [Octree; 2] {
    let grid = scene.domain.root_grid();
    assert_eq!(grid.dims(), IVec3::new(4, 4, 2));
    [0.2, 0.33].map(|x| Octree::build(&grid, Grading::Graded, |c| (c.center.x < x) == (x < 0.3)))
}

/// Returns the largest speed and surface movement in 50 steps, relative to √(gH) and H, and the number of
/// T-junctions that are cut.
fn disturbance(height: f64, solid: Option<Shape>, free_surface: FreeSurface) -> (f64, f64, usize) {
    let scene = tank(height, solid);
    let params = Params { tolerance: 1e-10, free_surface, ..Params::from_scene(&scene) };
    let trees = trees(&scene);
    let mut sim = OctreeLiquid::on_tree(&scene, params, trees[0].clone());
    let (mut speed, mut cut) = (0.0f64, 0);
    for i in 0..50 {
        let report = sim.step_on(trees[(i + 1) % 2].clone(), TimeStep::new(0.004).unwrap()).unwrap();
        speed = speed.max(report.max_speed);
        cut += report.count(&CUT_T_FACES);
    }
    let state = sim.state();
    let mut moved = 0.0f64;
    for c in state.phi.ids().filter(|&c| state.mesh.is_surface(&state.phi, c)) {
        moved = moved.max((state.phi[c] - (state.mesh.tree.center(c).y - height)).abs());
    }
    (speed / (9.8 * height).sqrt(), moved / height, cut)
}

/// Returns 32 heights across one coarse cell, some of them within a thousandth of a cell of the samples.
fn heights() -> impl Iterator<Item = f64> {
    (0..32).map(|k| {
        let nudge = if k % 4 == 0 { 1e-3 * 0.5 / f64::from(CELLS) } else { 0.003 * COARSE };
        2.0 * COARSE + COARSE * f64::from(k) / 32.0 + nudge
    })
}

#[test]
fn the_still_tank_stays_still_at_every_height_on_alternating_trees() {
    let mut cut = 0;
    for height in heights() {
        let (speed, moved, t_faces) = disturbance(height, None, FreeSurface::Spd);
        assert!(speed <= 1e-6, "height {height}: speed {speed:e} √(gH)");
        assert!(moved <= 1e-6, "height {height}: moved {moved:e} H");
        cut += t_faces;
    }
    assert!(cut > 0, "the surface must cut T-junctions");
}

#[test]
fn a_submerged_solid_does_not_disturb_it() {
    for height in heights().step_by(4) {
        let (speed, moved, _) = disturbance(height, Some(ball([0.26, 0.12, 0.13], 0.07)), FreeSurface::Spd);
        assert!(speed <= 1e-6 && moved <= 1e-6, "height {height}: {speed:e} {moved:e}");
    }
}

#[test]
fn a_piercing_solid_does_not_disturb_it() {
    for height in heights().step_by(4) {
        let post = box_of([0.19, -1.0, 0.06], [0.32, 1.0, 0.17]);
        let (speed, moved, _) = disturbance(height, Some(post), FreeSurface::Spd);
        assert!(speed <= 1e-6 && moved <= 1e-6, "height {height}: {speed:e} {moved:e}");
    }
}

#[test]
fn the_naive_scheme_fails_the_same_test() {
    let worst =
        heights().step_by(4).map(|h| disturbance(h, None, FreeSurface::FirstOrder).0).fold(0.0, f64::max);
    assert!(worst > 1e-3, "{worst:e}");
}
