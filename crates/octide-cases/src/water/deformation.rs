//! LeVeque's deformation: a ball is stretched to a thin sheet and back.
//!
//! u = 2 sin²πx sin2πy sin2πz c, v = −sin2πx sin²πy sin2πz c, w = −sin2πx sin2πy sin²πz c with c = cos(πt/T),
//! T = 3.

use super::tracking::{Cells, Flow, ROUNDING, Returned, Volume, advect_with, gain};
use crate::expectations;
use crate::methods::water_methods;
use glam::DVec3;
use octide_core::geometry::Shape;
use octide_verify::plot::{Axis, Plot, Scale, Series};
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity, Table, number};
use std::f64::consts::PI;

pub(crate) static CASE: Case = Case {
    name: "deformation",
    title: "Deformation of a ball",
    summary: "LeVeque's deformation, T = 3: what is left of the ball after its return",
    article: Article {
        problem: "A ball of radius 0.15 at (0.35, 0.35, 0.35) in the unit cube is advected by a prescribed velocity (LeVeque \
            1996, SIAM J. Numer. Anal. 33; Enright et al. 2002). It is stretched to a sheet that becomes thinner than the \
            cells. At half time the flow reverses, and at T = 3 every point is back where it started.",
        reference: "The ball at the start. Volume-of-fluid methods conserve the volume exactly; their errors are plotted for \
            32³, 64³, 128³ (Youngs 7.47·10⁻³, 2.77·10⁻³, 8.14·10⁻⁴; LVIRA 6.92·10⁻³, 2.43·10⁻³, 6.37·10⁻⁴; both from the paper on \
            THINC/QQ by Xie & Xiao, Table 12). A level set without particles loses what is thinner than its cells; the loss \
            is reported. A tree that is fine near the surface should be as accurate as uniform cells.",
        measured: "Σ |F − F₀| h³ over cubes of the finest size, where F is their volume fraction after the return, and the \
            relative change of the volume. The runs differ by method: uniform cells, a tree refined by the distance to the \
            surface, the method's own sizing rule, and particles in the band around the surface; each without or with \
            volume correction, which enlarges what is left. A method that keeps volume cell by cell is compared with \
            volume-of-fluid methods: F is then the content of a cell over its volume, which the flow through its faces changes; \
            what φ shows of it is reported beside it.",
    },
    methods: water_methods,
    quick: true,
    quantities,
    run,
};

/// Cells a side, Youngs, LVIRA.
const PUBLISHED: [(u32, f64, f64); 3] =
    [(32, 7.47e-3, 6.92e-3), (64, 2.77e-3, 2.43e-3), (128, 8.14e-4, 6.37e-4)];
const REQUIRED: &str = "a tree refined by distance within 20 % of uniform cells";

/// Cells along a side, where they are, and how volume is kept.
pub(crate) type Run = (u32, Cells, Volume);

fn runs(method: &str, quick: bool) -> Vec<Run> {
    (expectations::of(method).deformation_runs)(quick)
}

/// Returns the runs by distance that have one on uniform cells to compare with. The comparison is made with
/// volume correction: without it nothing is left at 32³ and 64³.
fn compared(runs: &[Run]) -> Vec<(u32, Volume)> {
    let uniform = runs.iter().filter(|r| r.1 == Cells::Uniform).map(|r| (r.0, r.2));
    uniform.filter(|&(n, corrected)| runs.contains(&(n, Cells::Distance, corrected))).collect()
}

/// Returns the numbers of cells for which runs with particles have one without to compare with.
fn with_particles(runs: &[Run]) -> Vec<u32> {
    let with = runs.iter().filter(|r| r.1 == Cells::Particles && r.2 == Volume::Free).map(|r| r.0);
    with.filter(|&n| runs.contains(&(n, Cells::Distance, Volume::Free))).collect()
}

fn name((n, cells, volume): Run, what: &str) -> String {
    format!("{what}, {n}³ {}{}", cells.text(), volume.text())
}

/// What is measured of the water that is kept cell by cell.
const KEPT: [&str; 2] = ["Σ|Δ|dV of contents", "ΣF over that of the start, less 1"];

fn ratio((n, volume): (u32, Volume)) -> String {
    format!("Σ|Δ|dV by distance over that of uniform cells, {n}³{}", volume.text())
}

fn quantities(method: &str, quick: bool) -> Vec<Quantity> {
    let runs = runs(method, quick);
    let mut all = Vec::new();
    for pair in compared(&runs) {
        all.push(Quantity::new(ratio(pair), "").limit(Limit::Within(0.8, 1.2), REQUIRED).expected(1.0));
    }
    for &run in &runs {
        all.push(Quantity::new(name(run, "Σ|Δ|dV"), ""));
        all.push(Quantity::new(name(run, "volume"), "%"));
        if run.2 == Volume::Kept {
            let youngs = PUBLISHED.iter().find(|p| p.0 == run.0).map_or(f64::NAN, |p| p.1);
            let limit = Limit::AtMost(youngs);
            all.push(
                Quantity::new(name(run, KEPT[0]), "")
                    .limit(limit, "Youngs: Xie & Xiao, Table 12")
                    .expected(0.0),
            );
            let limit = Limit::Within(-ROUNDING, ROUNDING);
            all.push(Quantity::new(name(run, KEPT[1]), "").limit(limit, "rounding").expected(0.0));
        }
    }
    all.extend(with_particles(&runs).into_iter().map(|n| Quantity::new(gain(n), "")));
    expectations::apply(CASE.name, method, quick, all)
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let flow = Flow {
        shape: Shape::Sphere { center: DVec3::splat(0.35), radius: 0.15 },
        end: 3.0,
        speed: 2.0,
        velocity,
    };
    let mut m = Measured::default();
    let (mut rows, mut found) = (Vec::new(), Vec::new());
    let runs = runs(context.method, context.quick);
    for &run in &runs {
        let (n, cells, volume) = run;
        let r = advect_with(context, &flow, n, cells, volume)?;
        m.set(name(run, "Σ|Δ|dV"), r.difference);
        m.set(name(run, "volume"), 100.0 * r.volume);
        if let Some(kept) = r.kept {
            KEPT.iter().zip(kept).for_each(|(what, value)| m.set(name(run, what), value));
        }
        rows.push(row(run, &r));
        found.push((run, r.kept.map_or(r.difference, |kept| kept[0])));
    }
    let of = |run: Run| found.iter().find(|f| f.0 == run).map_or(f64::NAN, |f| f.1);
    for n in with_particles(&runs) {
        m.set(gain(n), of((n, Cells::Particles, Volume::Free)) / of((n, Cells::Distance, Volume::Free)));
    }
    for (n, volume) in compared(&runs) {
        let by_distance = of((n, Cells::Distance, volume));
        m.set(ratio((n, volume)), by_distance / of((n, Cells::Uniform, volume)));
    }
    for (n, youngs, lvira) in PUBLISHED {
        for (method, e) in [("Youngs", youngs), ("LVIRA", lvira)] {
            let none = String::new;
            rows.push(vec![
                format!("{n}³ {method}, published"),
                none(),
                none(),
                number::error(e),
                "0".to_owned(),
            ]);
        }
    }
    rows.iter_mut().for_each(|row| row.resize(8, String::new()));
    let contents = ["contents: Σ|Δ|dV", "volume, %"];
    let columns = ["", "φ: Σ|Δ|dV", "volume, %", contents[0], contents[1], "most cells", "steps", "seconds"];
    m.tables.push(Table {
        title: "After the return".to_owned(),
        columns: columns.map(str::to_owned).to_vec(),
        rows,
    });
    m.plots.push(plot(&found));
    Ok(m)
}

fn row((n, cells, volume): Run, r: &Returned) -> Vec<String> {
    let kept = |i: usize, text: fn(f64) -> String| r.kept.map_or_else(String::new, |kept| text(kept[i]));
    vec![
        format!("{n}³ {}{}", cells.text(), volume.text()),
        number::error(r.difference),
        format!("{:+.2}", 100.0 * r.volume),
        kept(0, number::error),
        kept(1, |v| format!("{:+.2}", 100.0 * v)),
        r.cells.to_string(),
        r.steps.to_string(),
        number::short(r.seconds),
    ]
}

fn plot(found: &[(Run, f64)]) -> Plot {
    let mut series = Vec::new();
    let shown = [
        (Cells::Uniform, Volume::Corrected),
        (Cells::Distance, Volume::Free),
        (Cells::Distance, Volume::Corrected),
        (Cells::Particles, Volume::Free),
        (Cells::Particles, Volume::Corrected),
        (Cells::Particles, Volume::Kept),
    ];
    for (cells, volume) in shown {
        let points: Vec<_> = found.iter().filter(|((_, c, v), _)| *c == cells && *v == volume).collect();
        if points.is_empty() {
            continue;
        }
        series.push(Series::measured(
            format!("{}{}", cells.text(), volume.text()),
            points.iter().map(|&&((n, ..), e)| [f64::from(n), e]).collect(),
        ));
    }
    let of = |f: fn(&(u32, f64, f64)) -> f64| PUBLISHED.iter().map(|p| [f64::from(p.0), f(p)]).collect();
    series.push(Series::reference("Youngs", of(|p| p.1)));
    series.push(Series::reference("LVIRA", of(|p| p.2)));
    Plot {
        title: "Difference over resolution".to_owned(),
        x: Axis {
            label: "finest cells a side".to_owned(),
            scale: Scale::Log,
            ticks: PUBLISHED.iter().map(|p| f64::from(p.0)).collect(),
        },
        y: Axis { label: "Σ|Δ|dV".to_owned(), scale: Scale::Log, ticks: Vec::new() },
        series,
    }
}

fn velocity(x: DVec3, t: f64) -> DVec3 {
    let (s, d) = ((PI * x).map(f64::sin), (2.0 * PI * x).map(f64::sin));
    let u = DVec3::new(2.0 * s.x * s.x * d.y * d.z, -d.x * s.y * s.y * d.z, -d.x * d.y * s.z * s.z);
    (PI * t / 3.0).cos() * u
}
