//! Water at rest beside larger cells: the known fault of one gradient a small face, told in numbers.

use super::stage::{at_rest, start};
use crate::case::{Article, Case, CaseError, Context, Measured, Quantity};
use crate::limit::Limit;
use crate::number;
use crate::table::Table;
use glam::DVec3;
use octide_core::contract::{Method, StepError, StepReport};
use octide_core::geometry::Shape;
use octide_core::octree::{Grading, Octree};
use octide_core::scene::FreeSurface::{self, FirstOrder, SecondOrder};
use octide_core::scene::GradientDistance::{self, Euclidean, Large, Mean, Small};
use octide_core::scene::Scene;
use octide_nodal::NodalLiquid;
use octide_octree::OctreeLiquid;

pub(super) static CASE: Case = Case {
    name: "rest-t-junctions",
    title: "Spurious flow of still water at T-junctions",
    summary: "still water over upright T-junctions: the nodal octree's spurious flow beside the octree's zero",
    article: Article {
        problem: "A tank of 0.5 × 0.5 × 0.25 m is filled a little over half and left alone for 50 steps of 4 ms. Its tree \
            stays as it is: fine where x < 0.2 m, one level coarser past that, so that T-junctions stand upright through \
            water and surface. Once more the tank runs on the trees that the method makes itself.",
        reference: "Exact: u = 0. Ando & Batty 2020 has one gradient for the whole of a large face, from the mean of \
            the small cells' pressures, whose center lies right across the large cell's: no error. Losasso, Gibou & \
            Fedkiw 2004 has a gradient a small face: the centers of both its cells lie at different heights, and their \
            pressures differ in water at rest. The paper calls this a perturbation of the pressure's place by O(Δx) (§4.2); \
            the scheme is known for the flow that it stirs.",
        measured: "The largest speed in all steps over √(gH), H the depth of the water, on both kinds of trees; on the given \
            one with p = 0 at the centers of air cells (first order, the paper's) and on the surface (second order), and there \
            with each of the distances Δ that the paper names; each with gravity as the paper has it, u += dt g, and as a difference of \
            its potential between the two cells of a face, which the pressure can balance. The pressure solve goes to a relative residual of 10⁻¹⁰.",
    },
    methods: &["octree", "nodal-octree"],
    quick: true,
    quantities,
    run,
};

const STEPS: usize = 50;
const DT: f64 = 0.004;
const GRAVITY: f64 = 9.8;
const HEIGHT: f64 = 0.29;

const OWN: &str = "own trees";
const GIVEN: &str = "upright T-junctions";

/// A run of the nodal octree on the given tree.
struct Nodal {
    name: &'static str,
    /// Gravity as a difference of its potential, not as the paper's u += dt g.
    is_balanced: bool,
    free_surface: FreeSurface,
    distance: GradientDistance,
}

const fn nodal(
    name: &'static str,
    is_balanced: bool,
    free_surface: FreeSurface,
    distance: GradientDistance,
) -> Nodal {
    Nodal { name, is_balanced, free_surface, distance }
}

const NODAL: [Nodal; 10] = [
    nodal("upright T-junctions, the paper's gravity, first order", false, FirstOrder, Mean),
    nodal("upright T-junctions, the paper's gravity, second order", false, SecondOrder, Mean),
    nodal("upright T-junctions, the paper's gravity, second order, Δ large", false, SecondOrder, Large),
    nodal("upright T-junctions, the paper's gravity, second order, Δ small", false, SecondOrder, Small),
    nodal(
        "upright T-junctions, the paper's gravity, second order, Δ euclidean",
        false,
        SecondOrder,
        Euclidean,
    ),
    nodal("upright T-junctions, first order", true, FirstOrder, Mean),
    nodal("upright T-junctions, second order", true, SecondOrder, Mean),
    nodal("upright T-junctions, second order, Δ large", true, SecondOrder, Large),
    nodal("upright T-junctions, second order, Δ small", true, SecondOrder, Small),
    nodal("upright T-junctions, second order, Δ euclidean", true, SecondOrder, Euclidean),
];

fn quantities(method: &str, _: bool) -> Vec<Quantity> {
    let exact = |name: &str| Quantity::new(name, "").limit(Limit::AtMost(1e-6), "exact").expected(0.0);
    if method == "octree" {
        return vec![exact(OWN), exact(GIVEN)];
    }
    let mut all = vec![exact(OWN)];
    all.extend(NODAL.iter().map(|run| {
        let is_exact = run.is_balanced && run.free_surface == SecondOrder;
        if is_exact { exact(run.name) } else { Quantity::new(run.name, "").expected(0.0) }
    }));
    all
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let cells: &[u32] = if context.quick { &[16] } else { &[16, 32, 64] };
    let mut m = Measured::default();
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut tell = |name: &str, speeds: Vec<f64>| {
        let mut row = vec![name.to_owned()];
        row.extend(speeds.iter().map(|&s| number::error(s)));
        rows.push(row);
        // On the first grid, which the quick form has too.
        m.set(name, speeds[0]);
    };
    let each = |name: &str, run: &dyn Fn(&Scene) -> Result<f64, CaseError>| {
        cells
            .iter()
            .map(|&n| {
                context.progress(&format!("{name}, {n} cells"))?;
                run(&tank(context.method, n))
            })
            .collect::<Result<Vec<f64>, CaseError>>()
    };
    tell(OWN, each(OWN, &|scene| watch(&mut *start(scene)?, |method| method.step(DT)))?);
    if context.method == "octree" {
        let given = |scene: &Scene| {
            let params = octide_octree::Params::from_scene(scene);
            let mut method = OctreeLiquid::on_tree(scene, params, tree(scene));
            watch(&mut method, |method| method.step_on(tree(scene), DT))
        };
        tell(GIVEN, each(GIVEN, &given)?);
    } else {
        for run in NODAL {
            let given = |scene: &Scene| {
                let mut params = octide_nodal::Params::from_scene(scene);
                params.balanced_gravity = run.is_balanced;
                params.free_surface = run.free_surface;
                params.project.gradient_distance = run.distance;
                let mut method = NodalLiquid::on_tree(scene, params, tree(scene));
                watch(&mut method, |method| method.step_on(tree(scene), DT))
            };
            tell(run.name, each(run.name, &given)?);
        }
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

/// Fine on one side, one level coarser on the other.
fn tree(scene: &Scene) -> Octree {
    let grid = scene.domain.root_grid();
    let coarse = grid.max_level() - 1;
    Octree::build(&grid, Grading::Graded, |c| c.level < coarse || c.center.x < 0.2)
}

/// Takes all steps; the largest speed over √(gH).
fn watch<M: Method + ?Sized>(
    method: &mut M,
    mut step: impl FnMut(&mut M) -> Result<StepReport, StepError>,
) -> Result<f64, CaseError> {
    let mut fastest: f64 = 0.0;
    for _ in 0..STEPS {
        fastest = fastest.max(step(method).map_err(CaseError::new)?.max_speed);
    }
    Ok(fastest / (GRAVITY * HEIGHT).sqrt())
}
