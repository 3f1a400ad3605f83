//! A standing wave in a tank: η = A cos(kx) cos(ωt) with ω² = g k tanh(kh), k = π/L.

use crate::expectations;
use crate::methods::water_methods;
use crate::stage::{at_rest, line_plot, probe, record, start};
use glam::DVec3;
use octide_core::geometry::{MeshSdf, MeshShape, Shape, TriMesh};
use octide_core::scene::{ProbeKind, Scene};
use octide_verify::fit::Convergence;
use octide_verify::plot::Series;
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity, Table, number};
use std::f64::consts::PI;
use std::sync::Arc;

pub(crate) static CASE: Case = Case {
    name: "sloshing",
    title: "Sloshing in a tank",
    summary: "period of the first standing wave, ω² = g k tanh(kh), and the amplitude left after five periods",
    article: Article {
        problem: "Water of depth h = 0.5 m in a tank of length L = 1 m, four finest cells wide. At the start the surface \
            is η = A cos(πx/L) with A = 0.01 m, 2 % of the depth, and the water is at rest. The whole surface has \
            finest cells.",
        reference: "Small waves of an ideal liquid: ω² = g k tanh(kh), k = π/L, so T = 1.1818 s, without any loss. A is \
            small enough that the dependence of the period on it, of order (kA)² = 10⁻³, can be neglected. With the still \
            level a third of a cell higher the depth h is larger by this much.",
        measured: "Gauges at eight places give the first mode, a(t) = ¼ Σ η(x_i) cos(πx_i/L). The period follows from the \
            first and the last of its zero crossings within five periods, two in each period. The amplitude left is \
            the crest of |a| after the last of these crossings over A, from a parabola through three steps. The plot \
            shows a gauge at the wall beside A cos(ωt).",
    },
    methods: water_methods,
    quick: true,
    quantities,
    run,
};

const LENGTH: f64 = 1.0;
const DEPTH: f64 = 0.5;
const AMPLITUDE: f64 = 0.01;
const G: f64 = 9.81;
const GAUGES: usize = 8;

const PUBLISHED: &str = "linear wave theory; ≤ 3 % at 28 cells of depth";

/// Cells of depth.
fn grids(quick: bool) -> &'static [u32] {
    if quick { &[14, 28] } else { &[14, 28, 56, 112] }
}

const RAISED: &str = "period, 28 cells of depth, still level a third of a cell higher";

/// Returns the depth of a tank whose still level is a third of a cell higher.
fn raised(cells: u32) -> f64 {
    DEPTH * (1.0 + 1.0 / (3.0 * f64::from(cells)))
}

fn omega(depth: f64) -> f64 {
    let k = PI / LENGTH;
    (G * k * (k * depth).tanh()).sqrt()
}

fn quantities(method: &str, quick: bool) -> Vec<Quantity> {
    let period = 2.0 * PI / omega(DEPTH);
    let mut all = Vec::new();
    for &n in grids(quick) {
        let q = Quantity::new(format!("period, {n} cells of depth"), "s").expected(period);
        all.push(if n >= 28 { q.limit(Limit::RelativeError(0.03), PUBLISHED) } else { q });
    }
    all.push(
        Quantity::new("period's error at 28 cells over that at 14", "")
            .limit(Limit::AtMost(1.0), "better with finer cells"),
    );
    let higher = 2.0 * PI / omega(raised(28));
    all.push(Quantity::new(RAISED, "s").expected(higher).limit(Limit::RelativeError(0.03), PUBLISHED));
    for &n in grids(quick) {
        all.push(Quantity::new(left(n), "").expected(1.0));
    }
    all.push(
        Quantity::new("amplitude lost, largest ratio from grid to grid", "")
            .limit(Limit::AtMost(1.0), "the loss decreases with dx"),
    );
    expectations::apply(CASE.name, method, quick, all)
}

fn left(n: u32) -> String {
    format!("amplitude left after five periods, {n} cells of depth")
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let exact = 2.0 * PI / omega(DEPTH);
    let mut m = Measured::default();
    let mut errors = Convergence::new(&["period, relative", "amplitude lost"]);
    let mut series = Vec::new();
    let mut rows = Vec::new();
    let mut found = Vec::new();
    for &n in grids(context.quick) {
        context.progress(&format!("{n} cells of depth"))?;
        let wave = slosh(context.method, n, DEPTH, 5.3 * exact)?;
        m.set(format!("period, {n} cells of depth"), wave.period);
        m.set(left(n), wave.left);
        let (off, lost) = ((wave.period / exact - 1.0).abs(), 1.0 - wave.left);
        errors.add(n, DEPTH / f64::from(n), &[off, lost]);
        rows.push(vec![
            n.to_string(),
            number::short(wave.period),
            number::short(100.0 * (wave.period / exact - 1.0)),
            number::short(wave.left),
        ]);
        found.push((off, lost));
        series.push(Series::line(format!("{n} cells of depth"), wave.at_wall));
    }
    context.progress("28 cells of depth, still level a third of a cell higher")?;
    let wave = slosh(context.method, 28, raised(28), 5.3 * exact)?;
    m.set(RAISED, wave.period);
    let error = 100.0 * (wave.period * omega(raised(28)) / (2.0 * PI) - 1.0);
    let values = [wave.period, error, wave.left].map(number::short);
    rows.push(std::iter::once("28⅓".to_owned()).chain(values).collect());
    m.set("period's error at 28 cells over that at 14", found[1].0 / found[0].0);
    let ratios = found.windows(2).map(|w| w[1].1 / w[0].1);
    m.set("amplitude lost, largest ratio from grid to grid", ratios.fold(0.0, f64::max));
    let columns = ["cells of depth", "period (s)", "period's error (%)", "amplitude left"];
    m.tables.push(Table { title: "Waves".to_owned(), columns: columns.map(str::to_owned).into(), rows });
    m.plots.push(errors.plot("Errors over resolution", "cells of depth", "error", 1.0));
    let theory = (0..=400).map(|i| 5.3 * exact * f64::from(i) / 400.0);
    let theory = theory.map(|t| [t, 1e3 * AMPLITUDE * (omega(DEPTH) * t).cos()]).collect();
    series.push(Series::guide("A cos(ωt)", theory));
    m.plots.push(line_plot("Height at the wall over time", "time (s)", "height over the depth (mm)", series));
    Ok(m)
}

/// What was measured of a wave.
struct Wave {
    period: f64,
    left: f64,
    /// Time and height over the depth in mm.
    at_wall: Vec<[f64; 2]>,
}

fn slosh(method: &str, cells: u32, depth: f64, end: f64) -> Result<Wave, CaseError> {
    let scene = tank(method, cells, depth)?;
    let mut sim = start(&scene)?;
    let readings = record(&scene, &mut *sim, end)?;
    let mut mode = Vec::new();
    let mut at_wall = Vec::new();
    for r in &readings {
        at_wall.push([r.time, 1e3 * (r.values[0] - depth)]);
        let sum: f64 =
            (0..GAUGES).map(|i| (r.values[2 + 2 * i] - depth) * (PI * place(i) / LENGTH).cos()).sum();
        mode.push([r.time, 2.0 / GAUGES as f64 * sum]);
    }
    let crossings: Vec<f64> = mode
        .windows(2)
        .filter(|w| (w[0][1] > 0.0) != (w[1][1] > 0.0))
        .map(|w| w[0][0] + (w[1][0] - w[0][0]) * w[0][1] / (w[0][1] - w[1][1]))
        .collect();
    // A quarter, three quarters ... of a period: ten in five periods.
    let n = crossings.len().min(10);
    if n < 10 {
        return Err(CaseError::Failed(format!("the wave crosses zero {n} times in five periods, not 10")));
    }
    let period = 2.0 * (crossings[n - 1] - crossings[0]) / (n - 1) as f64;
    // The crest at five periods lies after the tenth crossing.
    let last: Vec<f64> = mode.iter().filter(|p| p[0] > crossings[n - 1]).map(|p| p[1].abs()).collect();
    Ok(Wave { period, left: crest(&last) / AMPLITUDE, at_wall })
}

/// The top of the parabola through the largest value and its neighbors: it lies between steps.
fn crest(values: &[f64]) -> f64 {
    let top = |w: &[f64]| w[1] - (w[0] - w[2]).powi(2) / (8.0 * (w[0] - 2.0 * w[1] + w[2]));
    let tops = values.windows(3).filter(|w| w[1] > w[0] && w[1] >= w[2]);
    tops.map(top).fold(0.0, f64::max)
}

/// Where a gauge stands along the tank.
fn place(i: usize) -> f64 {
    LENGTH * (i as f64 + 0.5) / GAUGES as f64
}

fn tank(method: &str, cells: u32, depth: f64) -> Result<Scene, CaseError> {
    let dx = DEPTH / f64::from(cells);
    // Root cells of four finest cells: the ceiling is 1.4 depths high.
    let height = 4.0 * dx * (1.4 * f64::from(cells) / 4.0).ceil();
    let mut scene = Scene::empty(method, DVec3::new(LENGTH, height, 4.0 * dx), 2 * cells, 2);
    scene.physics.gravity = DVec3::new(0.0, -G, 0.0);
    scene.adaptivity.along_surface = false;
    scene.liquids = vec![at_rest(wave(4.0 * dx, depth)?)];
    scene.probes = vec![probe(ProbeKind::Gauge(DVec3::new(0.0, 0.0, 2.0 * dx)))];
    scene.probes.extend((0..GAUGES).map(|i| probe(ProbeKind::Gauge(DVec3::new(place(i), 0.0, 2.0 * dx)))));
    Ok(scene)
}

/// Water up to `depth` + A cos(kx), far beyond the walls on all other sides.
fn wave(width: f64, depth: f64) -> Result<Shape, CaseError> {
    below(LENGTH, width, |x| depth + AMPLITUDE * (PI * x / LENGTH).cos())
}

/// Water below y = `top`(x), for x from −`length` to 2 `length`, far beyond the walls on all other sides.
pub(super) fn below(length: f64, width: f64, top: impl Fn(f64) -> f64) -> Result<Shape, CaseError> {
    const PARTS: u32 = 600;
    let (z0, z1) = (-length, width + length);
    let mut mesh = TriMesh::default();
    for i in 0..=PARTS {
        let x = length * (3.0 * f64::from(i) / f64::from(PARTS) - 1.0);
        let y = top(x);
        for (y, z) in [(-length, z0), (-length, z1), (y, z1), (y, z0)] {
            mesh.positions.push([x as f32, y as f32, z as f32]);
        }
    }
    let mut quad = |a: u32, b: u32, c: u32, d: u32| mesh.triangles.extend([[a, b, c], [a, c, d]]);
    for i in 0..PARTS {
        for side in 0..4 {
            let next = (side + 1) % 4;
            quad(4 * i + side, 4 * i + 4 + side, 4 * i + 4 + next, 4 * i + next);
        }
    }
    quad(0, 1, 2, 3);
    let end = 4 * PARTS;
    quad(end + 3, end + 2, end + 1, end);
    let sdf = MeshSdf::new(&mesh).map_err(CaseError::new)?;
    Ok(Shape::Mesh(Arc::new(MeshShape { source: "wave".to_owned(), sdf, is_shell: false })))
}
