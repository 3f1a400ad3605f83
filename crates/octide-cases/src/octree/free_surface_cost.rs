//! The fraction of degenerate T-junctions in real scenes, and the cost of eq. (24) compared with eq. (25).

use crate::stage::at_rest;
use glam::DVec3;
use octide_core::contract::Method;
use octide_core::faces::figures::CUT_T_FACES;
use octide_core::geometry::{Motion, Shape};
use octide_core::scene::{FreeSurface, Scene, Solid};
use octide_octree::project::DEGENERATE_T_FACES;
use octide_octree::step::step;
use octide_octree::{OctreeLiquid, Params};
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity, Table, number};

pub(crate) static CASE: Case = Case {
    name: "free-surface-cost",
    title: "Cost of the second-order free surface",
    summary: "degenerate T-junctions in two scenes, and the time of a projection with eq. (24) over that with (25)",
    article: Article {
        problem: "The scenes moving-cylinder and water-drop run with eq. (25). From some states of moving-cylinder one \
            step is taken with either form, several times.",
        reference: "Ando & Batty 2020, Table 2: 11 to 33 % of the T-junctions that the surface cuts are degenerate, W ≤ 0. \
            §8.1: in moving-cylinder, at 512 cells, the projection with eq. (24) by BiCGStab took 1.33 times as long \
            as with (25) by CG, both preconditioned by algebraic multigrid.",
        measured: "The fraction of degenerate faces among the T-junction faces that the surface cuts, over all steps. The \
            time of the stage `project` of one step, the smallest of several measurements, summed over the states: \
            with (24) over (25). It is wall time with the run's number of threads, so it depends on the machine; the \
            iterations do not. The fraction has no limit because it depends on how calm the water is.",
    },
    methods: super::methods,
    quick: false,
    quantities,
    run,
};

const SCENES: [&str; 2] = ["moving-cylinder", "water-drop"];
const RATIO: &str = "time of a projection, (24) over (25)";
const FORMS: [(&str, FreeSurface); 2] = [("(25)", FreeSurface::Spd), ("(24)", FreeSurface::SecondOrder)];

fn degenerate_fraction(scene: &str) -> String {
    format!("{scene}: degenerate share of cut T-junction faces")
}

fn iterations(form: &str) -> String {
    format!("iterations of a solve, {form}")
}

fn quantities(_: &str, _: bool) -> Vec<Quantity> {
    let mut all: Vec<Quantity> = SCENES.map(|scene| Quantity::new(degenerate_fraction(scene), "")).into();
    all.push(Quantity::new(RATIO, "").expected(1.33));
    all.push(Quantity::new(iterations("(25)"), ""));
    let few = "one has two cycles and (25) takes about seven of one; half as many again";
    all.push(Quantity::new(iterations("(24)"), "").limit(Limit::AtMost(8.0), few));
    all
}

/// Finest cells along the longest side, as in the built-in scenes.
const RESOLUTION: u32 = 128;
const STEPS: usize = 36;

fn run(context: &Context) -> Result<Measured, CaseError> {
    let mut m = Measured::default();
    let mut rows = Vec::new();
    for (name, scene) in SCENES.into_iter().zip([cylinder(), water_drop()]) {
        context.progress(name)?;
        let mut sim = OctreeLiquid::new(&Scene { method: context.method.to_owned(), ..scene.clone() });
        let (mut cut, mut degenerate) = (0, 0);
        let mut timed = Timed::default();
        for i in 1..=STEPS {
            let report = sim.step(sim.max_dt()).map_err(CaseError::new)?;
            cut += report.count(&CUT_T_FACES);
            degenerate += report.count(&DEGENERATE_T_FACES);
            if name == SCENES[0] && i % (STEPS / 3) == 0 {
                context.progress(&format!("{name}, step {i}"))?;
                timed.add(&sim, &scene)?;
            }
        }
        m.set(degenerate_fraction(name), degenerate as f64 / cut.max(1) as f64);
        rows.push(vec![name.to_owned(), cut.to_string(), degenerate.to_string()]);
        if name == SCENES[0] {
            m.set(RATIO, timed.seconds[1] / timed.seconds[0]);
            for (i, (form, _)) in FORMS.into_iter().enumerate() {
                m.set(iterations(form), timed.iterations[i] as f64 / timed.n as f64);
            }
            m.tables.push(timed.table());
        }
    }
    let columns = ["scene", "cut T-junction faces", "degenerate"].map(str::to_owned);
    m.tables.push(Table { title: "All steps together".to_owned(), columns: columns.into(), rows });
    Ok(m)
}

/// Projections of both forms.
#[derive(Default)]
struct Timed {
    seconds: [f64; 2],
    iterations: [usize; 2],
    n: usize,
}

impl Timed {
    /// Takes the next step with both forms.
    fn add(&mut self, sim: &OctreeLiquid, scene: &Scene) -> Result<(), CaseError> {
        self.n += 1;
        for (i, (_, free_surface)) in FORMS.into_iter().enumerate() {
            let params = Params { free_surface, ..Params::from_scene(scene) };
            let mut least = f64::INFINITY;
            let mut last = 0;
            for _ in 0..9 {
                let (_, found) = step(&mut sim.state().clone(), None, sim.max_dt(), &scene.solids, &params)
                    .map_err(CaseError::new)?;
                let seconds = found.stages.iter().filter(|s| s.0 == "project").map(|s| s.1).sum();
                least = least.min(seconds);
                last = found.projection.iterations;
            }
            self.seconds[i] += least;
            self.iterations[i] += last;
        }
        Ok(())
    }

    fn table(&self) -> Table {
        let row = |(i, (form, _)): (usize, (&str, FreeSurface))| {
            vec![form.to_owned(), number::short(1e3 * self.seconds[i]), self.iterations[i].to_string()]
        };
        Table {
            title: format!("{} projections of {}", self.n, SCENES[0]),
            columns: ["form", "milliseconds", "iterations"].map(str::to_owned).into(),
            rows: FORMS.into_iter().enumerate().map(row).collect(),
        }
    }
}

fn pool(depth: f64) -> Scene {
    let mut scene = Scene::empty("octree", DVec3::new(1.0, 0.5, 1.0), RESOLUTION, 3);
    scene.physics.gravity = DVec3::new(0.0, -9.8, 0.0);
    scene.time.fps = 60.0;
    scene.liquids = vec![at_rest(Shape::Box { min: DVec3::ZERO, max: DVec3::new(1.0, depth, 1.0) })];
    scene
}

/// As the built-in scene of that name.
fn cylinder() -> Scene {
    let at = |y| DVec3::new(0.72, y, 0.5);
    let shape = Shape::Cylinder { from: at(0.06), to: at(0.46), radius: 0.065 };
    let center = DVec3::new(0.5, 0.0, 0.5);
    let orbit = Motion::Orbit { center, axis: DVec3::Y, period: 1.6, turning: false };
    let motion = Motion::About { pivot: at(0.26), motion: Box::new(orbit) };
    Scene { solids: vec![Solid::moving(shape, motion)], ..pool(0.205) }
}

/// As the built-in scene of that name.
fn water_drop() -> Scene {
    let mut scene = pool(0.245);
    scene.liquids.push(at_rest(Shape::Sphere { center: DVec3::new(0.5, 0.37, 0.5), radius: 0.075 }));
    scene
}
