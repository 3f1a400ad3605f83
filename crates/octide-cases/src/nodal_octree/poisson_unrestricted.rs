//! The pressure operator of the nodal octree on a known solution, on trees whose levels jump by two and more.
//!
//! u = sin(πx) sin(πy) sin(πz) on [−½, ½]³ has no slope across the sides, which are the method's solid walls,
//! and f = 3π² u. The matrix is the method's own ([`octide_nodal::project::assemble`], gas everywhere); the
//! right-hand side is f at the cells' centers times their volume. The pressure is known up to a constant: the
//! mean is taken out.

use glam::{DVec3, IVec3};
use octide_core::index::{CellId, Field};
use octide_core::octree::{CellBox, Grading, Octree, RootGrid};
use octide_core::scene::{GradientDistance, OpenSides};
use octide_core::solids::Solids;
use octide_nodal::project::{Medium, PressureSolver, ProjectParams, assemble};
use octide_nodal::{Boundary, Mesh};
use octide_verify::fit::{Convergence, Norms, norms};
use octide_verify::plot::Series;
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity, Table};
use std::f64::consts::PI;

pub(crate) static CASE: Case = Case {
    name: "poisson-unrestricted",
    title: "Poisson's equation on unrestricted octrees",
    summary: "pressure operator on trees whose levels jump by two and three",
    article: Article {
        problem: "The pressure solve gets a right-hand side with a known solution: u = sin(πx) sin(πy) sin(πz) on the cube \
            from −½ to ½, with solid walls (zero normal derivative) on all sides. Six octrees, each half as coarse \
            as the one before: a base grid, cells two levels finer in a box of it and three levels finer in a \
            smaller one, without any level between, and around a ball a ragged edge of all levels.",
        reference: "Losasso, Gibou & Fedkiw 2004, Table 1: six unrestricted octrees, L1 errors 4.08·10⁻² to 1.82·10⁻⁴, \
            orders 2.22 1.56 1.56 1.31 1.14; L∞ errors 6.33·10⁻² to 2.29·10⁻³, orders 1.52 .77 .74 .87 .89, .96 over \
            all six by least squares. Their solution and trees are not stated. Each face has one distance Δ: the \
            paper's .75 Δx at a T-junction is the mean of both edges; it also names the larger edge, the smaller one \
            and the distance of the centers, and says that all converge.",
        measured: "L1 and L∞ norms of p − u over all cells after the mean is removed, their orders from tree to tree and \
            over all by least squares. The solve goes to a relative residual of 10⁻¹⁰. The matrix is compared with \
            its transpose bit by bit.",
    },
    methods: super::methods,
    quick: true,
    quantities,
    run,
};

const KINDS: [(&str, GradientDistance); 4] = [
    ("mean", GradientDistance::Mean),
    ("large", GradientDistance::Large),
    ("small", GradientDistance::Small),
    ("euclidean", GradientDistance::Euclidean),
];

/// L1 and L∞ of the paper's six trees.
const TABLE_1: [(f64, f64); 6] = [
    (4.083e-2, 6.332e-2),
    (8.713e-3, 2.203e-2),
    (2.952e-3, 1.292e-2),
    (9.980e-4, 7.745e-3),
    (4.010e-4, 4.249e-3),
    (1.820e-4, 2.287e-3),
];

const SYMMETRIC: &str = "entries that differ from the transposed matrix";
const LEAST_PAIR: &str = "least order of a pair, L∞";

fn quantities(_: &str, _: bool) -> Vec<Quantity> {
    let mut all = vec![
        Quantity::new("order, L∞", "").limit(Limit::AtLeast(0.8), "LGF04 Table 1: 0.96").expected(0.96),
        Quantity::new(LEAST_PAIR, "").limit(Limit::AtLeast(0.65), "LGF04 Table 1: 0.74").expected(0.739),
        Quantity::new("order, L1", "").limit(Limit::AtLeast(0.8), "LGF04 Table 1: 1.57").expected(1.57),
        Quantity::new(SYMMETRIC, "").limit(Limit::AtMost(0.0), "LGF04 §4.2: symmetric").expected(0.0),
    ];
    for (name, _) in &KINDS[1..] {
        let q = Quantity::new(format!("order, L∞, Δ {name}"), "");
        all.push(q.limit(Limit::AtLeast(0.5), "LGF04 §4.2: \"all these choices converge\""));
    }
    all.extend(KINDS.map(|(name, _)| Quantity::new(format!("L∞, finest tree, Δ {name}"), "")));
    all
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let n_trees = if context.quick { 5 } else { 6 };
    let names = KINDS.map(|(name, _)| [format!("L1, {name}"), format!("L∞, {name}")]).concat();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut errors = Convergence::new(&names);
    let mut found: Vec<Vec<f64>> = Vec::new();
    let mut different = 0;
    for k in 0..n_trees {
        let n = COARSEST << k;
        let mesh = mesh(k);
        context.progress(&format!("{n} base cells a side, {} cells in all", mesh.n_cells()))?;
        let mut row = Vec::new();
        for (_, kind) in KINDS {
            let (e, unequal) = solve(&mesh, kind)?;
            row.extend([e.l1, e.max]);
            different += unequal;
        }
        errors.add(n, 1.0 / f64::from(n), &row);
        found.push(row);
    }
    let mut m = Measured::default();
    m.set("order, L∞", errors.order(1));
    m.set("order, L1", errors.order(0));
    let pair = |i: usize| (found[i - 1][1] / found[i][1]).log2();
    m.set(LEAST_PAIR, (1..found.len()).map(pair).fold(f64::INFINITY, f64::min));
    m.set(SYMMETRIC, different as f64);
    for (i, (name, _)) in KINDS.iter().enumerate() {
        if i > 0 {
            m.set(format!("order, L∞, Δ {name}"), errors.order(2 * i + 1));
        }
        m.set(format!("L∞, finest tree, Δ {name}"), errors.last(2 * i + 1));
    }
    m.tables.push(beside_the_paper(&found));
    m.tables.push(errors.table("Errors and orders, all distances", "base cells a side"));
    let mut plot = errors.plot("Error over resolution", "base cells a side", "error", 1.0);
    let published = |f: fn(&(f64, f64)) -> f64| {
        TABLE_1.iter().zip(0..).map(|(e, k)| [f64::from(COARSEST << k), f(e)]).collect()
    };
    plot.series.push(Series::reference("L1, Table 1", published(|e| e.0)));
    plot.series.push(Series::reference("L∞, Table 1", published(|e| e.1)));
    m.plots.push(plot);
    Ok(m)
}

/// The errors with Δ the mean beside the paper's, tree by tree.
fn beside_the_paper(found: &[Vec<f64>]) -> Table {
    let columns = ["tree", "L1", "order", "L∞", "order", "L1, paper", "order", "L∞, paper", "order"];
    let order =
        |before: Option<f64>, now: f64| before.map_or(String::new(), |e| format!("{:.2}", (e / now).log2()));
    let rows = found.iter().enumerate().map(|(k, row)| {
        let before = k.checked_sub(1);
        let mut out = vec![(k + 1).to_string()];
        let mut add = |e: f64, was: Option<f64>| out.extend([octide_verify::number::error(e), order(was, e)]);
        add(row[0], before.map(|i| found[i][0]));
        add(row[1], before.map(|i| found[i][1]));
        add(TABLE_1[k].0, before.map(|i| TABLE_1[i].0));
        add(TABLE_1[k].1, before.map(|i| TABLE_1[i].1));
        out
    });
    Table {
        title: "Beside Table 1 of the paper".to_owned(),
        columns: columns.map(str::to_owned).into(),
        rows: rows.collect(),
    }
}

/// Base cells along a side of the first tree, which are its roots.
const COARSEST: u32 = 2;

fn mesh(k: u32) -> Mesh {
    let base = k as u8;
    let levels = base + 3;
    let dx = 1.0 / f64::from(COARSEST << levels);
    let dims = IVec3::splat(COARSEST as i32);
    let grid = RootGrid::new(DVec3::splat(-0.5), dx, levels, IVec3::ZERO, dims, |_| true);
    let refine = |c: &CellBox| c.level < base || c.level < base + finer(c.center);
    Mesh::new(Octree::build(&grid, Grading::Unrestricted, refine))
}

/// Levels past the base grid's.
fn finer(x: DVec3) -> u8 {
    let within = |low: [f64; 3], high: [f64; 3]| x.cmpgt(low.into()).all() && x.cmplt(high.into()).all();
    if x.distance(DVec3::new(-0.25, 0.25, 0.25)) < 0.22 {
        2
    } else if within([0.25, -0.25, 0.0], [0.3125, -0.1875, 0.0625]) {
        3
    } else if x.distance(DVec3::new(0.11, 0.13, -0.17)) < 0.14 {
        2
    } else {
        0
    }
}

fn exact(x: DVec3) -> f64 {
    (PI * x.x).sin() * (PI * x.y).sin() * (PI * x.z).sin()
}

/// Norms of the pressure's error, and how many entries differ from the transposed matrix.
fn solve(mesh: &Mesh, kind: GradientDistance) -> Result<(Norms, usize), CaseError> {
    let boundary = Boundary::new(mesh, &Solids::default(), OpenSides::default());
    let still = Field::filled(mesh.n_faces(), 0.0);
    let mut system = assemble(mesh, &boundary, &Medium::Gas, &still, 0.0, kind).map_err(CaseError::new)?;
    let volume = |c: CellId| mesh.tree.size(c).powi(3);
    let mean = |of: &dyn Fn(usize) -> f64, cells: &[CellId]| {
        let (sum, all) = (0..cells.len()).fold((0.0, 0.0), |(sum, all), row| {
            (sum + of(row) * volume(cells[row]), all + volume(cells[row]))
        });
        sum / all
    };
    let f = |row: usize| 3.0 * PI * PI * exact(mesh.tree.center(system.cells[row]));
    let f_mean = mean(&f, &system.cells);
    system.rhs = (0..system.cells.len()).map(|row| (f(row) - f_mean) * volume(system.cells[row])).collect();
    let mut p = vec![0.0; system.cells.len()];
    let params = ProjectParams { tolerance: 1e-10, ..ProjectParams::default() };
    PressureSolver::default().solve(mesh, &system, &mut p, &params).map_err(CaseError::new)?;
    let difference = |row: usize| p[row] - exact(mesh.tree.center(system.cells[row]));
    let e_mean = mean(&difference, &system.cells);
    let errors = (0..p.len()).map(|row| (difference(row) - e_mean, volume(system.cells[row])));
    Ok((norms(errors), unequal(&system.matrix)))
}

/// Entries that are not those of the transposed matrix, bit by bit.
pub(super) fn unequal(a: &octide_solve::Csr) -> usize {
    (0..a.n_rows())
        .map(|i| {
            let (columns, values) = a.row(i);
            let differs = |(&j, v): (&u32, &f64)| a.get(j as usize, i).to_bits() != v.to_bits();
            columns.iter().zip(values).filter(|&entry| differs(entry)).count()
        })
        .sum()
}
