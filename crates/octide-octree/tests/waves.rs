//! Waves have the speed that theory gives them, whatever the height of the still level on the grid.
#![allow(clippy::unwrap_used)] // a test may fail loudly

mod common;

use common::*;
use glam::DVec3;
use octide_core::contract::{Method, TimeStep};
use octide_core::geometry::{MeshSdf, MeshShape, Shape, TriMesh};
use octide_core::probes;
use octide_core::scene::{Liquid, Probe, ProbeKind, Scene, Seeding};
use octide_octree::OctreeLiquid;
use std::f64::consts::PI;
use std::sync::Arc;

const G: f64 = 9.81;

/// Water below y = top(x) for x from 0 to `length`, far beyond the walls on all other sides.
fn below(length: f64, top: impl Fn(f64) -> f64) -> Shape {
    const PARTS: u32 = 900;
    let mut mesh = TriMesh::default();
    for i in 0..=PARTS {
        let x = length * (3.0 * f64::from(i) / f64::from(PARTS) - 1.0);
        let y = top(x);
        for (y, z) in [(-length, -length), (-length, 2.0 * length), (y, 2.0 * length), (y, -length)] {
            mesh.positions.push([x as f32, y as f32, z as f32]);
        }
    }
    let mut quad = |a: u32, b: u32, c: u32, d: u32| mesh.triangles.extend([[a, b, c], [a, c, d]]);
    for i in 0..PARTS {
        for side in 0..4 {
            let next = (side + 1) % 4;
            quad(4 * i + side, 4 * i + 4 + side, 4 * i + 4 + next, 4 * i + next);
        }
    }
    quad(0, 1, 2, 3);
    let end = 4 * PARTS;
    quad(end + 3, end + 2, end + 1, end);
    let sdf = MeshSdf::new(&mesh).unwrap();
    Shape::Mesh(Arc::new(MeshShape { source: "wave".to_owned(), sdf, is_shell: false }))
}

/// A tank of `length` cells, four cells wide, with a liquid and gauges along its middle.
fn tank(length: u32, height: u32, dx: f64, shape: Shape, levels: u8) -> Scene {
    let size = dx * DVec3::new(f64::from(length), f64::from(height), 4.0);
    let mut scene = scene(size, length, levels);
    scene.physics.gravity = DVec3::new(0.0, -G, 0.0);
    scene.adaptivity.along_surface = false;
    scene.numerics.particles = Seeding::Off;
    scene.liquids = vec![Liquid { shape, velocity: DVec3::ZERO, roughness: 0.0 }];
    let gauge = |i: u32| ProbeKind::Gauge(dx * DVec3::new(f64::from(i) + 0.5, 0.0, 2.0));
    scene.probes = (0..length).map(|i| Probe { name: String::new(), kind: gauge(i) }).collect();
    scene
}

/// Returns the period's relative error of the first standing wave in a tank of 1 m with `n` cells of depth and a
/// `rest` of one, less that of the time step: steps of dt have a period that is shorter by (ω dt)²/24.
fn sloshing_error(n: u32, rest: f64) -> f64 {
    let dx = 0.5 / f64::from(n);
    let (depth, amplitude) = (0.5 + rest * dx, 0.01);
    let scene = tank(2 * n, 4 * (3 * n / 8), dx, below(1.0, |x| depth + amplitude * (PI * x).cos()), 0);
    let omega = (G * PI * (PI * depth).tanh()).sqrt();
    let mut sim = OctreeLiquid::new(&scene);
    let dt = 1.0 / 60.0;
    let (mut last, mut crossings) = (f64::NAN, Vec::new());
    for i in 1.. {
        sim.step(TimeStep::new(dt).unwrap()).unwrap();
        let heights = probes::read(&scene, &sim);
        let part = |i: usize| (heights[2 * i].unwrap() - depth) * (PI * dx * (i as f64 + 0.5)).cos();
        let mode: f64 = (0..scene.probes.len()).map(part).sum();
        if (last > 0.0) != (mode > 0.0) && last.is_finite() {
            crossings.push(dt * (f64::from(i) - mode / (mode - last)));
        }
        if crossings.len() == 6 {
            break;
        }
        last = mode;
    }
    let period = 2.0 * (crossings[5] - crossings[0]) / 5.0;
    let error = period * omega / (2.0 * PI) - 1.0 + (omega * dt).powi(2) / 24.0;
    println!("{n} cells of depth, rest {rest}: {error}");
    error
}

#[test]
fn sloshing_has_the_right_period_at_every_level() {
    for rest in [0.0, 1.0 / 3.0, 0.5] {
        let [coarse, fine] = [8, 16].map(|n| sloshing_error(n, rest).abs());
        // Second order on a uniform grid: the error falls to a quarter.
        assert!(coarse < 0.012 && fine < 0.003, "{rest}: {coarse}, {fine}");
    }
}

/// η and the velocity of a solitary wave of height `e` over still water of depth 1, c₀ = √(gh) = 1, to the second
/// order in `e` (Grimshaw 1971), at `x` from its crest and `y` above the bottom.
fn solitary(e: f64, x: f64, y: f64) -> (f64, DVec3) {
    let a = (0.75 * e).sqrt() * (1.0 - 0.625 * e);
    let (s, t) = ((a * x).cosh().powi(-2), (a * x).tanh());
    let eta = e * s - 0.75 * e * e * s * t * t;
    let u = e * s - e * e * (-0.25 * s + s * s + y * y * (1.5 * s - 2.25 * s * s));
    let w = (3.0 * e).sqrt() * y * t * s * (e - e * e * (0.375 + 2.0 * s + y * y * (0.5 - 1.5 * s)));
    (eta, DVec3::new(u, w, 0.0))
}

#[test]
fn a_solitary_wave_gains_no_energy_and_keeps_its_speed() {
    const HEIGHT: f64 = 0.2;
    let (depth, dx, length) = (0.1, 0.1 / 8.0, 192);
    let start = 6.0 * depth;
    let shape =
        below(dx * f64::from(length), |x| depth * (1.0 + solitary(HEIGHT, (x - start) / depth, 0.0).0));
    let scene = tank(length, 16, dx, shape, 2);
    let mut sim = OctreeLiquid::new(&scene);
    let c0 = (G * depth).sqrt();
    sim.set_velocity(&|p| c0 * solitary(HEIGHT, (p.x - start) / depth, (p.y / depth).min(1.5)).1);
    // Kinetic and potential energy above that of the same water at rest.
    let energy = |sim: &OctreeLiquid| {
        let t = sim.totals();
        let rest = 0.5 * 1000.0 * G * t.volume.powi(2) / (dx * f64::from(length) * 4.0 * dx);
        t.kinetic_energy + t.potential_energy - rest
    };
    // The middle between the places where the surface has half the crest's height.
    let place = |sim: &OctreeLiquid| {
        let v: Vec<f64> = probes::read(&scene, sim).iter().step_by(2).map(|v| v.unwrap() - depth).collect();
        let top = (0..v.len()).max_by(|&a, &b| v[a].total_cmp(&v[b])).unwrap();
        let half = 0.5 * v[top];
        let cross = |i: usize, j: usize| i as f64 + (v[i] - half) / (v[i] - v[j]) * (j as f64 - i as f64);
        let left = (0..top).rev().find(|&i| v[i] <= half).unwrap();
        let right = (top..v.len()).find(|&i| v[i] <= half).unwrap();
        dx * 0.5 * (cross(left, left + 1) + cross(right, right - 1))
    };
    let (steps, dt) = (56, 1.0 / 60.0);
    let first = energy(&sim);
    let (mut most, mut middle) = (1.0f64, f64::NAN);
    for i in 0..steps {
        sim.step(TimeStep::new(dt).unwrap()).unwrap();
        most = most.max(energy(&sim) / first);
        if i + 1 == steps / 2 {
            middle = place(&sim);
        }
    }
    let speed = (place(&sim) - middle) / (dt * f64::from(steps / 2));
    let exact = c0 * (1.0 + HEIGHT - HEIGHT.powi(2) / 20.0 - 3.0 / 70.0 * HEIGHT.powi(3)).sqrt();
    println!("energy at most {most}, speed over theory {}", speed / exact);
    assert!(most < 1.005, "{most}");
    assert!((speed / exact - 1.0).abs() < 0.003, "{}", speed / exact);
}

/// A surface that follows the content of cells with a delay makes short waves grow: the energy rose fivefold.
#[test]
fn waves_do_not_grow() {
    let dx = 1.0 / 28.0;
    let scene = tank(28, 24, dx, below(1.0, |x| 0.5 + 0.015 * (1.0 - 2.0 * x)), 1);
    let mut sim = OctreeLiquid::new(&scene);
    let energies: Vec<f64> =
        (0..120).map(|_| sim.step(TimeStep::new(1.0 / 30.0).unwrap()).unwrap().kinetic_energy).collect();
    let most = |part: &[f64]| part.iter().copied().fold(0.0, f64::max);
    let (first, last) = (most(&energies[..40]), most(&energies[80..]));
    assert!(last < 1.02 * first, "{first} {last}");
    assert!(last > 0.5 * first, "{first} {last}");
}
