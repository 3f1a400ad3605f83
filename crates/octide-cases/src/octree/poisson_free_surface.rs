//! The pressure at a free surface: −∇·∇p = f in a ball with p = 0 on it, across T-junctions.
//!
//! p = (r² − R²) q with r = |x − c| and q = 2 + sin(3x) + cos(2y + z) is not radial, and
//! ∇·∇p = 6q + 4 (x − c)·∇q + (r² − R²) ∇·∇q. φ = r − R is the exact distance.

use super::poisson::params;
use glam::{DVec3, IVec3};
use octide_core::index::{CellId, FaceId, Field};
use octide_core::octree::{CellBox, Grading, Octree, RootGrid};
use octide_core::par;
use octide_octree::apertures::Apertures;
use octide_octree::mesh::Mesh;
use octide_octree::params::FreeSurface;
use octide_octree::project;
use octide_octree::solids::Solids;
use octide_verify::fit::{Convergence, norms};
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity};

pub(crate) static CASE: Case = Case {
    name: "poisson-free-surface",
    title: "Poisson's equation with a free surface across T-junctions",
    summary: "p = 0 on a sphere that T-junctions cross: orders of pressure and gradient",
    article: Article {
        problem: "The pressure solve of the method gets a ball of liquid that is off the center of its box, and a \
            right-hand side with a known solution: p = (r² − R²) (2 + sin 3x + cos(2y + z)), zero on the sphere and \
            not radial. Octants of the box alternate between two cell sizes, so that T-junctions cross the surface.",
        reference: "Ando & Batty 2020 have two forms. Eq. (24) is second order but not symmetric; eq. (25) is symmetric \
            positive definite, and first order where T-junctions meet the surface. On uniform cells both are the \
            ghost-fluid method, which is second order. The naive form, as in their Fig. 13, sets p = 0 at the \
            centers of the air cells around a T-junction, without a factor.",
        measured: "The largest and the mean error of p over the cells of the ball, and the root-mean-square error of its \
            gradient on faces, with orders over all grids by least squares. The gradient is what changes the \
            velocity. For comparison, the same with the naive form, and with eq. (25) on uniform cells.",
    },
    methods: super::methods,
    quick: true,
    quantities,
    run,
};

const CENTER: DVec3 = DVec3::new(0.512, 0.487, 0.531);
const RADIUS: f64 = 0.31;
const FIRST: &str = "Ando & Batty 2020: first order";
const SECOND: &str = "Ando & Batty 2020: second order";
const NAIVE: &str = "naive form: error of p, times that of (25), finest grid";
const NAIVE_GRADIENT: &str = "naive form: error of the gradient, times that of (25), finest grid";
const DIFFERENCE: &str = "the gradient factor must make a difference";

fn quantities(_: &str, _: bool) -> Vec<Quantity> {
    let second = |name, least| Quantity::new(name, "").limit(Limit::AtLeast(least), SECOND);
    vec![
        Quantity::new("(25): order, L∞", "").limit(Limit::AtLeast(0.7), FIRST).expected(1.0),
        Quantity::new("(25): order, L1", ""),
        Quantity::new("(25): order of the gradient, L2", ""),
        second("(24): order, L∞", 1.75),
        second("(24): order, L1", 1.9),
        second("(24): order of the gradient, L2", 1.4),
        Quantity::new("uniform cells: order, L∞", "")
            .limit(Limit::AtLeast(1.8), "ghost fluid between uniform cells: about 1.9")
            .expected(1.9),
        Quantity::new(NAIVE, "").limit(Limit::AtLeast(1.25), DIFFERENCE),
        Quantity::new(NAIVE_GRADIENT, "").limit(Limit::AtLeast(2.0), DIFFERENCE),
        Quantity::new("naive form: order, L∞", ""),
        Quantity::new("(25): L∞, finest grid", ""),
        Quantity::new("(25): L1, finest grid", ""),
        Quantity::new("(25): gradient, L2, finest grid", ""),
        Quantity::new("(24): L∞, finest grid", ""),
        Quantity::new("(24): L1, finest grid", ""),
        Quantity::new("(24): gradient, L2, finest grid", ""),
    ]
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let grids: &[u32] = if context.quick { &[12, 24, 48] } else { &[12, 16, 24, 32, 48, 64, 96] };
    let names = ["L∞", "L1", "gradient, L2"];
    let [mut spd, mut second, mut naive, mut uniform] = [0; 4].map(|_| Convergence::new(&names));
    for &n in grids {
        let mesh_t = mesh(n, true);
        context.progress(&format!("{n} large cells a side, {} in all", mesh_t.n_cells()))?;
        let h = 1.0 / f64::from(n);
        spd.add(n, h, &solve(&mesh_t, FreeSurface::Spd)?);
        second.add(n, h, &solve(&mesh_t, FreeSurface::SecondOrder)?);
        naive.add(n, h, &solve(&mesh_t, FreeSurface::FirstOrder)?);
        uniform.add(n, h, &solve(&mesh(n, false), FreeSurface::Spd)?);
    }
    let mut m = Measured::default();
    m.set("(25): order, L∞", spd.order(0));
    m.set("(25): order, L1", spd.order(1));
    m.set("(25): order of the gradient, L2", spd.order(2));
    m.set("(24): order, L∞", second.order(0));
    m.set("(24): order, L1", second.order(1));
    m.set("(24): order of the gradient, L2", second.order(2));
    m.set("uniform cells: order, L∞", uniform.order(0));
    m.set(NAIVE, naive.last(0) / spd.last(0));
    m.set(NAIVE_GRADIENT, naive.last(2) / spd.last(2));
    m.set("naive form: order, L∞", naive.order(0));
    m.set("(25): L∞, finest grid", spd.last(0));
    m.set("(25): L1, finest grid", spd.last(1));
    m.set("(25): gradient, L2, finest grid", spd.last(2));
    m.set("(24): L∞, finest grid", second.last(0));
    m.set("(24): L1, finest grid", second.last(1));
    m.set("(24): gradient, L2, finest grid", second.last(2));
    let counts = "large cells a side";
    m.tables.push(spd.table("Eq. (25) across T-junctions", counts));
    m.tables.push(second.table("Eq. (24) across T-junctions", counts));
    m.tables.push(uniform.table("Eq. (25) between uniform cells", counts));
    m.tables.push(naive.table("The naive form across T-junctions", counts));
    m.plots.push(spd.plot("Eq. (25) across T-junctions", counts, "error", 1.0));
    m.plots.push(second.plot("Eq. (24) across T-junctions", counts, "error", 2.0));
    m.plots.push(uniform.plot("Eq. (25) between uniform cells", counts, "error", 2.0));
    Ok(m)
}

/// `n` cells a side; with T-junctions every other octant is finer.
pub(super) fn mesh(n: u32, t_junctions: bool) -> Mesh {
    let levels = u8::from(t_junctions);
    let dx = 1.0 / f64::from(n << levels);
    let grid = RootGrid::new(DVec3::ZERO, dx, levels, IVec3::ZERO, IVec3::splat(n as i32), |_| true);
    let even = |c: &CellBox| c.center.cmpgt(DVec3::splat(0.5)).bitmask().count_ones().is_multiple_of(2);
    Mesh::new(Octree::build(&grid, Grading::Graded, |c| t_junctions && even(c)))
}

fn s(x: DVec3) -> f64 {
    x.distance_squared(CENTER) - RADIUS * RADIUS
}

fn q(x: DVec3) -> f64 {
    2.0 + (3.0 * x.x).sin() + (2.0 * x.y + x.z).cos()
}

fn q_slope(x: DVec3) -> DVec3 {
    let s = -(2.0 * x.y + x.z).sin();
    DVec3::new(3.0 * (3.0 * x.x).cos(), 2.0 * s, s)
}

fn pressure(x: DVec3) -> f64 {
    s(x) * q(x)
}

fn slope(x: DVec3) -> DVec3 {
    2.0 * q(x) * (x - CENTER) + s(x) * q_slope(x)
}

/// −∇·∇p.
fn source(x: DVec3) -> f64 {
    let q_laplacian = -9.0 * (3.0 * x.x).sin() - 5.0 * (2.0 * x.y + x.z).cos();
    -(6.0 * q(x) + 4.0 * (x - CENTER).dot(q_slope(x)) + s(x) * q_laplacian)
}

/// Errors of p, largest and mean, and of its gradient.
fn solve(mesh: &Mesh, form: FreeSurface) -> Result<[f64; 3], CaseError> {
    let apertures = Apertures::within_walls(mesh, &Solids::default());
    let phi = par::map(mesh.n_cells(), |c: CellId| mesh.tree.center(c).distance(CENTER) - RADIUS);
    let still = Field::filled(mesh.n_faces(), 0.0);
    let mut system = project::assemble(mesh, &phi, &apertures, &still, 0.0, form).map_err(CaseError::new)?;
    let volume = |c: CellId| mesh.tree.size(c).powi(3);
    system.rhs = system.cells.iter().map(|&c| source(mesh.tree.center(c)) * volume(c)).collect();
    let mut p = vec![0.0; system.cells.len()];
    project::solve(mesh, &system, &mut project::Hierarchy::default(), &mut p, &params())
        .map_err(CaseError::new)?;

    let of_p =
        norms(p.iter().zip(&system.cells).map(|(p, &c)| (p - pressure(mesh.tree.center(c)), volume(c))));
    let gradient = system.gradient(mesh, &p);
    let of_gradient = norms(gradient.ids().filter(|&k| system.acts_on(k)).map(|k: FaceId| {
        let exact = slope(mesh.face_position(k))[mesh.faces.axis(k)];
        (gradient[k] - exact, mesh.face_size(k).powi(3))
    }));
    Ok([of_p.max, of_p.l1, of_gradient.l2])
}
