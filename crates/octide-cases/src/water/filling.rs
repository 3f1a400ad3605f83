//! Filling and draining tanks: the volume follows inflows, outflows and open sides.
//!
//! A nozzle of area A with velocity v brings A v t. Initial volume, inflow, outflow and final volume must balance.

use crate::expectations;
use crate::methods::water_methods;
use crate::stage::{at_rest, line_plot, start, step_towards};
use glam::DVec3;
use octide_core::contract::StepReport;
use octide_core::geometry::Shape;
use octide_core::scene::{Heading, Inflow, OpenSides, Outflow, Scene, Span};
use octide_verify::plot::Series;
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity};

pub(crate) static CASE: Case = Case {
    name: "filling-draining",
    title: "Filling and draining tanks",
    summary: "a jet brings its flux; the volume that leaves through outflows and open sides is balanced",
    article: Article {
        problem: "A tank of 1 × 0.5 × 0.5 m with 64 cells along its length, 32 in the quick form. A jet of 0.125 × 0.125 m \
            and 1 m/s enters through the wall x = 0 and falls into water 0.1 m deep; the same jet enters under 0.36 \
            m of water. Water 0.25 m deep drains through the open side +x, and through an outflow of 0.2 × 0.0625 × \
            0.1 m in the floor.",
        reference: "Water is incompressible: a jet of area A and velocity v brings the volume A v t. The edges of the nozzle \
            lie on cell faces, so its area is exact.",
        measured: "The growth of the volume over A v t, from the state's own volume at the end, and the inflow that the run \
            reports over the same. For the draining tanks, the fraction of the initial volume that has left, and the \
            error of the balance: initial volume less outflow less final volume, over the initial volume.",
    },
    methods: water_methods,
    quick: true,
    quantities,
    run,
};

const GROWTH_JET: &str = "growth over flux · t, jet in air";
const REPORTED_JET: &str = "reported inflow over flux · t, jet in air";
const GROWTH_BELOW: &str = "growth over flux · t, jet under water";
const REPORTED_BELOW: &str = "reported inflow over flux · t, jet under water";
const LEFT_SIDE: &str = "fraction that left through the open side";
const SIDE: &str = "error of the balance, open side";
const LEFT_OUTFLOW: &str = "fraction that left through the outflow";
const OUTFLOW: &str = "error of the balance, outflow";

fn quantities(method: &str, quick: bool) -> Vec<Quantity> {
    let balance = "exact: incompressible";
    let near_one =
        |name, error| Quantity::new(name, "").limit(Limit::RelativeError(error), balance).expected(1.0);
    let small = |name| Quantity::new(name, "").limit(Limit::AtMost(0.02), balance).expected(0.0);
    // Without this, a closed wall would pass.
    let some = |name| Quantity::new(name, "").limit(Limit::AtLeast(0.1), "a tank drains");
    let all = vec![
        near_one(GROWTH_JET, 0.05),
        near_one(REPORTED_JET, 1e-6),
        near_one(GROWTH_BELOW, 0.05),
        near_one(REPORTED_BELOW, 1e-6),
        some(LEFT_SIDE),
        small(SIDE),
        some(LEFT_OUTFLOW),
        small(OUTFLOW),
    ];
    expectations::apply(CASE.name, method, quick, all)
}

/// Duration of the jets in seconds.
const END: f64 = 2.0;

fn tank(context: &Context, depth: f64) -> Scene {
    let cells = if context.quick { 32 } else { 64 };
    let mut s = Scene::empty(context.method, DVec3::new(1.0, 0.5, 0.5), cells, 1);
    let box_of = |min, max| Shape::Box { min, max };
    s.liquids = vec![at_rest(box_of(DVec3::splat(-9.0), DVec3::new(9.0, depth, 9.0)))];
    s
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let mut m = Measured::default();
    let mut series = Vec::new();
    for (depth, growth, reported, label) in [
        (0.1, GROWTH_JET, REPORTED_JET, "jet in air"),
        (0.36, GROWTH_BELOW, REPORTED_BELOW, "jet under water"),
    ] {
        context.progress(label)?;
        let mut s = tank(context, depth);
        let (min, max) = (DVec3::new(0.0, 0.1875, 0.1875), DVec3::new(0.0625, 0.3125, 0.3125));
        let when = Span::default();
        s.inflows = vec![Inflow { when, ..Inflow::new(Shape::Box { min, max }, DVec3::X) }];
        let end = if context.quick { 0.4 } else { END };
        let flux = 0.125 * 0.125;
        let (first, reports) = advance(&s, end)?;
        let Some(last) = reports.last() else { continue };
        m.set(growth, (last.1.volume - first) / (flux * last.0));
        m.set(reported, last.1.volume_in / (flux * last.0));
        series.push(Series::line(label, reports.iter().map(|(t, r)| [*t, r.volume - first]).collect()));
    }
    for (outflow, left, error, label) in
        [(false, LEFT_SIDE, SIDE, "open side"), (true, LEFT_OUTFLOW, OUTFLOW, "outflow")]
    {
        context.progress(label)?;
        let mut s = tank(context, 0.25);
        if outflow {
            let shape = Shape::Box { min: DVec3::new(0.4, 0.0, 0.2), max: DVec3::new(0.6, 0.0625, 0.3) };
            s.outflows = vec![Outflow::new(shape)];
        } else {
            s.open = OpenSides::of(&[Heading { axis: 0, forward: true }]);
        }
        let (first, reports) = advance(&s, 0.4)?;
        let Some((_, last)) = reports.last() else { continue };
        m.set(left, last.volume_out / first);
        m.set(error, (first - last.volume_out - last.volume).abs() / first);
    }
    let end = if context.quick { 0.4 } else { END };
    series.push(Series::guide("flux · t", vec![[0.0, 0.0], [end, 0.125 * 0.125 * end]]));
    m.plots.push(line_plot("Inflow", "time (s)", "growth of the volume (m³)", series));
    Ok(m)
}

/// Returns the initial volume and the report of each step with its time.
fn advance(scene: &Scene, end: f64) -> Result<(f64, Vec<(f64, StepReport)>), CaseError> {
    let mut sim = start(scene)?;
    let first = sim.report().volume;
    let mut reports = Vec::new();
    loop {
        let step = step_towards(&mut *sim, end)?;
        reports.push((step.time, step.report));
        if step.arrived {
            return Ok((first, reports));
        }
    }
}
