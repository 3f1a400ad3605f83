//! Trees are fine where detail requires it, and nowhere else.
#![allow(clippy::unwrap_used)] // a test may fail loudly

mod common;

use common::*;
use glam::{DVec3, IVec3};
use octide_core::contract::{Method, TimeStep};
use octide_core::geometry::Shape;
use octide_core::index::{CellId, Field};
use octide_core::octree::Octree;
use octide_core::scene::{Camera, Region, Scene, VolumeCorrection};
use octide_octree::apertures::Apertures;
use octide_octree::mesh::Mesh;
use octide_octree::nodal::corner_velocity;
use octide_octree::sizing::{RefinementPoint, SizingInput, tree_for};
use octide_octree::solids::Solids;
use octide_octree::{OctreeLiquid, Params, State};
use std::collections::BTreeSet;

/// Returns cells as their centers on the lattice and their levels.
fn cells(tree: &Octree, place: impl Fn(IVec3) -> IVec3) -> BTreeSet<[i32; 4]> {
    let of = |c| {
        let p = place(tree.lattice_center(tree.node_of(c)));
        [p.x, p.y, p.z, i32::from(tree.level(c))]
    };
    tree.cells().map(of).collect()
}

fn tree(sim: &OctreeLiquid) -> &Octree {
    &sim.state().mesh.tree
}

/// Returns the sizes of the cells that `wanted` selects by center and size.
fn sizes(state: &State, wanted: impl Fn(DVec3, f64) -> bool) -> Vec<f64> {
    let tree = &state.mesh.tree;
    let picked = tree.cells().filter(|&c| wanted(tree.center(c), tree.size(c)));
    picked.map(|c| tree.size(c)).collect()
}

/// A drop over a pool, off the middle, so that no symmetry hides a mistake.
fn askew(resolution: u32) -> Scene {
    let mut s = drop_over_pool(resolution);
    s.liquids[1] = at_rest(ball([0.37, 0.36, 0.58], 0.075));
    s.liquids[1].velocity = DVec3::new(0.3, -1.0, 0.1);
    s
}

#[test]
fn without_adaptivity_all_cells_are_finest() {
    let mut scene = askew(32);
    scene.adaptivity.strength = 0.0;
    let mut sim = OctreeLiquid::new(&scene);
    assert_eq!(sim.state().mesh.n_cells(), 32 * 16 * 32);
    run(&mut sim, 0.02);
    assert_eq!(sim.state().mesh.n_cells(), 32 * 16 * 32);
}

#[test]
fn cells_become_fewer_with_strength() {
    let count = |strength: f64| {
        let mut scene = askew(64);
        scene.adaptivity.strength = strength;
        OctreeLiquid::new(&scene).state().mesh.n_cells()
    };
    let counts = [0.0, 1e-9, 0.2, 0.4, 0.6, 0.8, 1.0].map(count);
    assert_eq!(counts[0], counts[1], "next to nothing is nothing");
    assert!(counts.windows(2).all(|w| w[0] >= w[1]) && counts[3] > counts[6], "{counts:?}");
}

#[test]
fn dilation_makes_changes_of_size_slower() {
    let count = |dilation: u32| {
        let mut scene = askew(64);
        scene.adaptivity.dilation = dilation;
        OctreeLiquid::new(&scene).state().mesh.n_cells()
    };
    let counts = [0, 1, 2, 3].map(count);
    assert!(counts.windows(2).all(|w| w[0] < w[1]), "{counts:?}");
}

#[test]
fn regions_are_obeyed() {
    let (fine, coarse) =
        (box_of([0.6, 0.1, 0.1], [0.9, 0.4, 0.4]), box_of([0.1, 0.0, 0.3], [0.55, 0.5, 0.9]));
    let mut scene = askew(64);
    let dx = scene.domain.dx();
    scene.adaptivity.regions = vec![
        Region { shape: fine.clone(), at_most: 2.0 * dx, at_least: 0.0 },
        Region { shape: coarse.clone(), at_most: f64::INFINITY, at_least: 4.0 * dx },
    ];
    let free = OctreeLiquid::new(&askew(64));
    let inside = |x: DVec3, _: f64| coarse.distance(x) < -0.08;
    assert!(sizes(free.state(), inside).iter().any(|&h| h < 1.5 * dx), "the drop asks for the finest cells");
    let mut sim = OctreeLiquid::new(&scene);
    for _ in 0..2 {
        let touched = sizes(sim.state(), |x, h| fine.distance(x) < 0.49 * h);
        assert!(!touched.is_empty() && touched.iter().all(|&h| h < 2.01 * dx), "{touched:?}");
        assert!(sizes(sim.state(), inside).iter().all(|&h| h > 3.99 * dx));
        run(&mut sim, 0.02);
    }
}

#[test]
fn out_of_the_camera_s_sight_cells_are_as_large_as_they_may_be() {
    // Two drops, of which the camera sees only the right one.
    let mut scene = drop_over_pool(64);
    scene.liquids[1] = at_rest(ball([0.2, 0.37, 0.5], 0.075));
    scene.liquids.push(at_rest(ball([0.8, 0.37, 0.5], 0.075)));
    let camera =
        Camera { position: DVec3::new(0.8, 0.37, 2.0), target: DVec3::new(0.8, 0.37, 0.5), fov: 12.0 };
    scene.camera = Some(camera);
    let smallest = |scene: &Scene, left: bool| {
        let sim = OctreeLiquid::new(scene);
        let near = sizes(sim.state(), |x, _| (x.x < 0.5) == left && (x.y - 0.37).abs() < 0.075);
        near.into_iter().fold(f64::INFINITY, f64::min)
    };
    let dx = scene.domain.dx();
    assert_eq!(
        (smallest(&scene, true), smallest(&scene, false)),
        (dx, dx),
        "the camera does not count unless asked"
    );
    scene.adaptivity.camera = true;
    assert_eq!((smallest(&scene, true), smallest(&scene, false)), (2.0 * dx, dx));
}

#[test]
fn mirrored_scenes_have_mirrored_trees() {
    for axis in [0, 2] {
        let scene = askew(64);
        let mut mirrored = scene.clone();
        for liquid in &mut mirrored.liquids {
            liquid.velocity[axis] = -liquid.velocity[axis];
            match &mut liquid.shape {
                Shape::Sphere { center, .. } => center[axis] = 1.0 - center[axis],
                Shape::Box { min, max } => (min[axis], max[axis]) = (1.0 - max[axis], 1.0 - min[axis]),
                _ => unreachable!(),
            }
        }
        let tight =
            |s: &Scene| OctreeLiquid::with_params(s, Params { tolerance: 1e-11, ..Params::from_scene(s) });
        let (mut a, mut b) = (tight(&scene), tight(&mirrored));
        for step in 0..6 {
            let flipped = cells(tree(&b), |mut p| {
                p[axis] = 2 * 64 - p[axis];
                p
            });
            assert!(cells(tree(&a), |p| p) == flipped, "axis {axis}, step {step}");
            let dt = 0.9 * a.max_dt();
            a.step(TimeStep::new(dt).unwrap()).unwrap();
            b.step(TimeStep::new(dt).unwrap()).unwrap();
        }
    }
}

#[test]
fn trees_do_not_depend_on_threads() {
    let trees = [1, 3].map(|n| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
        pool.install(|| {
            let mut sim = OctreeLiquid::new(&askew(64));
            run(&mut sim, 0.03);
            sim.state().mesh.tree.clone()
        })
    });
    assert!(trees[0] == trees[1]);
}

#[test]
fn the_tree_of_resting_water_does_not_change() {
    let mut scene = scene(DVec3::new(1.0, 0.5, 1.0), 64, 3);
    scene.liquids = vec![pool(0.217)];
    let mut sim = OctreeLiquid::new(&scene);
    let first = tree(&sim).clone();
    for _ in 0..5 {
        let dt = sim.max_dt();
        sim.step(TimeStep::new(dt).unwrap()).unwrap();
        assert!(*tree(&sim) == first);
    }
}

/// Takes steps of two finest cells along a diagonal. Returns the smallest relative volume and whether all
/// surface cells were finest cells.
fn flight(liquid: Shape, steps: usize) -> (f64, bool) {
    let mut scene = scene(DVec3::splat(1.0), 64, 3);
    let dx = scene.domain.dx();
    scene.physics.gravity = DVec3::ZERO;
    scene.liquids = vec![at_rest(liquid)];
    scene.liquids[0].velocity = DVec3::new(1.0, 0.8, 0.6);
    let params = Params {
        volume_correction: VolumeCorrection::Off,
        max_volume_drift: 1.0,
        ..Params::from_scene(&scene)
    };
    let mut sim = OctreeLiquid::with_params(&scene, params);
    let start = sim.state().volume;
    let (mut least, mut finest) = (1.0f64, true);
    for _ in 0..steps {
        sim.step(TimeStep::new(2.0 * dx).unwrap()).unwrap();
        let State { mesh, phi, volume, .. } = sim.state();
        least = least.min(volume / start);
        finest &=
            mesh.tree.cells().filter(|&c| mesh.is_surface(phi, c)).all(|c| mesh.tree.size(c) < 1.01 * dx);
    }
    (least, finest)
}

#[test]
fn small_drops_do_not_slip_through_the_tree() {
    let (volume, finest) = flight(ball([0.251, 0.253, 0.257], 2.5 / 64.0), 10);
    assert!(volume > 0.4 && finest, "{volume} {finest}");
}

#[test]
fn thin_sheets_do_not_slip_through_the_tree() {
    // A disk three cells thick that moves perpendicular to its plane.
    let disk = Shape::Cylinder {
        from: DVec3::new(0.2, 0.3, 0.3),
        to: DVec3::new(0.2 + 3.0 / 64.0, 0.3, 0.3),
        radius: 0.15,
    };
    let mut scene = scene(DVec3::splat(1.0), 64, 3);
    scene.physics.gravity = DVec3::ZERO;
    scene.liquids = vec![at_rest(disk)];
    scene.liquids[0].velocity = DVec3::new(1.0, 0.0, 0.0);
    let params = Params {
        volume_correction: VolumeCorrection::Off,
        max_volume_drift: 1.0,
        ..Params::from_scene(&scene)
    };
    let mut sim = OctreeLiquid::with_params(&scene, params);
    let start = sim.state().volume;
    for _ in 0..10 {
        sim.step(TimeStep::new(2.0 * scene.domain.dx()).unwrap()).unwrap();
    }
    let kept = sim.state().volume / start;
    assert!((kept - 1.0).abs() < 0.1, "{kept}");
}

#[test]
fn a_needle_under_water_is_found_at_the_start() {
    // A post half a finest cell thick, in water far from the surface.
    let mut scene = scene(DVec3::splat(1.0), 64, 3);
    let dx = scene.domain.dx();
    scene.liquids = vec![pool(0.8)];
    scene.solids = vec![fixed(ball([0.331, 0.271, 0.413], 0.3 * dx))];
    let sim = OctreeLiquid::new(&scene);
    let at = sizes(sim.state(), |x, h| (x - DVec3::new(0.331, 0.271, 0.413)).abs().max_element() < 0.5 * h);
    assert_eq!(at, [dx]);
}

#[test]
fn points_get_the_level_they_need() {
    let mut scene = scene(DVec3::splat(1.0), 64, 3);
    scene.liquids = vec![pool(0.2)];
    let params = Params::from_scene(&scene);
    let sim = OctreeLiquid::new(&scene);
    let State { mesh, phi, u, .. } = sim.state();
    let mesh: &Mesh = mesh;
    let apertures = Apertures::within_walls(mesh, &Solids::default());
    let s: Field<CellId, f64> = Field::filled(mesh.n_cells(), 0.0);
    let corners = corner_velocity(mesh, u);
    let asking = SizingInput { phi, apertures: &apertures, s: &s, corners: &corners };
    let at = DVec3::new(0.31, 0.83, 0.57);
    let with = Mesh::new(tree_for(mesh, &asking, &[RefinementPoint { at, level: 3 }], 0.0, &params).unwrap());
    for offset in [DVec3::ZERO, DVec3::splat(1.0 / 64.0), DVec3::splat(-1.0 / 64.0)] {
        assert_eq!(with.tree.level(with.tree.nearest_leaf(at + offset)), 3);
    }
    let without = tree_for(mesh, &asking, &[], 0.0, &params).unwrap();
    assert_eq!(without.n_cells(), 8 * 8 * 8);
}
