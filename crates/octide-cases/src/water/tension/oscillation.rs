//! A drop's second mode: r = R (1 + a P₂(cos θ)), a(t) = ε cos(ω₂ t), ω₂² = 8σ/(ρR³).

use super::{declare, drop, reach};
use crate::methods::water_methods;
use crate::stage::{line_plot, record_with, start};
use glam::DVec3;
use octide_core::contract::StateView;
use octide_verify::plot::Series;
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity, Table, number};
use std::f64::consts::PI;

pub(crate) static CASE: Case = Case {
    name: "drop-oscillation",
    title: "Oscillation of a drop",
    summary: "frequency of a drop's second mode, ω₂² = 8σ/(ρR³)",
    article: Article {
        problem: "A drop of radius R without gravity, stretched by 5 % along an axis to a spheroid of the same volume, is \
            released. The whole surface has finest cells, and the drop is not centered on a cell.",
        reference: "Rayleigh 1879, an ideal drop in vacuum: ω₂² = 8σ/(ρR³). An error of 1 % at 25 cells a diameter is very \
            good; Gerris has 0.16 % in two dimensions. At this amplitude the frequency is 0.15 % below that of \
            infinitesimal waves (Tsamopoulos & Brown 1983).",
        measured: "The second mode a(t) by Gaussian quadrature over the surface. The period is that between the first and \
            the third of its zero crossings: both are downward, so that a constant offset of a does not matter. The \
            amplitude left is that of the crest between them over the initial one.",
    },
    methods: water_methods,
    quick: true,
    quantities,
    run,
};

const STRETCH: f64 = 0.05;
const ERROR: &str = "frequency's error, finest grid over the coarsest";

/// Cells a diameter.
fn grids(quick: bool) -> &'static [u32] {
    if quick { &[8, 12] } else { &[12, 16, 25] }
}

fn frequency(n: u32) -> String {
    format!("frequency over ω₂, {n} cells a diameter")
}

fn left(n: u32) -> String {
    format!("amplitude left after a period, {n} cells a diameter")
}

fn quantities(method: &str, quick: bool) -> Vec<Quantity> {
    let mut all = Vec::new();
    for &n in grids(quick) {
        let q = Quantity::new(frequency(n), "").expected(1.0);
        all.push(match n {
            25 => q.limit(
                Limit::RelativeError(0.02),
                "Rayleigh 1879; 2 % at 25 cells is required, 1 % is very good",
            ),
            12 => q.limit(Limit::RelativeError(0.04), "Rayleigh 1879; second order from 1 % at 25 cells"),
            _ => q,
        });
    }
    all.push(Quantity::new(ERROR, "").limit(Limit::AtMost(1.0), "better with finer cells"));
    all.extend(grids(quick).iter().map(|&n| Quantity::new(left(n), "").expected(1.0)));
    declare(CASE.name, method, quick, all)
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let mut m = Measured::default();
    let (mut rows, mut series, mut errors) = (Vec::new(), Vec::new(), Vec::new());
    for &n in grids(context.quick) {
        context.progress(&format!("{n} cells a diameter"))?;
        let mode = oscillate(context.method, n)?;
        let turns = crossings(&mode);
        let [first, .., third] = turns[..] else {
            return Err(CaseError::Failed(format!(
                "the drop crosses its mean shape {} times, not 3",
                turns.len()
            )));
        };
        let ratio = 2.0 * PI / (third - first);
        let crest = mode.iter().filter(|p| p[0] > first && p[0] < third).map(|p| p[1]).fold(0.0, f64::max);
        m.set(frequency(n), ratio);
        m.set(left(n), crest / mode[0][1]);
        errors.push((ratio - 1.0).abs());
        rows.push(vec![
            n.to_string(),
            number::short(100.0 * (ratio - 1.0)),
            number::short(crest / mode[0][1]),
            (mode.len() - 1).to_string(),
        ]);
        series.push(Series::line(format!("{n} cells a diameter"), mode));
    }
    m.set(ERROR, errors[errors.len() - 1] / errors[0]);
    let columns = ["cells a diameter", "frequency's error (%)", "amplitude left", "steps"];
    m.tables.push(Table { title: "Drops".to_owned(), columns: columns.map(str::to_owned).into(), rows });
    let theory = (0..=200).map(|i| f64::from(i) * END / 200.0).map(|t| [t, STRETCH * t.cos()]).collect();
    series.push(Series::guide("ε cos(ω₂t)", theory));
    m.plots.push(line_plot("The second mode over time", "ω₂ t", "a / R", series));
    Ok(m)
}

/// When runs end, in ω₂ t: past the third crossing at 5π/2.
const END: f64 = 1.34 * 2.0 * PI;

/// ω₂ t and the second mode over R after each step.
fn oscillate(method: &str, cells: u32) -> Result<Vec<[f64; 2]>, CaseError> {
    let drop = drop(method, cells, STRETCH);
    let physics = &drop.scene.physics;
    let omega = (8.0 * physics.surface_tension / (physics.density * drop.radius.powi(3))).sqrt();
    let mut sim = start(&drop.scene)?;
    let second = |state: &dyn StateView| second_mode(state, drop.center, drop.radius);
    let readings = record_with(&mut *sim, END / omega, |sim| vec![Some(second(&*sim.view()))])?;
    Ok(readings.iter().map(|r| [omega * r.time, r.values[0]]).collect())
}

/// Points and weights of Gauss's rule of eight points on (−1, 1), half of them.
const GAUSS: [(f64, f64); 4] = [
    (0.183_434_642_495_649_8, 0.362_683_783_378_362),
    (0.525_532_409_916_329, 0.313_706_645_877_887_3),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_5),
    (0.960_289_856_497_536_2, 0.101_228_536_290_376_3),
];

/// Places around the axis.
const AROUND: usize = 8;

/// 5/2 ∫ r P₂ dμ over R, μ = cos θ about the x axis, averaged around it.
fn second_mode(state: &dyn StateView, center: DVec3, radius: f64) -> f64 {
    let mut sum = 0.0;
    for (mu, weight) in GAUSS.into_iter().flat_map(|(mu, w)| [(mu, w), (-mu, w)]) {
        let rho = (1.0 - mu * mu).sqrt();
        for i in 0..AROUND {
            let (s, c) = (2.0 * PI * (i as f64 + 0.3) / AROUND as f64).sin_cos();
            let r = reach(state, center, DVec3::new(mu, rho * c, rho * s), 1.5 * radius);
            sum += weight * r * 0.5 * (3.0 * mu * mu - 1.0);
        }
    }
    2.5 * sum / (AROUND as f64 * radius)
}

/// Where a line through points (t, a) changes sign.
fn crossings(line: &[[f64; 2]]) -> Vec<f64> {
    let turns = line.windows(2).filter(|w| (w[0][1] > 0.0) != (w[1][1] > 0.0));
    turns.map(|w| w[0][0] + (w[1][0] - w[0][0]) * w[0][1] / (w[0][1] - w[1][1])).collect()
}
