//! LeVeque's deformation: a ball drawn out to a thin sheet and back.
//!
//! u = 2 sin²πx sin2πy sin2πz c, v = −sin2πx sin²πy sin2πz c, w = −sin2πx sin2πy sin²πz c with c = cos(πt/T),
//! T = 3.

use super::tracking::{Cells, Flow, HELPED, Returned, carry, gain};
use crate::case::{Article, Case, CaseError, Context, Measured, Quantity};
use crate::limit::Limit;
use crate::number;
use crate::plot::{Axis, Plot, Scale, Series};
use crate::table::Table;
use glam::DVec3;
use octide_core::geometry::Shape;
use std::f64::consts::PI;

pub(super) static CASE: Case = Case {
    name: "deformation",
    title: "A ball drawn out to a sheet and back",
    summary: "LeVeque's deformation, T = 3: what of the ball comes back",
    article: Article {
        problem: "A ball of radius 0.15 at (0.35, 0.35, 0.35) in the unit cube is carried by a velocity that is given (LeVeque \
            1996, SIAM J. Numer. Anal. 33; Enright et al. 2002). It is drawn out to a sheet that becomes thinner than the \
            cells, and after half the time the flow runs backwards. After T = 3 every point is back.",
        reference: "The ball at the start. Volume-of-fluid methods keep the volume exactly; their errors are drawn beside for \
            32³, 64³, 128³ (Youngs 7.47·10⁻³, 2.77·10⁻³, 8.14·10⁻⁴; LVIRA 6.92·10⁻³, 2.43·10⁻³, 6.37·10⁻⁴; both from the paper on \
            THINC/QQ by Xie & Xiao, Table 12). A level set without particles loses what is thinner than its cells: what \
            it loses is told. A tree that is fine near the surface should be as good as equal cells.",
        measured: "Σ |F − F₀| h³ over cubes of the finest size, F their volume share after the return, and the relative change of \
            volume. On equal cells, on a tree refined by the distance to the surface, and by the method's own sizing \
            rule, and with particles in the whole band below the surface; without volume correction and with it, which \
            swells what is left. With nodal-octree by distance, without and with particles on both sides of the surface, \
            16 of a sign in a cell, and never with volume correction.",
    },
    methods: &["octree", "nodal-octree"],
    quick: true,
    quantities,
    run,
};

/// Cells a side, Youngs, LVIRA.
const PUBLISHED: [(u32, f64, f64); 3] =
    [(32, 7.47e-3, 6.92e-3), (64, 2.77e-3, 2.43e-3), (128, 8.14e-4, 6.37e-4)];
const ASKED: &str = "a tree refined by distance within 20 % of equal cells";

/// Cells a side, how cells are chosen, and whether volume is corrected.
type Run = (u32, Cells, bool);

fn runs(method: &str, quick: bool) -> Vec<Run> {
    use Cells::{Distance, Particles, Sizing, Uniform};
    if method == "nodal-octree" {
        let sides: &[u32] = if quick { &[32] } else { &[32, 64, 128] };
        return sides.iter().flat_map(|&n| [(n, Distance, false), (n, Particles, false)]).collect();
    }
    let mut runs = vec![(32, Uniform, true), (32, Distance, true), (32, Distance, false)];
    if !quick {
        runs.extend([(64, Uniform, true), (64, Distance, true), (64, Distance, false)]);
        runs.extend([(64, Sizing, false), (128, Distance, false), (128, Distance, true)]);
        runs.extend([(64, Particles, false), (128, Particles, false), (128, Particles, true)]);
    }
    runs
}

fn name((n, cells, correction): Run, what: &str) -> String {
    let correction = if correction { ", volume corrected" } else { "" };
    format!("{what}, {n}³ {}{correction}", cells.text())
}

fn ratio((n, correction): (u32, bool)) -> String {
    let correction = if correction { ", volume corrected" } else { "" };
    format!("Σ|Δ|dV by distance over that of equal cells, {n}³{correction}")
}

/// Cells a side and whether volume is corrected. Without it nothing is left at 32³ and 64³ to compare.
fn pairs(method: &str, quick: bool) -> &'static [(u32, bool)] {
    match (method, quick) {
        ("nodal-octree", _) => &[],
        (_, true) => &[(32, true)],
        (_, false) => &[(32, true), (64, true)],
    }
}

fn quantities(method: &str, quick: bool) -> Vec<Quantity> {
    let mut all = Vec::new();
    for &pair in pairs(method, quick) {
        all.push(Quantity::new(ratio(pair), "").limit(Limit::Within(0.8, 1.2), ASKED).expected(1.0));
    }
    for run in runs(method, quick) {
        all.push(Quantity::new(name(run, "Σ|Δ|dV"), ""));
        let mut volume = Quantity::new(name(run, "volume"), "%");
        if run == (128, Cells::Particles, method != "nodal-octree") {
            volume = volume.limit(Limit::Within(-3.0, 3.0), "asked of particles in the whole band: 3 %");
        }
        all.push(volume);
        if method == "nodal-octree" && run.1 == Cells::Particles {
            all.push(Quantity::new(gain(run.0), "").limit(Limit::AtMost(0.75), HELPED));
        }
    }
    all
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
    for run in runs(context.method, context.quick) {
        let (n, cells, correction) = run;
        let r = carry(context, &flow, n, cells, correction)?;
        m.set(name(run, "Σ|Δ|dV"), r.difference);
        m.set(name(run, "volume"), 100.0 * r.volume);
        rows.push(row(run, &r));
        found.push((run, r.difference));
    }
    let of = |run: Run| found.iter().find(|f| f.0 == run).map_or(f64::NAN, |f| f.1);
    if context.method == "nodal-octree" {
        for &((n, ..), with) in found.iter().filter(|f| f.0.1 == Cells::Particles) {
            m.set(gain(n), with / of((n, Cells::Distance, false)));
        }
    }
    for &(n, correction) in pairs(context.method, context.quick) {
        let by_distance = of((n, Cells::Distance, correction));
        m.set(ratio((n, correction)), by_distance / of((n, Cells::Uniform, correction)));
    }
    for (n, youngs, lvira) in PUBLISHED {
        for (method, e) in [("Youngs", youngs), ("LVIRA", lvira)] {
            rows.push(vec![format!("{n}³ {method}, published"), number::error(e), "0".to_owned()]);
        }
    }
    rows.iter_mut().for_each(|row| row.resize(6, String::new()));
    let columns = ["", "Σ|Δ|dV", "volume, %", "most cells", "steps", "seconds"];
    m.tables.push(Table {
        title: "After the return".to_owned(),
        columns: columns.map(str::to_owned).to_vec(),
        rows,
    });
    m.plots.push(plot(&found));
    Ok(m)
}

fn row((n, cells, correction): Run, r: &Returned) -> Vec<String> {
    let correction = if correction { ", volume corrected" } else { "" };
    vec![
        format!("{n}³ {}{correction}", cells.text()),
        number::error(r.difference),
        format!("{:+.2}", 100.0 * r.volume),
        r.cells.to_string(),
        r.steps.to_string(),
        number::short(r.seconds),
    ]
}

fn plot(found: &[(Run, f64)]) -> Plot {
    let mut series = Vec::new();
    let shown = [
        (Cells::Uniform, true),
        (Cells::Distance, false),
        (Cells::Distance, true),
        (Cells::Particles, false),
        (Cells::Particles, true),
    ];
    for (cells, correction) in shown {
        let points: Vec<_> = found.iter().filter(|((_, c, v), _)| *c == cells && *v == correction).collect();
        if points.is_empty() {
            continue;
        }
        let name = if correction { ", volume corrected" } else { "" };
        series.push(Series::measured(
            format!("{}{name}", cells.text()),
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
