use super::*;
use crate::NodalLiquid;
use octide_core::geometry::Shape;
use octide_core::scene::{Liquid, Region, Scene};

fn ball(radius: f64, velocity: DVec3) -> Scene {
    let mut scene = Scene::empty("nodal-octree", DVec3::ONE, 64, 4);
    let shape = Shape::Sphere { center: DVec3::new(0.41, 0.52, 0.47), radius };
    scene.liquids.push(Liquid { shape, velocity, roughness: 0.0 });
    scene.physics.gravity = DVec3::ZERO;
    scene
}

/// Returns whether all cells within `cells` finest edges of a surface are finest; `phi` is the distance to
/// it.
fn is_finest_within(mesh: &Mesh, phi: impl Fn(DVec3) -> f64, cells: f64) -> bool {
    let (grid, max) = (mesh.tree.grid(), mesh.tree.grid().max_level());
    mesh.tree.cells().all(|c| {
        let near = phi(mesh.tree.center(c)).abs() - 0.5 * mesh.tree.size(c) < cells * grid.dx();
        !near || mesh.tree.level(c) == max
    })
}

#[test]
fn the_band_is_finest_at_the_start_and_where_the_water_goes() {
    let velocity = DVec3::new(3.0, -1.0, 2.0);
    let scene = ball(0.2, velocity);
    let liquid = NodalLiquid::new(&scene);
    let state = liquid.state();
    let at = |t: f64| move |x: DVec3| (x - t * velocity - DVec3::new(0.41, 0.52, 0.47)).length() - 0.2;
    assert!(is_finest_within(&state.mesh, at(0.0), 3.0));
    assert!(state.mesh.n_cells() < 60_000, "{}", state.mesh.n_cells());
    // The surface moves four cells along x.
    let dt = 4.0 / 64.0 / 3.0;
    let corners = Field::filled(state.mesh.n_nodes(), velocity);
    let params = Params::from_scene(&scene);
    let tree = tree_for(&state.mesh, &state.phi, &state.boundary, &corners, dt, &params).unwrap();
    let next = Mesh::new(tree);
    assert!(is_finest_within(&next, at(dt), 3.0));
    assert!(!is_finest_within(&next, at(0.0), 3.0), "what was left behind is coarse again");
    assert!((next.n_cells() as f64 / state.mesh.n_cells() as f64 - 1.0).abs() < 0.1);
}

#[test]
fn a_tree_of_a_tree_at_rest_is_the_same() {
    let scene = ball(0.2, DVec3::ZERO);
    let params = Params::from_scene(&scene);
    let liquid = NodalLiquid::new(&scene);
    let still = |mesh: &Mesh| Field::filled(mesh.n_nodes(), DVec3::ZERO);
    let state = liquid.state();
    let next = |mesh: &Mesh| {
        let far = scene.domain.size.length();
        let phi = par::map(mesh.n_nodes(), |v: NodeId| {
            scene.liquids[0].shape.distance(mesh.node_position(v)).min(far)
        });
        let boundary = Boundary::new(mesh, &octide_core::solids::Solids::default(), scene.open);
        Mesh::new(tree_for(mesh, &phi, &boundary, &still(mesh), 0.1, &params).unwrap())
    };
    let once = next(&state.mesh);
    let twice = next(&once);
    let change = once.n_cells().abs_diff(twice.n_cells()) as f64 / once.n_cells() as f64;
    assert!(change < 0.02, "{} {} {}", state.mesh.n_cells(), once.n_cells(), twice.n_cells());
}

#[test]
fn regions_and_strength_are_kept() {
    let mut scene = ball(0.2, DVec3::ZERO);
    scene.adaptivity.strength = 0.0;
    assert_eq!(NodalLiquid::new(&scene).state().mesh.n_cells(), 64 * 64 * 64);
    scene.adaptivity.strength = 1.0;
    let shape = Shape::Box { min: DVec3::splat(0.9), max: DVec3::ONE };
    scene.adaptivity.regions.push(Region { shape: shape.clone(), at_most: 1.0 / 64.0, at_least: 0.0 });
    let state = NodalLiquid::new(&scene).state().clone();
    let fine = state.mesh.tree.cells().filter(|&c| shape.distance(state.mesh.tree.center(c)) < 0.0);
    assert!(fine.map(|c| state.mesh.tree.size(c)).all(|h| h < 1.5 / 64.0));
    scene.adaptivity.regions[0].at_most = f64::INFINITY;
    scene.adaptivity.regions[0].shape = Shape::Box { min: DVec3::ZERO, max: DVec3::ONE };
    scene.adaptivity.regions[0].at_least = 1.0 / 32.0;
    let state = NodalLiquid::new(&scene).state().clone();
    assert!(state.mesh.tree.cells().all(|c| state.mesh.tree.size(c) > 1.5 / 64.0));
}
