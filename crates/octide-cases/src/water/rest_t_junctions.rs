//! Water at rest beside larger cells: spurious flow at T-junctions.

use crate::expectations;
use crate::methods::water_methods;
use crate::stage::{at_rest, start, time_step};
use glam::DVec3;
use octide_core::contract::{Method, StepError, StepReport, TimeStep};
use octide_core::geometry::Shape;
use octide_core::octree::{Grading, Octree};
use octide_core::scene::Scene;
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity, Table, number};

pub(crate) static CASE: Case = Case {
    name: "rest-t-junctions",
    title: "Spurious flow of still water at T-junctions",
    summary: "still water over upright T-junctions stays still",
    article: Article {
        problem: "A tank of 0.5 × 0.5 × 0.25 m is filled a little over half and left alone for 50 steps of 4 ms, on the \
            trees that the method makes itself. Methods that can run on a given tree also run on one that does not \
            change: fine where x < 0.2 m and one level coarser elsewhere, so that vertical T-junctions cross the water \
            and the surface.",
        reference: "Exact: u = 0. Ando & Batty 2020 (octree) use one gradient for the whole of a large face, from the mean \
            of the small cells' pressures, whose center lies directly opposite that of the large cell: no error. Losasso, \
            Gibou & Fedkiw 2004 (nodal-octree) use one gradient for each small face. The centers of the two cells lie at \
            different heights, and their pressures differ even in water at rest. The paper calls this a perturbation of \
            the pressure location by O(Δx) (§4.2); the scheme is known for the flow that it causes.",
        measured: "The largest speed in all steps over √(gH), where H is the depth of the water, with a pressure solve to a \
            relative residual of 10⁻¹⁰.\n\nFor nodal-octree on the given tree: with p = 0 at the centers of air cells \
            (first order, as in the paper) and on the surface (second order), with each of the distances Δ that the paper \
            names, and with gravity as in the paper, u += dt g, or as a difference of its potential between the two cells \
            of a face, which the pressure can balance.",
    },
    methods: water_methods,
    quick: true,
    quantities,
    run,
};

const STEPS: usize = 50;
const DT: f64 = 0.004;
const GRAVITY: f64 = 9.8;
const HEIGHT: f64 = 0.29;

const OWN_TREES: &str = "own trees";

/// Runs a scene on a given tree and returns a speed.
type TreeRun = dyn Fn(&Scene) -> Result<f64, CaseError>;

/// A run on a tree that the case gives to the method.
pub(crate) struct GivenTree {
    /// The name of its quantity.
    pub(crate) name: &'static str,
    /// Whether the scheme is exact; otherwise the speed is reported only.
    pub(crate) is_exact: bool,
    /// Returns the largest speed over √(gH); see [`fastest_on`].
    pub(crate) run: Box<TreeRun>,
}

fn quantities(method: &str, quick: bool) -> Vec<Quantity> {
    let exact = |name: &str| Quantity::new(name, "").limit(Limit::AtMost(1e-6), "exact").expected(0.0);
    let mut all = vec![exact(OWN_TREES)];
    all.extend(
        (expectations::of(method).given_trees)().iter().map(|run| {
            if run.is_exact { exact(run.name) } else { Quantity::new(run.name, "").expected(0.0) }
        }),
    );
    expectations::apply(CASE.name, method, quick, all)
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let cells: &[u32] = if context.quick { &[16] } else { &[16, 32, 64] };
    let mut m = Measured::default();
    let mut rows: Vec<Vec<String>> = Vec::new();
    let own = GivenTree { name: OWN_TREES, is_exact: true, run: Box::new(on_own_trees) };
    for run in std::iter::once(own).chain((expectations::of(context.method).given_trees)()) {
        let mut row = vec![run.name.to_owned()];
        for (i, &n) in cells.iter().enumerate() {
            context.progress(&format!("{}, {n} cells", run.name))?;
            let speed = (run.run)(&tank(context.method, n))?;
            row.push(number::error(speed));
            // The quick form has only the first grid.
            if i == 0 {
                m.set(run.name, speed);
            }
        }
        rows.push(row);
    }
    let mut columns = vec!["run".to_owned()];
    columns.extend(cells.iter().map(|n| format!("{n} cells along x")));
    m.tables.push(Table { title: "Largest speed over √(gH)".to_owned(), columns, rows });
    Ok(m)
}

fn tank(method: &str, cells: u32) -> Scene {
    let mut scene = Scene::empty(method, DVec3::new(0.5, 0.5, 0.25), cells, 2);
    scene.physics.gravity = DVec3::new(0.0, -GRAVITY, 0.0);
    let surface = DVec3::new(0.0, HEIGHT, 0.0);
    scene.liquids = vec![at_rest(Shape::Plane { point: surface, normal: DVec3::Y })];
    scene.numerics.tolerance = 1e-10;
    scene
}

fn on_own_trees(scene: &Scene) -> Result<f64, CaseError> {
    fastest(&mut *start(scene)?, |method, dt| method.step(dt))
}

/// Starts a method on the given tree and steps on it; returns the largest speed over √(gH).
pub(crate) fn fastest_on<M: Method>(
    scene: &Scene,
    start: impl FnOnce(Octree) -> M,
    step: fn(&mut M, Octree, TimeStep) -> Result<StepReport, StepError>,
) -> Result<f64, CaseError> {
    fastest(&mut start(tree(scene)), |method, dt| step(method, tree(scene), dt))
}

/// Fine on one side, one level coarser on the other.
fn tree(scene: &Scene) -> Octree {
    let grid = scene.domain.root_grid();
    let coarse = grid.max_level() - 1;
    Octree::build(&grid, Grading::Graded, |c| c.level < coarse || c.center.x < 0.2)
}

/// Takes all steps; returns the largest speed over √(gH).
fn fastest<M: Method + ?Sized>(
    method: &mut M,
    mut step: impl FnMut(&mut M, TimeStep) -> Result<StepReport, StepError>,
) -> Result<f64, CaseError> {
    let dt = time_step(DT)?;
    let mut fastest: f64 = 0.0;
    for _ in 0..STEPS {
        fastest = fastest.max(step(method, dt).map_err(CaseError::new)?.max_speed);
    }
    Ok(fastest / (GRAVITY * HEIGHT).sqrt())
}
