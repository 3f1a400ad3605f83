//! Water at rest: u = 0, p = ρ g·(x_s − x), the surface where it was.
//!
//! The tree is given and alternates with every step between two whose T-junctions are at different places, so
//! that advection from tree to tree, the surface across T-junctions and the pressure all contribute.

use crate::stage::{at_rest, fixed, start, time_step};
use glam::DVec3;
use octide_core::contract::{Method, StepError, StepReport};
use octide_core::faces::figures::CUT_T_FACES;
use octide_core::geometry::Shape;
use octide_core::octree::{CellBox, Grading, Octree};
use octide_core::scene::Scene;
use octide_octree::OctreeLiquid;
use octide_octree::params::{FreeSurface, Params};
use octide_octree::project::DEGENERATE_T_FACES;
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity, Table, number};

pub(crate) static CASE: Case = Case {
    name: "hydrostatics",
    title: "Water at rest",
    summary: "water at rest stays at rest: flat, tilted, with solids, across T-junctions",
    article: Article {
        problem: "A tank of 0.5 × 0.5 × 0.25 m, 16 × 16 × 8 finest cells, is filled a little over half and left alone for \
            50 steps of 4 ms. With every step the tree alternates between two that have vertical T-junctions at \
            different places, so that the surface crosses them. The surface is flat; flat with a ball under water; \
            flat with a post that pierces it; and tilted by 5° or 20° with gravity along its normal. The flat ones \
            run at several heights within a coarse cell, some within a thousandth of a cell of the sample points; \
            the tilted ones at several heights of the middle. The flat tank also runs on the trees that the method \
            makes itself.",
        reference: "Exact: u = 0 and p = ρgh. Ando & Batty 2020, §4.5 and Fig. 16: across T-junctions their form (25) has no \
            error where the surface is aligned with the grid, and some where it is tilted; (24) has none in both \
            cases; the naive form, p = 0 at the centers of air cells around T-junctions, has errors in both. On \
            uniform cells (25) is the ghost-fluid method, which is exact for any plane.",
        measured: "The largest speed in all steps over √(gH); the largest displacement of the surface over H, at cells on \
            the surface after the last step; the largest error of the pressure at the centers of cells under water \
            over ρgH after the last step; each the largest over all heights. H is the depth of the water. The \
            pressure solve goes to a relative residual of 10⁻¹⁰.\n\nTilted with (24), the tank runs on changing \
            trees and on a fixed one, which isolates the error of the pressure.\n\nTilted across T-junctions with \
            (25), the numbers have no limit, as the paper claims none. Where faces have a negative factor W of eq. \
            (21), which (25) clamps to zero, speeds are at least 20 times larger than elsewhere; the fraction of the \
            cut T-junction faces that are clamped is reported. Where none is clamped, the first step on an unchanged \
            tree is exact at these tilts. The remaining error comes from changing trees; without volume correction \
            it is smaller at most heights.",
    },
    methods: super::methods,
    quick: true,
    quantities,
    run,
};

const EXACT: &str = "exact; AB20 Fig. 16";
const STEPS: usize = 50;
const DT: f64 = 0.004;
const DENSITY: f64 = 1000.0;
/// Meters per second squared.
const GRAVITY: f64 = 9.8;

const MEASURES: [&str; 3] = ["speed over √(gH)", "surface shift over H", "pressure error over ρgH"];

/// Forms that must be exact.
const HELD: [&str; 5] = ["flat", "submerged ball", "piercing post", "own trees", "tilted, uniform cells"];
const TILTED: [(&str, f64); 2] =
    [("tilted 5°, T-junctions, (25)", 5.0), ("tilted 20°, T-junctions, (25)", 20.0)];
const SECOND: [&str; 3] = ["flat, (24)", "tilted, one tree, (24)", "tilted, T-junctions, (24)"];
const TRANSPORT: &str =
    "It holds on a fixed tree: the error comes from the transfer of surface and volume from tree to tree.";
const CLAMPED: &str = "clamped share of cut T-junction faces";
const NAIVE: &str = "flat, naive form: speed over √(gH)";

fn quantities(_: &str, _: bool) -> Vec<Quantity> {
    let name = |form: &str, measure: &str| format!("{form}: {measure}");
    let held = |form: &'static str| {
        MEASURES.map(|m| Quantity::new(name(form, m), "").limit(Limit::AtMost(1e-6), EXACT).expected(0.0))
    };
    let mut all: Vec<Quantity> = HELD.into_iter().flat_map(held).collect();
    for (form, _) in TILTED {
        all.extend(MEASURES.map(|m| Quantity::new(name(form, m), "").expected(0.0)));
        all.push(Quantity::new(name(form, CLAMPED), ""));
    }
    all.extend(SECOND[..2].iter().copied().flat_map(held));
    all.extend(held(SECOND[2]).map(|q| q.known_to_fail(TRANSPORT)));
    all.push(Quantity::new(NAIVE, "").limit(Limit::AtLeast(1e-3), "AB20 Fig. 16: the naive form has errors"));
    all
}

/// What became of a tank: [`MEASURES`], T-junction faces that were cut, those that were clamped.
#[derive(Clone, Copy, Default)]
struct Disturbance {
    worst: [f64; 3],
    cut: usize,
    clamped: usize,
}

impl Disturbance {
    fn with(self, o: Self) -> Self {
        let worst =
            [0, 1, 2].map(|i| if o.worst[i].is_nan() { o.worst[i] } else { self.worst[i].max(o.worst[i]) });
        Self { worst, cut: self.cut + o.cut, clamped: self.clamped + o.clamped }
    }
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let n = if context.quick { 2 } else { 32 };
    let mut m = Measured::default();
    let mut table = Table {
        title: "Worst over all heights".to_owned(),
        columns: ["form", MEASURES[0], MEASURES[1], MEASURES[2], "cut T-faces", "clamped"]
            .map(str::to_owned)
            .into(),
        rows: Vec::new(),
    };
    let mut record = |m: &mut Measured, form: &str, d: Disturbance| {
        for (measure, value) in MEASURES.into_iter().zip(d.worst) {
            m.set(format!("{form}: {measure}"), value);
        }
        let mut row = vec![form.to_owned()];
        row.extend(d.worst.map(number::error));
        row.extend([d.cut, d.clamped].map(|n| n.to_string()));
        table.rows.push(row);
    };
    let ball = Shape::Sphere { center: DVec3::new(0.26, 0.12, 0.13), radius: 0.07 };
    let post = Shape::Box { min: DVec3::new(0.19, -1.0, 0.06), max: DVec3::new(0.32, 1.0, 0.17) };
    for (form, solid) in [(HELD[0], None), (HELD[1], Some(ball)), (HELD[2], Some(post))] {
        context.progress(form)?;
        let found =
            worst(n, |h| Tank::new(context.method, h, 0.0, solid.clone()).on(Trees::Two, FreeSurface::Spd))?;
        record(&mut m, form, found);
    }
    context.progress(HELD[3])?;
    let found = worst(n.min(4), |h| Tank::new(context.method, h, 0.0, None).on_own())?;
    record(&mut m, HELD[3], found);

    let tilted = |h: f64, degrees: f64, trees, form| {
        Tank::new(context.method, h, degrees.to_radians(), None).on(trees, form)
    };
    context.progress(HELD[4])?;
    let [five, twenty] =
        TILTED.map(|(_, degrees)| worst(n.min(8), |h| tilted(h, degrees, Trees::Equal, FreeSurface::Spd)));
    record(&mut m, HELD[4], five?.with(twenty?));
    context.progress(SECOND[0])?;
    let found =
        worst(n, |h| Tank::new(context.method, h, 0.0, None).on(Trees::Two, FreeSurface::SecondOrder))?;
    record(&mut m, SECOND[0], found);
    for (trees, form) in [(Trees::One, SECOND[1]), (Trees::Two, SECOND[2])] {
        context.progress(form)?;
        let [five, twenty] = TILTED
            .map(|(_, degrees)| worst(n.min(8), |h| tilted(h, degrees, trees, FreeSurface::SecondOrder)));
        record(&mut m, form, five?.with(twenty?));
    }
    for (form, degrees) in TILTED {
        context.progress(form)?;
        let found = worst(n.min(8), |h| tilted(h, degrees, Trees::Two, FreeSurface::Spd))?;
        record(&mut m, form, found);
        m.set(format!("{form}: {CLAMPED}"), found.clamped as f64 / found.cut.max(1) as f64);
    }

    context.progress(NAIVE)?;
    let found =
        worst(n.min(8), |h| Tank::new(context.method, h, 0.0, None).on(Trees::Two, FreeSurface::FirstOrder))?;
    m.set(NAIVE, found.worst[0]);
    m.tables.push(table);
    Ok(m)
}

const CELLS: u32 = 16;
const COARSE: f64 = 0.5 / 4.0;

/// Heights across one coarse cell, some of them within a thousandth of a cell of the samples.
fn worst(n: u32, run: impl Fn(f64) -> Result<Disturbance, CaseError>) -> Result<Disturbance, CaseError> {
    let mut all = Disturbance::default();
    for k in (0..32).step_by(32 / n as usize) {
        let nudge = if k % 8 == 0 { 1e-3 * 0.5 / f64::from(CELLS) } else { 0.003 * COARSE };
        all = all.with(run(2.0 * COARSE + COARSE * f64::from(k) / 32.0 + nudge)?);
    }
    Ok(all)
}

/// The trees of a run.
#[derive(Clone, Copy)]
enum Trees {
    /// Two in turn, fine on the one side or on the other.
    Two,
    /// One of the two, always the same.
    One,
    /// All cells equal.
    Equal,
}

/// A tank with water whose surface has a height over the middle of the floor.
struct Tank {
    scene: Scene,
    height: f64,
    /// A point of the surface, and the way up.
    at: DVec3,
    up: DVec3,
}

impl Tank {
    fn new(method: &str, height: f64, tilt: f64, solid: Option<Shape>) -> Self {
        let mut scene = Scene::empty(method, DVec3::new(0.5, 0.5, 0.25), CELLS, 2);
        let up = DVec3::new(tilt.sin(), tilt.cos(), 0.0);
        let at = DVec3::new(0.25, height, 0.0);
        scene.physics.gravity = -GRAVITY * up;
        scene.physics.density = DENSITY;
        scene.liquids = vec![at_rest(Shape::Plane { point: at, normal: up })];
        scene.solids = solid.map(fixed).into_iter().collect();
        scene.numerics.tolerance = 1e-10;
        Self { scene, height, at, up }
    }

    /// The run on given trees.
    fn on(&self, trees: Trees, free_surface: FreeSurface) -> Result<Disturbance, CaseError> {
        let grid = self.scene.domain.root_grid();
        let build = |refine: fn(&CellBox) -> bool| Octree::build(&grid, Grading::Graded, refine);
        let trees = match trees {
            Trees::Two => [build(|c| c.center.x < 0.2), build(|c| c.center.x >= 0.33)],
            Trees::One => [build(|c| c.center.x < 0.2), build(|c| c.center.x < 0.2)],
            Trees::Equal => [build(|_| true), build(|_| true)],
        };
        let params = Params { free_surface, ..Params::from_scene(&self.scene) };
        let mut sim = OctreeLiquid::on_tree(&self.scene, params, trees[0].clone());
        let (mut turn, dt) = (0, time_step(DT)?);
        self.watch(&mut sim, |sim| {
            turn += 1;
            sim.step_on(trees[turn % 2].clone(), dt)
        })
    }

    /// The run on the method's own trees.
    fn on_own(&self) -> Result<Disturbance, CaseError> {
        let mut sim = start(&self.scene)?;
        let dt = time_step(DT)?;
        self.watch(&mut *sim, |sim| sim.step(dt))
    }

    /// Takes all steps and looks at them.
    fn watch<M: Method + ?Sized>(
        &self,
        sim: &mut M,
        mut step: impl FnMut(&mut M) -> Result<StepReport, StepError>,
    ) -> Result<Disturbance, CaseError> {
        let mut found = Disturbance::default();
        for _ in 0..STEPS {
            let report = step(sim).map_err(CaseError::new)?;
            found.worst[0] = found.worst[0].max(report.max_speed / (GRAVITY * self.height).sqrt());
            found.cut += report.count(&CUT_T_FACES);
            found.clamped += report.count(&DEGENERATE_T_FACES);
        }
        let view = sim.view();
        for cell in sim.frame().cells.cubes {
            let p = DVec3::from(cell.center.map(f64::from));
            let s = view.sample(p);
            let phi = self.up.dot(p - self.at);
            if s.phi.abs() < f64::from(cell.size) {
                found.worst[1] = found.worst[1].max((s.phi - phi).abs() / self.height);
            }
            if let (Some(pressure), true) = (s.pressure, s.phi < 0.0 && s.solid > 0.0) {
                let error = (pressure + DENSITY * GRAVITY * phi).abs() / (DENSITY * GRAVITY * self.height);
                found.worst[2] = found.worst[2].max(error);
            }
        }
        Ok(found)
    }
}
