//! Steps in time: a falling body, shorter steps, frames.

use super::lookout::{Part, measure};
use super::places::centers;
use super::scenes::{advance, at_rest, ball, empty, most, pool, splash, start, steps};
use super::{CONTRACT, METHODS};
use crate::case::{Article, Case, CaseError, Context, Measured, Quantity};
use crate::fit::order;
use crate::limit::Limit;
use glam::DVec3;
use octide_core::contract::Method;

pub static CASE: Case = Case {
    name: "contract-time",
    title: "Contract: steps in time",
    summary: "free fall, shorter steps, frames that are hit, runs that are resumed",
    article: Article {
        problem: "A ball of water falls in empty space under gravity that is along no axis. A low hill of water sinks \
            into its pool with steps of three lengths, each half of the one before. A splash is stepped from \
            frame to frame.",
        reference: "½ g t². Gravity and transport that act one after the other, as in most methods, miss it by ½ g t dt: \
            first order. Shorter steps change the result less and less: a method of first order halves the \
            change each time.",
        measured: "Falling body: the largest way that the center of mass is off, in units of ½ g t dt, and the order over \
            the steps' lengths. Halved steps: the second change over the first, of the distance to the surface in the mean \
            over a band around it. Frames: how far the clock is off after each, and how far a step's length is from the one \
            that was asked for.",
    },
    methods: METHODS,
    quick: true,
    quantities,
    run: |context| {
        let parts: &[(&str, Part)] = &[("falling body", fall), ("halved steps", halved), ("frames", frames)];
        measure(context, parts)
    },
};

const FALL: &str = "falling body: error over ½ g t dt, most";
const FALL_ORDER: &str = "falling body: order in dt";
const HALVED: &str = "halved steps: second change over first";
const FRAMES: &str = "frames: time missed, most";
const LENGTHS: &str = "frames: step not as long as asked, most";
const RESUMED: &str = "saved and loaded: bytes that differ";

fn quantities(_: &str, _: bool) -> Vec<Quantity> {
    vec![
        Quantity::new(FALL, "").limit(Limit::AtMost(1.2), CONTRACT),
        Quantity::new(FALL_ORDER, "").limit(Limit::AtLeast(0.9), CONTRACT).expected(1.0),
        Quantity::new(HALVED, "").limit(Limit::AtMost(0.75), CONTRACT).expected(0.5),
        Quantity::new(FRAMES, "s").limit(Limit::AtMost(1e-12), CONTRACT).expected(0.0),
        Quantity::new(LENGTHS, "s").limit(Limit::AtMost(0.0), CONTRACT).expected(0.0),
        Quantity::new(RESUMED, "")
            .limit(Limit::AtMost(0.0), CONTRACT)
            .expected(0.0)
            .not_available("checkpoints"),
    ]
}

fn fall(context: &Context, m: &mut Measured) -> Result<(), CaseError> {
    const END: f64 = 0.16;
    let n = if context.quick { 32 } else { 64 };
    let lengths: &[usize] = if context.quick { &[8, 16] } else { &[8, 16, 32] };
    let mut s = empty(context.method, [0.5, 0.5, 0.5], n, 2);
    s.liquids = vec![at_rest(ball([0.19, 0.31, 0.31], 0.11))];
    s.physics.gravity = DVec3::new(5.0, -7.0, -6.0);
    let (mut worst, mut errors) = (0.0f64, Vec::new());
    for &count in lengths {
        let dt = END / count as f64;
        let mut sim = start(&s)?;
        let from = center(&*sim)?;
        steps(&mut *sim, count, dt)?;
        let error = (center(&*sim)? - from - 0.5 * s.physics.gravity * END * END).length();
        worst = worst.max(error / (0.5 * s.physics.gravity.length() * END * dt));
        errors.push((dt, error));
    }
    m.set(FALL, worst);
    m.set(FALL_ORDER, order(&errors));
    Ok(())
}

fn center(sim: &dyn Method) -> Result<DVec3, CaseError> {
    sim.totals().center.ok_or_else(|| CaseError::new("the water is gone"))
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
    let (mut missed, mut wrong) = (0.0f64, 0.0f64);
    for frame in 1..=6 {
        let end = f64::from(frame) / 30.0;
        let before = sim.time();
        let reports = advance(&mut *sim, end)?;
        missed = missed.max((sim.time() - end).abs());
        let told: f64 = reports.iter().map(|r| r.dt).sum();
        // The sum of steps is the way of the clock, but for rounding.
        wrong = wrong.max(((told - (sim.time() - before)).abs() - 1e-15 * reports.len() as f64).max(0.0));
        wrong = wrong.max(most(&reports, |r| if r.dt > 0.0 { 0.0 } else { 1.0 }));
    }
    m.set(FRAMES, missed);
    m.set(LENGTHS, wrong);
    Ok(())
}
