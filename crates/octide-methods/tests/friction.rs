//! Friction of walls, with every method that simulates water.
#![allow(clippy::unwrap_used)] // a test that fails may panic

use octide_core::DVec3;
use octide_core::contract::{Method, TimeStep};
use octide_core::geometry::{Motion, Shape};
use octide_core::scene::{Liquid, Scene, Solid};
use octide_core::snapshot::{Column, Snapshot};
use std::f64::consts::TAU;

fn methods() -> impl Iterator<Item = &'static str> {
    octide_methods::ABILITIES.iter().filter(|m| m.water.is_some()).map(|m| m.name)
}

fn slab(min: [f64; 3], max: [f64; 3]) -> Shape {
    Shape::Box { min: min.into(), max: max.into() }
}

fn step(sim: &mut dyn Method, dt: f64) {
    sim.step(TimeStep::new(dt).unwrap()).unwrap();
}

/// A shallow pool at rest on a floor with an oblique block and a film on a table, all of them with friction.
fn resting(method: &str, slip: f64) -> Scene {
    let mut scene = Scene::empty(method, DVec3::new(1.0, 0.5, 0.5), 32, 2)
        .with_liquid(slab([0.0; 3], [1.0, 0.11, 0.5]))
        .with_solid(Shape::Plane {
            point: DVec3::new(0.2, 0.11, 0.0),
            normal: DVec3::new(1.0, 0.8, 0.1).normalize(),
        });
    scene.physics.slip = slip;
    scene.physics.film_viscosity = 1e-2;
    scene
}

#[test]
fn still_water_stays_still() {
    for method in methods() {
        for slip in [0.0, 0.5] {
            let mut scene = resting(method, slip);
            scene.solids.clear();
            scene.numerics.tolerance = 1e-9;
            let mut sim = octide_methods::start(&scene).unwrap();
            (0..10).for_each(|_| step(&mut *sim, 0.02));
            let totals = sim.totals();
            let speed = (2.0 * totals.kinetic_energy / totals.volume / 1000.0).sqrt();
            assert!(speed < 1e-6, "{method}, slip {slip}: {speed} m/s");
        }
    }
}

#[test]
fn friction_takes_energy_and_gives_none() {
    for method in methods() {
        let mut last = f64::INFINITY;
        // More friction leaves less energy.
        for slip in [1.0, 0.5, 0.0] {
            let mut scene = resting(method, slip);
            scene.physics.film_viscosity = 0.0;
            // Kinetic energy at one time and potential energy at the same are not what a step keeps.
            scene.physics.gravity = DVec3::ZERO;
            scene.liquids = vec![Liquid {
                shape: slab([0.4, 0.0, 0.0], [0.7, 0.11, 0.5]),
                velocity: DVec3::X,
                roughness: 0.0,
            }];
            let mut sim = octide_methods::start(&scene).unwrap();
            let mut before = sim.totals().kinetic_energy;
            for _ in 0..12 {
                step(&mut *sim, 0.01);
                let after = sim.totals().kinetic_energy;
                // The sum over cells is not exactly the energy that a step keeps, even without friction.
                assert!(after < before * 1.02, "{method}, slip {slip}: {before} to {after} J");
                before = after;
            }
            let kinetic = sim.totals().kinetic_energy;
            assert!(kinetic < 0.98 * last, "{method}, slip {slip}: {kinetic} J, {last} J with more slip");
            last = kinetic;
        }
    }
}

/// A drum of 0.3 m radius, half full, that turns about the z axis.
fn drum(method: &str, slip: f64) -> Scene {
    let center = DVec3::new(0.5, 0.5, 0.125);
    let hole = Shape::Cylinder { from: center - DVec3::Z, to: center + DVec3::Z, radius: 0.4 };
    let block = Shape::Difference { of: Box::new(slab([-2.0; 3], [3.0; 3])), minus: vec![hole] };
    let motion = Motion::About {
        pivot: center,
        motion: Box::new(Motion::Orbit { center, axis: DVec3::Z, period: TAU / 2.0, turning: true }),
    };
    let mut scene =
        Scene::empty(method, DVec3::new(1.0, 1.0, 0.25), 32, 2).with_liquid(slab([0.0; 3], [1.0, 0.5, 0.25]));
    scene.solids.push(Solid { motion, ..Solid::still(block) });
    scene.physics.slip = slip;
    scene.physics.gravity = DVec3::new(0.0, -9.8, 0.0);
    scene
}

/// Returns how fast water 0.37 m from the axis of the drum turns with it, in units of the drum's speed.
fn dragged(sim: &dyn Method) -> f64 {
    let center = DVec3::new(0.5, 0.5, 0.125);
    let view = sim.view();
    let at = |i: i32| {
        let angle = TAU * (0.5 + 0.5 * (f64::from(i) + 0.5) / 20.0);
        let out = DVec3::new(angle.cos(), angle.sin(), 0.0);
        let sample = view.sample(center + 0.37 * out);
        (sample.phi < -0.05).then(|| sample.velocity.dot(DVec3::Z.cross(out)) / (2.0 * 0.37))
    };
    let all: Vec<f64> = (0..20).filter_map(at).collect();
    assert!(all.len() > 8);
    all.iter().sum::<f64>() / all.len() as f64
}

#[test]
fn a_rotating_drum_drags_water_along() {
    for method in methods() {
        let [free, rough, sticky] = [1.0, 0.3, 0.0].map(|slip| {
            let mut sim = octide_methods::start(&drum(method, slip)).unwrap();
            (0..15).for_each(|_| step(&mut *sim, 0.01));
            dragged(&*sim)
        });
        assert!(free.abs() < 0.05, "{method}: {free}");
        assert!(rough > free + 0.02 && rough < sticky, "{method}: {rough}");
        assert!(sticky > 0.5, "{method}: {sticky}");
    }
}

fn bits(sim: &dyn Method) -> Vec<(String, Vec<u64>)> {
    let mut all = Snapshot::default();
    sim.save(&mut all);
    let of = |column: &Column| match column {
        Column::U8(v) => v.iter().map(|&x| u64::from(x)).collect(),
        Column::U32(v) => v.iter().map(|&x| u64::from(x)).collect(),
        Column::U64(v) => v.clone(),
        Column::F32(v) => v.iter().map(|x| u64::from(x.to_bits())).collect(),
        Column::F64(v) => v.iter().map(|x| x.to_bits()).collect(),
    };
    all.columns().map(|(name, column)| (name.to_owned(), of(column))).collect()
}

#[test]
fn a_state_with_friction_is_restored_and_goes_on_to_the_same_bits_on_any_number_of_threads() {
    for method in methods() {
        let scene = drum(method, 0.2);
        let run = |threads: usize, restores: bool| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut sim = octide_methods::start(&scene).unwrap();
                for _ in 0..4 {
                    if restores {
                        let mut saved = Snapshot::default();
                        sim.save(&mut saved);
                        sim = octide_methods::load(&scene, &mut saved).unwrap();
                    }
                    step(&mut *sim, 0.01);
                }
                bits(&*sim)
            })
        };
        let once = run(1, false);
        assert!(once == run(1, true), "{method}: restored");
        assert!(once == run(3, false), "{method}: threads");
    }
}
