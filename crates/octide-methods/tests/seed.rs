//! A scene's seed decides all random numbers of every method, and nothing else.
#![allow(clippy::unwrap_used)] // a test that fails may panic

use octide_core::DVec3;
use octide_core::contract::{Method, TimeStep};
use octide_core::geometry::Shape;
use octide_core::scene::{Liquid, Scene, Seeding};
use octide_core::snapshot::Snapshot;

const STEPS: usize = 6;

/// A drop that falls obliquely into a pool.
fn splash(method: &str, seed: u64) -> Scene {
    let mut scene = Scene::empty(method, DVec3::new(1.0, 0.5, 0.5), 32, 2);
    let pool = Shape::Box { min: DVec3::splat(-9.0), max: DVec3::new(9.0, 0.16, 9.0) };
    let drop = Shape::Sphere { center: DVec3::new(0.41, 0.24, 0.22), radius: 0.09 };
    scene.liquids = vec![
        Liquid { shape: pool, velocity: DVec3::ZERO, roughness: 0.0 },
        Liquid { shape: drop, velocity: DVec3::new(0.6, -2.0, 0.3), roughness: 0.0 },
    ];
    scene.numerics.particles = Seeding::Band;
    scene.numerics.tolerance = 1e-12;
    scene.seed = seed;
    scene
}

/// The same with x mirrored.
fn mirrored(mut scene: Scene) -> Scene {
    for liquid in &mut scene.liquids {
        liquid.velocity.x = -liquid.velocity.x;
        if let Shape::Sphere { center, .. } = &mut liquid.shape {
            center.x = 1.0 - center.x;
        }
    }
    scene
}

fn stepped(scene: &Scene) -> Box<dyn Method> {
    let mut sim = octide_methods::start(scene).unwrap();
    for _ in 0..STEPS {
        sim.step(TimeStep::new(0.004).unwrap()).unwrap();
    }
    sim
}

fn saved(sim: &dyn Method) -> Snapshot {
    let mut snapshot = Snapshot::default();
    sim.save(&mut snapshot);
    snapshot
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_one_another_splash_alike() {
    for method in octide_methods::NAMES {
        let [first, again, other] = [1, 1, 2].map(|seed| stepped(&splash(method, seed)));
        assert!(saved(&*first) == saved(&*again), "{}", method);
        let apart = |a: &dyn Method, b: &dyn Method| {
            let (a, b) = (a.view(), b.view());
            let at = |i: u32| (f64::from(i) + 0.5) / 32.0;
            let places = (0..32 * 16).map(|i| DVec3::new(at(i % 32), at(i / 32), 0.23));
            places.map(|x| (a.sample(x).phi - b.sample(x).phi).abs()).fold(0.0, f64::max)
        };
        let difference = 32.0 * apart(&*first, &*other);
        assert!(difference > 1e-6, "{}: the seed is ignored", method);
        assert!(difference < 1.0, "{}: {difference} cells apart", method);
        let [a, b] = [&first, &other].map(|sim| sim.totals());
        let alike = |a: f64, b: f64| (a / b - 1.0).abs() < 0.01;
        assert!(alike(a.volume, b.volume) && alike(a.kinetic_energy, b.kinetic_energy), "{a:?} {b:?}");
    }
}

/// The roughness of a liquid's surface changes with the seed and with nothing else.
#[test]
fn roughness_is_decided_by_the_seed() {
    for method in octide_methods::NAMES {
        let start = |seed: u64, roughness: f64, threads: usize| {
            let mut scene = splash(method, seed);
            scene.numerics.particles = Seeding::Off;
            scene.liquids[1].roughness = roughness;
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| saved(&*octide_methods::start(&scene).unwrap()))
        };
        let rough = start(1, 0.004, 1);
        assert!(rough == start(1, 0.004, 3), "{method}: threads");
        assert!(rough != start(2, 0.004, 1), "{method}: another seed");
        assert!(rough != start(1, 0.0, 1), "{method}: roughness is ignored");
        assert!(start(1, 0.0, 1) == start(2, 0.0, 1), "{method}: smooth water has no seed");
    }
}

/// Within a millionth of a cell, as the contract has it for the default seed.
#[test]
fn mirrored_scenes_stay_mirrored_with_any_seed() {
    for (method, seed) in octide_methods::NAMES.iter().flat_map(|m| [(m, 1), (m, 7)]) {
        let scene = splash(method, seed);
        let (plain, image) = (stepped(&scene), stepped(&mirrored(scene)));
        let (a, b) = (plain.view(), image.view());
        let at = |n: i32| (f64::from(n) + 0.5) / 32.0;
        let places = (0..32 * 16 * 16).map(|i| DVec3::new(at(i % 32), at(i / 32 % 16), at(i / 512)));
        let apart = |x: DVec3| (a.sample(x).phi - b.sample(DVec3::new(1.0 - x.x, x.y, x.z)).phi).abs();
        let most = 32.0 * places.map(apart).fold(0.0, f64::max);
        println!("{method}, seed {seed}: {most:.1e} cells");
        assert!(most < 1e-6, "{method}, seed {seed}: {most} cells apart");
    }
}
