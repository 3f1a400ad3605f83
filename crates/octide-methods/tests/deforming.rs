//! Solids that deform push the water, and thin ones hold it, with every method.
#![allow(clippy::unwrap_used)] // a test that fails may panic

use octide_core::DVec3;
use octide_core::contract::Method;
use octide_core::geometry::primitives::icosphere;
use octide_core::geometry::{MeshSequence, MeshSource, Motion, SequenceOptions, Shape, TriMesh};
use octide_core::scene::{Heading, Liquid, OpenSides, Release, Scene, SmokeSource, Solid, VolumeCorrection};
use octide_core::snapshot::Snapshot;
use octide_methods::{Simulation, SimulationError};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const RATE: f64 = 30.0;

fn sequence(meshes: Vec<TriMesh>, is_shell: bool) -> Solid {
    let n = meshes.len();
    let options = SequenceOptions { start: 0.0, rate: RATE, is_shell };
    Solid::deforming(MeshSequence::new(Arc::new(meshes), n, options).unwrap())
}

/// A tank of a meter with water up to a height, in front of `width`.
fn tank(method: &str, resolution: u32, width: f64, height: f64) -> Scene {
    let mut scene = Scene::empty(method, DVec3::ONE, resolution, 2);
    let shape = Shape::Box { min: DVec3::splat(-9.0), max: DVec3::new(width, height, 9.0) };
    scene.liquids = vec![Liquid { shape, velocity: DVec3::ZERO, roughness: 0.0 }];
    scene.time.fps = RATE;
    scene
}

/// Growth of the ball's radius in m/s.
const GROWTH: f64 = 0.3;

fn radius(t: f64) -> f64 {
    0.15 + GROWTH * t
}

const CENTER: DVec3 = DVec3::new(0.5, 0.35, 0.5);

/// A ball that grows under water; every second mesh has other triangles if `is_remeshed`.
fn growing_ball(method: &str, is_remeshed: bool) -> Scene {
    ball_at(method, 24, CENTER, is_remeshed).0
}

/// The same on other cells and elsewhere, with the volumes of its meshes.
fn ball_at(method: &str, resolution: u32, center: DVec3, is_remeshed: bool) -> (Scene, Vec<f64>) {
    let mut scene = tank(method, resolution, 9.0, 0.7);
    let levels = |k: u32| if is_remeshed { 3 + k % 2 } else { 3 };
    let mesh = |k: u32| icosphere(center, radius(f64::from(k) / RATE), levels(k));
    let meshes: Vec<TriMesh> = (0..9).map(mesh).collect();
    let volumes = meshes.iter().map(volume).collect();
    scene.solids = vec![sequence(meshes, false)];
    (scene, volumes)
}

/// Returns the volume inside a closed mesh.
fn volume(mesh: &TriMesh) -> f64 {
    let of = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| mesh.vertex(v));
        a.dot(b.cross(c)) / 6.0
    };
    mesh.triangles.iter().map(of).sum()
}

#[test]
fn a_growing_ball_pushes_the_water_away() {
    for method in octide_methods::NAMES {
        for is_remeshed in [false, true] {
            let scene = growing_ball(method, is_remeshed);
            let mut simulation = Simulation::start(&scene).unwrap();
            simulation.advance_to_frame(5).unwrap();
            let (t, view) = (simulation.time(), simulation.method().view());
            for n in [DVec3::X, DVec3::NEG_X, DVec3::Z, DVec3::NEG_Z, DVec3::new(0.8, 0.0, 0.6)] {
                // The flow of a source in front of the ball; walls slow it down a little.
                let d = radius(t) + 1.5 / 24.0;
                let expected = GROWTH * (radius(t) / d).powi(2);
                let found = view.sample(CENTER + d * n).velocity.dot(n);
                assert!(
                    found > 0.6 * expected && found < 1.3 * expected,
                    "{method}, remeshed {is_remeshed}, at {n}: {found} m/s for {expected} m/s"
                );
            }
        }
    }
}

#[test]
fn a_growing_ball_displaces_as_much_water_as_it_takes_up() {
    for method in octide_methods::NAMES {
        // The radius is four to five cells, then five to six. No correction of the volume helps.
        for (resolution, shift, limit) in [(24, 0.0, 0.03), (32, 0.3, 0.02)] {
            for is_remeshed in [false, true] {
                let center = CENTER + shift / f64::from(resolution);
                let (mut scene, ball) = ball_at(method, resolution, center, is_remeshed);
                scene.numerics.volume_correction = VolumeCorrection::Off;
                let mut simulation = Simulation::start(&scene).unwrap();
                let before = simulation.totals().volume;
                simulation.advance_to_frame(5).unwrap();
                // It was 0.29 and 0.26 with the velocity that the ball has when a step ends, 0.1 of it because the flow
                // inside the ball was continued to first order.
                let lost = (before - simulation.totals().volume) / (ball[5] - ball[0]);
                assert!(lost.abs() < limit, "{method}, {resolution} cells, remeshed {is_remeshed}: {lost}");
            }
        }
    }
}

/// How a sheet bends: by `amplitude` in m, with the frequency `omega` in 1/s.
#[derive(Clone, Copy)]
struct Bend {
    amplitude: f64,
    omega: f64,
}

/// A sheet across x that bends to and fro, with its edges beyond the tank.
fn bending_sheet(k: u32, n: u32, bend: Bend) -> TriMesh {
    let t = f64::from(k) / RATE;
    let at = |i: u32| 1.2 * f64::from(i) / f64::from(n) - 0.1;
    let position = |i: u32| {
        let (y, z) = (at(i % (n + 1)), at(i / (n + 1)));
        let x = 0.5 + bend.amplitude * (bend.omega * t).sin() * (3.1 * y).sin() * (0.5 + z);
        [x as f32, y as f32, z as f32]
    };
    let quad = |i: u32| {
        let v = i / n * (n + 1) + i % n;
        [[v, v + n + 1, v + 1], [v + 1, v + n + 1, v + n + 2]]
    };
    TriMesh {
        positions: (0..(n + 1).pow(2)).map(position).collect(),
        triangles: (0..n * n).flat_map(quad).collect(),
    }
}

/// Checks that water on one side of a sheet stays there for some frames.
fn check_that_it_holds(method: &str, is_remeshed: bool, bend: Bend, frames: u32) {
    let mut scene = tank(method, 20, 0.5, 0.4);
    let sheet = |k: u32| bending_sheet(k, if is_remeshed { 12 + k % 3 } else { 14 }, bend);
    scene.solids = vec![sequence((0..=frames).map(sheet).collect(), true)];
    let solids = scene.solids.clone();
    let mut simulation = Simulation::start(&scene).unwrap();
    for _ in 0..frames {
        let frame = simulation.next_frame().unwrap();
        let shape = solids[0].sequence.as_ref().unwrap().at(simulation.time(), None);
        assert_eq!(solids[0].sequence.as_ref().unwrap().failure(), None);
        // Behind the sheet: right of it by more than its thickness on the grid.
        let view = simulation.method().view();
        let beyond = |p: &DVec3| {
            let left = (0..40).any(|i| {
                let q = DVec3::new(p.x * f64::from(i) / 40.0, p.y, p.z);
                shape.shape().distance(q) < 0.02
            });
            left && shape.shape().distance(*p) > 0.05
        };
        let at = |i: u32| (f64::from(i) + 0.5) / 20.0;
        let points = (0..8000u32).map(|i| DVec3::new(at(i % 20), at(i / 20 % 20), at(i / 400)));
        let wet: Vec<DVec3> = points.filter(beyond).filter(|p| view.liquid_distance(*p) < 0.0).collect();
        assert!(wet.is_empty(), "{method}, {is_remeshed}, {} s: {wet:?}", frame.time);
    }
}

#[test]
fn a_sheet_that_bends_holds_the_water() {
    for method in octide_methods::NAMES {
        for is_remeshed in [false, true] {
            check_that_it_holds(method, is_remeshed, Bend { amplitude: 0.12, omega: 8.0 }, 12);
        }
    }
}

#[test]
fn a_sheet_that_bends_fast_holds_the_water() {
    for method in octide_methods::NAMES {
        // Its middle moves at 4 m/s, by two cells in a step.
        check_that_it_holds(method, false, Bend { amplitude: 0.2, omega: 20.0 }, 6);
    }
}

/// Smoke above a warm source, in an open tank.
fn smoke(center: DVec3) -> Scene {
    let mut scene = Scene::empty("nodal-octree", DVec3::ONE, 24, 2);
    scene.open = OpenSides::of(&[Heading { axis: 1, forward: true }]);
    scene.time.fps = RATE;
    let shape = Shape::Sphere { center, radius: 0.1 };
    scene.smoke = vec![SmokeSource {
        shape,
        density: 1.0,
        temperature: 60.0,
        velocity: None,
        motion: Motion::Still,
        when: Release::default(),
    }];
    scene
}

#[test]
fn a_growing_ball_pushes_smoke_away_and_no_faster_than_it_grows() {
    for is_remeshed in [false, true] {
        // A ball of which many faces are open by very little, at one time or another.
        let center = CENTER + DVec3::new(0.013, 0.007, 0.019);
        let (ball, _) = ball_at("nodal-octree", 24, center, is_remeshed);
        let mut scene = smoke(DVec3::new(0.5, 0.05, 0.5));
        scene.solids = ball.solids;
        let mut simulation = Simulation::start(&scene).unwrap();
        for _ in 0..6 {
            simulation.next_frame().unwrap();
            let speed = simulation.report().max_speed;
            assert!(speed < 4.0 * GROWTH, "remeshed {is_remeshed}: {speed} m/s at {} s", simulation.time());
        }
    }
}

fn saved(simulation: &dyn Method) -> Snapshot {
    let mut snapshot = Snapshot::default();
    simulation.save(&mut snapshot);
    snapshot
}

#[test]
fn threads_and_interruptions_do_not_change_a_bit() {
    for method in octide_methods::NAMES {
        for is_remeshed in [false, true] {
            let run = |threads: usize, is_interrupted: bool| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| {
                    // A sequence of its own, with nothing in memory yet.
                    let scene = growing_ball(method, is_remeshed);
                    let mut simulation = Simulation::start(&scene).unwrap();
                    while simulation.frame_number() < 3 {
                        simulation.step().unwrap();
                        if is_interrupted {
                            let scene = growing_ball(method, is_remeshed);
                            simulation = Simulation::load(&scene, &mut saved(simulation.method())).unwrap();
                        }
                    }
                    saved(simulation.method())
                })
            };
            let whole = run(1, false);
            assert!(whole == run(3, false), "{method}, {is_remeshed}: threads");
            assert!(whole == run(2, true), "{method}, {is_remeshed}: interrupted");
        }
    }
}

/// Meshes that can no longer be read at some time.
#[derive(Debug)]
struct Vanishing(AtomicBool);

impl MeshSource for Vanishing {
    fn read(&self, k: usize) -> Result<TriMesh, String> {
        if k > 3 && self.0.load(Ordering::Relaxed) {
            return Err(format!("{} is gone", self.name(k)));
        }
        Ok(icosphere(DVec3::splat(0.5), 0.2 + 0.01 * k as f64, 2))
    }

    fn name(&self, k: usize) -> String {
        format!("ball_{k}.obj")
    }

    fn reference(&self) -> String {
        "ball_#.obj".to_owned()
    }
}

#[test]
fn a_mesh_that_is_gone_ends_the_run_with_its_name() {
    for method in octide_methods::NAMES {
        let mut scene = tank(method, 16, 9.0, 0.7);
        let source = Arc::new(Vanishing(AtomicBool::new(false)));
        let options = SequenceOptions { start: 0.0, rate: RATE, is_shell: false };
        scene.solids = vec![Solid::deforming(MeshSequence::new(source.clone(), 9, options).unwrap())];
        source.0.store(true, Ordering::Relaxed);
        let mut simulation = Simulation::start(&scene).unwrap();
        simulation.advance_to_frame(3).unwrap();
        let error = simulation.advance_to_frame(6).unwrap_err();
        assert!(matches!(error, SimulationError::Impossible { .. }), "{error}");
        assert!(error.to_string().ends_with("ball_4.obj is gone"), "{error}");
        assert_eq!(simulation.frame_number(), 3);
    }
}
