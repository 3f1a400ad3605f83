//! Sources, outflows, open sides and moving bodies at random, with the books checked in every step.
//!
//! A seed determines a scene. The tests run a few seeds; the environment variable `OCTIDE_BOOKS` runs more:
//!
//! ```text
//! OCTIDE_BOOKS=0..2000 cargo test -p octide-methods --test books random -- --nocapture
//! ```

use super::{Auditor, METHODS};
use octide_core::DVec3;
use octide_core::contract::StepError;
use octide_core::geometry::{Keyframe, Motion, Pose, Shape};
use octide_core::random::{hash, unit};
use octide_core::scene::{GivenFlow, Inflow, Liquid, Outflow, Scene, Solid, Span};
use octide_methods::{SimulationError, start, step_towards};

/// Seeds that the tests run.
const SEEDS: std::ops::Range<u64> = 0..24;

/// The number of steps of a scene.
const N_STEPS: usize = 8;

/// Random numbers of a scene, one after the other.
struct Draw {
    seed: u64,
    n: u64,
}

impl Draw {
    fn unit(&mut self) -> f64 {
        self.n += 1;
        unit([self.seed, self.n])
    }

    fn below(&mut self, n: u64) -> u64 {
        self.n += 1;
        hash([self.seed, self.n]) % n
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    fn vector(&mut self, low: f64, high: f64) -> DVec3 {
        DVec3::new(self.between(low, high), self.between(low, high), self.between(low, high))
    }

    /// A box or a ball, of which some is in the domain.
    fn shape(&mut self, least: f64, most: f64) -> Shape {
        let center = self.vector(0.0, 1.0);
        if self.below(2) == 0 {
            let half = 0.5 * self.vector(least, most);
            Shape::Box { min: center - half, max: center + half }
        } else {
            Shape::Sphere { center, radius: 0.5 * self.between(least, most) }
        }
    }

    fn span(&mut self) -> Span {
        match self.below(4) {
            0 => Span { start: self.between(0.0, 0.1), end: f64::INFINITY },
            1 => Span { start: 0.0, end: self.between(0.02, 0.1) },
            _ => Span::default(),
        }
    }

    fn motion(&mut self) -> Motion {
        match self.below(4) {
            0 => Motion::Oscillation { amplitude: self.vector(-0.2, 0.2), period: self.between(0.2, 1.0) },
            1 => Motion::Orbit {
                center: self.vector(0.3, 0.7),
                axis: self.vector(-1.0, 1.0) + DVec3::new(0.0, 1.5, 0.0),
                period: self.between(0.5, 2.0),
                turning: self.below(2) == 0,
            },
            2 => {
                let begin = self.between(0.0, 0.1);
                let end = begin + self.between(0.02, 0.3);
                let position = self.vector(-0.2, 0.2);
                Motion::Keyframes(vec![
                    Keyframe { time: begin, pose: Pose::IDENTITY },
                    Keyframe { time: end, pose: Pose { position, ..Pose::IDENTITY } },
                ])
            }
            _ => Motion::Still,
        }
    }
}

/// Returns the scene of a seed.
fn scene_of(seed: u64) -> Scene {
    let draw = &mut Draw { seed, n: 0 };
    let method = METHODS[draw.below(2) as usize];
    let resolution = [8, 12, 16][draw.below(3) as usize];
    let mut scene = Scene::empty(method, DVec3::ONE, resolution, 1);
    scene.time.fps = 24.0;
    scene.physics.gravity = match draw.below(6) {
        0 => DVec3::ZERO,
        1 => draw.vector(-6.0, 6.0),
        _ => DVec3::new(0.0, -9.8, 0.0),
    };
    let depth = match draw.below(5) {
        0 => 1.0,
        1 => draw.between(0.9, 1.0),
        2 => 0.0,
        _ => draw.unit(),
    };
    let at_rest = |shape| Liquid { shape, velocity: DVec3::ZERO, roughness: 0.0 };
    if depth > 0.0 {
        let max = DVec3::new(1.0, depth, 1.0);
        scene.liquids.push(at_rest(Shape::Box { min: DVec3::ZERO, max }));
    }
    if draw.below(3) == 0 {
        let velocity = draw.vector(-2.0, 2.0);
        scene.liquids.push(Liquid { velocity, ..at_rest(draw.shape(0.2, 0.6)) });
    }
    for _ in 0..draw.below(3) {
        let velocity = if draw.below(4) == 0 { DVec3::ZERO } else { draw.vector(-2.0, 2.0) };
        let (shape, when) = (draw.shape(0.15, 0.4), draw.span());
        scene.inflows.push(Inflow { when, ..Inflow::new(shape, velocity) });
    }
    for _ in 0..draw.below(3) {
        let (shape, when) = (draw.shape(0.1, 0.4), draw.span());
        scene.outflows.push(Outflow { when, ..Outflow::new(shape) });
    }
    for _ in 0..draw.below(3) {
        let shape = draw.shape(0.1, 0.4);
        scene.solids.push(Solid::moving(shape, draw.motion()));
    }
    if draw.below(2) == 0 {
        (0..6).for_each(|side| scene.open.sides[side] = draw.below(3) == 0);
    }
    // Drawn last: the scenes without motion and flow stay what they were.
    if draw.below(2) == 0 {
        let domain = scene.domain.clone();
        for inflow in &mut scene.inflows {
            if draw.below(3) == 0 && inflow.velocity != DVec3::ZERO {
                let flow = GivenFlow { rate: draw.between(0.01, 0.2), direction: inflow.velocity };
                let when = inflow.when;
                *inflow = Inflow { when, ..Inflow::with_flow(inflow.shape.clone(), flow, &domain) };
            }
            inflow.motion = draw.motion();
        }
        scene.outflows.iter_mut().for_each(|outflow| outflow.motion = draw.motion());
    }
    scene
}

/// How the run of a scene ended.
#[derive(Debug)]
enum End {
    /// All steps were taken; with the largest drift.
    Done(f64),
    /// An inflow found no room.
    Full,
    /// The volume drifted past the limit.
    Drift(f64),
}

/// Runs the scene of a seed. Returns what is wrong with its books, or how it failed.
fn audit(seed: u64) -> Result<End, String> {
    let scene = scene_of(seed);
    let mut method = start(&scene).map_err(|e| e.to_string())?;
    let mut auditor = Auditor::new(&method.report(), scene.domain.size.element_product());
    let mut worst: f64 = 0.0;
    for n in 0..N_STEPS {
        match step_towards(method.as_mut(), 1.0) {
            Ok(step) => {
                auditor.check(&step.report).map_err(|wrong| format!("step {n}: {wrong}"))?;
                worst = worst.max(step.report.volume_drift.abs());
            }
            Err(SimulationError::Impossible { source: StepError::Full { .. }, .. }) => return Ok(End::Full),
            Err(SimulationError::Failed { source: StepError::Volume { drift, .. }, .. }) => {
                return Ok(End::Drift(drift));
            }
            Err(e) => return Err(format!("step {n}: {e}")),
        }
    }
    Ok(End::Done(worst))
}

/// The seeds that `OCTIDE_BOOKS` asks for, such as `100..200`; a few if it is not set.
fn seeds() -> std::ops::Range<u64> {
    let Ok(range) = std::env::var("OCTIDE_BOOKS") else { return SEEDS };
    let parsed = range.split_once("..").and_then(|(a, b)| Some(a.parse().ok()?..b.parse().ok()?));
    parsed.expect("OCTIDE_BOOKS is a range of seeds, such as 0..1000")
}

#[test]
fn books_of_random_scenes_balance_in_every_step() {
    let mut wrong = Vec::new();
    let (mut n_full, mut n_drift, mut n_done) = (0, 0, 0);
    for seed in seeds() {
        match audit(seed) {
            Ok(End::Done(worst)) => {
                n_done += 1;
                if worst > 0.05 {
                    println!("seed {seed}: drift {worst:.3}: {:?}", brief(&scene_of(seed)));
                }
            }
            Ok(End::Full) => n_full += 1,
            Ok(End::Drift(drift)) => {
                n_drift += 1;
                println!("seed {seed}: ended by a drift of {drift:.1} %: {:?}", brief(&scene_of(seed)));
            }
            Err(e) => {
                println!("seed {seed}: {e}: {:?}", brief(&scene_of(seed)));
                wrong.push(seed);
            }
        }
    }
    println!("{n_done} done, {n_full} full, {n_drift} drifted, {} wrong: {wrong:?}", wrong.len());
    assert!(wrong.is_empty(), "seeds {wrong:?}");
}

/// What a scene has, for messages.
fn brief(scene: &Scene) -> (&str, u32, usize, usize, usize, usize, bool) {
    let Scene { method, domain, liquids, inflows, outflows, solids, open, .. } = scene;
    (method, domain.resolution, liquids.len(), inflows.len(), outflows.len(), solids.len(), open.any())
}
