//! Waves on a thread: r = R + a(t) cos(kx), a ∝ exp(st), s² = σ/(ρR³) x(1 − x²) I₁(x)/I₀(x), x = kR.
//!
//! The thread is a cylinder at first, and its velocity that of the growing wave, u ∝ ∇(I₀(kr) cos kx): then a
//! grows as sinh(st), and s follows from a at two times, a(2t)/a(t) = 2 cosh(st). Where waves do not grow
//! this is 2 cos(ωt), and s² negative.

use super::reach;
use crate::case::{Article, Case, CaseError, Context, Measured, Quantity};
use crate::cases::stage::{at_rest, over};
use crate::limit::Limit;
use crate::number;
use crate::plot::Series;
use crate::table::Table;
use glam::DVec3;
use octide_core::contract::Method;
use octide_core::geometry::Shape;
use octide_core::scene::{Scene, Seeding};
use octide_octree::OctreeLiquid;
use std::f64::consts::PI;

pub(in crate::cases) static CASE: Case = Case {
    name: "rayleigh-plateau",
    title: "Breakup of a thread",
    summary: "growth of waves on a thread of water, s² = σ/(ρR³) x(1 − x²) I₁(x)/I₀(x)",
    article: Article {
        problem: "A thread of water of radius R without gravity between two walls that are half a wave apart. At the start it is a \
            cylinder, and its velocity is that of the wave with the wave number k, ∇(I₀(kr) cos kx), small enough that the radius \
            changes by 3 % at most.",
        reference: "Rayleigh 1878: with x = kR the wave grows as exp(st), s² = σ/(ρR³) x(1 − x²) I₁(x)/I₀(x), fastest at x = 0.697; waves \
            with x > 1 do not grow. The thread meets the walls at right angles, as it does between two waves.",
        measured: "The radius at both walls gives a(t), and a at two times s: a(2t)/a(t) = 2 cosh(st) with t = 1.5 √(ρR³/σ). The x of \
            the fastest growth is the top of a parabola through the largest rate and its neighbors.",
    },
    methods: &["octree"],
    quick: true,
    quantities,
    run,
};

const FASTEST: f64 = 0.697;
const SHORT: f64 = 1.2;
const RATE: &str = "rate over theory at x = 0.697";
const TOP: &str = "x of the fastest growth";
const BEYOND: &str = "rate at x = 1.2 over the largest";

/// Cells between the walls.
fn cells(quick: bool) -> u32 {
    if quick { 16 } else { 24 }
}

fn places(quick: bool) -> &'static [f64] {
    if quick { &[FASTEST, SHORT] } else { &[0.4, 0.55, FASTEST, 0.85, SHORT] }
}

fn quantities(_: &str, quick: bool) -> Vec<Quantity> {
    let mut all = vec![
        Quantity::new(RATE, "")
            .limit(Limit::RelativeError(if quick { 0.1 } else { 0.05 }), "Rayleigh 1878")
            .expected(1.0),
    ];
    if !quick {
        all.push(Quantity::new(TOP, "").limit(Limit::RelativeError(0.1), "Rayleigh 1878").expected(FASTEST));
    }
    all.push(Quantity::new(BEYOND, "").limit(Limit::AtMost(0.0), "Rayleigh 1878: no growth past x = 1"));
    all
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let places = places(context.quick);
    let (mut rates, mut rows) = (Vec::new(), Vec::new());
    for &x in places {
        context.progress(&format!("x = {x}"))?;
        let rate = rate(context.method, cells(context.quick), x)?;
        rates.push([x, rate]);
        rows.push(vec![number::short(x), number::short(rate), number::short(theory(x))]);
    }
    let at = |x: f64| rates.iter().find(|r| r[0] == x).map_or(f64::NAN, |r| r[1]);
    let mut m = Measured::default();
    m.set(RATE, at(FASTEST) / theory(FASTEST));
    m.set(BEYOND, at(SHORT) / rates.iter().map(|r| r[1]).fold(0.0, f64::max));
    if !context.quick {
        m.set(TOP, top(&rates));
    }
    let columns = ["x = kR", "rate times √(ρR³/σ)", "theory"];
    m.tables.push(Table { title: "Rates".to_owned(), columns: columns.map(str::to_owned).into(), rows });
    let curve = (0..=130).map(|i| 0.01 * f64::from(i)).map(|x| [x, theory(x)]).collect();
    let series = vec![Series::line("measured", rates), Series::guide("Rayleigh 1878", curve)];
    m.plots.push(over(
        "Rate over wave number, negative where waves do not grow",
        "x = kR",
        "s √(ρR³/σ)",
        series,
    ));
    Ok(m)
}

/// s √(ρR³/σ); −ω where waves do not grow.
fn theory(x: f64) -> f64 {
    signed_root(x * (1.0 - x * x) * bessel(1, x) / bessel(0, x))
}

fn signed_root(square: f64) -> f64 {
    square.abs().sqrt().copysign(square)
}

/// I_n(x) by its series.
fn bessel(n: u32, x: f64) -> f64 {
    let mut term = (1..=n).fold(1.0, |t, i| t * 0.5 * x / f64::from(i));
    let mut sum = term;
    for m in 1..30 {
        term *= 0.25 * x * x / (f64::from(m) * f64::from(m + n));
        sum += term;
    }
    sum
}

/// As [`theory`], from a run with R = 1, σ = 1 and ρ = 1.
fn rate(method: &str, cells: u32, x: f64) -> Result<f64, CaseError> {
    const TIME: f64 = 1.5;
    let length = PI / x;
    let dx = length / f64::from(cells);
    // Root cells are two finest cells; the box is about three radii wide, the thread in the middle of no
    // cell.
    let width = 2.0 * dx * (1.5 / dx).ceil();
    let mut scene = Scene::empty(method, DVec3::new(length, width, width), cells, 1);
    // The longest side is given in cells.
    scene.domain.resolution = (scene.domain.size.max_element() / dx).round() as u32;
    scene.physics.gravity = DVec3::ZERO;
    scene.physics.density = 1.0;
    scene.physics.surface_tension = 1.0;
    scene.time.fps = 0.01;
    scene.numerics.particles = Seeding::Off;
    scene.adaptivity.along_surface = false;
    let axis = DVec3::new(0.0, 0.5 * width + 0.13 * dx, 0.5 * width - 0.22 * dx);
    let end = axis + length * DVec3::X;
    scene.liquids = vec![at_rest(Shape::Cylinder { from: axis - DVec3::X, to: end + DVec3::X, radius: 1.0 })];
    let mut sim = OctreeLiquid::new(&scene);
    // Of the growing wave, so that a is 3 % or less at the end.
    let s = theory(x);
    let speed = 0.03 * s.abs() / if s > 0.0 { (s * 2.0 * TIME).sinh() } else { 1.0 };
    sim.set_velocity(&|p: DVec3| {
        let mut across = p - axis;
        across.x = 0.0;
        let (r, (sin, cos)) = (across.length().min(1.5), (x * p.x).sin_cos());
        speed / bessel(1, x)
            * (bessel(1, x * r) * cos * across.normalize_or_zero() - bessel(0, x * r) * sin * DVec3::X)
    });
    let mut a = Vec::new();
    for until in [TIME, 2.0 * TIME] {
        while until - sim.time() > 1e-9 {
            let left = until - sim.time();
            let dt = left / (left / sim.max_dt()).ceil();
            sim.step(dt).map_err(CaseError::new)?;
        }
        a.push(wave(&sim, axis, end, width));
    }
    let half = 0.5 * a[1] / a[0];
    let phase = if half >= 1.0 { half.acosh() } else { -half.clamp(-1.0, 1.0).acos() };
    Ok(phase / TIME)
}

/// Half of what the mean radius at one wall has over that at the other.
fn wave(sim: &OctreeLiquid, from: DVec3, to: DVec3, width: f64) -> f64 {
    const AROUND: usize = 16;
    let state = sim.view();
    let mean = |at: DVec3| {
        let ray = |i: usize| {
            let (s, c) = (2.0 * PI * (i as f64 + 0.3) / AROUND as f64).sin_cos();
            reach(&*state, at, DVec3::new(0.0, c, s), 0.45 * width)
        };
        (0..AROUND).map(ray).sum::<f64>() / AROUND as f64
    };
    0.5 * (mean(from) - mean(to))
}

/// The x of the largest rate, by a parabola through it and its neighbors.
fn top(rates: &[[f64; 2]]) -> f64 {
    let largest = rates.windows(3).max_by(|a, b| a[1][1].total_cmp(&b[1][1]));
    let Some([[x0, y0], [x1, y1], [x2, y2]]) = largest.map(|w| [w[0], w[1], w[2]]) else { return f64::NAN };
    let (left, right) = ((y1 - y0) / (x1 - x0), (y2 - y1) / (x2 - x1));
    let bend = (right - left) / (x2 - x0);
    0.5 * (x0 + x1) - 0.5 * left / bend
}
