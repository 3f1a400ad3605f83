//! Volume and energy over a long dam break: dE/dt ≤ 0 between walls that stand still.

use crate::expectations;
use crate::methods::water_methods;
use crate::stage::{at_rest, line_plot, probe, record, start};
use glam::DVec3;
use octide_core::geometry::Shape;
use octide_core::scene::{ProbeKind, Scene, VolumeCorrection};
use octide_verify::plot::Series;
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity};

pub(crate) static CASE: Case = Case {
    name: "long-dam-break",
    title: "Volume and energy over a long dam break",
    summary: "a dam break until it is calm: volume with and without correction, energy that never grows",
    article: Article {
        problem: "A column of water, 0.3 m wide and 0.4 m high, is released in a closed tank of 1 × 0.5 × 0.25 m with 32 \
            finest cells along its length. It runs to the opposite wall, up, over and back, and calms down. It runs \
            with and without volume correction.",
        reference: "The volume is constant. Fixed walls do no work, and there is no viscosity or surface tension: the sum of \
            kinetic and potential energy does not grow. A scheme loses some energy to numerical diffusion and in \
            breaking waves.",
        measured: "The drift of the volume at the end and the largest on the way. The largest rise of the total energy \
            above an earlier value, over the energy that the dam releases, E(0) less that of the same water at rest \
            on the floor. Volume correction moves water and so adds a little energy; without it, volume gained in \
            advection counts as energy too. The fraction of the released energy left at the end is negative if water \
            was lost.",
    },
    methods: water_methods,
    quick: true,
    quantities,
    run,
};

const SIZE: DVec3 = DVec3::new(1.0, 0.5, 0.25);
const COLUMN: DVec3 = DVec3::new(0.3, 0.4, 0.25);
const G: f64 = 9.8;
const DENSITY: f64 = 1000.0;

/// What is measured of each run.
const NAMES: [&str; 4] = [
    "volume drift at the end",
    "largest volume drift",
    "largest rise of energy",
    "released energy left at the end",
];

fn quantities(method: &str, quick: bool) -> Vec<Quantity> {
    let mut all = Vec::new();
    for form in forms(quick) {
        let q = |i: usize| Quantity::new(format!("{}: {}", form.0, NAMES[i]), "");
        all.extend([0, 1, 2, 3].map(|i| match (i, form.1) {
            (0, true) => q(0).limit(Limit::Within(-0.01, 0.01), "our own: 1 %").expected(0.0),
            (2, true) => q(2).limit(Limit::AtMost(0.02), "our own: 2 % of the released energy").expected(0.0),
            _ => q(i),
        }));
    }
    expectations::apply(CASE.name, method, quick, all)
}

/// Names of the runs, and whether volume is corrected.
fn forms(quick: bool) -> &'static [(&'static str, bool)] {
    let all = &[("with correction", true), ("without correction", false)];
    if quick { &all[..1] } else { all }
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let end = if context.quick { 2.0 } else { 5.0 };
    let mut m = Measured::default();
    let mut volumes = Vec::new();
    for &(name, correction) in forms(context.quick) {
        context.progress(name)?;
        let mut scene = Scene::empty(context.method, SIZE, 32, 2);
        scene.physics.gravity = DVec3::new(0.0, -G, 0.0);
        scene.physics.density = DENSITY;
        scene.liquids = vec![at_rest(Shape::Box { min: DVec3::ZERO, max: COLUMN })];
        scene.numerics.volume_correction = VolumeCorrection::global_if(correction);
        scene.numerics.max_volume_drift = 1.0;
        scene.probes = vec![probe(ProbeKind::Whole)];
        let mut sim = start(&scene)?;
        let readings = record(&scene, &mut *sim, end)?;

        let first = readings[0].values[0];
        let drift: Vec<[f64; 2]> = readings.iter().map(|r| [r.time, r.values[0] / first - 1.0]).collect();
        let (volume, floor) = (COLUMN.element_product(), SIZE.x * SIZE.z);
        // ρgV over half the height, standing and lying.
        let lying = 0.5 * DENSITY * G * volume * volume / floor;
        let released = 0.5 * DENSITY * G * volume * COLUMN.y - lying;
        let (mut least, mut rise) = (f64::INFINITY, 0.0f64);
        let mut energies = [Vec::new(), Vec::new(), Vec::new()];
        for r in &readings {
            let (kinetic, potential) = (r.values[1], r.values[2]);
            let total = kinetic + potential;
            least = least.min(total);
            rise = rise.max((total - least) / released);
            for (series, e) in energies.iter_mut().zip([kinetic, potential, total]) {
                series.push([r.time, e]);
            }
        }
        let last = |points: &[[f64; 2]]| points.last().map_or(f64::NAN, |p| p[1]);
        let values = [
            last(&drift),
            drift.iter().map(|p| p[1].abs()).fold(0.0, f64::max),
            rise,
            (last(&energies[2]) - lying) / released,
        ];
        for (what, value) in NAMES.into_iter().zip(values) {
            m.set(format!("{name}: {what}"), value);
        }
        let names = ["kinetic", "potential", "total"];
        let mut series: Vec<Series> =
            names.into_iter().zip(energies).map(|(n, points)| Series::line(n, points)).collect();
        series.push(Series::guide("at rest", vec![[0.0, lying], [end, lying]]));
        m.plots.push(line_plot(&format!("Energy over time, {name}"), "time (s)", "energy (J)", series));
        volumes.push(Series::line(name, drift));
    }
    m.plots.push(line_plot("Drift of the volume over time", "time (s)", "relative drift", volumes));
    Ok(m)
}
