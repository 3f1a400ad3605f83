//! The multigrid cycle of the pressure solve, by itself and as the preconditioner of conjugate gradients.
//!
//! By itself: x ← x + B (b − A x), with B the cycle. The factor is the one by which the residual decreases
//! in a cycle, the mean over the second half of the cycles; the first ones are better, because they remove the
//! easy part of the error.

mod linear;

use glam::{DVec3, IVec3};
use octide_core::index::{CellId, Field};
use octide_core::octree::{CellBox, Grading, Octree, RootGrid};
use octide_core::par;
use octide_octree::apertures::Apertures;
use octide_octree::mesh::Mesh;
use octide_octree::params::FreeSurface;
use octide_octree::project::{PressureSystem, assemble};
use octide_octree::solids::Solids;
use octide_solve::{
    Coarsening, Csr, Multigrid, MultigridParams, MultigridPcg, Operator, Preconditioner, SolveParams,
    octree_groups,
};
use octide_verify::fit::order;
use octide_verify::plot::{Axis, Plot, Scale, Series};
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity, Table, number};
use std::time::Instant;

pub(crate) static CASE: Case = Case {
    name: "multigrid",
    title: "Multigrid for the pressure",
    summary: "reduction of the residual in a cycle, alone and with conjugate gradients",
    article: Article {
        problem: "The pressure system of a cube that is nearly full of liquid, with walls and a flat surface, on uniform \
            cells and on an octree that is two levels finer in a ball. The right-hand side is noise. The coarse \
            levels are those of the method: groups of an octree's children with a plain sum of couplings.",
        reference: "Ferstl, Westermann & Dick 2014 (IEEE TVCG 20) report a factor of 0.03 for each V-cycle in a nearly full \
            cube, and 0.33 for each iteration with conjugate gradients in a harder scene. Basilisk reduces the \
            residual by a factor of about 0.1 in each cycle. Octide's cycle is designed as a preconditioner of \
            conjugate gradients, where inexpensive cycles pay off: one sweep in each direction, no interpolation.",
        measured: "The factor by which the residual (scaled with the diagonal) decreases in each cycle after the first \
            ones: for the V-cycle, for the cycle that the method uses, which visits coarse levels twice, and for an \
            iteration of conjugate gradients with it down to 10⁻¹⁰; all on the largest system. To see what costs \
            most, also with one more Gauss–Seidel sweep before and after the cycle on the finest level, and with \
            linear interpolation. Iterations and time from set-up to 10⁻⁶ for three sizes, and the exponent with \
            which the time grows with the number of unknowns.",
    },
    methods: super::methods,
    quick: true,
    quantities,
    run,
};

/// Cycles made at most; the later half of them counts.
const CYCLES: usize = 20;
/// A residual below which rounding is seen.
const ROUNDING: f64 = 1e-10;
const ASKED: &str = "Basilisk: about 0.1 a cycle; Ferstl et al. 2014: 0.03 in a nearly full cube";
const PLAIN: &str = "The cycle has one Gauss–Seidel sweep down and one up, and plain aggregation. With one more sweep before and after, \
    the method's cycle reaches 0.18 and a V-cycle with linear interpolation 0.12. Conjugate gradients compensate for it.";
const SWEPT: &str = "cube: factor of the method's cycle, one more sweep before and after";
const LINEAR: &str = "cube: factor of a V-cycle, the same with linear interpolation";
const DOMAINS: [&str; 2] = ["cube", "octree"];

fn quantities(_: &str, _: bool) -> Vec<Quantity> {
    let mut all = Vec::new();
    for domain in DOMAINS {
        let required = |what: &str| {
            Quantity::new(format!("{domain}: factor of {what}"), "").limit(Limit::AtMost(0.1), ASKED)
        };
        all.push(required("a V-cycle").known_to_fail(PLAIN));
        all.push(required("the method's cycle").known_to_fail(PLAIN));
        all.push(
            Quantity::new(format!("{domain}: factor of an iteration with conjugate gradients"), "")
                .limit(Limit::AtMost(0.33), "Ferstl et al. 2014: 0.33 with conjugate gradients"),
        );
        all.push(Quantity::new(format!("{domain}: iterations to 1e-6, largest size"), ""));
        all.push(Quantity::new(format!("{domain}: power of the size with which time grows"), ""));
    }
    all.extend([SWEPT, LINEAR].map(|name| Quantity::new(name, "")));
    all
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let sizes: [[i32; 3]; 2] =
        if context.quick { [[16, 24, 32], [8, 12, 16]] } else { [[32, 64, 128], [16, 32, 64]] };
    let mut m = Measured::default();
    let mut rows = Vec::new();
    let mut series = Vec::new();
    for (domain, sizes) in DOMAINS.iter().zip(sizes) {
        let mut times = Vec::new();
        let mut last = Factors::default();
        for n in sizes {
            let mesh = mesh(n, *domain == "octree");
            let system = system(&mesh)?;
            let unknowns = system.cells.len();
            context.progress(&format!("{domain}, {unknowns} unknowns"))?;
            last = factors(&mesh, &system)?;
            times.push((unknowns as f64, last.seconds));
            let micro = 1e6 * last.seconds / unknowns as f64;
            let two = |x: f64| format!("{x:.2}");
            rows.push(vec![
                (*domain).to_owned(),
                unknowns.to_string(),
                two(last.v_cycle),
                two(last.cycle),
                two(last.conjugate),
                last.iterations.to_string(),
                number::short(micro),
            ]);
        }
        m.set(format!("{domain}: factor of a V-cycle"), last.v_cycle);
        m.set(format!("{domain}: factor of the method's cycle"), last.cycle);
        m.set(format!("{domain}: factor of an iteration with conjugate gradients"), last.conjugate);
        m.set(format!("{domain}: iterations to 1e-6, largest size"), last.iterations as f64);
        m.set(format!("{domain}: power of the size with which time grows"), order(&times));
        series.push(Series::measured(*domain, times.iter().map(|&(n, t)| [n, t]).collect()));
    }
    let n = if context.quick { 16 } else { 64 };
    context.progress(&format!("more sweeps, {n} cells a side"))?;
    let [swept, linear] = with_more(n)?;
    m.set(SWEPT, swept);
    m.set(LINEAR, linear);
    let columns = [
        "domain",
        "unknowns",
        "V-cycle",
        "method's cycle",
        "with conjugate gradients",
        "iterations to 1e-6",
        "µs an unknown",
    ];
    let columns = columns.map(str::to_owned).to_vec();
    m.tables.push(Table { title: "Factors and cost".to_owned(), columns, rows });
    m.plots.push(Plot {
        title: "Time from set-up to a residual of 1e-6".to_owned(),
        x: Axis { label: "unknowns".to_owned(), scale: Scale::Log, ticks: Vec::new() },
        y: Axis { label: "seconds".to_owned(), scale: Scale::Log, ticks: Vec::new() },
        series,
    });
    Ok(m)
}

/// What is found of a system.
#[derive(Default)]
struct Factors {
    v_cycle: f64,
    cycle: f64,
    conjugate: f64,
    iterations: usize,
    seconds: f64,
}

fn mesh(n: i32, adaptive: bool) -> Mesh {
    let levels = if adaptive { 2 } else { 0 };
    let dx = 1.0 / f64::from(n << levels);
    let grid = RootGrid::new(DVec3::splat(-0.5), dx, levels, IVec3::ZERO, IVec3::splat(n), |_| true);
    Mesh::new(Octree::build(&grid, Grading::Graded, |c: &CellBox| c.center.length() < 0.25))
}

/// Liquid up to a bit below the top.
fn system(mesh: &Mesh) -> Result<PressureSystem, CaseError> {
    let apertures = Apertures::within_walls(mesh, &Solids::default());
    let phi = par::map(mesh.n_cells(), |c: CellId| mesh.tree.center(c).y - 0.42);
    let still = Field::filled(mesh.n_faces(), 0.0);
    let mut system =
        assemble(mesh, &phi, &apertures, &still, 0.0, FreeSurface::Spd).map_err(CaseError::new)?;
    system.rhs = (0..system.cells.len() as u64).map(noise).collect();
    Ok(system)
}

/// From −1 to 1, the same on every machine.
fn noise(i: u64) -> f64 {
    let mut x = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

fn factors(mesh: &Mesh, system: &PressureSystem) -> Result<Factors, CaseError> {
    let places = mesh.tree.places(&system.cells);
    let hierarchy = |params: &MultigridParams| {
        let groups = octree_groups(&places, params.coarsest);
        Multigrid::new(&system.matrix, Coarsening::Groups(&groups), params).map_err(CaseError::new)
    };
    let solve = |multigrid: &mut Multigrid, tolerance: f64| {
        let params = SolveParams { tolerance, ..SolveParams::default() };
        let mut x = vec![0.0; system.rhs.len()];
        MultigridPcg::new(params)
            .solve(&system.matrix, multigrid, &system.rhs, &mut x, system.null_space.as_ref())
            .map_err(CaseError::new)
    };
    let start = Instant::now();
    let mut multigrid = hierarchy(&MultigridParams::default())?;
    let coarse = solve(&mut multigrid, 1e-6)?;
    let seconds = start.elapsed().as_secs_f64();
    let fine = solve(&mut multigrid, 1e-10)?;
    let mut v_cycle = hierarchy(&MultigridParams { twice_from: usize::MAX, ..Default::default() })?;
    Ok(Factors {
        v_cycle: factor(&system.matrix, &system.rhs, &mut v_cycle, 0),
        cycle: factor(&system.matrix, &system.rhs, &mut multigrid, 0),
        conjugate: fine.residual.powf(1.0 / fine.iterations as f64),
        iterations: coarse.iterations,
        seconds,
    })
}

/// The factors with one more sweep before and after: of the method's cycle, and of a V-cycle that
/// interpolates linearly.
fn with_more(n: i32) -> Result<[f64; 2], CaseError> {
    let mesh = mesh(n, false);
    let system = system(&mesh)?;
    let params = MultigridParams { twice_from: usize::MAX, ..Default::default() };
    let weights =
        linear::prolongations(&mesh.tree.places(&system.cells), params.coarsest).map_err(CaseError::new)?;
    let coarsening = Coarsening::Prolongations(&weights);
    let mut cycle = Multigrid::new(&system.matrix, coarsening, &params).map_err(CaseError::new)?;
    let of_linear = factor(&system.matrix, &system.rhs, &mut cycle, 1);
    let groups = octree_groups(&mesh.tree.places(&system.cells), params.coarsest);
    let own = MultigridParams::default();
    let mut cycle =
        Multigrid::new(&system.matrix, Coarsening::Groups(&groups), &own).map_err(CaseError::new)?;
    Ok([factor(&system.matrix, &system.rhs, &mut cycle, 1), of_linear])
}

/// How far a cycle by itself takes the residual down, with sweeps before and after.
fn factor(a: &Csr, b: &[f64], cycle: &mut Multigrid, sweeps: usize) -> f64 {
    let n = b.len();
    let (mut x, mut z, mut r, mut diagonal) = (vec![0.0; n], vec![0.0; n], b.to_vec(), vec![0.0; n]);
    a.diagonal(&mut diagonal);
    let norm = |r: &[f64]| par::sum(n, |i| r[i] * r[i] / diagonal[i]).sqrt();
    let mut norms = vec![norm(&r)];
    while norms.len() <= CYCLES && norms[norms.len() - 1] > ROUNDING * norms[0] {
        for _ in 0..sweeps {
            (0..n).for_each(|i| relax(a, b, &mut x, i));
        }
        residual(a, b, &x, &mut r);
        cycle.apply(&r, &mut z);
        x.iter_mut().zip(&z).for_each(|(x, z)| *x += z);
        for _ in 0..sweeps {
            (0..n).rev().for_each(|i| relax(a, b, &mut x, i));
        }
        residual(a, b, &x, &mut r);
        norms.push(norm(&r));
    }
    let last = norms.len() - 1;
    let half = last / 2;
    (norms[last] / norms[half]).powf(1.0 / (last - half) as f64)
}

fn residual(a: &Csr, b: &[f64], x: &[f64], r: &mut [f64]) {
    a.apply(x, r);
    r.iter_mut().zip(b).for_each(|(r, b)| *r = b - *r);
}

/// One row of Gauss and Seidel's.
fn relax(a: &Csr, b: &[f64], x: &mut [f64], i: usize) {
    let (columns, values) = a.row(i);
    let (mut sum, mut own) = (b[i], 1.0);
    for (&j, &v) in columns.iter().zip(values) {
        if j as usize == i {
            own = v;
        } else {
            sum -= v * x[j as usize];
        }
    }
    x[i] = sum / own;
}
