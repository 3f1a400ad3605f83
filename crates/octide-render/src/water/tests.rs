use super::*;
use crate::bvh::Ray;
use crate::stage::FirstHit;
use glam::{DVec3, Vec3};

use crate::shapes::{ball, join, liquid, tank};

fn domain(origin: [f64; 3], size: [f64; 3]) -> Domain {
    Domain { origin: DVec3::from(origin), size: DVec3::from(size), resolution: 64, levels: 4 }
}

fn basin(n: u32) -> Surface {
    let top = |x: f32, z: f32| 0.4 + 0.04 * (9.0 * x + 4.0 * z).sin();
    let drop = ball([0.45, 0.72, 0.5], [0.11; 3], n / 2);
    liquid(join(tank([0.0; 3], [1.0; 3], [n, n / 3, n], top), drop))
}

fn view<'a>(surface: &'a Surface, domain: &'a Domain) -> WaterView<'a> {
    WaterView { surface, solids: &[], domain, camera: None, width: 160, height: 90, samples: 4 }
}

fn pixel(p: &Picture, x: u32, y: u32) -> [f32; 3] {
    let at = 3 * (y * p.width + x) as usize;
    [0, 1, 2].map(|i| f32::from(p.rgb[at + i]))
}

#[test]
fn same_bytes_on_any_number_of_threads() {
    let (surface, domain) = (basin(48), domain([0.0; 3], [1.0; 3]));
    let solid = ball([0.6, 0.4, 0.6], [0.15; 3], 16);
    let solids = [(&solid, Pose::IDENTITY)];
    let view = WaterView { solids: &solids, ..view(&surface, &domain) };
    let on =
        |n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap().install(|| render_water(&view));
    let one = on(1);
    assert_eq!(one.rgb.len(), 160 * 90 * 3);
    assert!(one == on(3));
    assert!(one == on(2));
}

#[test]
fn water_is_blue_green_and_nothing_is_black() {
    let (surface, domain) = (basin(48), domain([0.0; 3], [1.0; 3]));
    let with = render_water(&view(&surface, &domain));
    let without = render_water(&view(&Surface::default(), &domain));
    let mut wet = 0;
    for y in 0..90 {
        for x in 0..160 {
            let [r, g, b] = pixel(&with, x, y);
            assert!(r.max(g).max(b) > 40.0, "black at {x}, {y}");
            wet += u32::from(b > r + 40.0 && g > r + 20.0);
            let [r, g, b] = pixel(&without, x, y);
            assert!((r - g).abs() < 30.0 && (g - b).abs() < 30.0, "color without water at {x}, {y}");
        }
    }
    assert!(wet > 1500, "{wet} pixels of water");
}

#[test]
fn a_glass_and_a_lake_look_alike() {
    let small = basin(32);
    let scale = 64.0f32;
    let mut large = small.clone();
    for p in &mut large.mesh.positions {
        *p = [p[0] * scale + 128.0, p[1] * scale - 32.0, p[2] * scale];
    }
    let a = render_water(&view(&small, &domain([0.0; 3], [1.0; 3])));
    let b = render_water(&view(&large, &domain([128.0, -32.0, 0.0], [64.0; 3])));
    let off = a.rgb.iter().zip(&b.rgb).filter(|(a, b)| a.abs_diff(**b) > 8).count();
    assert!(off < a.rgb.len() / 200, "{off} bytes differ");
}

#[test]
fn still_water_on_the_floor_does_not_mirror_below() {
    // Through the side of a block of water one sees the floor below it, not a reflection of the background.
    let domain = domain([0.0; 3], [1.0; 3]);
    let surface = liquid(tank([0.0; 3], [1.0; 3], [8; 3], |_, _| 0.5));
    let stage = Stage::new(&surface, &[], &domain);
    let ray = Ray::new(Vec3::new(0.0, 0.3, 0.3), Vec3::new(0.1, -0.4, -0.5).normalize());
    assert!(matches!(stage.first_hit(&ray), FirstHit::Floor(_)));
    let ray = Ray::new(Vec3::new(0.0, 0.3, 0.3), Vec3::new(0.1, -0.04, -0.5).normalize());
    assert!(matches!(stage.first_hit(&ray), FirstHit::Water(_)));
    assert!(stage.submerged(Vec3::new(0.0, 0.3, 0.3)));
    assert!(!stage.submerged(Vec3::new(0.0, 0.7, 0.3)));
}

#[test]
fn water_that_ends_at_a_solid_touches_it() {
    let domain = domain([0.0; 3], [1.0; 3]);
    let surface = liquid(tank([0.0; 3], [0.5, 1.0, 1.0], [8; 3], |_, _| 0.5));
    let block = |x: f32| tank([x, 0.0, 0.0], [0.8, 1.0, 1.0], [1; 3], |_, _| 1.0);
    let ray = Ray::new(Vec3::new(-0.3, 0.3, 0.0), Vec3::X);
    for (x, touches) in [(0.5, true), (0.51, true), (0.6, false)] {
        let solid = block(x);
        let stage = Stage::new(&surface, &[(&solid, Pose::IDENTITY)], &domain);
        assert_eq!(matches!(stage.first_hit(&ray), FirstHit::Solid(_)), touches, "block at {x}");
    }
}

#[test]
fn shadows_and_poses_follow_solids() {
    let domain = domain([0.0; 3], [1.0; 3]);
    let solid = ball([0.0; 3], [0.1; 3], 16);
    let pose = Pose { position: DVec3::new(0.5, 0.5, 0.5), rotation: glam::DQuat::IDENTITY };
    let stage = Stage::new(&Surface::default(), &[(&solid, pose)], &domain);
    let foot = Vec3::new(0.0, 0.5, 0.0) - crate::sky::sun() * (0.5 / crate::sky::sun().y);
    let floor = crate::floor::FloorLight::new(&stage);
    let lit = |p: Vec3| floor.color(p, 0.5).x;
    assert!(lit(foot) < 0.5 * lit(foot + 0.4 * Vec3::Z), "{} {}", lit(foot), lit(foot + 0.4 * Vec3::Z));
    assert!(stage.sunlight(foot, crate::sky::sun()) == Vec3::ZERO);
}

#[test]
fn water_tints_the_light_that_it_lets_through() {
    let domain = domain([0.0; 3], [1.0; 3]);
    let stage = Stage::new(&liquid(tank([0.0; 3], [1.0; 3], [8; 3], |_, _| 0.5)), &[], &domain);
    let light = stage.sunlight(Vec3::new(0.0, 0.1, 0.0), Vec3::Y);
    assert!(light.x < 0.6 * light.z && light.x > 0.0, "{light}");
    assert_eq!(stage.sunlight(Vec3::new(0.0, 0.7, 0.0), Vec3::Y), Vec3::ONE);
    let (t1, t2) = (stage.transmittance(0.5), stage.transmittance(1.0));
    assert!(t2.cmplt(t1).all() && stage.transmittance(0.0) == Vec3::ONE);
}

#[test]
fn broken_meshes_are_drawn_as_far_as_they_go() {
    let domain = domain([0.0; 3], [1.0; 3]);
    let mut surface = basin(16);
    surface.mesh.positions[3] = [f32::NAN; 3];
    surface.mesh.triangles[20] = [0, 1, 1_000_000];
    surface.mesh.triangles[21] = [5, 5, 5];
    surface.normals.clear();
    let picture = render_water(&view(&surface, &domain));
    assert!(picture != render_water(&view(&Surface::default(), &domain)));
    let none = WaterView { width: 0, ..view(&surface, &domain) };
    assert!(render_water(&none).rgb.is_empty());
}

#[test]
fn a_camera_in_the_water_sees_water() {
    let (surface, domain) = (basin(24), domain([0.0; 3], [1.0; 3]));
    let camera = Camera { position: DVec3::new(0.2, 0.2, 0.8), target: DVec3::new(0.8, 0.1, 0.2), fov: 60.0 };
    let picture = render_water(&WaterView { camera: Some(&camera), ..view(&surface, &domain) });
    let [r, g, b] = pixel(&picture, 80, 45);
    assert!(b > r + 30.0 && g > r + 20.0, "{r} {g} {b}");
}

#[test]
fn edges_get_more_rays() {
    let (surface, domain) = (basin(24), domain([0.0; 3], [1.0; 3]));
    let smooth = render_water(&view(&surface, &domain));
    let raw = render_water(&WaterView { samples: 0, ..view(&surface, &domain) });
    let changed = smooth.rgb.iter().zip(&raw.rgb).filter(|(a, b)| a != b).count();
    assert!(changed > 1000 && changed < smooth.rgb.len() / 2, "{changed}");
}
