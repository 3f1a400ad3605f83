//! Bodies that move in a tank that is full and closed.

use super::CONTRACT;
use super::parts::{Part, measure};
use super::scenes::{advance, ball, empty, going, most, pool, start};
use crate::expectations;
use crate::methods::water_methods;
use glam::DVec3;
use octide_core::geometry::{Motion, Shape};
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity};

pub(crate) static CASE: Case = Case {
    name: "contract-solids",
    title: "Contract: moving bodies in a full, closed tank",
    summary: "a ball pushes water around it; an oblique wall that slides in its own plane moves none",
    article: Article {
        problem: "A tank is full of water, without air. A ball moves in it. In another tank an oblique wall that cuts off \
            a corner slides in its own plane.",
        reference: "Without air the pressure is known only up to a constant, and the volume that a body displaces in front \
            of it must be filled behind it. The flow past a ball in unbounded ideal fluid is at most 1.5 times as \
            fast as the ball, in its frame; if the fluid is at rest far away, it is nowhere faster than the ball, \
            and half as fast beside it. The walls of the tank add to that.\n\nA frictionless wall that slides in \
            its own plane moves no water. On a grid this holds if the flux of the wall's velocity through the closed \
            parts of a cell's faces sums to zero, Σ (1 − A) n = the wall's own area vector: exact for open areas, \
            and wrong by a fraction of the wall's speed if volume fractions are used in their place (Batty et al. \
            2007 against Ng et al. 2009).",
        measured: "The largest speed of the water in units of the body's, and the drift of the volume. Face fractions are \
            stored in 32 bits, so a sliding wall may move water by a few 10⁻⁸ of its speed, and a cell's share of that \
            through small openings is larger.",
    },
    methods: water_methods,
    quick: true,
    quantities,
    run: |context| {
        let parts: &[(&str, Part)] = &[("ball", moving), ("sliding wall", sliding)];
        measure(context, parts)
    },
};

const BALL_SPEED: &str = "ball: largest speed of water over its own";
const BALL_DRIFT: &str = "ball: volume drift, most";
const SLIVERS: &str = "contract: exact but for the rounding of fractions";
const WALL_SPEED: &str = "sliding wall: largest speed of water over its own";

fn quantities(method: &str, quick: bool) -> Vec<Quantity> {
    let all = vec![
        Quantity::new(BALL_SPEED, "")
            .limit(Limit::Within(0.5, 1.5), "potential flow: ½ beside it, 1 before it; tank narrower"),
        Quantity::new(BALL_DRIFT, "").limit(Limit::AtMost(0.01), CONTRACT).expected(0.0),
        Quantity::new(WALL_SPEED, "").limit(Limit::AtMost(1e-5), SLIVERS).expected(0.0),
    ];
    expectations::apply(CASE.name, method, quick, all)
}

fn moving(context: &Context, m: &mut Measured) -> Result<(), CaseError> {
    let n = if context.quick { 16 } else { 32 };
    let mut s = empty(context.method, [0.5, 0.5, 0.5], n, 1);
    s.liquids = vec![pool(9.0)];
    s.solids = vec![going(ball([0.2, 0.25, 0.25], 0.09), DVec3::new(0.1, 0.0, 0.0), 0.4)];
    let fastest = speed(&s.solids[0].motion, 0.2);
    let reports = advance(&mut *start(&s)?, 0.2)?;
    m.set(BALL_SPEED, reports.last().map_or(f64::NAN, |r| r.max_speed) / fastest);
    m.set(BALL_DRIFT, most(&reports, |r| r.volume_drift.abs()));
    Ok(())
}

fn sliding(context: &Context, m: &mut Measured) -> Result<(), CaseError> {
    let n = if context.quick { 16 } else { 32 };
    let mut s = empty(context.method, [0.5, 0.5, 0.5], n, 1);
    s.liquids = vec![pool(9.0)];
    s.numerics.tolerance = 1e-10;
    let normal = DVec3::new(0.5, 0.7, 0.3).normalize();
    let along = normal.cross(DVec3::new(0.2, -0.1, 0.9)).normalize();
    let shape = Shape::Plane { point: DVec3::new(0.21, 0.17, 0.19), normal };
    s.solids = vec![going(shape, 0.1 * along, 0.4)];
    let fastest = speed(&s.solids[0].motion, 0.2);
    let reports = advance(&mut *start(&s)?, 0.2)?;
    m.set(WALL_SPEED, most(&reports, |r| r.max_speed) / fastest);
    Ok(())
}

/// The speed of a body's origin.
fn speed(motion: &Motion, time: f64) -> f64 {
    motion.state(time).linear.length()
}
