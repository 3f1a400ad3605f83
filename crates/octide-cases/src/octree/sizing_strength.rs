//! A dam break with adaptivity from none to full: fewer cells, and errors that grow slowly.

use crate::stage::{Reading, at_rest, line_plot, record_with, start};
use glam::DVec3;
use octide_core::geometry::Shape;
use octide_core::scene::Scene;
use octide_verify::plot::Series;
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity, Table, number};

pub(crate) static CASE: Case = Case {
    name: "sizing-strength",
    title: "Strength of adaptivity",
    summary: "a dam break with α from 0, finest cells everywhere, to 1: number of cells and errors",
    article: Article {
        problem: "A column of water, 0.25 m wide and 0.3 m high, collapses into water 0.06 m deep, in a tank 1 m long, 0.5 \
            m high and 0.125 m wide. The key `strength` of [adaptivity] is α of eq. (38) of Ando & Batty 2020, the \
            pseudo cell size. All other keys have their defaults.",
        reference: "The same with α = 0, the uniform grid. Ando & Batty 2020, §6.5: α balances quality and cost, and uniform \
            grids are best; they give no numbers.",
        measured: "The number of cells is the mean over all steps. The front is the displacement of the center of mass \
            along the tank until the end, at 0.4 s; the energy is kinetic. Errors are root mean squares over time of \
            the difference from α = 0, relative to the largest value with α = 0.",
    },
    methods: super::methods,
    quick: true,
    quantities,
    run,
};

const END: f64 = 0.4;
const STRENGTHS: [f64; 6] = [0.0, 0.2, 0.4, 0.6, 0.8, 1.0];

const MORE: &str = "the largest ratio of cells from one α to the next";
const OFF: [&str; 2] = ["displacement of the center of mass", "kinetic energy"];
const OUR_OWN: &str = "our own: 5 %";

fn quantities(_: &str, quick: bool) -> Vec<Quantity> {
    let mut all = vec![Quantity::new(MORE, "").limit(Limit::AtMost(1.0), "cells fall with α")];
    all.push(
        Quantity::new(cell_ratio(), "")
            .limit(Limit::AtMost(if quick { 0.9 } else { 0.5 }), "our own: fewer cells"),
    );
    for what in OFF {
        let q = Quantity::new(error(what, 1.0), "").expected(0.0);
        all.push(q.limit(Limit::AtMost(0.05), OUR_OWN));
        all.push(
            Quantity::new(format!("{what}: error for α = 0.2 over that for α = 1"), "")
                .limit(Limit::AtMost(1.0), "nearer to uniform is better"),
        );
    }
    all
}

fn cell_ratio() -> String {
    "cells for α = 1 over those for α = 0".to_owned()
}

fn error(what: &str, strength: f64) -> String {
    format!("{what}: error for α = {strength}")
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let mut m = Measured::default();
    let mut runs = Vec::new();
    for strength in STRENGTHS {
        context.progress(&format!("α = {strength}"))?;
        runs.push(collapse(context, strength)?);
    }
    let cells: Vec<f64> = runs.iter().map(|run| mean(run, 0)).collect();
    m.set(MORE, cells.windows(2).map(|w| w[1] / w[0]).fold(0.0, f64::max));
    m.set(cell_ratio(), cells[5] / cells[0]);
    let off: Vec<[f64; 2]> = runs.iter().map(|run| [1, 2].map(|i| difference(run, &runs[0], i))).collect();
    for (i, what) in OFF.iter().enumerate() {
        m.set(error(what, 1.0), off[5][i]);
        m.set(format!("{what}: error for α = 0.2 over that for α = 1"), off[1][i] / off[5][i]);
    }
    let columns = ["α", "cells", "cells over uniform", "error of the way (%)", "error of the energy (%)"];
    let row = |i: usize| {
        let mut row = vec![STRENGTHS[i].to_string(), format!("{:.0}", cells[i])];
        row.extend([cells[i] / cells[0], 100.0 * off[i][0], 100.0 * off[i][1]].map(number::short));
        row
    };
    m.tables.push(Table {
        title: "Strengths".to_owned(),
        columns: columns.map(str::to_owned).into(),
        rows: (0..STRENGTHS.len()).map(row).collect(),
    });
    let line = |i: usize| {
        let points = runs[i].iter().map(|r| [r.time, r.values[2]]).collect();
        Series::line(format!("α = {}", STRENGTHS[i]), points)
    };
    m.plots.push(line_plot(
        "Kinetic energy",
        "time (s)",
        "energy (J)",
        (0..STRENGTHS.len()).map(line).collect(),
    ));
    Ok(m)
}

/// Cells, displacement of the center of mass along the tank and kinetic energy, over time.
fn collapse(context: &Context, strength: f64) -> Result<Vec<Reading>, CaseError> {
    let (resolution, levels) = if context.quick { (32, 2) } else { (64, 3) };
    let mut scene = Scene::empty(context.method, DVec3::new(1.0, 0.5, 0.125), resolution, levels);
    scene.adaptivity.strength = strength;
    let water = |x: f64, y: f64| at_rest(Shape::Box { min: DVec3::splat(-1.0), max: DVec3::new(x, y, 1.0) });
    scene.liquids = vec![water(2.0, 0.06), water(0.25, 0.3)];
    let mut sim = start(&scene)?;
    let from = sim.totals().center.map_or(0.0, |c| c.x);
    record_with(&mut *sim, END, |method| {
        let totals = method.totals();
        let way = totals.center.map(|c| c.x - from);
        vec![Some(method.report().cells as f64), way, Some(totals.kinetic_energy)]
    })
}

fn mean(run: &[Reading], column: usize) -> f64 {
    run.iter().map(|r| r.values[column]).sum::<f64>() / run.len() as f64
}

/// The root mean square over time of the difference of a column, relative to the largest value of
/// `reference`.
fn difference(run: &[Reading], reference: &[Reading], column: usize) -> f64 {
    const TIMES: u32 = 100;
    let squares = (1..=TIMES).map(|i| {
        let t = END * f64::from(i) / f64::from(TIMES);
        (value_at(run, t, column) - value_at(reference, t, column)).powi(2)
    });
    let largest = reference.iter().map(|r| r.values[column].abs()).fold(0.0, f64::max);
    (squares.sum::<f64>() / f64::from(TIMES)).sqrt() / largest
}

/// Linear between readings.
fn value_at(run: &[Reading], t: f64, column: usize) -> f64 {
    let next = run.partition_point(|r| r.time < t).clamp(1, run.len() - 1);
    let [a, b] = [&run[next - 1], &run[next]];
    let part = ((t - a.time) / (b.time - a.time)).clamp(0.0, 1.0);
    a.values[column] + part * (b.values[column] - a.values[column])
}
