//! Warm air above cold air stays at rest.

use crate::stage::time_step;
use glam::DVec3;
use octide_core::octree::{Grading, Octree};
use octide_core::scene::{Buoyancy, GradientDistance, Scene};
use octide_nodal::NodalSmoke;
use octide_nodal::smoke::SmokeParams;
use octide_verify::fit::Convergence;
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity, Table, number};

pub(crate) static CASE: Case = Case {
    name: "stratified",
    title: "Stratified air at rest under tilted gravity",
    summary: "warm air above cold air stays at rest, also across T-junctions; the flow that the paper's own buoyancy causes is reported",
    article: Article {
        problem: "A closed box of 1 m with air that becomes warmer with height, T = 100 K/m, under gravity that is along \
            no axis: the buoyancy is the gradient of a pressure. On uniform cells; on a tree that is graded toward a \
            ball; and on one whose levels jump by up to three at once. One step of 0.01 s, then a hundred. Buoyancy \
            at T-junctions is a difference of its potential; for comparison also as in the paper, from the mean of a \
            face's corners.",
        reference: "Exact: nothing moves. The pressure differences of Losasso, Gibou & Fedkiw 2004 across a T-junction are \
            only first order: they do not balance a force along the face, and the method is known for the flow that \
            this causes (a fraction of order one of b·dt at these faces). They do balance differences of a \
            potential.",
        measured: "The largest speed and the root mean square after one step over b·dt, where b = 10 m/s² is the difference \
            of buoyancy across the box, and after a hundred steps over √(b L). The table has the other distances Δ \
            that the paper names, on the graded tree.",
    },
    methods: super::methods,
    quick: true,
    quantities,
    run,
};

/// b, in m/s².
const LIFT: f64 = 10.0;
const DT: f64 = 0.01;

fn quantities(_: &str, _: bool) -> Vec<Quantity> {
    vec![
        Quantity::new("even cells, one step", "b dt")
            .limit(Limit::AtMost(1e-9), "exact: none; tolerance 1e-10"),
        Quantity::new("even cells, a hundred steps", "√(bL)")
            .limit(Limit::AtMost(1e-9), "exact: none; tolerance 1e-10"),
        Quantity::new("graded, one step", "b dt").limit(Limit::AtMost(1e-8), "exact: none; tolerance 1e-10"),
        Quantity::new("graded, a hundred steps", "√(bL)")
            .limit(Limit::AtMost(1e-8), "exact: none; tolerance 1e-10"),
        Quantity::new("jumps, one step", "b dt").limit(Limit::AtMost(1e-8), "exact: none; tolerance 1e-10"),
        Quantity::new("jumps, a hundred steps", "√(bL)")
            .limit(Limit::AtMost(1e-8), "exact: none; tolerance 1e-10"),
        Quantity::new("the paper's, graded, one step, largest", "b dt"),
        Quantity::new("the paper's, graded, one step, root mean square", "b dt"),
        Quantity::new("the paper's, graded, a hundred steps, largest", "√(bL)"),
        Quantity::new("the paper's, jumps, one step, largest", "b dt"),
        Quantity::new("the paper's, jumps, one step, root mean square", "b dt"),
        Quantity::new("the paper's, jumps, a hundred steps, largest", "√(bL)"),
        Quantity::new("order of the paper's root mean square, graded", "")
            .limit(Limit::AtLeast(0.3), "theory: wrong on a surface of cells only, √h")
            .expected(0.5),
    ]
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Even,
    Graded,
    Jumps,
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    // On coarser grids the largest cells are a quarter of the box, and there are hardly any T-junctions.
    let (grids, n): (&[u32], u32) = if context.quick { (&[64, 128], 16) } else { (&[64, 128, 256], 32) };
    let mut m = Measured::default();
    let plain = GradientDistance::default();
    for (name, kind) in [("even cells", Kind::Even), ("graded", Kind::Graded), ("jumps", Kind::Jumps)] {
        context.progress(name)?;
        let [first, _, last] = speeds(n, kind, plain, true, 100)?;
        m.set(format!("{name}, one step"), first);
        m.set(format!("{name}, a hundred steps"), last);
        if kind != Kind::Even {
            let [first, rms, last] = speeds(n, kind, plain, false, 100)?;
            m.set(format!("the paper's, {name}, one step, largest"), first);
            m.set(format!("the paper's, {name}, one step, root mean square"), rms);
            m.set(format!("the paper's, {name}, a hundred steps, largest"), last);
        }
    }
    let mut errors = Convergence::new(&["largest (b dt)", "root mean square (b dt)"]);
    for &n in grids {
        context.progress(&format!("{n} cells"))?;
        let [largest, rms, _] = speeds(n, Kind::Graded, plain, false, 1)?;
        errors.add(n, 1.0 / f64::from(n), &[largest, rms]);
    }
    m.set("order of the paper's root mean square, graded", errors.order(1));
    m.tables.push(errors.table("One step on graded trees, the paper's buoyancy", "cells"));
    let mut rows = Vec::new();
    for (name, distance) in [
        ("mean", GradientDistance::Mean),
        ("large", GradientDistance::Large),
        ("small", GradientDistance::Small),
        ("euclidean", GradientDistance::Euclidean),
    ] {
        let [largest, rms, _] = speeds(n, Kind::Graded, distance, false, 1)?;
        rows.push(vec![name.to_owned(), number::error(largest), number::error(rms)]);
    }
    let columns = ["Δ", "largest (b dt)", "root mean square (b dt)"].map(str::to_owned).to_vec();
    m.tables.push(Table {
        title: "The distances that the paper names, one step with its buoyancy".to_owned(),
        columns,
        rows,
    });
    Ok(m)
}

/// The largest speed and the root mean square after the first step, and the largest after the last.
fn speeds(
    n: u32,
    kind: Kind,
    distance: GradientDistance,
    balanced: bool,
    steps: u32,
) -> Result<[f64; 3], CaseError> {
    let mut scene = Scene::empty("nodal-octree", DVec3::ONE, n, 3);
    scene.physics.gravity = DVec3::new(3.0, -8.0, 4.0);
    scene.physics.buoyancy = Buoyancy { weight: 0.0, lift: LIFT / 100.0 };
    scene.physics.confinement = 0.0;
    scene.numerics.tolerance = 1e-10;
    scene.numerics.gradient_distance = distance;
    let grid = scene.domain.root_grid();
    let grading = if kind == Kind::Jumps { Grading::Unrestricted } else { Grading::Graded };
    // Only cells that hold a part of the small ball, so that its neighbors are as large as the tree lets
    // them.
    let holds = |center: DVec3, h: f64| (center - DVec3::new(0.45, 0.55, 0.5)).length() < 0.2 + 0.87 * h;
    let tree = Octree::build(&grid, grading, |c| kind == Kind::Even || holds(c.center, c.size));
    let params = SmokeParams { balanced_buoyancy: balanced, ..SmokeParams::from_scene(&scene) };
    let up = params.up;
    let mut sim = NodalSmoke::on_tree(&scene, params, tree.clone());
    sim.set_smoke(|x| [0.0, 100.0 * up.dot(x)]);
    let mut out = [0.0; 3];
    for i in 0..steps {
        let r = sim.step_on(tree.clone(), time_step(DT)?).map_err(CaseError::new)?;
        if i == 0 {
            let square = 2.0 * r.kinetic_energy / (scene.physics.density * r.volume);
            out = [r.max_speed / (LIFT * DT), square.sqrt() / (LIFT * DT), 0.0];
        }
        out[2] = r.max_speed / LIFT.sqrt();
    }
    Ok(out)
}
