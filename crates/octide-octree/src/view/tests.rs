use super::*;
use crate::{OctreeLiquid, Params};
use octide_core::contract::Method;
use octide_core::geometry::Shape;
use octide_core::scene::{Liquid, Scene};
use octide_core::surface::band::Band;

const CENTER: DVec3 = DVec3::new(0.52, 0.49, 0.47);
const RADIUS: f64 = 0.3;

/// A ball whose surface is coarse in places.
fn ball(resolution: u32, solids: Vec<Solid>) -> (Scene, OctreeLiquid) {
    let mut scene = Scene::empty("octree", DVec3::ONE, resolution, 3);
    let shape = Shape::Sphere { center: CENTER, radius: RADIUS };
    scene.liquids.push(Liquid { shape, velocity: DVec3::new(1.0, 2.0, 3.0), roughness: 0.0 });
    scene.solids = solids;
    let params = Params::from_scene(&scene);
    let liquid = OctreeLiquid::with_params(&scene, params);
    (scene, liquid)
}

/// Returns the largest error of φ over the voxels of the band, as a fraction of the allowed error, and the
/// number of voxels that are not samples. Interpolation may add h²/2R with the edge h of the cell there:
/// trilinear interpolation adds at most h²/8R for each of two curvatures, and least squares reach cells of
/// twice the size. Away from the surface a fifth of the distance is allowed.
fn error(resolution: u32) -> (f64, usize) {
    let (scene, liquid) = ball(resolution, Vec::new());
    let view = liquid.view();
    let band = Band::find(&scene.domain, view.as_ref());
    let tree = &liquid.state().mesh.tree;
    let (mut worst, mut between) = (0f64, 0);
    for &low in &band.bricks {
        let brick = band.brick(view.as_ref(), low);
        for v in (0..512).filter(|&v| band.is_active(brick.phi[v as usize])) {
            let voxel = low + glam::IVec3::new(v / 64, v / 8 % 8, v % 8);
            let p = band.origin + band.dx * voxel.as_dvec3();
            let phi = f64::from(brick.phi[v as usize]);
            let cell = tree.nearest_leaf(p);
            let h = tree.size(cell);
            let exact = p.distance(CENTER) - RADIUS;
            worst = worst.max((phi - exact).abs() / (0.5 * h * h / RADIUS + 0.2 * exact.abs()));
            if h > 1.5 * band.dx {
                between += 1;
            } else {
                assert_eq!(
                    brick.phi[v as usize],
                    liquid.state().phi[cell] as f32,
                    "finest cells are samples"
                );
            }
        }
    }
    (worst, between)
}

#[test]
fn a_ball_is_as_exact_as_interpolation() {
    let (worst, between) = error(64);
    assert!(between > 500, "{between} voxels lie in coarse cells");
    assert!(worst < 1.0, "{worst} of what is allowed");
}

#[test]
fn solids_are_cut_off() {
    let shape = Shape::Box { min: DVec3::new(0.5, 0.0, 0.0), max: DVec3::ONE };
    let (_, liquid) = ball(32, vec![Solid::still(shape)]);
    let view = liquid.view();
    let deep = |x: f64| view.surface_distance(DVec3::new(x, 0.49, 0.47));
    assert!(deep(0.4) < -0.05 && deep(0.6) > 0.03, "{} {}", deep(0.4), deep(0.6));
    // The view ends half a cell inside the solid, and the frame's mesh at the solid.
    assert!(deep(0.5 + 0.5 / 32.0).abs() < 0.3 / 32.0, "{}", deep(0.5 + 0.5 / 32.0));
    let surface = liquid.frame().surface.mesh;
    let end = surface.positions.iter().map(|p| p[0]).fold(f32::MIN, f32::max);
    assert!((f64::from(end) - 0.5).abs() < 0.05 / 32.0, "{end}");
}

#[test]
fn the_velocity_is_that_of_the_surface() {
    let (_, liquid) = ball(32, Vec::new());
    let view = liquid.view();
    let surface = liquid.frame().surface;
    for (p, v) in surface.mesh.positions.iter().zip(&surface.velocities).step_by(7) {
        let p = DVec3::from_array(p.map(f64::from));
        let here = view.surface_velocity(p);
        assert!((here - DVec3::from_array(v.map(f64::from))).length() < 1e-5, "{here} {v:?}");
    }
}
