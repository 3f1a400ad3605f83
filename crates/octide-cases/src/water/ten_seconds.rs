//! The built-in dam break for ten seconds: what is lost, what is moved by hand, how many cells it takes.

use crate::energies::{Energy, largest_rise};
use crate::expectations;
use crate::methods::{supports_in_water, water_methods};
use crate::stage::line_plot;
use octide_core::scene::Scene;
use octide_core::speeds::fall_time;
use octide_io::scene_file::{LoadOptions, load};
use octide_methods::Simulation;
use octide_verify::plot::Series;
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity};

pub(crate) static CASE: Case = Case {
    name: "ten-seconds",
    title: "Ten seconds of a dam break",
    summary: "the built-in dam break for ten seconds: books, volume, energy, and cells over time",
    article: Article {
        problem: "The built-in scene dam-break with 128 cells along its length, 32 in the quick form: a column of water over a \
            shallow pool, for ten seconds. It runs along the tank, up the wall, over and back, and calms down.",
        reference: "No water is lost or made, and walls that stand still give no energy. Cells are needed where the surface moves and \
            bends: the calmer the water, the fewer.",
        measured: "At every frame. The error of the books: water in cells and spray less what there was at the start, relative to \
            that. The volume of φ and spray off it, largest and at the end. What was moved in the time of a fall through the \
            domain to where the flow did not put it, on average. The largest rise of the energy in the middle of steps \
            above an earlier value, over that of the start above the state of rest, and what is left of the latter at the end. \
            The most cells, those at the end, and the highest speed.",
    },
    methods: water_methods,
    quick: true,
    quantities,
    run,
};

/// Cells along the tank in the full and the quick form.
const CELLS: [u32; 2] = [128, 32];
const END: f64 = 10.0;

const BOOKS: &str = "error of the books, most";
const DRIFT: &str = "volume off the water there is, most";
const LAST_DRIFT: &str = "volume off the water there is, at the end";
const MOVED: &str = "moved by hand in the time of a fall, mean";
const RISE: &str = "largest rise of energy";
const LEFT: &str = "energy left at the end";
const MOST_CELLS: &str = "cells, most";
const LAST_CELLS: &str = "cells at the end";
const SPEED: &str = "highest speed";

fn quantities(method: &str, quick: bool) -> Vec<Quantity> {
    const OURS: &str = "our own requirement, as in everyday scenes";
    let keeps = supports_in_water(method, "numerics.volume_correction", "local");
    let books = Quantity::new(BOOKS, "").expected(0.0);
    let moved = Quantity::new(MOVED, "%").expected(0.0);
    let all = vec![
        if keeps {
            books.limit(Limit::AtMost(1e-10), OURS)
        } else {
            books.not_available("volume that is kept cell by cell")
        },
        Quantity::new(DRIFT, "%").limit(Limit::AtMost(if keeps { 0.5 } else { 2.0 }), OURS).expected(0.0),
        Quantity::new(LAST_DRIFT, "%").expected(0.0),
        if keeps { moved.limit(Limit::AtMost(0.1), OURS) } else { moved },
        Quantity::new(RISE, "%").limit(Limit::AtMost(0.5), OURS).expected(0.0),
        Quantity::new(LEFT, "%"),
        Quantity::new(MOST_CELLS, ""),
        Quantity::new(LAST_CELLS, ""),
        Quantity::new(SPEED, "m/s"),
    ];
    expectations::apply(CASE.name, method, quick, all)
}

fn scene(context: &Context) -> Result<Scene, CaseError> {
    let cells = CELLS[usize::from(context.quick)];
    let options = LoadOptions::new(octide_methods::ABILITIES)
        .with_overrides([("method", format!("{:?}", context.method)), ("resolution", cells.to_string())]);
    let mut scene = load("dam-break", &options).map_err(CaseError::new)?.scene;
    scene.numerics.max_volume_drift = 1.0;
    Ok(scene)
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let scene = scene(context)?;
    let mut sim = Simulation::start(&scene).map_err(CaseError::new)?;
    let (weight, area) =
        (scene.physics.density * scene.physics.gravity.length(), scene.domain.size.x * scene.domain.size.z);
    let start = sim.report().volume;
    let lying = 0.5 * weight * start * start / area;
    let (mut books, mut moved, mut corrected, mut speed) = (0.0f64, 0.0, 0.0, 0.0f64);
    let (mut drifts, mut cells, mut energies) = (Vec::new(), Vec::new(), Vec::new());
    let mut before = Energy::of(&scene, sim.method());
    let frames = (END * scene.time.fps).round() as u32;
    for number in 1..=frames {
        context.progress(&format!("frame {number} of {frames}"))?;
        let report = loop {
            let step = sim.step().map_err(CaseError::new)?;
            moved += (step.report.volume_correction - corrected).abs();
            corrected = step.report.volume_correction;
            speed = speed.max(step.report.max_speed);
            let after = Energy::of(&scene, sim.method());
            if step.arrived || energies.is_empty() {
                energies.push([0.5 * (before.time + after.time), before.between(after) - lying]);
            }
            before = after;
            if step.arrived {
                break step.report;
            }
        };
        let balance = report.figures.iter().find(|f| f.kind.name == "volume_balance");
        books = books.max(balance.map_or(0.0, |f| f.value.abs()));
        drifts.push([sim.time(), 100.0 * (report.volume / start - 1.0)]);
        cells.push([sim.time(), report.cells as f64]);
    }
    let last = |curve: &[[f64; 2]]| curve.last().map_or(f64::NAN, |p| p[1]);
    let most = |curve: &[[f64; 2]]| curve.iter().map(|p| p[1].abs()).fold(0.0, f64::max);
    let first = energies.first().map_or(f64::NAN, |e| e[1]);
    let mut m = Measured::default();
    if supports_in_water(context.method, "numerics.volume_correction", "local") {
        m.set(BOOKS, books);
    }
    m.set(DRIFT, most(&drifts));
    m.set(LAST_DRIFT, last(&drifts));
    m.set(MOVED, 100.0 * moved * fall_time(&scene) / END);
    m.set(RISE, 100.0 * largest_rise(energies.iter().map(|e| e[1])) / first);
    m.set(LEFT, 100.0 * last(&energies) / first);
    m.set(MOST_CELLS, most(&cells));
    m.set(LAST_CELLS, last(&cells));
    m.set(SPEED, speed);
    let plot = |title, y, curve| line_plot(title, "time (s)", y, vec![Series::line(context.method, curve)]);
    m.plots.push(plot("Energy above the state of rest", "energy (J)", energies));
    m.plots.push(plot("Volume off the water there is", "%", drifts));
    m.plots.push(plot("Cells over time", "cells", cells));
    Ok(m)
}
