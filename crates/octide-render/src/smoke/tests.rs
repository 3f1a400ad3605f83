use super::*;
use crate::bvh::Ray;
use crate::floor::FloorLight;
use crate::fog::EXTINCTION;
use crate::shapes;
use glam::{DVec3, Vec3};

#[path = "../../examples/gallery/plume.rs"]
mod plume;
use plume::{plume, room};

fn view<'a>(smoke: &'a Smoke, domain: &'a Domain) -> SmokeView<'a> {
    SmokeView { smoke: Some(smoke), solids: &[], domain, camera: None, width: 160, height: 90, samples: 0 }
}

/// Returns a block of uniform smoke between two positions, counted in finest cells, made of cells of one
/// size.
fn block(domain: &Domain, low: u32, high: u32, size: u32, density: f32) -> Smoke {
    let n = (high - low) / size;
    let cells = (0..n * n * n)
        .map(|i| octide_core::contract::SmokeCell {
            low: glam::UVec3::new(i % n, i / n % n, i / (n * n)) * size + low,
            size,
            corners: [0; 8],
        })
        .collect();
    let (temperature, velocity) = (vec![0.0], vec![[0.0; 3]]);
    Smoke { origin: domain.origin, dx: domain.dx(), cells, density: vec![density], temperature, velocity }
}

fn stage(smoke: &Smoke, domain: &Domain) -> Stage {
    Stage::of_smoke(Some(smoke), &[], domain)
}

#[test]
fn a_ray_through_even_smoke_is_dimmed_by_the_law_of_beer() {
    let domain = room(64, 4);
    for (size, density) in [(1, 0.02), (4, 0.05), (16, 0.1)] {
        let smoke = block(&domain, 16, 48, size, density);
        let stage = stage(&smoke, &domain);
        let fog = stage.fog.as_ref().unwrap();
        let dir = Vec3::new(0.3, -0.2, -1.0).normalize();
        let ray = Ray::new(Vec3::new(0.0, 0.5, 0.0) - 2.0 * dir, dir);
        // Half of the block's edge lies on both sides of its middle.
        let length = 0.5 / dir.z.abs();
        let expected = (-EXTINCTION * density * length).exp();
        let (seen, _) = fog.veil(&ray, 10.0, Vec3::ONE, 7);
        let (lit, _) = fog.veil(&ray, 10.0, Vec3::ZERO, 7);
        let left = (seen - lit).x;
        assert!((left / expected - 1.0).abs() < 2e-3, "{size}: {left} {expected}");
        // A solid in the middle hides everything behind it.
        let (seen, _) = fog.veil(&ray, 2.0, Vec3::ONE, 7);
        let (lit, _) = fog.veil(&ray, 2.0, Vec3::ZERO, 7);
        assert!(((seen - lit).x / expected.sqrt() - 1.0).abs() < 2e-3);
    }
}

#[test]
fn sunlight_falls_through_even_smoke_by_the_same_law() {
    let domain = room(64, 4);
    let smoke = block(&domain, 16, 48, 8, 0.04);
    let stage = stage(&smoke, &domain);
    let fog = stage.fog.as_ref().unwrap();
    let sun = crate::sky::sun();
    // From the block's middle the path to the sun leaves through its top.
    let p = Vec3::new(0.0, 0.5, 0.0);
    let expected = (-EXTINCTION * 0.04 * 0.25 / sun.y).exp();
    assert!((fog.sunlight(p) / expected - 1.0).abs() < 0.03, "{} {expected}", fog.sunlight(p));
    assert_eq!(fog.sunlight(Vec3::new(0.0, 0.9, 0.0)), 1.0);
    // The shadow on the floor.
    let foot = p - sun * (0.5 / sun.y);
    let through = (-EXTINCTION * 0.04 * 0.5 / sun.y).exp();
    assert!((fog.sunlight(foot) / through - 1.0).abs() < 0.05, "{} {through}", fog.sunlight(foot));
    let floor = FloorLight::new(&stage);
    assert!(floor.color(foot, 0.1).x < 0.8 * floor.color(foot - 0.6 * Vec3::Z, 0.1).x);
}

#[test]
fn solids_shade_smoke() {
    let domain = room(64, 4);
    let smoke = block(&domain, 8, 56, 4, 0.01);
    let ball = shapes::ball([0.5, 0.6, 0.5], [0.12; 3], 24);
    let solids = [(&ball, Pose::IDENTITY)];
    let stage = Stage::of_smoke(Some(&smoke), &solids, &domain);
    let fog = stage.fog.as_ref().unwrap();
    let behind = |s: f32| fog.light_at(Vec3::new(0.0, 0.6, 0.0) - s * crate::sky::sun()).sun;
    assert!(behind(0.2) < 0.05 && behind(0.3) < 0.2, "{} {}", behind(0.2), behind(0.3));
    assert!(behind(-0.2) > 0.99);
}

#[test]
fn same_bytes_on_any_number_of_threads() {
    let domain = room(32, 3);
    let smoke = plume(&domain);
    let view = view(&smoke, &domain);
    let on =
        |n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap().install(|| render_smoke(&view));
    let one = on(1);
    assert!(one == on(3) && one == on(2));
}

#[test]
fn coarse_cells_do_not_show_as_blocks() {
    // The same linear field in fine and in coarse cells gives the same picture.
    let domain = room(32, 3);
    let ramp = |size: u32| {
        let n = 32 / size;
        let place = |x: u32, y: u32, z: u32| (z * (n + 1) + y) * (n + 1) + x;
        let mut smoke = block(&domain, 0, 32, size, 0.0);
        for (i, cell) in (0..).zip(&mut smoke.cells) {
            let (x, y, z) = (i % n, i / n % n, i / (n * n));
            cell.corners = std::array::from_fn(|c| {
                let c = c as u32;
                place(x + (c & 1), y + (c >> 1 & 1), z + (c >> 2))
            });
        }
        let value = |i: u32| 0.08 * (i / (n + 1) % (n + 1)) as f32 / n as f32;
        smoke.density = (0..(n + 1).pow(3)).map(value).collect();
        smoke
    };
    let [fine, coarse] = [1, 8].map(|size| render_smoke(&view(&ramp(size), &domain)));
    let worst = fine.rgb.iter().zip(&coarse.rgb).map(|(a, b)| a.abs_diff(*b)).max();
    assert!(worst < Some(8), "{worst:?}");
}

#[test]
fn a_picture_without_smoke_or_with_bad_smoke_is_a_picture() {
    let domain = room(32, 3);
    let mut smoke = plume(&domain);
    let none = render_smoke(&SmokeView { smoke: None, ..view(&smoke, &domain) });
    let with = render_smoke(&view(&smoke, &domain));
    let changed = with.rgb.iter().zip(&none.rgb).filter(|(a, b)| a.abs_diff(**b) > 20).count();
    assert!(changed > 1000, "{changed}");
    smoke.density.iter_mut().step_by(2).for_each(|d| *d = f32::NAN);
    smoke.density.iter_mut().skip(1).step_by(2).for_each(|d| *d = -1.0);
    assert!(render_smoke(&view(&smoke, &domain)) == none);
    assert!(render_smoke(&SmokeView { width: 0, ..view(&smoke, &domain) }).rgb.is_empty());
}

#[test]
fn cameras_in_smoke_see_smoke() {
    let domain = room(32, 3);
    let smoke = block(&domain, 4, 28, 4, 1.0);
    let camera = Camera { position: DVec3::splat(0.5), target: DVec3::new(0.5, 0.5, 0.0), fov: 50.0 };
    let picture = render_smoke(&SmokeView { camera: Some(&camera), ..view(&smoke, &domain) });
    let spread = picture.rgb.iter().max().unwrap() - picture.rgb.iter().min().unwrap();
    assert!(spread < 60, "{spread}");
}
