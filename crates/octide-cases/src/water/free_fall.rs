//! A ball of water falls: its center follows y₀ − ½gt², its shape stays.
//!
//! A step carries the water by the velocity of its start and then adds g dt. After n steps the center has
//! fallen ½g t(t − dt): the error is ½g t dt, of first order.

use crate::expectations;
use crate::methods::water_methods;
use crate::stage::{at_rest, line_plot, start};
use glam::DVec3;
use octide_core::contract::Totals;
use octide_core::geometry::Shape;
use octide_core::scene::{Scene, Seeding, VolumeCorrection};
use octide_verify::fit::Convergence;
use octide_verify::plot::Series;
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity};

pub(crate) static CASE: Case = Case {
    name: "free-fall",
    title: "A ball of water in free fall",
    summary: "the center of mass follows ½gt² to first order in dt; volume and shape are kept",
    article: Article {
        problem: "A ball of water of radius 0.12 m falls from rest for 0.25 s in a box of 0.5 × 1 × 0.5 m with 128 cells \
            along its height, 64 in the quick form. It touches no wall. It runs with longer and shorter steps of \
            equal length, and with the shortest steps also without volume correction and with particles.",
        reference: "Exact: the center of mass falls by ½gt² = 0.306 m, and the ball stays a ball. A step first advects the \
            water and then adds gravity, so that ½g t dt is missing: first order in dt.",
        measured: "The order of the center's error in dt by least squares, and the error with the shortest step over the ½g \
            t dt that the splitting explains. The sideways drift of the center, the change of the volume, and the \
            largest distance of the surface mesh from the ball around the center, in finest cells, each at the end \
            and the largest over all step lengths. Advection alone loses volume with every step; how much is \
            reported.",
    },
    methods: water_methods,
    quick: true,
    quantities,
    run,
};

const TIME: f64 = 0.25;
const RADIUS: f64 = 0.12;
const G: f64 = 9.8;

fn quantities(method: &str, quick: bool) -> Vec<Quantity> {
    let all = vec![
        Quantity::new("order of the center's error in dt", "")
            .limit(Limit::Within(0.9, 1.1), "first-order splitting")
            .expected(1.0),
        Quantity::new("error over ½g t dt, shortest step", "")
            .limit(Limit::RelativeError(0.1), "first-order splitting")
            .expected(1.0),
        Quantity::new("sideways drift over the fall", "").limit(Limit::AtMost(1e-3), "exact: none"),
        Quantity::new("volume change", "")
            .limit(Limit::AtMost(0.01), "our own: 1 %, as for a drop over a pool"),
        Quantity::new("volume change with particles", "")
            .limit(Limit::AtMost(0.01), "our own: 1 %, as for a drop over a pool"),
        Quantity::new("distance of the surface from the ball, in cells", "")
            .limit(Limit::AtMost(0.5), "our own: half a finest cell"),
        Quantity::new("volume change without correction", ""),
        Quantity::new("distance of the surface from the ball without correction, in cells", ""),
    ];
    expectations::apply(CASE.name, method, quick, all)
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let (cells, steps): (u32, &[u32]) = if context.quick { (64, &[10, 20]) } else { (128, &[20, 40, 80]) };
    let mut errors = Convergence::new(&["center (m)"]);
    let (mut aside, mut change, mut off) = (0.0f64, 0.0f64, 0.0f64);
    let mut series = Vec::new();
    for &n in steps {
        context.progress(&format!("{n} steps"))?;
        let fall = fall(context.method, cells, n, true, Seeding::Off)?;
        errors.add(n, TIME / f64::from(n), &[(fall.down - 0.5 * G * TIME * TIME).abs()]);
        aside = aside.max(fall.aside / (0.5 * G * TIME * TIME));
        change = change.max(fall.change.abs());
        off = off.max(fall.off);
        series.push(Series::line(format!("{n} steps"), fall.path));
    }
    let most = steps.last().copied().unwrap_or(1);
    context.progress("without volume correction")?;
    let free = fall(context.method, cells, most, false, Seeding::Off)?;
    context.progress("with particles")?;
    let followed = fall(context.method, cells, most, true, Seeding::Band)?;
    let mut m = Measured::default();
    m.set("order of the center's error in dt", errors.order(0));
    m.set("error over ½g t dt, shortest step", errors.last(0) / (0.5 * G * TIME * TIME / f64::from(most)));
    m.set("sideways drift over the fall", aside);
    m.set("volume change", change);
    m.set("volume change with particles", followed.change.abs());
    m.set("distance of the surface from the ball, in cells", off);
    m.set("volume change without correction", free.change);
    m.set("distance of the surface from the ball without correction, in cells", free.off);
    m.tables.push(errors.table("Errors and orders", "steps"));
    m.plots.push(errors.plot("Error of the center over the number of steps", "steps", "error (m)", 1.0));
    let exact = (0..=50).map(|i| TIME * f64::from(i) / 50.0).map(|t| [t, 0.5 * G * t * t]).collect();
    series.push(Series::guide("½gt²", exact));
    m.plots.push(line_plot("Fall over time", "time (s)", "fall of the center (m)", series));
    Ok(m)
}

/// What became of a ball.
struct Fall {
    /// How far the center fell over time.
    path: Vec<[f64; 2]>,
    /// How far at the end.
    down: f64,
    /// How far the center went sideways.
    aside: f64,
    /// Relative change of the volume.
    change: f64,
    /// The largest distance of the surface from the ball, in finest cells.
    off: f64,
}

fn fall(
    method: &str,
    cells: u32,
    steps: u32,
    correction: bool,
    particles: Seeding,
) -> Result<Fall, CaseError> {
    let mut scene = Scene::empty(method, DVec3::new(0.5, 1.0, 0.5), cells, 2);
    let ball = Shape::Sphere { center: DVec3::new(0.26, 0.75, 0.24), radius: RADIUS };
    scene.physics.gravity = DVec3::new(0.0, -G, 0.0);
    scene.liquids = vec![at_rest(ball)];
    scene.numerics.volume_correction = VolumeCorrection::global_if(correction);
    scene.numerics.particles = particles;
    let mut sim = start(&scene)?;
    let center = |t: Totals| t.center.ok_or_else(|| CaseError::Failed("all of the water is gone".to_owned()));
    let (first, volume) = (center(sim.totals())?, sim.totals().volume);
    let mut path = Vec::new();
    for _ in 0..steps {
        sim.step(TIME / f64::from(steps)).map_err(CaseError::new)?;
        path.push([sim.time(), first.y - center(sim.totals())?.y]);
    }
    let last = center(sim.totals())?;
    let way = first - last;
    let positions = sim.frame().surface.mesh.positions;
    let off = |p: &[f32; 3]| (DVec3::from(p.map(f64::from)).distance(last) - RADIUS).abs();
    Ok(Fall {
        path,
        down: way.y,
        aside: way.x.hypot(way.z),
        change: sim.totals().volume / volume - 1.0,
        off: positions.iter().map(off).fold(0.0, f64::max) / scene.domain.dx(),
    })
}
