use super::*;
use octide_core::DVec3;
use octide_core::geometry::primitives::icosphere;
use octide_core::scene::Scene;
use proptest::prelude::*;

/// A liquid in the unit cube: a ball in the middle, and particles of the given kinds along the x axis above
/// it.
fn liquid(kinds: &[u8]) -> Liquid {
    let scene = UnitScene::new(&Scene::empty("octree", DVec3::ONE, 64, 3).domain);
    let mesh = icosphere(DVec3::splat(0.5), 0.2, 2);
    let mut liquid = Liquid::new(&Surface { mesh, ..Surface::default() }, &scene);
    liquid.set_spray(&particles(kinds));
    liquid
}

fn particles(kinds: &[u8]) -> Particles {
    let n = kinds.len();
    Particles {
        positions: (0..n).map(|i| [0.2 + 0.2 * i as f32, 0.9, 0.5]).collect(),
        velocities: vec![[0.0; 3]; n],
        radii: vec![0.05; n],
        kinds: kinds.to_vec(),
        ids: (0..n as u32).collect(),
    }
}

/// A ray downward at x, counted from the side of the domain, whose middle is at x = 0 in the unit scene.
fn down(x: f32) -> Ray {
    Ray::new(Vec3::new(x - 0.5, 2.0, 0.0), Vec3::NEG_Y)
}

#[test]
fn only_spray_becomes_drops() {
    let liquid = liquid(&[1, 0, 1]);
    for (x, t) in [(0.2, Some(1.05)), (0.4, None), (0.6, Some(1.05))] {
        let hit = liquid.nearest(&down(x), 1.2);
        assert_eq!(hit.is_some(), t.is_some(), "{x}");
        if let (Some(hit), Some(t)) = (hit, t) {
            assert!(matches!(hit, LiquidHit::Drop(_)) && (hit.t() - t).abs() < 1e-5, "{hit:?}");
            assert!(liquid.normal(&hit).abs_diff_eq(Vec3::Y, 1e-5) && !liquid.is_on_floor(&hit));
            assert_eq!(liquid.normal(&hit), liquid.smooth_normal(&hit));
        }
    }
}

#[test]
fn the_nearer_of_surface_and_drop_is_hit() {
    let liquid = liquid(&[0, 0, 1]);
    let first = liquid.nearest(&down(0.6), 9.0).unwrap();
    assert!(matches!(first, LiquidHit::Drop(_)));
    let mut below = down(0.6);
    below.origin.y = 0.8;
    assert!(matches!(liquid.nearest(&below, 9.0), Some(LiquidHit::Surface(_))));
    // From below, the surface comes first.
    let up = Ray::new(Vec3::new(0.1, 0.0, 0.0), Vec3::Y);
    assert!(matches!(liquid.nearest(&up, 9.0), Some(LiquidHit::Surface(_))));
}

#[test]
fn particles_that_are_no_drops_are_left_out() {
    let mut broken = particles(&[1, 1, 1, 1]);
    broken.radii = vec![f32::NAN, -1.0, 0.05];
    broken.positions[2] = [f32::NAN; 3];
    let mut liquid = liquid(&[]);
    liquid.set_spray(&broken);
    assert!((0..100).all(|i| liquid.nearest(&down(0.01 * i as f32), 1.2).is_none()));
}

proptest! {
    /// A ray that enters a drop leaves it, where the normal points along it.
    #[test]
    fn rays_pass_through_drops(x in -0.049f32..0.049, z in -0.049f32..0.049) {
        prop_assume!(x * x + z * z < 0.0024);
        let liquid = liquid(&[1]);
        let mut ray = down(0.2 + x);
        ray.origin.z = z;
        let enter = liquid.nearest(&ray, 9.0).unwrap();
        prop_assert!(liquid.normal(&enter).dot(ray.dir) < 0.0);
        ray.origin = ray.at(enter.t() + 1e-5);
        let leave = liquid.nearest(&ray, 9.0).unwrap();
        prop_assert!(liquid.normal(&leave).dot(ray.dir) > 0.0);
        let chord = 2.0 * (0.05f32 * 0.05 - x * x - z * z).sqrt();
        prop_assert!((leave.t() + 1e-5 - chord).abs() < 2e-5, "{} {chord}", leave.t());
    }
}
