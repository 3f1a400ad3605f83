//! Steps in time: a falling body, shorter steps, frames.

use super::CONTRACT;
use super::parts::{Part, measure};
use super::places::centers;
use super::scenes::{advance, at_rest, ball, empty, most, pool, splash, start, steps, worse};
use crate::expectations;
use crate::methods::water_methods;
use glam::DVec3;
use octide_core::contract::Method;
use octide_core::scene::Scene;
use octide_verify::fit::order;
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity};
use std::f64::consts::PI;

pub(crate) static CASE: Case = Case {
    name: "contract-time",
    title: "Contract: steps in time",
    summary: "free fall, convergence with shorter steps, frames hit exactly",
    article: Article {
        problem: "A ball of water falls in empty space under gravity that is along no axis. A low hill of water sinks into \
            its pool with steps of three lengths, each half of the one before. A splash is stepped from frame to \
            frame.",
        reference: "½ g t². Gravity and advection that act one after the other, as in most methods, miss it by ½ g t dt: \
            first order. Shorter steps change the result less and less: a first-order method halves the change each \
            time.",
        measured: "Falling body: the largest error of the center of mass in units of ½ g t dt, and its order in the step \
            length; the error of the distance that probes read, at places at least two finest cells from the surface \
            and the center of the ball. Halved steps: the second change over the first, of the mean distance to the \
            surface in a band around it. Frames: the error of the clock after each frame, and the difference between \
            the length of a step and the requested one.",
    },
    methods: water_methods,
    quick: true,
    quantities,
    run: |context| {
        let parts: &[(&str, Part)] = &[("falling body", fall), ("halved steps", halved), ("frames", frames)];
        measure(context, parts)
    },
};

const FALL: &str = "falling body: error over ½ g t dt, most";
const FALL_ORDER: &str = "falling body: order in dt";
const FALL_DISTANCE: &str = "falling body: distance to it, relative error, most";
const FALL_DISTANCE_USUAL: &str = "falling body: distance to it, relative error, 99 of 100 places";
const SAMPLER: &str = "octide-core, contract::Sampler: promise";
const HALVED: &str = "halved steps: second change over first";
const FRAMES: &str = "frames: time missed, most";
const LENGTHS: &str = "frames: difference from the requested step length, most";

fn quantities(method: &str, quick: bool) -> Vec<Quantity> {
    let all = vec![
        Quantity::new(FALL, "").limit(Limit::AtMost(1.2), CONTRACT),
        Quantity::new(FALL_ORDER, "").limit(Limit::AtLeast(0.9), CONTRACT).expected(1.0),
        Quantity::new(FALL_DISTANCE, "").limit(Limit::AtMost(0.2), SAMPLER).expected(0.0),
        Quantity::new(FALL_DISTANCE_USUAL, "").limit(Limit::AtMost(0.2), SAMPLER).expected(0.0),
        Quantity::new(HALVED, "").limit(Limit::AtMost(0.75), CONTRACT).expected(0.5),
        Quantity::new(FRAMES, "s").limit(Limit::AtMost(1e-12), CONTRACT).expected(0.0),
        Quantity::new(LENGTHS, "s").limit(Limit::AtMost(0.0), CONTRACT).expected(0.0),
    ];
    expectations::apply(CASE.name, method, quick, all)
}

fn fall(context: &Context, m: &mut Measured) -> Result<(), CaseError> {
    const END: f64 = 0.16;
    let n = if context.quick { 32 } else { 64 };
    let lengths: &[usize] = if context.quick { &[8, 16] } else { &[8, 16, 32] };
    let mut s = empty(context.method, [0.5, 0.5, 0.5], n, 2);
    s.liquids = vec![at_rest(ball([0.19, 0.31, 0.31], 0.11))];
    s.physics.gravity = DVec3::new(5.0, -7.0, -6.0);
    let (mut worst, mut off, mut errors) = (0.0, (0.0, 0.0), Vec::new());
    for &count in lengths {
        let dt = END / count as f64;
        let mut sim = start(&s)?;
        let from = center(&*sim)?;
        steps(&mut *sim, count, dt)?;
        let error = (center(&*sim)? - from - 0.5 * s.physics.gravity * END * END).length();
        worst = worse(worst, error / (0.5 * s.physics.gravity.length() * END * dt));
        errors.push((dt, error));
        off = distance_error(&s, &*sim)?;
    }
    m.set(FALL_DISTANCE, off.0);
    m.set(FALL_DISTANCE_USUAL, off.1);
    m.set(FALL, worst);
    m.set(FALL_ORDER, order(&errors));
    Ok(())
}

fn center(sim: &dyn Method) -> Result<DVec3, CaseError> {
    sim.totals().center.ok_or_else(|| CaseError::new("the water is gone"))
}

/// How far the distance to a ball of water is off, relative to the true one, anywhere but within two finest
/// cells of its surface and of its center: the most, and what 99 of 100 places do not exceed.
fn distance_error(scene: &Scene, sim: &dyn Method) -> Result<(f64, f64), CaseError> {
    let (middle, reach) = (center(sim)?, 2.0 * scene.domain.dx());
    let radius = (0.75 * sim.totals().volume / PI).cbrt();
    let sampler = sim.sampler();
    let off = |x: DVec3| {
        let r = x.distance(middle);
        let far = (r - radius).abs() > reach && r > reach;
        far.then(|| (sampler.distance(x) / (r - radius) - 1.0).abs())
    };
    let mut all: Vec<f64> = centers(&scene.domain).into_iter().filter_map(off).collect();
    // What is not a number is the largest.
    all.sort_by(f64::total_cmp);
    let at =
        |share: f64| all.get((share * all.len() as f64) as usize).or(all.last()).copied().unwrap_or(f64::NAN);
    Ok((at(1.0), at(0.99)))
}

fn halved(context: &Context, m: &mut Measured) -> Result<(), CaseError> {
    const END: f64 = 0.16;
    let mut s = empty(context.method, [1.0, 0.5, 0.5], if context.quick { 32 } else { 64 }, 1);
    // A ball that stands out of the pool by less than a third of its radius.
    s.liquids = vec![pool(0.2), at_rest(ball([0.42, 0.06, 0.27], 0.22))];
    s.adaptivity.along_surface = false;
    let places = centers(&s.domain);
    let mut runs: Vec<Vec<f64>> = Vec::new();
    for count in [8, 16, 32] {
        context.progress(&format!("{count} steps"))?;
        let mut sim = start(&s)?;
        steps(&mut *sim, count, END / count as f64)?;
        let sampler = sim.sampler();
        runs.push(places.iter().map(|&x| sampler.distance(x)).collect());
    }
    let band = 3.0 * s.domain.dx();
    let change = |a: &[f64], b: &[f64]| {
        (0..places.len()).filter(|&i| runs[2][i].abs() < band).map(|i| (a[i] - b[i]).abs()).sum::<f64>()
    };
    m.set(HALVED, change(&runs[1], &runs[2]) / change(&runs[0], &runs[1]));
    Ok(())
}

fn frames(context: &Context, m: &mut Measured) -> Result<(), CaseError> {
    let scene = splash(context.method);
    let mut sim = start(&scene)?;
    let (mut missed, mut wrong) = (0.0, 0.0);
    for frame in 1..=6 {
        let end = f64::from(frame) / 30.0;
        let before = sim.time();
        let reports = advance(&mut *sim, end)?;
        missed = worse(missed, (sim.time() - end).abs());
        let reported: f64 = reports.iter().map(|r| r.dt).sum();
        // The steps add up to the change of the clock, up to rounding.
        wrong =
            worse(wrong, ((reported - (sim.time() - before)).abs() - 1e-15 * reports.len() as f64).max(0.0));
        wrong = worse(wrong, most(&reports, |r| if r.dt > 0.0 { 0.0 } else { 1.0 }));
    }
    m.set(FRAMES, missed);
    m.set(LENGTHS, wrong);
    Ok(())
}
