//! Volume files, read by an independent reader.

#![allow(clippy::unwrap_used, reason = "the lint lets tests unwrap, but not their helpers")]

mod reader;
mod smoke;

use glam::DVec3;
use octide_core::contract::{Sample, StateView};
use octide_core::scene::{Domain, Up};
use octide_io::Error;
use octide_io::vdb::write_volume;
use reader::{File, Grid, Node, Slot, parse};
use std::fs;
use std::path::{Path, PathBuf};

/// A ball of liquid that rotates about the y axis and drifts.
struct Ball {
    center: DVec3,
    radius: f64,
}

/// Implements a view of a liquid that has only distance and velocity, which is all that volumes are made
/// from.
macro_rules! view_of_surface {
    ($view:ty, $distance:expr, $velocity:expr) => {
        impl StateView for $view {
            fn surface_distance(&self, p: DVec3) -> f64 {
                $distance(self, p)
            }
            fn surface_velocity(&self, p: DVec3) -> DVec3 {
                $velocity(self, p)
            }
            fn liquid_distance(&self, _: DVec3) -> f64 {
                unimplemented!("volumes show the frame's surface")
            }
            fn detail(&self, _: DVec3) -> f64 {
                unimplemented!("voxels are of one size")
            }
            fn sample(&self, _: DVec3) -> Sample {
                unimplemented!("volumes hold distances and velocities only")
            }
        }
    };
}

view_of_surface!(Ball, |b: &Ball, p: DVec3| p.distance(b.center) - b.radius, |b: &Ball, p: DVec3| {
    let r = p - b.center;
    DVec3::new(r.z, 0.25, -r.x)
});

/// Liquid everywhere if the number is negative.
struct Everywhere(f64);

view_of_surface!(Everywhere, |e: &Everywhere, _| e.0, |_, _| DVec3::ZERO);

fn domain(origin: DVec3, size: DVec3, resolution: u32) -> Domain {
    Domain { origin, size, resolution, levels: 2 }
}

fn path(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("octide-vdb-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&dir);
    fs::create_dir_all(&dir).unwrap();
    dir.join("0000.vdb")
}

fn written(name: &str, liquid: &dyn StateView, domain: &Domain, up: Up) -> File {
    let path = path(name);
    write_volume(&path, liquid, domain, 0.25, up).unwrap();
    let file = parse(&fs::read(&path).unwrap());
    assert_eq!(file.grids.iter().map(|g| g.name.as_str()).collect::<Vec<_>>(), ["surface", "velocity"]);
    file
}

/// Returns half the spacing of 16-bit floats of this size.
fn half_step(value: f64) -> f64 {
    (value.abs() * 2f64.powi(-11)).max(2f64.powi(-25))
}

fn check_ball(file: &File, ball: &Ball, dx: f64, up: Up) {
    let [surface, velocity] = &file.grids[..] else { panic!("two grids") };
    let from_file = |v: DVec3| if up == Up::Y { v } else { DVec3::new(v.x, v.z, -v.y) };
    let band = 3.0 * dx;
    assert!((f64::from(surface.background[0]) - band).abs() < 1e-7 * band);
    let (low, high) = (surface.vector("file_bbox_min"), surface.vector("file_bbox_max"));
    let mut n_active = 0;
    let near = ball.radius + 6.0 * dx;
    // Every voxel around the ball, not only those that are stored.
    for i in low[0] - 20..=high[0] + 20 {
        for j in low[1] - 20..=high[1] + 20 {
            for k in low[2] - 20..=high[2] + 20 {
                let voxel = [i, j, k];
                let p = from_file(DVec3::from_array(surface.position(voxel)));
                let phi = ball.surface_distance(p);
                let (value, active) = surface.at(voxel);
                let value = f64::from(value[0]);
                let expected = phi.clamp(-band, band);
                assert!((value - expected).abs() < 1e-6 * dx + 1e-7 * near, "{voxel:?}: {value} {expected}");
                assert!(active == (phi.abs() < band) || (phi.abs() - band).abs() < 1e-6 * dx, "{voxel:?}");
                n_active += i64::from(active);
                let (v, v_active) = velocity.at(voxel);
                assert_eq!(active, v_active);
                let v = from_file(DVec3::new(v[0].into(), v[1].into(), v[2].into()));
                let expected = if active { ball.surface_velocity(p) } else { DVec3::ZERO };
                for a in 0..3 {
                    assert!((v[a] - expected[a]).abs() <= 1.001 * half_step(expected[a]) + 1e-6 * near);
                }
            }
        }
    }
    for grid in [surface, velocity] {
        assert_eq!(grid.int64("file_voxel_count"), n_active);
        let active = grid.active();
        assert_eq!(active.len() as i64, n_active);
        for a in 0..3 {
            assert_eq!(active.iter().map(|v| v.0[a]).min(), Some(grid.vector("file_bbox_min")[a]));
            assert_eq!(active.iter().map(|v| v.0[a]).max(), Some(grid.vector("file_bbox_max")[a]));
        }
    }
}

#[test]
fn a_ball_is_exact_in_every_voxel_with_liquid_tiles_inside() {
    let ball = Ball { center: DVec3::new(0.51, 0.62, 0.43), radius: 0.3 };
    let domain = domain(DVec3::ZERO, DVec3::ONE, 96);
    for up in [Up::Y, Up::Z] {
        let file = written("ball", &ball, &domain, up);
        check_ball(&file, &ball, domain.dx(), up);
        // Only the bricks of the shell: the whole domain has 13³.
        assert!((200..700).contains(&file.grids[0].n_leaves), "{}", file.grids[0].n_leaves);
    }
}

#[test]
fn places_far_below_zero_are_as_good() {
    let origin = DVec3::new(-1000.0, -37.5, -5e4);
    let ball = Ball { center: origin + DVec3::new(1.0, 1.25, 0.75), radius: 0.6 };
    let domain = domain(origin, DVec3::new(2.0, 2.5, 1.5), 80);
    for up in [Up::Y, Up::Z] {
        check_ball(&written("far", &ball, &domain, up), &ball, domain.dx(), up);
    }
}

#[test]
fn walls_close_the_liquid() {
    let domain = domain(DVec3::new(0.5, -0.25, 2.0), DVec3::new(1.0, 0.5, 0.75), 64);
    let dx = domain.dx();
    let file = written("full", &Everywhere(-10.0), &domain, Up::Y);
    let surface = &file.grids[0];
    for (voxel, value) in surface.active() {
        let p = DVec3::from_array(surface.position(voxel));
        let beyond = (domain.origin - p).max(p - domain.origin - domain.size);
        let inside = beyond.max_element();
        let wall = if inside > 0.0 { beyond.max(DVec3::ZERO).length() } else { inside };
        assert!((f64::from(value[0]) - wall).abs() < 1e-6 * dx, "{p}: {value:?}");
    }
    let n = (domain.size / dx).round().as_ivec3() + 6;
    let (low, high) = (surface.vector("file_bbox_min"), surface.vector("file_bbox_max"));
    // The band reaches a distance of 2.5 voxels, measured perpendicular to the walls only.
    assert_eq!([0, 1, 2].map(|a| high[a] - low[a] + 1), n.to_array());
    // In the middle of the liquid.
    let (value, active) = surface.at([0, 1, 2].map(|a| (low[a] + high[a]) / 2));
    assert_eq!((value[0], active), (-surface.background[0], false));
}

/// Farther out than an upper node of 4096 voxels reaches, and with a whole lower node of 128 inside.
#[test]
fn large_volumes_have_liquid_tiles_of_all_sizes() {
    let domain = domain(DVec3::ZERO, DVec3::new(4200.0, 380.0, 380.0), 4200);
    let ball = Ball { center: DVec3::new(4028.0, 188.0, 188.0), radius: 150.0 };
    let file = written("large", &ball, &domain, Up::Z);
    let surface = &file.grids[0];
    let n_lower = |node: &Node| node.slots.iter().filter(|s| matches!(s, Slot::Child(_))).count();
    assert_eq!(surface.uppers.len(), 2);
    assert!(surface.uppers.values().map(n_lower).sum::<usize>() < 4 * 4 * 4, "one is a tile");
    for step in -40..40 {
        for axis in 0..3 {
            let mut p = ball.center + 0.5;
            p[axis] += 5.0 * f64::from(step);
            let at = DVec3::new(p.x, -p.z, p.y);
            let voxel = surface.voxel(at.to_array());
            let phi = ball.surface_distance(p).clamp(-3.0, 3.0);
            assert!((f64::from(surface.at(voxel).0[0]) - phi).abs() < 1e-3, "{p}");
        }
    }
}

#[test]
fn no_liquid_is_a_valid_file_without_voxels() {
    let domain = domain(DVec3::ZERO, DVec3::ONE, 64);
    let file = written("empty", &Everywhere(10.0), &domain, Up::Y);
    for grid in &file.grids {
        assert!(grid.uppers.is_empty());
        assert_eq!(grid.int64("file_voxel_count"), 0);
    }
    assert!((file.grids[0].background[0] - 3.0 / 64.0).abs() < 1e-9);
}

#[test]
fn grids_say_what_they_are() {
    let ball = Ball { center: DVec3::splat(0.5), radius: 0.2 };
    let domain = domain(DVec3::new(1.0, 2.0, 3.0), DVec3::ONE, 32);
    let file = written("says", &ball, &domain, Up::Z);
    let creator = format!("octide {}", env!("CARGO_PKG_VERSION"));
    assert_eq!(file.metadata["creator"], ("string".to_owned(), creator.clone().into_bytes()));
    let [surface, velocity] = &file.grids[..] else { panic!("two grids") };
    assert_eq!(
        (surface.kind.as_str(), velocity.kind.as_str()),
        ("Tree_float_5_4_3", "Tree_vec3s_5_4_3_HalfFloat")
    );
    assert_eq!((surface.text("class"), velocity.text("class")), ("level set".into(), "unknown".into()));
    assert_eq!((surface.text("unit"), velocity.text("unit")), ("m".into(), "m/s".into()));
    assert_eq!(velocity.metadata["is_saved_as_half_float"], ("bool".to_owned(), vec![1]));
    assert_eq!(velocity.background, [0.0; 3]);
    for grid in [surface, velocity] {
        assert_eq!(grid.text("name"), grid.name);
        assert_eq!((grid.text("up").as_str(), grid.text("creator")), ("z", creator.clone()));
        assert_eq!(grid.metadata["time"], ("double".to_owned(), 0.25f64.to_le_bytes().to_vec()));
        let dx = domain.dx();
        let scales = [dx, dx, 1.0 / dx, 1.0 / (dx * dx), 0.5 / dx];
        for (values, expected) in grid.map_values[1..].iter().zip(scales) {
            assert_eq!(*values, [expected; 3]);
        }
    }
    assert_eq!(same(surface), same(velocity), "one place for both");
}

fn same(grid: &Grid) -> (&str, &Vec<[f64; 3]>, [i32; 3]) {
    (&grid.map, &grid.map_values, grid.vector("file_bbox_min"))
}

#[test]
fn another_liquid_has_another_uuid_and_the_same_one_the_same_bytes() {
    let domain = domain(DVec3::ZERO, DVec3::ONE, 32);
    let uuid = |radius: f64| {
        let ball = Ball { center: DVec3::splat(0.5), radius };
        written("uuid", &ball, &domain, Up::Y).uuid
    };
    assert_eq!(uuid(0.2), uuid(0.2));
    assert_ne!(uuid(0.2), uuid(0.2 + 1e-6));
    assert!(uuid(0.2).bytes().enumerate().all(|(i, b)| match i {
        8 | 13 | 18 | 23 => b == b'-',
        _ => b.is_ascii_hexdigit(),
    }));
}

#[test]
fn a_place_that_cannot_be_written_is_the_disks_fault() {
    let domain = domain(DVec3::ZERO, DVec3::ONE, 16);
    let error =
        write_volume(Path::new("/nowhere/at/all.vdb"), &Everywhere(1.0), &domain, 0.0, Up::Y).unwrap_err();
    assert!(Error::from(error).is_disk());
}
