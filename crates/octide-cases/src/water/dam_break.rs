//! The collapse of a water column, after Martin & Moyce 1952.
//!
//! ```text
//! Z = x/a over T = n t √(g/a),     H = h/(n² a) over τ = t √(g/a)
//! ```
//!
//! x is the front on the floor, h the height at the wall, a the width of the column, n² a its height.

mod experiment;

use crate::energies::{Energy, largest_rise};
use crate::expectations;
use crate::methods::water_methods;
use crate::stage::{Reading, at_rest, line_plot, probe, record_with, start};
use experiment::{ALL, Experiment};
use glam::DVec3;
use octide_core::contract::Method;
use octide_core::geometry::Shape;
use octide_core::probes::{self, Room};
use octide_core::scene::{Heading, ProbeKind, Scene};
use octide_verify::plot::Series;
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity, Table, number};

pub(crate) static CASE: Case = Case {
    name: "dam-break-martin-moyce",
    title: "Dam break of Martin and Moyce",
    summary: "front and height of collapsing columns, a × a and a × 2a, against inviscid theory and the experiment of 1952",
    article: Article {
        problem: "A column of water, a = 0.05715 m wide and n²a high, stands at the wall of a long tank and is released. \
            n² = 1 and n² = 2. The tank is 8a long and four finest cells wide; the whole surface has finest cells.",
        reference: "Martin & Moyce 1952, Phil. Trans. R. Soc. A 244: front Z = x/a over T = n t √(g/a), height at the wall H \
            = h/(n²a) over τ = t √(g/a). For n² = 2 from their tables 2 and 6; for n² = 1 read from the figures \
            (Leakey & Xie 2021, Fig. 7). The front is compared up to Z = 5. Beyond that it can be read from the \
            figure only to ± 0.05, and over such a distance the friction that the equations leave out may matter. \
            The moment of release is uncertain, so the time is shifted by the best fit, by at most 0.3. Other codes: \
            REEF3D 7 to 8 % in the mean, interFoam ± 13 %.\n\nThe experiment has friction at the floor and a contact line, which the \
            equations leave out. The front of an ideal liquid is faster: for n² = 1 a solution of potential flow has dZ/dT = 1.51 \
            where the water is a/16 deep, 1.68 where it is a/32 deep, and 1.70 to 1.75 at the tip. The slopes for n² = 1 are \
            compared with these, and the experiment's front, with a slope of 1.400, is reported. Water between still walls gains no energy.",
        measured: "The front is the farthest column with at least half a finest cell of water. The height is a gauge at the \
            wall. On the finest grid: the root mean square of the front's relative error after the best shift of T, \
            the slope dZ/dT by least squares from Z = 1.67 on (1.400 and 1.319 in the experiments), and the largest \
            difference of H up to τ = 2.45 after its own best shift.\n\nHalf a finest cell is less water on a \
            finer grid, and the tip of an ideal liquid is thin and fast. So the slope is also given where the water \
            is at least a/16 and a/32 deep, half a cell of the two coarsest grids, on all grids alike. Energy is kinetic and potential energy in the middle of \
            steps; its rise above an earlier value is relative to that of the start above the state of rest.\n\nIn the full form, the \
            mean difference of Z between a grid and the next finer one is divided by the difference before; the \
            largest of these ratios is below 1 if the result converges.",
    },
    methods: water_methods,
    quick: true,
    quantities,
    run,
};

const A: f64 = 0.05715;
const G: f64 = 9.81;
/// The largest shift that is tried: more than allowed, to see where the best one is.
const SHIFT: f64 = 0.6;
const FORWARD: Heading = Heading { axis: 0, forward: true };
/// Heights are compared up to this τ.
const LAST_HEIGHT: f64 = 2.45;
/// The slope is taken from this Z on.
const FIRST_SLOPE: f64 = 1.67;

/// Finest cells along a.
fn grids(quick: bool) -> &'static [u32] {
    if quick { &[8, 16] } else { &[8, 16, 32, 64] }
}

/// How far slopes may be from those of potential flow.
const FRICTIONLESS: f64 = 0.05;

const NAMES: [&str; 10] = [
    "front, RMS error",
    "front, best shift of T",
    "slope dZ/dT",
    "height, largest difference",
    "height, best shift of τ",
    "slope dZ/dT where water is a/16 deep",
    "volume drift at the end",
    "front, largest ratio of changes from grid to grid",
    "slope dZ/dT where water is a/32 deep",
    "largest rise of energy",
];

fn quantities(method: &str, quick: bool) -> Vec<Quantity> {
    const SCATTER: &str = "Martin & Moyce 1952; scatter of the experiment and of peers";
    const THEORY: &str = "potential flow; 5 % is our own";
    let mut all = Vec::new();
    for e in ALL {
        let q = |i: usize| Quantity::new(format!("{}: {}", e.name, NAMES[i]), "");
        // Where the theory is known, the experiment, with its friction, is reported only.
        let of_experiment = |i: usize, limit: Limit, source: &'static str| match e.theory {
            Some(_) => q(i).expected(0.0),
            None => q(i).limit(limit, source).expected(0.0),
        };
        all.push(of_experiment(0, Limit::AtMost(0.1), SCATTER));
        all.push(of_experiment(1, Limit::Within(-0.3, 0.3), "the origin of time is uncertain by 0.3"));
        // The tip, and where water is a/16 and a/32 deep.
        let theory = |i: usize, place: usize| match e.theory {
            Some(slopes) => q(i).limit(Limit::RelativeError(FRICTIONLESS), THEORY).expected(slopes[place]),
            None if i == 8 => q(i),
            None => q(i).limit(Limit::Within(1.19, 1.74), SCATTER).expected(e.slope),
        };
        all.push(theory(2, 0));
        all.push(q(3).limit(Limit::AtMost(0.05), SCATTER).expected(0.0));
        all.push(
            q(4).limit(Limit::Within(-0.3, 0.3), "the origin of time is uncertain by 0.3").expected(0.0),
        );
        all.push(theory(5, 1));
        all.push(theory(8, 2));
        all.push(q(6).expected(0.0));
        all.push(q(9).limit(Limit::AtMost(0.005), "our own: 0.5 %, as in everyday scenes").expected(0.0));
        if !quick {
            all.push(q(7).limit(Limit::AtMost(1.0), "differences shrink with resolution"));
        }
    }
    expectations::apply(CASE.name, method, quick, all)
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let mut m = Measured::default();
    for e in ALL {
        let columns = [
            "cells along a",
            NAMES[0],
            "unshifted",
            NAMES[1],
            NAMES[2],
            NAMES[3],
            "unshifted",
            NAMES[4],
            NAMES[5],
            NAMES[8],
            NAMES[6],
            NAMES[9],
        ];
        let mut table =
            Table { title: e.name.to_owned(), columns: columns.map(str::to_owned).into(), rows: Vec::new() };
        let (mut fronts, mut heights) = (Vec::new(), Vec::new());
        let mut last = None;
        for &n in grids(context.quick) {
            context.progress(&format!("{}, {n} cells along a", e.name))?;
            let Collapse { front: z, thick, thin, height: h, drift, rise } = collapse(context.method, e, n)?;
            let found = Comparison::new(e, &z, &h);
            let more = [steady_slope(e, &thick), steady_slope(e, &thin), drift, rise];
            let mut row = vec![n.to_string()];
            row.extend(found.all().into_iter().chain(more).map(number::short));
            table.rows.push(row);
            last = Some((found, more));
            fronts.push(Series::line(format!("{n} cells along a"), z));
            heights.push(Series::line(format!("{n} cells along a"), h));
        }
        let Some((found, [thick_slope, thin_slope, drift, rise])) = last else { continue };
        let [rms, _, shift, slope, height, _, height_shift] = found.all();
        for (i, value) in
            [rms, shift, slope, height, height_shift, thick_slope, drift].into_iter().enumerate()
        {
            m.set(format!("{}: {}", e.name, NAMES[i]), value);
        }
        m.set(format!("{}: {}", e.name, NAMES[8]), thin_slope);
        m.set(format!("{}: {}", e.name, NAMES[9]), rise);
        if !context.quick {
            let changes: Vec<f64> =
                fronts.windows(2).map(|w| change(e, &w[0].points, &w[1].points)).collect();
            let ratios = changes.windows(2).map(|w| w[1] / w[0]);
            m.set(format!("{}: {}", e.name, NAMES[7]), ratios.fold(0.0, f64::max));
        }
        m.tables.push(table);
        fronts.push(Series::reference("Martin & Moyce 1952", e.front.to_vec()));
        heights.push(Series::reference("Martin & Moyce 1952", e.height.to_vec()));
        m.plots.push(line_plot(&format!("{}: front over time, unshifted", e.name), "T", "Z", fronts));
        m.plots.push(line_plot(&format!("{}: height over time, unshifted", e.name), "τ", "H", heights));
    }
    Ok(m)
}

/// Points of a curve over time.
type Curve = Vec<[f64; 2]>;

/// A run.
struct Collapse {
    /// Z over T.
    front: Curve,
    /// The same where water is a/16 deep.
    thick: Curve,
    /// The same where it is a/32 deep.
    thin: Curve,
    /// H over τ.
    height: Curve,
    /// Relative drift of the volume at the end.
    drift: f64,
    /// The largest rise of the energy, over that of the start above the state of rest.
    rise: f64,
}

fn collapse(method: &str, e: &Experiment, cells: u32) -> Result<Collapse, CaseError> {
    let dx = A / f64::from(cells);
    let mut scene = Scene::empty(method, DVec3::new(8.0 * A, (e.n2 + 0.5) * A, 4.0 * dx), 8 * cells, 2);
    scene.physics.gravity = DVec3::new(0.0, -G, 0.0);
    scene.adaptivity.along_surface = false;
    let max = DVec3::new(A, e.n2 * A, 4.0 * dx);
    scene.liquids = vec![at_rest(Shape::Box { min: DVec3::ZERO, max })];
    scene.probes = vec![
        probe(ProbeKind::Front(FORWARD)),
        probe(ProbeKind::Gauge(DVec3::new(0.0, 0.0, 2.0 * dx))),
        probe(ProbeKind::Whole),
    ];
    let mut sim = start(&scene)?;
    let (rate, n) = ((G / A).sqrt(), e.n2.sqrt());
    let last = e.front.last().map_or(0.0, |p| p[0]);
    let end = ((last + SHIFT) / n).max(LAST_HEIGHT + SHIFT) / rate;
    // The front as it is measured where finest cells are a/8 and a/16.
    let rooms = [8.0, 16.0].map(|cells| Room { dx: A / cells, ..Room::new(&scene) });
    let look = |method: &dyn Method| {
        let view = method.view();
        let (water, detail) = (|p: DVec3| view.liquid_distance(p), |p: DVec3| view.detail(p));
        let mut all: Vec<_> =
            rooms.iter().map(|room| probes::front::front(&water, &detail, FORWARD, room)).collect();
        let Energy { kinetic, potential, .. } = Energy::of(&scene, method);
        all.extend([Some(kinetic), Some(potential)]);
        all.extend(probes::read(&scene, method));
        all
    };
    let readings = record_with(&mut *sim, end, look)?;
    let curve = |column: usize, time: f64, length: f64| -> Curve {
        readings.iter().map(|r| [time * r.time, r.values[column] / length]).collect()
    };
    let volume = |r: Option<&Reading>| r.map_or(f64::NAN, |r| r.values[7]);
    let energy = |r: &Reading| Energy { time: r.time, kinetic: r.values[2], potential: r.values[3] };
    let energies: Vec<f64> = readings.windows(2).map(|r| energy(&r[0]).between(energy(&r[1]))).collect();
    // Half the weight times the height of the water at rest on the floor.
    let start = energies.first().map_or(f64::NAN, |first| {
        first - 0.5 * scene.physics.density * G * (e.n2 * A * A).powi(2) * 4.0 * dx / (8.0 * A)
    });
    Ok(Collapse {
        front: curve(4, n * rate, A),
        thick: curve(0, n * rate, A),
        thin: curve(1, n * rate, A),
        height: curve(5, rate, e.n2 * A),
        drift: volume(readings.last()) / volume(readings.first()) - 1.0,
        rise: largest_rise(energies.into_iter()) / start,
    })
}

/// A run beside the experiment.
struct Comparison {
    rms: f64,
    unshifted_rms: f64,
    shift: f64,
    slope: f64,
    height: f64,
    unshifted_height: f64,
    height_shift: f64,
}

impl Comparison {
    fn new(e: &Experiment, front: &[[f64; 2]], height: &[[f64; 2]]) -> Self {
        let rms = |shift: f64| {
            let square = |p: &[f64; 2]| ((at(front, p[0] + shift) - p[1]) / p[1]).powi(2);
            (e.front.iter().map(square).sum::<f64>() / e.front.len() as f64).sqrt()
        };
        let largest = |shift: f64| {
            let compared = e.height.iter().filter(|p| p[0] <= LAST_HEIGHT);
            compared.map(|p| (at(height, p[0] + shift) - p[1]).abs()).fold(0.0, f64::max)
        };
        let (shift, height_shift) = (best(rms), best(largest));
        Self {
            rms: rms(shift),
            unshifted_rms: rms(0.0),
            shift,
            slope: steady_slope(e, front),
            height: largest(height_shift),
            unshifted_height: largest(0.0),
            height_shift,
        }
    }

    fn all(&self) -> [f64; 7] {
        [
            self.rms,
            self.unshifted_rms,
            self.shift,
            self.slope,
            self.height,
            self.unshifted_height,
            self.height_shift,
        ]
    }
}

/// Returns the shift with the smallest error.
fn best(error: impl Fn(f64) -> f64) -> f64 {
    const PARTS: i32 = 240;
    let shifts = (-PARTS..=PARTS).map(|i| SHIFT * f64::from(i) / f64::from(PARTS));
    let least = |best: (f64, f64), s: f64| {
        let e = error(s);
        if e < best.1 { (s, e) } else { best }
    };
    shifts.fold((0.0, f64::INFINITY), least).0
}

/// Returns the value of a curve at a time, constant before its first point and after its last.
fn at(curve: &[[f64; 2]], t: f64) -> f64 {
    let i = curve.partition_point(|p| p[0] < t);
    match (i.checked_sub(1).map(|i| curve[i]), curve.get(i)) {
        (Some(a), Some(b)) => a[1] + (b[1] - a[1]) * (t - a[0]) / (b[0] - a[0]),
        (Some(a), None) => a[1],
        (None, Some(b)) => b[1],
        (None, None) => f64::NAN,
    }
}

/// dZ/dT by least squares, over the fronts that the experiment has from [`FIRST_SLOPE`] on.
fn steady_slope(e: &Experiment, front: &[[f64; 2]]) -> f64 {
    let last = e.front.last().map_or(0.0, |p| p[1]);
    let points: Curve = front.iter().copied().filter(|p| (FIRST_SLOPE..=last).contains(&p[1])).collect();
    let n = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |s, p| (s.0 + p[0] / n, s.1 + p[1] / n));
    let (xx, xy) =
        points.iter().fold((0.0, 0.0), |s, p| (s.0 + (p[0] - x).powi(2), s.1 + (p[0] - x) * (p[1] - y)));
    xy / xx
}

/// The mean difference of two fronts at the times of the experiment.
fn change(e: &Experiment, a: &[[f64; 2]], b: &[[f64; 2]]) -> f64 {
    e.front.iter().map(|p| (at(a, p[0]) - at(b, p[0])).abs()).sum::<f64>() / e.front.len() as f64
}
