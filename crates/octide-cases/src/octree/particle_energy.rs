//! The effect of particles on the energy: a dam break with and without them, and a ball in flight whose band
//! of particles must move with it.

use crate::stage::{at_rest, line_plot, record_with, start};
use glam::DVec3;
use octide_core::contract::Method;
use octide_core::geometry::Shape;
use octide_core::scene::{Liquid, Scene, Seeding};
use octide_verify::plot::Series;
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity, Table, number};

pub(crate) static CASE: Case = Case {
    name: "particle-energy",
    title: "Energy with and without particles",
    summary: "a dam break keeps more kinetic energy with particles; a ball in flight has no seam at the edge of the band",
    article: Article {
        problem: "A column of water, 0.3 m wide and 0.4 m high, is released in a closed tank of 1 × 0.5 × 0.25 m, once \
            with particles where the flow needs them and once without. In addition, a ball flies through a box \
            without gravity at constant velocity, with particles in the whole band below its surface and none \
            deeper.",
        reference: "Semi-Lagrangian advection loses kinetic energy where the flow is finer than its cells; particles keep it \
            (Ferstl et al. 2016). Exact for the ball: every point keeps its velocity, so the band and the water \
            below it do not differ.",
        measured: "Kinetic energy with particles over that without, the mean over the run after the front has reached the \
            opposite wall, and the fraction of the steps there at which it is larger. For the ball, the largest \
            deviation of a velocity in it from that of the flight, and the change of its kinetic energy, both \
            relative.",
    },
    methods: super::methods,
    quick: true,
    quantities,
    run,
};

const MEAN: &str = "kinetic energy with particles over that without, mean after the impact";
const SHARE: &str = "share of that time at which it is larger";
const VELOCITY_DEVIATION: &str = "ball: largest deviation of velocity";
const ENERGY_CHANGE: &str = "ball: change of kinetic energy";

/// When the front has met the far wall.
const IMPACT: f64 = 0.35;

fn quantities(_: &str, quick: bool) -> Vec<Quantity> {
    let (mean, share) = (Quantity::new(MEAN, ""), Quantity::new(SHARE, ""));
    let mut all = vec![
        Quantity::new(VELOCITY_DEVIATION, "").limit(Limit::AtMost(1e-3), "exact: one velocity").expected(0.0),
        Quantity::new(ENERGY_CHANGE, "")
            .limit(Limit::Within(-0.02, 0.02), "exact; volume may change a little")
            .expected(0.0),
    ];
    if quick {
        all.extend([mean, share]);
    } else {
        all.push(mean.limit(Limit::AtLeast(1.05), "clearly more than the pure level set"));
        all.push(share.limit(Limit::AtLeast(0.7), "most of the time"));
    }
    all
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let mut m = Measured::default();
    context.progress("a ball in flight")?;
    let (seam, kept) = flight(context)?;
    m.set(VELOCITY_DEVIATION, seam);
    m.set(ENERGY_CHANGE, kept);
    let (n, end) = if context.quick { (32, 0.6) } else { (64, 1.4) };
    context.progress("a dam break with particles")?;
    let with = dam_break(context, n, Seeding::WhereNeeded, end)?;
    context.progress("a dam break without")?;
    let without = dam_break(context, n, Seeding::Off, end)?;
    let ratios: Vec<f64> =
        with.iter().filter(|p| p[0] >= IMPACT).map(|p| p[1] / at(&without, p[0])).collect();
    m.set(MEAN, ratios.iter().sum::<f64>() / ratios.len() as f64);
    m.set(SHARE, ratios.iter().filter(|r| **r > 1.0).count() as f64 / ratios.len() as f64);
    let rows = (1..=7).map(|i| f64::from(i) * end / 7.0).map(|t| {
        let [a, b] = [at(&with, t), at(&without, t)];
        vec![format!("{t:.2}"), number::short(a), number::short(b), format!("{:.3}", a / b)]
    });
    let columns = ["time (s)", "with particles (J)", "without (J)", "ratio"];
    m.tables.push(Table {
        title: "Kinetic energy of the dam break".to_owned(),
        columns: columns.map(str::to_owned).into(),
        rows: rows.collect(),
    });
    let series = vec![Series::line("with particles", with), Series::line("without", without)];
    m.plots.push(line_plot("Kinetic energy of the dam break", "time (s)", "energy (J)", series));
    Ok(m)
}

/// Time and kinetic energy after each step.
fn dam_break(context: &Context, n: u32, particles: Seeding, end: f64) -> Result<Vec<[f64; 2]>, CaseError> {
    let mut scene = Scene::empty(context.method, DVec3::new(1.0, 0.5, 0.25), n, if n >= 64 { 3 } else { 2 });
    scene.liquids = vec![at_rest(Shape::Box { min: DVec3::ZERO, max: DVec3::new(0.3, 0.4, 0.25) })];
    scene.numerics.particles = particles;
    scene.numerics.max_volume_drift = 1.0;
    let mut sim = start(&scene)?;
    let readings = record_with(&mut *sim, end, |sim| vec![Some(sim.totals().kinetic_energy)])?;
    Ok(readings.iter().map(|r| [r.time, r.values[0]]).collect())
}

/// A line through points at a place between them.
fn at(line: &[[f64; 2]], t: f64) -> f64 {
    let i = line.partition_point(|p| p[0] < t).clamp(1, line.len() - 1);
    let ([t0, a], [t1, b]) = (line[i - 1], line[i]);
    a + (t - t0) / (t1 - t0) * (b - a)
}

/// The largest deviation of a velocity in a ball from that of its flight, and the change of its energy.
fn flight(context: &Context) -> Result<(f64, f64), CaseError> {
    let velocity = DVec3::new(1.0, 0.4, -0.3);
    let mut scene = Scene::empty(context.method, DVec3::ONE, 64, 3);
    scene.physics.gravity = DVec3::ZERO;
    let shape = Shape::Sphere { center: DVec3::new(0.3, 0.4, 0.6), radius: 0.15 };
    scene.liquids = vec![Liquid { shape, velocity, roughness: 0.0 }];
    scene.numerics.particles = Seeding::Band;
    let mut sim = start(&scene)?;
    let end = if context.quick { 0.1 } else { 0.35 };
    let seam = |sim: &dyn Method| {
        let view = sim.view();
        let center = sim.totals().center.unwrap_or_default();
        let mut most = 0.0f64;
        for i in 0..31i32.pow(3) {
            let p = center
                + 0.01 * (DVec3::new(f64::from(i % 31), f64::from(i / 31 % 31), f64::from(i / 961)) - 15.0);
            let s = view.sample(p);
            if s.phi < 0.0 {
                most = most.max((s.velocity - velocity).length() / velocity.length());
            }
        }
        most
    };
    let readings =
        record_with(&mut *sim, end, |sim| vec![Some(seam(sim)), Some(sim.totals().kinetic_energy)])?;
    let most = readings.iter().map(|r| r.values[0]).fold(0.0, f64::max);
    let energy = |r: &crate::stage::Reading| r.values[1];
    let kept = readings.last().map_or(f64::NAN, |last| energy(last) / energy(&readings[0]) - 1.0);
    Ok((most, kept))
}
