//! The interior operator of the octree method on a known solution: −∇·∇p = f with walls around.
//!
//! u = sin(3πx) sin(3πy) sin(3πz) on [−½, ½]³ has no slope across the sides, which are the method's solid
//! walls, and f = 27π² u. The matrix is the method's own ([`octide_octree::project::assemble`], all cells
//! liquid); the right-hand side is f at the cells' centers times their volume. The pressure is known up to a
//! constant: the mean is taken out.

use glam::{DVec3, IVec3};
use octide_core::index::{CellId, Field};
use octide_core::octree::{CellBox, Grading, Octree, RootGrid};
use octide_core::scene::{Scene, VolumeCorrection};
use octide_octree::Params;
use octide_octree::apertures::Apertures;
use octide_octree::mesh::Mesh;
use octide_octree::params::FreeSurface;
use octide_octree::project;
use octide_octree::solids::Solids;
use octide_verify::fit::{Convergence, Norms, norms};
use octide_verify::plot::{Plot, Series};
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity};
use std::f64::consts::PI;

pub(crate) static UNIFORM: Case = Case {
    name: "poisson-uniform",
    title: "Poisson's equation on uniform grids",
    summary: "pressure operator on sin(3πx) sin(3πy) sin(3πz), uniform cells",
    article: Article {
        problem: "The pressure solve of the method gets a right-hand side with a known solution: u = sin(3πx) sin(3πy) \
            sin(3πz) on the cube from −½ to ½, with solid walls (zero normal derivative) on all sides. All cells are \
            liquid and of the same size.",
        reference: "Centered differences are second order. The flow solver Gerris (Popinet 2003, J. Comput. Phys. 190; its \
            test suite, 2.1) has the same problem in two dimensions, also with zero normal derivative and the mean \
            removed; its errors are plotted for orientation.",
        measured: "L1 and L∞ norms of p − u after the mean is removed, and their orders over all grids by least squares. \
            The solve goes to a relative residual of 10⁻¹⁰, so that its own error can be neglected.",
    },
    methods: super::methods,
    quick: true,
    quantities: uniform_quantities,
    run: |context| {
        let grids: &[u32] = if context.quick { &[16, 32, 64] } else { &[16, 32, 64, 128] };
        run(context, grids, false, &GERRIS_UNIFORM)
    },
};

pub(crate) static T_JUNCTIONS: Case = Case {
    name: "poisson-t-junctions",
    title: "Poisson's equation across T-junctions",
    summary: "the same, two levels finer inside r < 1/4",
    article: Article {
        problem: "As poisson-uniform, u = sin(3πx) sin(3πy) sin(3πz) between solid walls, on an octree that is two levels \
            finer inside r < ¼. Around the ball lies a layer of the level between, so that neighbors differ by one \
            level.",
        reference: "Ando & Batty 2020 use one pressure gradient for the whole large face at a T-junction: the difference \
            between the large cell and the mean of the four small ones, over ¾ of the large edge. Gerris (Popinet \
            2003, J. Comput. Phys. 190; its test suite, 2.1.1) on the same problem in two dimensions, base grids 128 \
            and 256: L1 2.11·10⁻⁴ and 5.38·10⁻⁵, L∞ 9.28·10⁻⁴ and 2.37·10⁻⁴, both of order 1.97. Its errors are \
            plotted for orientation.",
        measured: "L1 and L∞ norms of p − u over all cells after the mean is removed, and their orders over all grids by \
            least squares; cells are counted along a side of the base grid.\n\nFar from the ball, the errors of \
            the base grid are just as large. So the largest error of cells that touch a T-junction is reported \
            separately. Nobody claims an order for these alone, and which cells they are changes from grid to grid.",
    },
    methods: super::methods,
    quick: true,
    quantities: t_junction_quantities,
    run: |context| {
        let grids: &[u32] = if context.quick { &[8, 16, 32] } else { &[8, 16, 32, 64] };
        run(context, grids, true, &GERRIS_T_JUNCTIONS)
    },
};

/// Gerris in two dimensions: cells along a side, L1, L∞.
type Gerris = [(u32, f64, f64); 6];

const GERRIS_UNIFORM: Gerris = [
    (8, 5.669e-2, 1.353e-1),
    (16, 1.426e-2, 3.887e-2),
    (32, 3.496e-3, 1.048e-2),
    (64, 8.689e-4, 2.684e-3),
    (128, 2.173e-4, 6.757e-4),
    (256, 5.430e-5, 1.693e-4),
];

const GERRIS_T_JUNCTIONS: Gerris = [
    (8, 6.498e-2, 2.281e-1),
    (16, 9.684e-3, 2.883e-2),
    (32, 2.961e-3, 1.279e-2),
    (64, 8.035e-4, 3.391e-3),
    (128, 2.114e-4, 9.282e-4),
    (256, 5.384e-5, 2.373e-4),
];

fn uniform_quantities(_: &str, _: bool) -> Vec<Quantity> {
    let order = |name| {
        Quantity::new(name, "")
            .limit(Limit::Within(1.9, 2.1), "centered differences; Gerris: 2.0")
            .expected(2.0)
    };
    vec![order("order, L1"), order("order, L∞"), Quantity::new(FINEST[0], ""), Quantity::new(FINEST[1], "")]
}

fn t_junction_quantities(_: &str, _: bool) -> Vec<Quantity> {
    let order = |name| Quantity::new(name, "").limit(Limit::AtLeast(1.9), "Gerris: 1.97").expected(1.97);
    let mut all = vec![order("order, L1"), order("order, L∞")];
    all.extend([AT_T, FINEST[0], FINEST[1]].map(|name| Quantity::new(name, "")));
    all
}

const FINEST: [&str; 2] = ["L1, finest grid", "L∞, finest grid"];
const AT_T: &str = "order, L∞ of cells at T-junctions";

fn run(context: &Context, grids: &[u32], adaptive: bool, gerris: &Gerris) -> Result<Measured, CaseError> {
    let names = ["L1", "L∞", "L∞ at T-junctions"];
    let mut errors = Convergence::new(if adaptive { &names } else { &names[..2] });
    for &n in grids {
        let mesh = mesh(n, adaptive);
        context.progress(&format!("{n} cells a side, {} in all", mesh.n_cells()))?;
        let (e, at_t) = solve(&mesh)?;
        let e = [e.l1, e.max, at_t];
        errors.add(n, 1.0 / f64::from(n), if adaptive { &e } else { &e[..2] });
    }
    let mut m = Measured::default();
    m.set("order, L1", errors.order(0));
    m.set("order, L∞", errors.order(1));
    if adaptive {
        m.set(AT_T, errors.order(2));
    }
    m.set(FINEST[0], errors.last(0));
    m.set(FINEST[1], errors.last(1));
    let counts = if adaptive { "cells a side of the base grid" } else { "cells a side" };
    m.tables.push(errors.table("Errors and orders", counts));
    let mut plot = errors.plot("Error over resolution", counts, "error", 2.0);
    beside(&mut plot, gerris);
    m.plots.push(plot);
    Ok(m)
}

/// Adds Gerris's errors.
fn beside(plot: &mut Plot, gerris: &Gerris) {
    let points = |f: fn(&(u32, f64, f64)) -> f64| gerris.iter().map(|g| [f64::from(g.0), f(g)]).collect();
    plot.series.push(Series::reference("L1, Gerris, 2-D", points(|g| g.1)));
    plot.series.push(Series::reference("L∞, Gerris, 2-D", points(|g| g.2)));
    plot.x.ticks = gerris.iter().map(|g| f64::from(g.0)).collect();
}

/// Roots along a side.
const ROOTS: u32 = 8;

fn mesh(n: u32, adaptive: bool) -> Mesh {
    let base = (n / ROOTS).ilog2() as u8;
    let levels = base + if adaptive { 2 } else { 0 };
    let dx = 1.0 / f64::from(ROOTS << levels);
    let dims = IVec3::splat(ROOTS as i32);
    let grid = RootGrid::new(DVec3::splat(-0.5), dx, levels, IVec3::ZERO, dims, |_| true);
    let refine = |c: &CellBox| c.level < base || c.center.length() < 0.25;
    Mesh::new(Octree::build(&grid, Grading::Graded, refine))
}

fn exact(x: DVec3) -> f64 {
    (3.0 * PI * x.x).sin() * (3.0 * PI * x.y).sin() * (3.0 * PI * x.z).sin()
}

/// Norms of the pressure's error, and the largest of cells at T-junctions.
fn solve(mesh: &Mesh) -> Result<(Norms, f64), CaseError> {
    let apertures = Apertures::within_walls(mesh, &Solids::default());
    let liquid = Field::filled(mesh.n_cells(), -1.0);
    let still = Field::filled(mesh.n_faces(), 0.0);
    let mut system = project::assemble(mesh, &liquid, &apertures, &still, 0.0, FreeSurface::Spd)
        .map_err(CaseError::new)?;
    let volume = |c: CellId| mesh.tree.size(c).powi(3);
    system.rhs =
        system.cells.iter().map(|&c| 27.0 * PI * PI * exact(mesh.tree.center(c)) * volume(c)).collect();
    let mut p = vec![0.0; system.cells.len()];
    project::solve(mesh, &system, &mut project::Hierarchy::default(), &mut p, &params())
        .map_err(CaseError::new)?;

    let difference = |row: usize| p[row] - exact(mesh.tree.center(system.cells[row]));
    let rows = || (0..p.len()).map(|row| (difference(row), volume(system.cells[row])));
    let (sum, all) = rows().fold((0.0, 0.0), |(sum, all), (e, v)| (sum + e * v, all + v));
    let is_t = |c: CellId| mesh.faces.of_cell(c).iter().any(|&k| mesh.faces.is_t_junction(&mesh.tree, k));
    let at_t =
        (0..p.len()).filter(|&row| is_t(system.cells[row])).map(|row| (difference(row) - sum / all, 1.0));
    Ok((norms(rows().map(|(e, v)| (e - sum / all, v))), norms(at_t).max))
}

/// The choices of solves that shall be exact.
pub(super) fn params() -> Params {
    Params {
        gravity: DVec3::ZERO,
        density: 1.0,
        tolerance: 1e-10,
        max_iterations: 1000,
        volume_correction: VolumeCorrection::Off,
        ..Params::from_scene(&Scene::empty("octree", DVec3::ONE, 8, 0))
    }
}
