//! What a method gets by being on a list: scene files may name it, it starts, steps, is saved and restored,
//! and its need of memory is known. The list here is that of the crate, and may have methods of its own.
#![allow(clippy::unwrap_used)] // a test may fail loudly

use octide_core::contract::{Method, MethodDescriptor, StepError, TimeStep};
use octide_core::scene::Scene;
use octide_core::snapshot::Snapshot;
use octide_io::scene_file::{LoadOptions, load_str};
use octide_methods::{LoadError, Registry, StartError};
use std::path::Path;

/// The list: method crates, and method modules with their files.
macro_rules! methods {
    ($($method:ident),*; $($module:ident = $file:literal),*) => {
        $(#[path = $file] mod $module;)*
        const METHODS: &[MethodDescriptor] = &[$($method::METHOD,)* $($module::METHOD,)*];
    };
}
methods!(octide_octree, octide_nodal; toy = "toy/lib.rs");

const REGISTRY: Registry = Registry::new(METHODS);

/// A ball of water above the floor.
fn scene_of(method: &str, resolution: u32) -> Scene {
    let text = format!(
        "octide = 1
         name = \"ball\"
         method = \"{method}\"
         resolution = {resolution}
         [domain]
         size = [1, 1, 1]
         [physics]
         gravity = [0, -9.8, 0]
         [time]
         frames = 2
         fps = 50
         [[liquid]]
         shape.sphere = {{ center = [0.5, 0.6, 0.5], radius = 0.2 }}
         velocity = [1, 0, 0]"
    );
    let options = LoadOptions::new(&REGISTRY.abilities());
    load_str(&text, "ball.toml", Path::new("."), &options).unwrap().scene
}

/// Takes steps to the end of the scene.
fn run_to_end(method: &mut dyn Method, scene: &Scene) {
    let end = f64::from(scene.time.frames) / scene.time.fps;
    while end - method.time() > 1e-9 {
        let left = end - method.time();
        method.step(TimeStep::new(left / (left / method.max_dt()).ceil()).unwrap()).unwrap();
    }
}

fn saved(method: &dyn Method) -> Snapshot {
    let mut snapshot = Snapshot::default();
    method.save(&mut snapshot);
    snapshot
}

#[test]
fn a_scene_file_names_any_of_them() {
    for name in REGISTRY.names() {
        assert_eq!(scene_of(name, 16).method, name);
    }
}

#[test]
fn each_carries_a_ball_of_water_and_shows_it() {
    for name in REGISTRY.names() {
        let scene = scene_of(name, 32);
        let mut method = REGISTRY.start(&scene).unwrap();
        let before = method.totals();
        run_to_end(&mut *method, &scene);
        let (after, surface) = (method.totals(), method.frame().surface.mesh);
        let exact = 4.0 / 3.0 * std::f64::consts::PI * 0.2f64.powi(3);
        for volume in [before.volume, after.volume, method.report().volume, surface.volume()] {
            assert!((volume / exact - 1.0).abs() < 0.05, "{name}: {volume} of {exact}");
        }
        assert!(surface.is_closed_manifold(), "{name}");
        // 1 m/s and free fall for 0.04 s.
        let way = after.center.unwrap() - before.center.unwrap();
        assert!(
            (way.x - 0.04).abs() < 0.004 && (way.y + 0.5 * 9.8 * 0.04f64.powi(2)).abs() < 0.004,
            "{name}"
        );
        assert!(method.fastest().cmpge(scene.domain.origin).all(), "{name}");
    }
}

#[test]
fn each_continues_from_what_it_saved_to_the_same_bytes() {
    for name in REGISTRY.names() {
        let scene = scene_of(name, 16);
        let mut method = REGISTRY.start(&scene).unwrap();
        method.step(TimeStep::new(0.5 * method.max_dt()).unwrap()).unwrap();
        let mut restored = REGISTRY.load(&scene, &mut saved(&*method)).unwrap();
        run_to_end(&mut *method, &scene);
        run_to_end(&mut *restored, &scene);
        assert_eq!(saved(&*method), saved(&*restored), "{name}");
        let nothing = REGISTRY.load(&scene, &mut Snapshot::default());
        assert!(matches!(nothing, Err(LoadError::Snapshot(_))), "{name}");
    }
}

#[test]
fn each_keeps_to_a_limit_of_memory() {
    for name in REGISTRY.names() {
        let scene = scene_of(name, 32);
        let cells = REGISTRY.start(&scene).unwrap().report().cells;
        let needed = REGISTRY.step_bytes(&scene, cells, 0).unwrap();
        assert!(REGISTRY.step_bytes(&scene, 8 * cells, 0).unwrap() > needed, "{name}");
        assert!(REGISTRY.start_within(&scene, 2 * needed).is_ok(), "{name}");
        let refused = REGISTRY.start_within(&scene, 1_000_000);
        assert!(matches!(refused, Err(StartError::Memory(StepError::Memory { .. }))), "{name}");
        let mut method = REGISTRY.start(&scene).unwrap();
        method.limit_memory(1_000_000);
        let before = saved(&*method);
        assert!(
            matches!(method.step(TimeStep::new(method.max_dt()).unwrap()), Err(StepError::Memory { .. })),
            "{name}"
        );
        assert_eq!(saved(&*method), before, "a refused step leaves the state: {name}");
    }
}
