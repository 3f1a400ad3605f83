//! Smoke in volume files: every voxel has what its cell has at its center.

use super::path;
use super::reader::{File, Grid, parse};
use glam::DVec3;
use octide_core::contract::{Smoke, SmokeCell};
use octide_core::index::NodeId;
use octide_core::octree::{Grading, Nodes, Octree};
use octide_core::par;
use octide_core::scene::{Domain, Up};
use octide_io::vdb::{read_smoke, write_smoke};
use std::fs;

const CENTER: DVec3 = DVec3::new(-0.6, 0.8, 2.4);
const RADIUS: f64 = 0.3;

fn density(p: DVec3) -> f64 {
    (1.0 - p.distance(CENTER) / RADIUS).max(0.0)
}

/// A ball of smoke in cells of 1 to 16 finest ones, with jumps.
fn ball() -> Smoke {
    let domain = Domain {
        origin: DVec3::new(-1.0, 0.25, 2.0),
        size: DVec3::new(1.0, 2.0, 1.0),
        resolution: 128,
        levels: 4,
    };
    let tree = Octree::build(&domain.root_grid(), Grading::Unrestricted, |b| {
        let d = b.center.distance(CENTER) - 0.5 * RADIUS;
        d.abs() < 0.7 * b.size && (b.level < 2 || b.center.x > CENTER.x)
    });
    let nodes = Nodes::new(&tree);
    let place = |v: NodeId| domain.origin + 0.5 * domain.dx() * nodes.place(v).as_dvec3();
    let mut rho = par::map(nodes.len(), |v: NodeId| density(place(v)));
    nodes.constrain(&tree, &mut rho);
    let warm = par::map(nodes.len(), |v: NodeId| 40.0 * rho[v]);
    let flow = par::map(nodes.len(), |v: NodeId| place(v) - CENTER);
    Smoke::at_corners(&tree, &nodes, &rho, &warm, &flow)
}

fn cell_at(smoke: &Smoke, p: DVec3) -> Option<(&SmokeCell, [f32; 3])> {
    let x = (p - smoke.origin) / smoke.dx;
    let cell = smoke
        .cells
        .iter()
        .find(|c| x.cmpge(c.low.as_dvec3()).all() && x.cmplt((c.low + c.size).as_dvec3()).all())?;
    Some((cell, ((x - cell.low.as_dvec3()) / f64::from(cell.size)).as_vec3().to_array()))
}

fn inner(p: [f64; 3], up: Up) -> DVec3 {
    match up {
        Up::Y => DVec3::from_array(p),
        Up::Z => DVec3::new(p[0], p[2], -p[1]),
    }
}

fn written(name: &str, smoke: &Smoke, up: Up) -> File {
    let path = path(name);
    write_smoke(&path, smoke, 0.25, up).unwrap();
    let bytes = fs::read(&path).unwrap();
    fs::remove_dir_all(path.parent().unwrap()).unwrap();
    parse(&bytes)
}

#[test]
fn every_voxel_has_what_its_cell_has_at_its_center() {
    let smoke = ball();
    assert!(smoke.cells.iter().any(|c| c.size == 16) && smoke.cells.iter().any(|c| c.size == 1));
    for up in [Up::Y, Up::Z] {
        let file = written("fog", &smoke, up);
        let [rho, warm, flow] = file.grids.as_slice() else { panic!("{} grids", file.grids.len()) };
        assert_eq!([rho, warm, flow].map(|g| g.name.as_str()), ["density", "temperature", "velocity"]);
        let kinds = ["Tree_float_5_4_3", "Tree_float_5_4_3_HalfFloat", "Tree_vec3s_5_4_3_HalfFloat"];
        assert_eq!([rho, warm, flow].map(|g| g.kind.as_str()), kinds);
        let text = |g: &Grid| g.text("class");
        assert_eq!([rho, warm, flow].map(text), ["fog volume", "fog volume", "unknown"]);
        let active = rho.active();
        for (i, &(voxel, [value, ..])) in active.iter().enumerate().filter(|(i, _)| i % 7 == 0) {
            let (cell, at) = cell_at(&smoke, inner(rho.position(voxel), up)).unwrap();
            assert!((value - cell.mix(&smoke.density, at)).abs() < 1e-5, "{i}");
            let (t, is_on) = warm.at(voxel);
            assert!(is_on && (t[0] - cell.mix(&smoke.temperature, at)).abs() < 0.02);
            let u = cell.mix_vector(&smoke.velocity, at);
            let u = if up == Up::Y { u } else { [u[0], -u[2], u[1]] };
            assert!((0..3).all(|a| (flow.at(voxel).0[a] - u[a]).abs() < 1e-3));
        }
        // All of the smoke is there but for what is too thin: a cell's mean is that of its corners.
        let mean = |c: &SmokeCell| {
            c.corners.iter().map(|&v| f64::from(smoke.density[v as usize])).sum::<f64>() / 8.0
        };
        let whole: f64 = smoke.cells.iter().map(|c| mean(c) * f64::from(c.size).powi(3)).sum();
        let written: f64 = active.iter().map(|v| f64::from(v.1[0])).sum();
        assert!(written <= whole * 1.0001 && written > 0.999 * whole, "{written} {whole}");
        assert_eq!(rho.int64("file_voxel_count"), active.len() as i64);
    }
}

#[test]
fn density_can_be_read_back() {
    let smoke = ball();
    for up in [Up::Y, Up::Z] {
        let path = path("back");
        write_smoke(&path, &smoke, 0.25, up).unwrap();
        let (back, time) = read_smoke(&path).unwrap();
        assert_eq!(time, 0.25);
        let mut seen = 0;
        for i in 0..2000u32 {
            // At voxels' centers it is what was written, but for what was too thin.
            let v = [0x9e37u32, 0x85eb, 0xc2b2].map(|k| f64::from(i.wrapping_mul(k) % 997 % 48) - 24.0);
            let middle = ((CENTER - smoke.origin) / smoke.dx).floor();
            let p = smoke.origin + smoke.dx * (middle + DVec3::from_array(v) + 0.5);
            let of = |s: &Smoke| cell_at(s, p).map_or(0.0, |(cell, at)| cell.mix(&s.density, at));
            assert!((of(&smoke) - of(&back)).abs() < 1.1e-3, "{up:?} {p}: {} {}", of(&smoke), of(&back));
            seen += u32::from(of(&back) > 0.1);
        }
        assert!(seen > 200, "{seen}");
        // Any damage is told, never a panic.
        let bytes = fs::read(&path).unwrap();
        for n in (0..bytes.len()).step_by(bytes.len() / 12) {
            fs::write(&path, &bytes[..n]).unwrap();
            assert!(read_smoke(&path).is_err(), "{n}");
        }
        fs::remove_dir_all(path.parent().unwrap()).unwrap();
    }
}

#[test]
fn no_smoke_is_a_valid_file_without_voxels() {
    let mut smoke = ball();
    smoke.density.fill(1e-6);
    smoke.temperature.fill(0.0);
    let file = written("none", &smoke, Up::Y);
    assert_eq!(file.grids.iter().map(|g| g.n_leaves).sum::<usize>(), 0);
}
