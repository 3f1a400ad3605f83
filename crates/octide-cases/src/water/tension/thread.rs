//! Waves on a thread: r = R + a(t) cos(kx), a ∝ exp(st), s² = σ/(ρR³) x(1 − x²) I₁(x)/I₀(x), x = kR.
//!
//! The thread is at rest at first, with a small wave on it: then a grows as cosh(st), and s follows from a at
//! two times, a(2t)/a(t) = cosh(2st)/cosh(st). Where waves do not grow this is cos(2ωt)/cos(ωt), and s² is
//! negative.

use super::{declare, reach};
use crate::methods::water_methods;
use crate::stage::{at_rest, line_plot, start, take_step};
use glam::DVec3;
use octide_core::contract::StateView;
use octide_core::geometry::{MeshSdf, MeshShape, Shape, TriMesh};
use octide_core::scene::{Scene, Seeding};
use octide_verify::plot::Series;
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity, Table, number};
use std::f64::consts::PI;
use std::sync::Arc;

pub(crate) static CASE: Case = Case {
    name: "rayleigh-plateau",
    title: "Breakup of a thread",
    summary: "growth of waves on a thread of water, s² = σ/(ρR³) x(1 − x²) I₁(x)/I₀(x)",
    article: Article {
        problem: "A thread of water of radius R without gravity between two walls that are half a wavelength apart. At the \
            start it is at rest, and its radius is R (1 + 0.02 cos kx).",
        reference: "Rayleigh 1878: with x = kR the wave grows as exp(st), s² = σ/(ρR³) x(1 − x²) I₁(x)/I₀(x), fastest at \
            x = 0.697; waves with x > 1 do not grow. From rest, the amplitude is proportional to cosh(st). The thread meets \
            the walls at right angles, as in an infinite thread.",
        measured: "The mean radii at both walls give the amplitude a(t), and a at two times gives s: a(2t)/a(t) = \
            cosh(2st)/cosh(st) with t = 1.5 √(ρR³/σ). The x of the fastest growth is the vertex of a parabola through the \
            largest rate and its neighbors.",
    },
    methods: water_methods,
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

fn quantities(method: &str, quick: bool) -> Vec<Quantity> {
    let mut all = vec![
        Quantity::new(RATE, "")
            .limit(Limit::RelativeError(if quick { 0.1 } else { 0.05 }), "Rayleigh 1878")
            .expected(1.0),
    ];
    if !quick {
        all.push(Quantity::new(TOP, "").limit(Limit::RelativeError(0.1), "Rayleigh 1878").expected(FASTEST));
    }
    all.push(Quantity::new(BEYOND, "").limit(Limit::AtMost(0.0), "Rayleigh 1878: no growth past x = 1"));
    declare(CASE.name, method, quick, all)
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
    m.plots.push(line_plot(
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

/// The first amplitude over R.
const AMPLITUDE: f64 = 0.02;

/// As [`theory`], from a run with R = 1, σ = 1 and ρ = 1.
fn rate(method: &str, cells: u32, x: f64) -> Result<f64, CaseError> {
    const TIME: f64 = 1.5;
    let length = PI / x;
    let dx = length / f64::from(cells);
    // Root cells are two finest cells. The box is about three radii wide, and the axis is not centered on a cell.
    let width = 2.0 * dx * (1.5 / dx).ceil();
    let mut scene = Scene::empty(method, DVec3::new(length, width, width), cells, 1);
    // The resolution counts cells along the longest side.
    scene.domain.resolution = (scene.domain.size.max_element() / dx).round() as u32;
    scene.physics.gravity = DVec3::ZERO;
    scene.physics.density = 1.0;
    scene.physics.surface_tension = 1.0;
    scene.time.fps = 0.01;
    scene.numerics.particles = Seeding::Off;
    scene.adaptivity.along_surface = false;
    let axis = DVec3::new(0.0, 0.5 * width + 0.13 * dx, 0.5 * width - 0.22 * dx);
    let end = axis + length * DVec3::X;
    scene.liquids = vec![at_rest(thread(axis, length)?)];
    let mut sim = start(&scene)?;
    let mut a = Vec::new();
    for until in [TIME, 2.0 * TIME] {
        while until - sim.time() > 1e-9 {
            let left = until - sim.time();
            let dt = left / (left / sim.max_dt()).ceil();
            take_step(&mut *sim, dt)?;
        }
        a.push(wave(&*sim.view(), axis, end, width));
    }
    // q = cosh(2st)/cosh(st) = 2c − 1/c with c = cosh(st).
    let q = a[1] / a[0];
    let c = 0.25 * (q + (q * q + 8.0).sqrt());
    let phase = if c >= 1.0 { c.acosh() } else { -c.acos() };
    Ok(phase / TIME)
}

/// Returns the thread r = 1 + A cos(k x), from one length before the first wall to one after the second.
fn thread(axis: DVec3, length: f64) -> Result<Shape, CaseError> {
    const ALONG: u32 = 300;
    const AROUND: u32 = 96;
    let mut mesh = TriMesh::default();
    let mut point = |x: f64, r: f64, angle: f64| {
        let p = axis + DVec3::new(x, r * angle.cos(), r * angle.sin());
        mesh.positions.push(p.as_vec3().to_array());
    };
    for i in 0..=ALONG {
        let x = length * (3.0 * f64::from(i) / f64::from(ALONG) - 1.0);
        let r = 1.0 + AMPLITUDE * (PI * x / length).cos();
        (0..AROUND).for_each(|j| point(x, r, 2.0 * PI * f64::from(j) / f64::from(AROUND)));
    }
    point(-length, 0.0, 0.0);
    point(2.0 * length, 0.0, 0.0);
    let (first, last) = (AROUND * (ALONG + 1), AROUND * (ALONG + 1) + 1);
    for j in 0..AROUND {
        let next = (j + 1) % AROUND;
        for i in 0..ALONG {
            let (low, high) = (AROUND * i, AROUND * (i + 1));
            mesh.triangles.extend([[low + j, low + next, high + next], [low + j, high + next, high + j]]);
        }
        let end = AROUND * ALONG;
        mesh.triangles.extend([[first, next, j], [last, end + j, end + next]]);
    }
    let sdf = MeshSdf::new(&mesh).map_err(CaseError::new)?;
    Ok(Shape::Mesh(Arc::new(MeshShape { source: "thread".to_owned(), sdf, is_shell: false })))
}

/// Returns half the difference of the mean radii at the two walls.
fn wave(state: &dyn StateView, from: DVec3, to: DVec3, width: f64) -> f64 {
    const AROUND: usize = 16;
    let mean = |at: DVec3| {
        let ray = |i: usize| {
            let (s, c) = (2.0 * PI * (i as f64 + 0.3) / AROUND as f64).sin_cos();
            reach(state, at, DVec3::new(0.0, c, s), 0.45 * width)
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
