//! Water at rest stays at rest: in a tank, in a pocket that a body encloses, and where there is none.

use super::CONTRACT;
use super::parts::measure;
use super::places::centers;
use super::scenes::{advance, ball, empty, fixed, most, pool, start, steps, take_step, worse};
use crate::expectations;
use crate::methods::water_methods;
use glam::DVec3;
use octide_core::faces::figures::CUT_T_FACES;
use octide_core::geometry::Shape;
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity};

pub(crate) static CASE: Case = Case {
    name: "contract-rest",
    title: "Contract: water at rest",
    summary: "a still tank stays still, a closed pocket too, and a scene without water is not an error",
    article: Article {
        problem: "A tank of water at rest, with a ball that pierces the surface, so that an adaptive grid has cells of \
            different sizes along it. The water stands at several heights within a cell, also exactly at the centers \
            of cells and a thousandth of a cell above them.\n\nA pool with a thick shell in it that encloses a \
            pocket of water. A tank without water.",
        reference: "Water at rest under gravity along an axis stays at rest on any grid. The pressure in a pocket without \
            contact to air is known only up to a constant; this must not disturb the solve.",
        measured: "The largest speed in units of √(gH) and the displacement of the surface in units of the depth H, over \
            all heights; the same for the pocket at the usual tolerance of the solver. For the empty tank, the \
            amount of water after a step.",
    },
    methods: water_methods,
    quick: true,
    quantities,
    run: |context| {
        let parts: &[(&str, super::parts::Part)] =
            &[("still tank", still), ("closed pocket", pocket), ("empty scene", nothing)];
        measure(context, parts)
    },
};

const STILL_SPEED: &str = "still tank: speed over √(gH), most";
const STILL_MOVED: &str = "still tank: surface moved over H, most";
const STILL_MIXED: &str = "still tank: T-junctions that the surface cuts";
const POCKET_SPEED: &str = "closed pocket: speed over √(gH), most";
const POCKET_DRIFT: &str = "closed pocket: volume drift, most";
const EMPTY: &str = "empty scene: liquid cells, triangles and volume";

fn quantities(method: &str, quick: bool) -> Vec<Quantity> {
    let at_most = |name, most| Quantity::new(name, "").limit(Limit::AtMost(most), CONTRACT).expected(0.0);
    let all = vec![
        at_most(STILL_SPEED, 1e-6),
        at_most(STILL_MOVED, 1e-6),
        Quantity::new(STILL_MIXED, ""),
        at_most(POCKET_SPEED, 0.01),
        at_most(POCKET_DRIFT, 1e-3),
        at_most(EMPTY, 0.0),
    ];
    expectations::apply(CASE.name, method, quick, all)
}

fn still(context: &Context, m: &mut Measured) -> Result<(), CaseError> {
    let dx = 1.0 / 64.0;
    // In finest cells. Centers are at 20.5 and 21.5, those of cells twice as large at 21.
    let heights: &[f64] = if context.quick {
        &[20.501, 21.0, 21.8]
    } else {
        &[20.1, 20.5, 20.5001, 20.501, 20.9, 21.0, 21.501, 21.8]
    };
    let n = if context.quick { 10 } else { 50 };
    let (mut speed, mut moved, mut mixed) = (0.0, 0.0, 0);
    for cells in heights {
        let height = cells * dx;
        let mut s = empty(context.method, [1.0, 0.5, 0.5], 64, 3);
        s.liquids = vec![pool(height)];
        s.solids = vec![fixed(ball([0.47, 0.3, 0.26], 0.1))];
        s.numerics.tolerance = 1e-11;
        let mut sim = start(&s)?;
        let reports = steps(&mut *sim, n, 0.004)?;
        speed = worse(speed, most(&reports, |r| r.max_speed) / (9.8 * height).sqrt());
        mixed += reports.iter().map(|r| r.count(&CUT_T_FACES)).sum::<usize>();
        let view = sim.view();
        for x in centers(&s.domain).iter().filter(|x| x.y < dx) {
            let x = DVec3::new(x.x, height, x.z);
            let at = view.sample(x);
            if at.solid > 2.0 * dx {
                moved = worse(moved, at.phi.abs() / height);
            }
        }
    }
    m.set(STILL_SPEED, speed);
    m.set(STILL_MOVED, moved);
    m.set(STILL_MIXED, mixed as f64);
    Ok(())
}

fn pocket(context: &Context, m: &mut Measured) -> Result<(), CaseError> {
    let mut s = empty(context.method, [0.5, 0.5, 0.5], 32, 1);
    s.liquids = vec![pool(0.4)];
    s.solids = vec![fixed(Shape::Difference {
        of: Box::new(ball([0.25, 0.2, 0.25], 0.15)),
        minus: vec![ball([0.25, 0.2, 0.25], 0.08)],
    })];
    let mut sim = start(&s)?;
    let reports = advance(&mut *sim, 0.1)?;
    m.set(POCKET_SPEED, most(&reports, |r| r.max_speed) / (9.8f64 * 0.4).sqrt());
    m.set(POCKET_DRIFT, most(&reports, |r| r.volume_drift.abs()));
    Ok(())
}

fn nothing(context: &Context, m: &mut Measured) -> Result<(), CaseError> {
    let mut sim = start(&empty(context.method, [0.5, 0.5, 0.5], 16, 1))?;
    let report = take_step(&mut *sim, 0.01)?;
    let there = report.liquid_cells + sim.frame().surface.mesh.triangles.len();
    m.set(EMPTY, there as f64 + sim.totals().volume.abs());
    Ok(())
}
