//! Gravity waves: the order of their speed's error, on equal cells and with T-junctions along them.
//!
//! ```text
//! standing   η = A cos(kx) cos(ωt),   k = π/L                                ω² = g k tanh(kh)
//! traveling  η = Σ_m a_m cos(k_m x) cos(ω_m t),   k_m = mπ/L,   a_m of η(x, 0) = A e^(−(x/w)²)
//! ```
//!
//! Both are exact for small waves of an ideal liquid in a closed tank. The speed of the traveling wave is over- or
//! underestimated by −τ/T if it reaches a gauge by τ later than it should, after the time T.
//!
//! A step moves the surface with the velocity of its start and then accelerates the water at its new place. This is the
//! leapfrog scheme: that velocity belongs to the middle of the step, waves keep their height and are too fast by
//! (ω dt)²/24. Paths with a velocity that is extrapolated by half a step more, 3/2 u_n − 1/2 u_(n−1), would damp them at the first
//! order in dt, see the test below.

use super::sloshing::below;
use crate::expectations;
use crate::methods::water_methods;
use crate::stage::{Reading, at_rest, line_plot, probe, record, start};
use glam::DVec3;
use octide_core::geometry::Shape;
use octide_core::scene::{ProbeKind, Region, Scene, Seeding};
use octide_verify::fit::order;
use octide_verify::plot::Series;
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity, Table, number};
use std::f64::consts::PI;

pub(crate) static CASE: Case = Case {
    name: "waves",
    title: "Speed of gravity waves",
    summary: "order of the error in speed of a standing and of a traveling wave, at several levels on the grid, with T-junctions",
    article: Article {
        problem: "A standing wave of 4 mm in a tank of 1 m, with water 0.5 m deep, and a traveling wave in a tank of 4 m, with water \
            0.25 m deep: a hump of 0.5 mm at the wall, 0.5 m wide, that is at rest at the start. The tanks are four finest cells wide, \
            and the whole surface has finest cells; with T-junctions they are eight wide, and half of the surface, on one side \
            along the whole tank, has cells twice as large. The still level is at a face of the grid, or a third or half of a \
            finest cell above one. Without particles. Frames are 60 a second with 28 cells of depth (56 in the tank of 4 m) and \
            shorter in proportion to the cells, so that the CFL number is the same on all grids.",
        reference: "Linear theory of waves of an ideal liquid. The height is small enough that it changes the speed by less than 2·10⁻⁴ \
            (standing) and 10⁻³ (traveling).",
        measured: "Standing: the period, from the zero crossings of the first mode in two and a half periods. Traveling: the delay at \
            which the theory correlates best with a gauge 3 m from the wall until the wave has passed it, over the time that the \
            longest waves take, at √(gh). The order is that of the relative errors over the size of cells, by least squares. The \
            amplitude left after five periods is the largest value of the first mode in the last period, over A.",
    },
    methods: water_methods,
    quick: true,
    quantities,
    run,
};

const G: f64 = 9.81;

/// Where the still level is above a face of the grid, in finest cells.
const LEVELS: [(&str, f64); 3] =
    [("at a face", 0.0), ("a third above a face", 1.0 / 3.0), ("half above a face", 0.5)];

const UNIFORM: &str = "our own: the scheme is of second order";
const JUNCTIONS: &str = "our own: first order at T-junctions only";
const KEPT: &str = "our own: 0.5 % in five periods";

/// A tank with a wave in it.
#[derive(Clone, Copy)]
struct Tank {
    length: f64,
    /// Depth without the rest that puts the level between faces.
    depth: f64,
    amplitude: f64,
    /// Frames a second times the depth in cells.
    pace: f64,
    is_standing: bool,
}

const STANDING: Tank =
    Tank { length: 1.0, depth: 0.5, amplitude: 0.004, pace: 60.0 / 28.0, is_standing: true };
const TRAVELING: Tank =
    Tank { length: 4.0, depth: 0.25, amplitude: 5e-4, pace: 60.0 / 7.0, is_standing: false };
/// The width of the hump that becomes a traveling wave.
const HUMP: f64 = 0.5;
/// Where the traveling wave is measured.
const GAUGE: f64 = 3.0;
const GAUGES: u32 = 8;

/// A wave on some grids.
struct WaveSeries {
    name: String,
    tank: Tank,
    rest: f64,
    has_junctions: bool,
    grids: &'static [u32],
}

fn series(quick: bool) -> Vec<WaveSeries> {
    let mut all = Vec::new();
    for (tank, what, uniform, junctions) in [
        (STANDING, "standing wave", [&[8, 16][..], &[14, 28, 56]], [&[8, 16][..], &[14, 28]]),
        (TRAVELING, "traveling wave", [&[4, 8][..], &[8, 16, 32]], [&[][..], &[8, 16]]),
    ] {
        for (place, rest) in LEVELS {
            let name = format!("{what}, level {place}");
            let grids = if rest > 0.0 && !tank.is_standing { &[][..] } else { uniform[usize::from(!quick)] };
            all.push(WaveSeries { name, tank, rest, has_junctions: false, grids });
        }
        let (name, grids) = (format!("{what}, T-junctions"), junctions[usize::from(!quick)]);
        all.push(WaveSeries { name, tank, rest: 0.0, has_junctions: true, grids });
    }
    all.retain(|s| !s.grids.is_empty());
    all
}

fn error_name(series: &str, n: u32) -> String {
    format!("{series}: error of the speed, {n} cells of depth")
}

fn order_name(series: &str) -> String {
    format!("{series}: order of the error")
}

fn left_name(n: u32) -> String {
    format!("standing wave: amplitude left after five periods, {n} cells of depth")
}

fn quantities(method: &str, quick: bool) -> Vec<Quantity> {
    let mut all = Vec::new();
    for s in series(quick) {
        for &n in s.grids {
            all.push(Quantity::new(error_name(&s.name, n), "").expected(0.0));
        }
        let (least, source) = if s.has_junctions { (1.5, JUNCTIONS) } else { (1.7, UNIFORM) };
        all.push(Quantity::new(order_name(&s.name), "").limit(Limit::AtLeast(least), source));
    }
    if !quick {
        for n in [28, 56] {
            let q = Quantity::new(left_name(n), "").expected(1.0);
            all.push(if n == 56 { q.limit(Limit::AtLeast(0.995), KEPT) } else { q });
        }
    }
    expectations::apply(CASE.name, method, quick, all)
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let mut m = Measured::default();
    let mut rows = Vec::new();
    let mut lines = Vec::new();
    for s in series(context.quick) {
        let mut errors = Vec::new();
        for &n in s.grids {
            context.progress(&format!("{}, {n} cells of depth", s.name))?;
            let dx = s.tank.depth / f64::from(n);
            let depth = s.tank.depth + s.rest * dx;
            let error = if s.tank.is_standing {
                period_error(context.method, &s, n, depth)?
            } else {
                let (error, line) = travel_error(context.method, &s, n, depth)?;
                if s.rest == 0.0 && !s.has_junctions {
                    lines.push(Series::line(format!("{n} cells of depth"), line));
                }
                error
            };
            m.set(error_name(&s.name, n), error);
            errors.push((dx, error.abs()));
            rows.push(vec![s.name.clone(), n.to_string(), number::short(100.0 * error)]);
        }
        m.set(order_name(&s.name), order(&errors));
    }
    if !context.quick {
        for n in [28, 56] {
            context.progress(&format!("five periods, {n} cells of depth"))?;
            m.set(left_name(n), amplitude_left(context.method, n)?);
        }
    }
    let columns = ["wave", "cells of depth", "error of the speed (%)"].map(str::to_owned).into();
    m.tables.push(Table { title: "Speeds".to_owned(), columns, rows });
    let theory = (0..=400).map(|i| 3.0 * f64::from(i) / 400.0);
    lines.push(Series::guide(
        "linear theory",
        theory.map(|t| [t, 1e3 * height(&TRAVELING, TRAVELING.depth, GAUGE, t)]).collect(),
    ));
    m.plots.push(line_plot("Traveling wave at the gauge", "time (s)", "height over the depth (mm)", lines));
    Ok(m)
}

fn omega(k: f64, depth: f64) -> f64 {
    (G * k * (k * depth).tanh()).sqrt()
}

/// Returns the water of a wave at the start: its height at `x` over the depth.
fn at_start(tank: &Tank, x: f64) -> f64 {
    let shape = if tank.is_standing { (PI * x / tank.length).cos() } else { (-(x / HUMP).powi(2)).exp() };
    tank.amplitude * shape
}

/// Returns η by linear theory.
fn height(tank: &Tank, depth: f64, x: f64, t: f64) -> f64 {
    let mode = |k: f64, a: f64| a * (k * x).cos() * (omega(k, depth) * t).cos();
    if tank.is_standing {
        return mode(PI / tank.length, tank.amplitude);
    }
    // The integral of the hump over the tank is that over the half-line to rounding.
    let a = |k: f64| tank.amplitude * PI.sqrt() * HUMP / tank.length * (-(0.5 * k * HUMP).powi(2)).exp();
    let rest = 0.5 * a(0.0);
    rest + (1..60).map(|m| f64::from(m) * PI / tank.length).map(|k| mode(k, a(k))).sum::<f64>()
}

fn scene(method: &str, s: &WaveSeries, n: u32, depth: f64) -> Result<Scene, CaseError> {
    let Tank { length, depth: still, pace, .. } = s.tank;
    let dx = still / f64::from(n);
    let width = if s.has_junctions { 8.0 } else { 4.0 } * dx;
    // Root cells of four finest cells: the ceiling is 1.4 depths high.
    let height = 4.0 * dx * (1.4 * f64::from(n) / 4.0).ceil();
    let cells = (length / dx).round() as u32;
    let mut scene = Scene::empty(method, DVec3::new(length, height, width), cells, 2);
    scene.physics.gravity = DVec3::new(0.0, -G, 0.0);
    scene.time.fps = pace * f64::from(n);
    scene.adaptivity.along_surface = false;
    scene.numerics.particles = Seeding::Off;
    scene.liquids = vec![at_rest(below(length, width, |x| depth + at_start(&s.tank, x.abs()))?)];
    if s.has_junctions {
        let shape = Shape::Box { min: DVec3::new(-1.0, -1.0, 4.0 * dx), max: DVec3::splat(9.0) };
        scene = scene.with_region(Region { shape, at_most: f64::INFINITY, at_least: 2.0 * dx });
    }
    let gauge = |x: f64| probe(ProbeKind::Gauge(DVec3::new(x, 0.0, 2.0 * dx)));
    scene.probes = if s.tank.is_standing {
        (0..GAUGES).map(|i| gauge(length * place(i))).collect()
    } else {
        vec![gauge(GAUGE)]
    };
    Ok(scene)
}

/// Where a gauge stands along the tank.
fn place(i: u32) -> f64 {
    (f64::from(i) + 0.5) / f64::from(GAUGES)
}

/// Returns time and first mode over A.
fn mode(readings: &[Reading], tank: &Tank, depth: f64) -> Vec<[f64; 2]> {
    let of = |r: &Reading| {
        let part = |i: u32| (r.values[2 * i as usize] - depth) * (PI * place(i)).cos();
        2.0 / f64::from(GAUGES) * (0..GAUGES).map(part).sum::<f64>() / tank.amplitude
    };
    readings.iter().map(|r| [r.time, of(r)]).collect()
}

/// Returns the relative error of a standing wave's speed.
fn period_error(method: &str, s: &WaveSeries, n: u32, depth: f64) -> Result<f64, CaseError> {
    let exact = 2.0 * PI / omega(PI / s.tank.length, depth);
    let scene = scene(method, s, n, depth)?;
    let readings = record(&scene, &mut *start(&scene)?, 2.5 * exact)?;
    let mode = mode(&readings, &s.tank, depth);
    let crossing = |w: &[[f64; 2]]| w[0][0] + (w[1][0] - w[0][0]) * w[0][1] / (w[0][1] - w[1][1]);
    let changes = mode.windows(2).filter(|w| (w[0][1] > 0.0) != (w[1][1] > 0.0));
    let crossings: Vec<f64> = changes.map(crossing).collect();
    let last = crossings.len().saturating_sub(1);
    if last < 3 {
        return Err(CaseError::Failed(format!("the wave crosses zero {} times", crossings.len())));
    }
    let period = 2.0 * (crossings[last] - crossings[0]) / last as f64;
    Ok(exact / period - 1.0)
}

/// Returns the amplitude that is left of a standing wave after five periods.
fn amplitude_left(method: &str, n: u32) -> Result<f64, CaseError> {
    let (tank, depth) = (STANDING, STANDING.depth);
    let s = WaveSeries { name: String::new(), tank, rest: 0.0, has_junctions: false, grids: &[] };
    let period = 2.0 * PI / omega(PI / tank.length, depth);
    let scene = scene(method, &s, n, depth)?;
    let readings = record(&scene, &mut *start(&scene)?, 5.25 * period)?;
    let mode = mode(&readings, &tank, depth);
    let late = mode.iter().filter(|p| p[0] > 4.25 * period);
    Ok(late.map(|p| p[1].abs()).fold(0.0, f64::max))
}

/// Returns the relative error of a traveling wave's speed, and its height in mm over time at the gauge.
fn travel_error(method: &str, s: &WaveSeries, n: u32, depth: f64) -> Result<(f64, Vec<[f64; 2]>), CaseError> {
    let travel = GAUGE / (G * depth).sqrt();
    let scene = scene(method, s, n, depth)?;
    // The reflection at the other wall comes back to the gauge after a third of its way more.
    let readings = record(&scene, &mut *start(&scene)?, 1.3 * travel)?;
    let found: Vec<[f64; 2]> = readings.iter().map(|r| [r.time, r.values[0] - depth]).collect();
    // Correlation of the steps with the theory by trapezoids, whatever the amplitude is.
    let fit = |delay: f64| {
        let (mut both, mut own) = (0.0, 0.0);
        for w in found.windows(2) {
            let (t, value) = (0.5 * (w[0][0] + w[1][0]), 0.5 * (w[0][1] + w[1][1]));
            let theory = height(&s.tank, depth, GAUGE, t - delay);
            both += (w[1][0] - w[0][0]) * value * theory;
            own += (w[1][0] - w[0][0]) * theory * theory;
        }
        both / own.sqrt()
    };
    let (mut best, mut step) = (0.0, 0.1 * travel);
    while step > 1e-6 * travel {
        let tries = [best - step, best, best + step];
        let next = tries.into_iter().max_by(|a, b| fit(*a).total_cmp(&fit(*b))).unwrap_or(best);
        if next == best {
            step *= 0.5;
        }
        best = next;
    }
    Ok((-best / travel, found.iter().map(|p| [p[0], 1e3 * p[1]]).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes steps of an oscillator with ω = 1, whose paths have velocities extrapolated by `ahead` steps. Returns the
    /// amplitude left after five periods and the relative error of its speed.
    fn oscillate(dt: f64, ahead: f64) -> (f64, f64) {
        let (mut height, mut u, mut before) = (1.0f64, 0.0f64, 0.0f64);
        let n = (10.0 * PI / dt).ceil() as usize;
        let (mut crossings, mut last) = (Vec::new(), 0.0f64);
        for i in 0..n {
            let next = height + dt * (u + ahead * (u - before));
            before = u;
            u -= dt * next;
            if (next > 0.0) != (height > 0.0) {
                crossings.push(dt * (i as f64 + height / (height - next)));
            }
            height = next;
            if dt * i as f64 > 8.0 * PI {
                last = last.max(height.abs());
            }
        }
        let half = (crossings[crossings.len() - 1] - crossings[0]) / (crossings.len() - 1) as f64;
        (last, PI / half - 1.0)
    }

    #[test]
    fn the_velocity_at_the_start_of_a_step_is_that_of_its_middle() {
        for dt in [0.15, 0.075] {
            let ((left, error), (left_ahead, error_ahead)) = (oscillate(dt, 0.0), oscillate(dt, 0.5));
            assert!(
                (left - 1.0).abs() < 0.01 && (error / (dt * dt / 24.0) - 1.0).abs() < 0.1,
                "{left} {error}"
            );
            assert!(left_ahead < 0.8 && error_ahead > 2.0 * error, "{left_ahead} {error_ahead}");
        }
    }

    #[test]
    fn the_theory_begins_with_the_hump_and_reaches_the_gauge_with_its_speed() {
        for x in [0.0, 0.3, 1.1, 3.0] {
            let start = height(&TRAVELING, TRAVELING.depth, x, 0.0);
            assert!((start - at_start(&TRAVELING, x)).abs() < 1e-3 * TRAVELING.amplitude, "{x}");
        }
        let travel = GAUGE / (G * TRAVELING.depth).sqrt();
        let at = |t: f64| height(&TRAVELING, TRAVELING.depth, GAUGE, t);
        let crest = (0..300)
            .map(|i| 0.005 * f64::from(i))
            .fold(0.0, |best: f64, t: f64| if at(t * 2.0) > at(best) { t * 2.0 } else { best });
        // Waves that are not long are slower.
        assert!(crest > travel && crest < 1.15 * travel, "{crest} {travel}");
    }
}
