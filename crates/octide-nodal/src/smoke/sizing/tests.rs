use super::*;
use crate::smoke::init::{initial_state, state_on};
use octide_core::geometry::{Motion, Shape};
use octide_core::octree::Grading;
use octide_core::scene::Scene;
use octide_core::scene::{Release, SmokeSource, Solid};

fn scene() -> Scene {
    let mut scene = Scene::empty("nodal-octree", DVec3::ONE, 32, 3);
    let shape = Shape::Sphere { center: DVec3::new(0.5, 0.25, 0.5), radius: 0.1 };
    let when = Release::Puff(5.0);
    scene.smoke.push(SmokeSource {
        shape,
        density: 2.0,
        temperature: 20.0,
        velocity: None,
        motion: Motion::Still,
        when,
    });
    scene
}

/// Builds a tree with all roots refined once.
fn even(scene: &Scene) -> Octree {
    Octree::build(&scene.domain.root_grid(), Grading::Graded, |c| c.level < 1)
}

fn finest_near(tree: &Octree, p: DVec3) -> bool {
    tree.level(tree.nearest_leaf(p)) == tree.grid().max_level()
}

fn ask(scene: &Scene, state: &SmokeState, dt: f64) -> Octree {
    let params = SmokeParams::from_scene(scene);
    let corners = crate::transfer::short_corner_velocity(&state.mesh, |k| state.u[k]);
    tree_for(state, &corners, &Solids::at(&scene.solids, 0.0), dt, &params).unwrap()
}

#[test]
fn cells_at_objects_are_finest_and_those_inside_are_not() {
    let mut scene = scene();
    let center = DVec3::new(0.5, 0.5, 0.5);
    scene.solids.push(Solid::still(Shape::Sphere { center, radius: 0.25 }));
    let params = SmokeParams::from_scene(&scene);
    let state = initial_state(&scene, &params).unwrap();
    let at = |r: f64| center + r * DVec3::new(0.6, 0.0, 0.8);
    assert!([0.245, 0.26, 0.25 + 2.5 / 32.0].iter().all(|&r| finest_near(&state.mesh.tree, at(r))));
    assert!([0.0, 0.1, 0.45].iter().all(|&r| !finest_near(&state.mesh.tree, at(r))));
    assert!(state.mesh.tree.is_graded());
    scene.adaptivity.smoke.solids = 0.0;
    let plain = initial_state(&scene, &SmokeParams::from_scene(&scene)).unwrap();
    assert_eq!(plain.mesh.n_cells(), plain.mesh.tree.grid().roots().len());
}

/// A density gradient: only the band, 0.2 to 0.6 here, is finest, at the position to which the wind advects
/// it.
#[test]
fn the_band_of_densities_is_finest_where_it_will_be() {
    let scene = scene();
    let mut state = state_on(&scene, &SmokeParams::from_scene(&scene), even(&scene));
    state.density = par::map(state.mesh.n_nodes(), |v| 2.0 * (state.mesh.node_position(v).x - 0.25));
    let in_band = |tree: &Octree, shift: f64| {
        let row = |x: f64| finest_near(tree, DVec3::new(x, 0.3, 0.3));
        [0.1, 0.45, 0.7].map(|x| row(x + shift))
    };
    assert_eq!(in_band(&ask(&scene, &state, 0.0), 0.0), [false, true, false]);
    state.u = crate::smoke::test_meshes::on_faces(&state.mesh, |_| DVec3::new(1.0, 0.0, 0.0));
    assert_eq!(in_band(&ask(&scene, &state, 0.25), 0.25), [false, true, false]);
}

/// u = (0, a x, 0) has |ω| = a and the largest speed a: with weight w, cells are at most 1/w, for any a.
#[test]
fn vorticity_asks_for_cells_by_the_speed_of_the_flow() {
    let mut scene = scene();
    scene.adaptivity.smoke.density = [0.0, 0.0];
    for a in [10.0, 1000.0] {
        for (weight, level) in [(3.0, 1), (5.0, 1), (9.0, 2), (17.0, 3)] {
            scene.adaptivity.smoke.vorticity = weight;
            let mut state = state_on(&scene, &SmokeParams::from_scene(&scene), even(&scene));
            state.u = crate::smoke::test_meshes::on_faces(&state.mesh, |p| DVec3::new(0.0, a * p.x, 0.0));
            let tree = ask(&scene, &state, 0.0);
            let found = tree.level(tree.nearest_leaf(DVec3::new(0.4, 0.4, 0.4)));
            assert_eq!(found, level, "{a} {weight}");
        }
    }
    // Air that is nearly at rest requests nothing.
    scene.adaptivity.smoke.vorticity = 17.0;
    let mut state = state_on(&scene, &SmokeParams::from_scene(&scene), even(&scene));
    state.u = crate::smoke::test_meshes::on_faces(&state.mesh, |p| DVec3::new(0.0, 1e-9 * p.x, 0.0));
    assert_eq!(ask(&scene, &state, 0.0).n_cells(), state.mesh.tree.grid().roots().len());
}

#[test]
fn a_tree_stays_while_it_is_nearly_asked_for() {
    let mut scene = scene();
    scene.adaptivity.smoke.density = [0.0, 0.0];
    let tree_after = |strength: f64, weights: [f64; 2]| {
        let mut scene = scene.clone();
        scene.adaptivity.strength = strength;
        let mut state = state_on(&scene, &SmokeParams::from_scene(&scene), even(&scene));
        for weight in weights {
            scene.adaptivity.smoke.vorticity = weight;
            state.u = crate::smoke::test_meshes::on_faces(&state.mesh, |p| DVec3::new(0.0, 10.0 * p.x, 0.0));
            let tree = ask(&scene, &state, 0.0);
            state = state_on(&scene, &SmokeParams::from_scene(&scene), tree);
        }
        state.mesh.tree.level(state.mesh.tree.nearest_leaf(DVec3::splat(0.4)))
    };
    // A weight of 9 requests level 2, and 7 requests level 1. After 9, 7 is enough to keep level 2, but 5 is
    // not.
    assert_eq!([[7.0, 7.0], [9.0, 7.0], [9.0, 5.0]].map(|w| tree_after(1.0, w)), [1, 2, 1]);
    assert_eq!(tree_after(0.0, [0.0, 0.0]), 3);
}

#[test]
fn more_cells_than_are_allowed_are_refused() {
    let mut scene = scene();
    scene.solids.push(Solid::still(Shape::Sphere { center: DVec3::splat(0.5), radius: 0.25 }));
    let mut params = SmokeParams::from_scene(&scene);
    params.max_cells = 2000;
    let error = initial_state(&scene, &params).unwrap_err();
    assert!(error.to_string().starts_with("a tree of 2001 cells or more needs"), "{error}");
}
