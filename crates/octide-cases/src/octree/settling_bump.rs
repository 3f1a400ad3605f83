//! Fig. 13: a bump settles on a tree that never changes, with T-junctions along the surface.
//!
//! The kink at a place is the fourth difference of the surface's height over finest cells, one large cell to
//! both sides: η₋₂ − 4 η₋₁ + 6 η₀ − 4 η₁ + η₂. It is zero for cubics, and small for waves that are much
//! longer than cells.

use crate::stage::{at_rest, line_plot, probe, time_step};
use glam::DVec3;
use octide_core::contract::Method;
use octide_core::geometry::Shape;
use octide_core::octree::{CellBox, Grading, Octree};
use octide_core::probes;
use octide_core::scene::{FreeSurface, ProbeKind, Scene, Seeding};
use octide_octree::{OctreeLiquid, Params};
use octide_verify::plot::Series;
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity, Table, number};

pub(crate) static CASE: Case = Case {
    name: "settling-bump",
    title: "A bump settles across T-junctions",
    summary: "no kinks where T-junctions meet a surface that comes to rest",
    article: Article {
        problem: "A ridge of water, 4 cm high, sinks into a tank of 1 × 0.375 × 0.0625 m and its waves die down. Cells \
            alternate between 1/64 m and 1/32 m along the tank, a quarter of a meter each, and do not change: where \
            their size changes, T-junctions cross the surface all the time, and no change of the tree can hide their \
            effect.",
        reference: "Ando & Batty 2020, Fig. 13: the naive form, p = 0 at the centers of air cells around a T-junction and \
            ghost fluid elsewhere, leaves kinks; eqs. (25) and (24) do not, and look alike.",
        measured: "The kink at a place: the fourth difference of the surface height, averaged over the last second, over \
            steps of a finest cell, in finest cells. It is zero for cubics and small for long waves. The root mean \
            square over two rows and over all depths of the water, which are spread over one large cell. At \
            T-junctions: the three places along the tank where the cell size changes. Away from them: the middles of \
            the four quarters.",
    },
    methods: super::methods,
    quick: true,
    quantities,
    run,
};

const FIGURE: &str = "Ando & Batty 2020, Fig. 13";
const FORMS: [(&str, FreeSurface); 3] =
    [("naive form", FreeSurface::FirstOrder), ("(25)", FreeSurface::Spd), ("(24)", FreeSurface::SecondOrder)];
const NAIVE: &str = "kink at T-junctions, naive form over (25)";
const ALIKE: &str = "kink at T-junctions, (24) over (25)";
const AT: [f64; 3] = [0.25, 0.5, 0.75];
const AWAY: [f64; 4] = [0.125, 0.375, 0.625, 0.875];
const ROWS: [f64; 2] = [0.022, 0.045];
const DX: f64 = 1.0 / 64.0;

fn quantities(_: &str, quick: bool) -> Vec<Quantity> {
    let mut all = vec![
        Quantity::new(NAIVE, "").limit(Limit::AtLeast(3.0), FIGURE),
        Quantity::new(ALIKE, "").limit(Limit::Within(0.5, 2.0), FIGURE).expected(1.0),
    ];
    for (form, free_surface) in FORMS {
        let kink = Quantity::new(at(form), "cells");
        // The quick form's mean is over fewer waves.
        let smooth = Limit::AtMost(if quick { 0.04 } else { 0.02 });
        let is_naive = free_surface == FreeSurface::FirstOrder;
        all.push(if is_naive { kink } else { kink.limit(smooth, "a fiftieth of a cell is not seen") });
        all.push(Quantity::new(away(form), "cells"));
    }
    all
}

fn at(form: &str) -> String {
    format!("{form}: kink at T-junctions")
}

fn away(form: &str) -> String {
    format!("{form}: away from them")
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let shifts: &[f64] = if context.quick { &[0.3] } else { &[0.05, 0.3, 0.55, 0.8] };
    let mut m = Measured::default();
    let mut rows = Vec::new();
    let mut series = Vec::new();
    let mut found = Vec::new();
    for (form, free_surface) in FORMS {
        let mut all = Kinks::default();
        for &shift in shifts {
            context.progress(&format!("{form}, {shift} of a large cell up"))?;
            let (kinks, profile) = settle(context, 0.1875 + shift * 2.0 * DX, free_surface)?;
            rows.push(vec![
                form.to_owned(),
                number::short(shift),
                number::error(kinks.at.rms()),
                number::error(kinks.away.rms()),
            ]);
            all.add(&kinks);
            if shift == 0.3 {
                series.push(Series::line(form, profile));
            }
        }
        found.push(all.at.rms());
        m.set(at(form), all.at.rms());
        m.set(away(form), all.away.rms());
    }
    m.set(NAIVE, found[0] / found[1]);
    m.set(ALIKE, found[2] / found[1]);
    let columns = ["form", "height in a large cell", "at T-junctions (cells)", "away from them (cells)"];
    m.tables.push(Table { title: "Kinks".to_owned(), columns: columns.map(str::to_owned).into(), rows });
    m.plots.push(line_plot(
        "The surface at the end",
        "along the tank (m)",
        "height over its mean (cells)",
        series,
    ));
    Ok(m)
}

/// A mean of squares.
#[derive(Clone, Copy, Default)]
struct Squares {
    sum: f64,
    n: f64,
}

impl Squares {
    fn push(&mut self, x: f64) {
        self.sum += x * x;
        self.n += 1.0;
    }

    fn rms(self) -> f64 {
        (self.sum / self.n).sqrt()
    }
}

/// Second differences where T-junctions are and where none are.
#[derive(Default)]
struct Kinks {
    at: Squares,
    away: Squares,
}

impl Kinks {
    /// Of heights in the order of the tank's probes.
    fn new(heights: &[f64]) -> Self {
        let mut kinks = Self::default();
        for (i, h) in heights.chunks_exact(5).enumerate() {
            let is_at = i % (AT.len() + AWAY.len()) < AT.len();
            let squares = if is_at { &mut kinks.at } else { &mut kinks.away };
            squares.push((h[0] - 4.0 * h[1] + 6.0 * h[2] - 4.0 * h[3] + h[4]) / DX);
        }
        kinks
    }

    fn add(&mut self, o: &Self) {
        for (own, o) in [(&mut self.at, o.at), (&mut self.away, o.away)] {
            own.sum += o.sum;
            own.n += o.n;
        }
    }
}

/// The kinks of the mean surface, and that surface along the tank.
fn settle(
    context: &Context,
    depth: f64,
    free_surface: FreeSurface,
) -> Result<(Kinks, Vec<[f64; 2]>), CaseError> {
    let scene = tank(context.method, depth);
    let tree = Octree::build(&scene.domain.root_grid(), Grading::Graded, |c: &CellBox| {
        (4.0 * c.center.x) as i32 % 2 == 0
    });
    let params = Params { free_surface, ..Params::from_scene(&scene) };
    let mut sim = OctreeLiquid::on_tree(&scene, params, tree.clone());
    let (begin, end) = if context.quick { (0.5, 1.0) } else { (1.5, 2.5) };
    let mut mean = vec![0.0; scene.probes.len()];
    while sim.time() < end - 1e-9 {
        let dt = sim.max_dt().min(end - sim.time());
        sim.step_on(tree.clone(), time_step(dt)?).map_err(CaseError::new)?;
        if sim.time() > begin {
            let heights = probes::read(&scene, &sim).into_iter().step_by(2);
            mean.iter_mut().zip(heights).for_each(|(m, h)| *m += dt * h.unwrap_or(f64::NAN));
        }
    }
    mean.iter_mut().for_each(|m| *m /= end - begin);
    Ok((Kinks::new(&mean), profile(&scene, &sim)))
}

/// The height along the tank's first row, over its mean, in finest cells.
fn profile(scene: &Scene, sim: &OctreeLiquid) -> Vec<[f64; 2]> {
    let x: Vec<f64> = (0..128).map(|i| (f64::from(i) + 0.5) / 128.0).collect();
    let along = Scene { probes: x.iter().map(|&x| gauge(x, ROWS[0])).collect(), ..scene.clone() };
    let heights: Vec<f64> =
        probes::read(&along, sim).into_iter().step_by(2).map(|h| h.unwrap_or(f64::NAN)).collect();
    let mean = heights.iter().sum::<f64>() / heights.len() as f64;
    x.into_iter().zip(heights).map(|(x, h)| [x, (h - mean) / DX]).collect()
}

fn gauge(x: f64, z: f64) -> octide_core::scene::Probe {
    probe(ProbeKind::Gauge(DVec3::new(x, 0.0, z)))
}

/// A tank with water of a depth and a ridge across it, not in the middle.
fn tank(method: &str, depth: f64) -> Scene {
    let mut scene = Scene::empty(method, DVec3::new(1.0, 0.375, 0.0625), 64, 1);
    scene.numerics.particles = Seeding::Off;
    scene.physics.gravity = DVec3::new(0.0, -9.81, 0.0);
    let water = Shape::Plane { point: DVec3::new(0.0, depth, 0.0), normal: DVec3::Y };
    let radii = DVec3::new(0.15, 0.04, 1.0);
    let ridge = Shape::Ellipsoid { center: DVec3::new(0.4, depth, 0.03), radii };
    scene.liquids = vec![at_rest(water), at_rest(ridge)];
    for z in ROWS {
        for x in AT.into_iter().chain(AWAY) {
            scene.probes.extend((-2..=2).map(|i| gauge(x + f64::from(i) * DX, z)));
        }
    }
    scene
}
