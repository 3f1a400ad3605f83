//! The energy of water around bodies grows by no more than the work that they do.
//!
//! The energy is that in the middle of steps ([`Energy::between`]). The sum of kinetic and potential energy at equal times is too large by ½ dt times the
//! power of gravity: as much as ½ g t dt in the height of [free fall](super::free_fall), and of first order in dt.
//!
//! The work of a body that moves with velocity v is ∫ p n·v dA dt over its surface.

use crate::contract::parts::{Part, measure};
use crate::energies::{Energy, largest_rise};
use crate::expectations;
use crate::methods::water_methods;
use crate::stage::{line_plot, start, step_towards};
use glam::{DQuat, DVec3};
use octide_core::contract::Method;
use octide_core::geometry::{Keyframe, Motion, Pose, Shape};
use octide_core::scene::Scene;
use octide_verify::plot::Series;
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity};
use std::f64::consts::PI;

pub(crate) static CASE: Case = Case {
    name: "energy-and-work",
    title: "Energy of water around bodies",
    summary: "still bodies give no energy, a ball that is thrown in no more than its work; its impact costs no volume",
    article: Article {
        problem: "A column of water, 0.3 m wide and 0.4 m high, breaks over a pool 0.1 m deep in a closed tank of 1 × 0.5 × 0.25 m, \
            with 64 finest cells along its length, 32 in the quick form, for 0.4 s. A ball lies below the pool's surface, a \
            pillar stands in it and pierces it. Steps have CFL 2 and end at frames, 60 a second. A ball of 0.05 m radius \
            moves into water 0.2 m deep at 2 m/s, in a tank of 0.4 m with 48 finest cells along a side, 32 in the quick \
            form, with CFL 2, until it is a radius below the surface. A tank at rest has an oblique pillar and a ball \
            in it, both of which pierce the surface.",
        reference: "Bodies at rest do no work: the sum of kinetic and potential energy does not grow. A ball that moves does \
            the work ∫ p n·v dA dt. The volume is constant.",
        measured: "The largest rise of the energy above an earlier value, over the energy that the dam releases, or over the \
            potential energy of the tank at rest. Energy is kinetic energy plus the mean of the potential energies at \
            the two ends of the step in which the water moves with that velocity; the sum at equal times is reported \
            too. It exceeds the other by ½ dt times the power of gravity, and rises by that at the start. For the ball the \
            energy that the water gains over the work of the pressure, sampled half a finest cell off the ball at 800 points \
            after each step, and the largest drift of the volume. Spray counts with its volume, speed and height.",
    },
    methods: water_methods,
    quick: true,
    quantities,
    run,
};

const DAM_RISE: &str = "dam break over bodies: largest rise of energy";
const DAM_RAW: &str = "dam break over bodies: largest rise of energy at equal times";
const THROWN_DRIFT: &str = "thrown ball: largest volume drift";
const THROWN_WORK: &str = "thrown ball: energy gained over work done";
const REST_RISE: &str = "tank at rest: largest rise of energy";

/// Frames a second of the dam break.
const FPS: f64 = 60.0;

fn quantities(method: &str, quick: bool) -> Vec<Quantity> {
    let all = vec![
        Quantity::new(DAM_RISE, "")
            .limit(Limit::AtMost(0.02), "our own: 2 % of the released energy, as in long-dam-break")
            .expected(0.0),
        Quantity::new(DAM_RAW, ""),
        Quantity::new(THROWN_DRIFT, "").limit(Limit::AtMost(0.003), "our own: 0.3 %").expected(0.0),
        Quantity::new(THROWN_WORK, "").limit(Limit::AtMost(1.0), "conservation of energy"),
        Quantity::new(REST_RISE, "").limit(Limit::AtMost(1e-6), "as in contract-rest").expected(0.0),
    ];
    expectations::apply(CASE.name, method, quick, all)
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let parts: [(&str, Part); 3] =
        [("dam break", dam_break), ("thrown ball", thrown), ("tank at rest", rest)];
    measure(context, &parts)
}

fn dam_break(context: &Context, m: &mut Measured) -> Result<(), CaseError> {
    let size = DVec3::new(1.0, 0.5, 0.25);
    let (column, pool) = (DVec3::new(0.3, 0.4, 0.25), DVec3::new(1.0, 0.1, 0.25));
    let (cells, levels) = if context.quick { (32, 2) } else { (64, 3) };
    let ball = Shape::Sphere { center: DVec3::new(0.5, 0.05, 0.125), radius: 0.04 };
    let pillar = Shape::Box { min: DVec3::new(0.7, -0.1, 0.08), max: DVec3::new(0.76, 0.6, 0.17) };
    let scene = Scene::empty(context.method, size, cells, levels)
        .with_liquid(Shape::Box { min: DVec3::ZERO, max: column })
        .with_liquid(Shape::Box { min: DVec3::ZERO, max: pool })
        .with_solid(ball)
        .with_solid(pillar);
    let mut sim = start(&scene)?;
    let mut all = vec![Energy::of(&scene, &*sim)];
    for frame in 1..=24 {
        loop {
            let step = step_towards(&mut *sim, f64::from(frame) / FPS)?;
            all.push(Energy::of(&scene, &*sim));
            if step.arrived {
                break;
            }
        }
    }
    // The part of the column above the pool, with the middle of its height, spreads over the pool.
    let above = column.x * column.z * (column.y - pool.y);
    let spread = above / (size.x * size.z);
    let weight = scene.physics.density * scene.physics.gravity.length();
    let released = weight * above * 0.5 * (column.y - pool.y - spread);
    m.set(DAM_RISE, largest_rise(all.windows(2).map(|e| e[0].between(e[1]))) / released);
    m.set(DAM_RAW, largest_rise(all.iter().map(|e| e.at_once())) / released);
    let first = all[0].at_once();
    let middle = |e: &[Energy]| [0.5 * (e[0].time + e[1].time), e[0].between(e[1]) - first];
    m.plots.push(line_plot(
        "Energy of the dam break over that of the start",
        "time (s)",
        "energy (J)",
        vec![
            Series::line("in the middle of steps", all.windows(2).map(middle).collect()),
            Series::line("at equal times", all.iter().map(|e| [e.time, e.at_once() - first]).collect()),
        ],
    ));
    Ok(())
}

/// The ball that is thrown.
const RADIUS: f64 = 0.05;
const CENTER: DVec3 = DVec3::new(0.19, 0.255, 0.21);
const VELOCITY: DVec3 = DVec3::new(0.0, -2.0, 0.0);
const LEVEL: f64 = 0.2;
/// When its top is a radius below the surface.
const END: f64 = (CENTER.y - LEVEL + 2.0 * RADIUS) / 2.0;

fn thrown(context: &Context, m: &mut Measured) -> Result<(), CaseError> {
    let cells = if context.quick { 32 } else { 48 };
    let key =
        |time: f64| Keyframe { time, pose: Pose { position: time * VELOCITY, rotation: DQuat::IDENTITY } };
    let motion = Motion::Keyframes([-2.0, -1.0, 0.0, 1.0, 2.0].map(key).to_vec());
    let mut scene = Scene::empty(context.method, DVec3::splat(0.4), cells, 2)
        .with_liquid(Shape::Box { min: DVec3::ZERO, max: DVec3::new(0.4, LEVEL, 0.4) })
        .with_moving_solid(Shape::Sphere { center: CENTER, radius: RADIUS }, motion);
    scene.time.cfl = 2.0;
    let mut sim = start(&scene)?;
    let first = Energy::of(&scene, &*sim);
    let (mut work, mut drift) = (0.0, 0.0f64);
    let mut gained = vec![[0.0, 0.0]];
    let mut done = vec![[0.0, 0.0]];
    loop {
        let step = step_towards(&mut *sim, END)?;
        drift = drift.max(step.report.volume_drift.abs());
        work += step.report.dt * power(&scene, &*sim);
        let now = Energy::of(&scene, &*sim);
        gained.push([now.time, now.at_once() - first.at_once()]);
        done.push([now.time, work]);
        if step.arrived {
            break;
        }
    }
    m.set(THROWN_DRIFT, drift);
    m.set(THROWN_WORK, gained.last().map_or(f64::NAN, |g| g[1]) / work);
    let series = vec![Series::line("energy of the water", gained), Series::line("work of the ball", done)];
    m.plots.push(line_plot("Energy gained from a thrown ball", "time (s)", "energy (J)", series));
    Ok(())
}

/// Returns the power of the pressure on the thrown ball in W.
fn power(scene: &Scene, sim: &dyn Method) -> f64 {
    const POINTS: u32 = 800;
    let center = CENTER + sim.time() * VELOCITY;
    let view = sim.view();
    let distance = RADIUS + 0.5 * scene.domain.dx();
    let of_point = |i: u32| {
        // Points on a spiral that fill the ball's surface evenly.
        let y = 1.0 - 2.0 * (f64::from(i) + 0.5) / f64::from(POINTS);
        let angle = f64::from(i) * PI * (3.0 - 5.0f64.sqrt());
        let normal = DVec3::new((1.0 - y * y).sqrt() * angle.cos(), y, (1.0 - y * y).sqrt() * angle.sin());
        let x = center + distance * normal;
        let pressure = if view.liquid_distance(x) < 0.0 { view.sample(x).pressure } else { None };
        pressure.unwrap_or(0.0) * normal.dot(VELOCITY)
    };
    let area = 4.0 * PI * RADIUS * RADIUS;
    area / f64::from(POINTS) * (0..POINTS).map(of_point).sum::<f64>()
}

fn rest(context: &Context, m: &mut Measured) -> Result<(), CaseError> {
    let turn = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 0.5).normalize(), 0.6);
    let half = DVec3::new(0.06, 0.5, 0.06);
    let pillar = Shape::Transformed {
        shape: Box::new(Shape::Box { min: -half, max: half }),
        scale: 1.0,
        rotation: turn,
        translation: DVec3::new(0.13, 0.2, 0.24),
    };
    let mut scene = Scene::empty(context.method, DVec3::splat(0.5), if context.quick { 32 } else { 64 }, 3)
        .with_liquid(Shape::Box { min: DVec3::ZERO, max: DVec3::new(0.5, 0.23, 0.5) })
        .with_solid(pillar)
        .with_solid(Shape::Sphere { center: DVec3::new(0.35, 0.25, 0.3), radius: 0.08 });
    scene.numerics.tolerance = 1e-11;
    let mut sim = start(&scene)?;
    let mut all = vec![Energy::of(&scene, &*sim)];
    for step in 1..=10 {
        while !step_towards(&mut *sim, 0.005 * f64::from(step))?.arrived {}
        all.push(Energy::of(&scene, &*sim));
    }
    m.set(REST_RISE, largest_rise(all.iter().map(|e| e.at_once())) / all[0].potential);
    Ok(())
}
