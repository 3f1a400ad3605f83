//! The divergence after the pressure solve of the nodal octree, and the cost of the solve.

use super::poisson_unrestricted::unequal;
use crate::stage::{at_rest, take_step};
use glam::DVec3;
use octide_core::contract::Method;
use octide_core::geometry::Shape;
use octide_core::index::{FaceId, Field, NodeId};
use octide_core::octree::{CornerTable, Grading, Octree};
use octide_core::par;
use octide_core::random;
use octide_core::scene::{FreeSurface, OpenSides, PressureSolver as Kind, Scene, Solid};
use octide_core::solids::Solids;
use octide_nodal::project::{
    Medium, PressureSolver, PressureSystem, ProjectParams, Projected, assemble, project,
};
use octide_nodal::{Boundary, Mesh, NodalLiquid};
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity, Table, number};
use std::f64::consts::PI;

pub(crate) static CASE: Case = Case {
    name: "nodal-pressure",
    title: "Divergence and iterations of the pressure solve on unrestricted octrees",
    summary: "divergence at machine precision; iterations and fraction of the step",
    article: Article {
        problem: "Waves in a unit cube around a ball, on octrees that are fine in a band around the surface and whose \
            levels jump below it, with random velocities on all faces: the hardest input for a projection. It starts \
            from zero pressure and goes to a relative residual of 10⁻¹². In addition, a column of water collapses, \
            and the time of its steps is measured by stage.",
        reference: "Losasso, Gibou & Fedkiw 2004, §7: \"approximately 25% of the total simulation time requiring only about \
            20 iterations to converge to an accuracy of machine precision\", by conjugate gradients with a modified \
            incomplete Cholesky factor; their precision and initial guess are not stated. §4.3: \"a fully divergence \
            free velocity field to machine precision\".",
        measured: "The divergence of the projected velocity over that of the given one, in the norm of the stopping \
            criterion (the outflow of each cell, scaled with the diagonal of the matrix), and, without a limit, the \
            largest in a cell, times the finest edge, over the largest given velocity: a single cell may have some \
            ten times the norm. Both are computed from the velocities, not from the solver's residual. Then the \
            iterations of ICCG (the paper's solver: MIC(0) over all rows in Morton order, τ = 0.97) and of conjugate \
            gradients with multigrid (the default), to 10⁻¹² and to 10⁻⁷, the precision of 32-bit numbers. The \
            fraction of the time of all stages that the stage `project` takes, with ICCG to 10⁻¹² and with multigrid \
            to the default 10⁻⁴.",
    },
    methods: super::methods,
    quick: true,
    quantities,
    run,
};

const SOLVERS: [(&str, Kind); 2] = [("ICCG", Kind::Iccg), ("multigrid", Kind::Multigrid)];
const LEFT: &str = "divergence left";
const LARGEST: &str = "largest divergence left";
const ASYMMETRY: &str = "entries that differ from the transposed matrix";
const SHARES: [(&str, Kind, f64); 2] = [
    ("share of the step, ICCG to 1e-12", Kind::Iccg, 1e-12),
    ("share of the step, multigrid to 1e-4", Kind::Multigrid, 1e-4),
];

fn quantities(_: &str, _: bool) -> Vec<Quantity> {
    let mut all = Vec::new();
    for (name, _) in SOLVERS {
        all.push(
            Quantity::new(format!("{LEFT}, {name}"), "")
                .limit(Limit::AtMost(1.1e-12), "LGF04 §4.3: machine precision; the solve goes to 1e-12")
                .expected(0.0),
        );
        all.push(Quantity::new(format!("{LARGEST}, {name}"), "").expected(0.0));
    }
    all.push(Quantity::new(ASYMMETRY, "").limit(Limit::AtMost(0.0), "LGF04 §4.2: symmetric").expected(0.0));
    for (name, kind) in SOLVERS {
        for tolerance in ["1e-12", "1e-7"] {
            let q = Quantity::new(format!("iterations to {tolerance}, {name}"), "");
            all.push(if kind == Kind::Iccg { q.expected(20.0) } else { q });
        }
    }
    all.extend(SHARES.map(|(name, ..)| Quantity::new(name, "").expected(0.25)));
    all
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let grids: &[(u32, u8)] =
        if context.quick { &[(32, 3), (64, 4)] } else { &[(32, 3), (64, 4), (128, 5), (256, 6)] };
    let mut m = Measured::default();
    let mut table = Table {
        title: "Solves from no pressure".to_owned(),
        columns: [
            "cells a side",
            "unknowns",
            "form",
            "solver",
            "iterations to 1e-12",
            "to 1e-7",
            LEFT,
            LARGEST,
        ]
        .map(str::to_owned)
        .into(),
        rows: Vec::new(),
    };
    // By solver: the worst divergence, and iterations on the last grid, the worst of both forms.
    let mut worst = [[0.0_f64; 2]; 2];
    let mut iterations = [[0; 2]; 2];
    let mut different = 0;
    for &(n, levels) in grids {
        let (mesh, phi) = waves(n, levels);
        context.progress(&format!("{n} cells a side, {} in all", mesh.n_cells()))?;
        iterations = [[0; 2]; 2];
        for form in [FreeSurface::FirstOrder, FreeSurface::SecondOrder] {
            let stirred = Stirred::new(&mesh, &phi, form);
            different += stirred.asymmetry()?;
            for (s, (name, kind)) in SOLVERS.into_iter().enumerate() {
                let mut row = vec![n.to_string(), String::new(), format!("{form:?}"), name.to_owned()];
                let (fine, left, unknowns) = stirred.solve(kind, 1e-12)?;
                let (coarse, ..) = stirred.solve(kind, 1e-7)?;
                row[1] = unknowns.to_string();
                row.extend([fine.to_string(), coarse.to_string()]);
                row.extend(left.map(number::error));
                table.rows.push(row);
                worst[s] = [0, 1].map(|i| worst[s][i].max(left[i]));
                iterations[s] = [iterations[s][0].max(fine), iterations[s][1].max(coarse)];
            }
        }
    }
    for (s, (name, _)) in SOLVERS.into_iter().enumerate() {
        m.set(format!("{LEFT}, {name}"), worst[s][0]);
        m.set(format!("{LARGEST}, {name}"), worst[s][1]);
        m.set(format!("iterations to 1e-12, {name}"), iterations[s][0] as f64);
        m.set(format!("iterations to 1e-7, {name}"), iterations[s][1] as f64);
    }
    m.set(ASYMMETRY, different as f64);
    m.tables.push(table);
    let n = if context.quick { 32 } else { 128 };
    for (name, kind, tolerance) in SHARES {
        context.progress(name)?;
        m.set(name, pressure_time_fraction(n, kind, tolerance)?);
    }
    Ok(m)
}

/// Waves of water, with cells that are fine in a band about the surface, twice as far below it as above.
fn waves(n: u32, levels: u8) -> (Mesh, Field<NodeId, f64>) {
    let grid = Scene::empty("nodal-octree", DVec3::ONE, n, levels).domain.root_grid();
    let height = |p: DVec3| p.y - 0.5 - 0.1 * (2.0 * PI * p.x).cos() * (PI * p.z).cos();
    let tree = Octree::build(&grid, Grading::Unrestricted, |c| {
        let y = height(c.center);
        y.abs() - 0.9 * c.size < if y < 0.0 { 6.0 } else { 3.0 } * grid.dx()
    });
    let mesh = Mesh::new(tree);
    let mut phi = par::map(mesh.n_nodes(), |v: NodeId| height(mesh.node_position(v)));
    mesh.constrain(&mut phi);
    (mesh, phi)
}

/// Water with a ball in it and a random velocity on every face.
struct Stirred<'a> {
    mesh: &'a Mesh,
    boundary: Boundary,
    medium: Medium<'a>,
    u: Field<FaceId, f64>,
}

impl<'a> Stirred<'a> {
    fn new(mesh: &'a Mesh, phi: &'a Field<NodeId, f64>, free_surface: FreeSurface) -> Self {
        let ball = Shape::Sphere { center: DVec3::new(0.4, 0.35, 0.55), radius: 0.15 };
        let solids = Solids::at(&[Solid::still(ball)], 0.0);
        let boundary = Boundary::new(mesh, &solids, OpenSides::default());
        let u = par::map(mesh.n_faces(), |k: FaceId| 2.0 * random::unit([u64::from(k.0)]) - 1.0);
        let corners = mesh.nodes.corners().cells();
        let medium = Medium::Water { phi, corners, centers: None, free_surface, tension: None, air: None };
        Self { mesh, boundary, medium, u }
    }

    /// The system of a velocity.
    fn system(&self, u: &Field<FaceId, f64>) -> Result<PressureSystem, CaseError> {
        let kind = ProjectParams::default().gradient_distance;
        assemble(self.mesh, &self.boundary, &self.medium, u, 0.0, kind).map_err(CaseError::new)
    }

    fn asymmetry(&self) -> Result<usize, CaseError> {
        Ok(unequal(&self.system(&self.u)?.matrix))
    }

    /// Outflows of all cells, each scaled with its diagonal, as one number.
    fn divergence(&self, u: &Field<FaceId, f64>) -> Result<f64, CaseError> {
        let PressureSystem { matrix, rhs, .. } = self.system(u)?;
        Ok(rhs.iter().enumerate().map(|(row, b)| b * b / matrix.get(row, row)).sum::<f64>().sqrt())
    }

    /// Iterations, divergence left in the norm and at its largest, and unknowns.
    fn solve(&self, pressure_solver: Kind, tolerance: f64) -> Result<(usize, [f64; 2], usize), CaseError> {
        let params = ProjectParams { pressure_solver, tolerance, ..ProjectParams::default() };
        let guess = Field::filled(self.mesh.n_cells(), 0.0);
        let solver = &mut PressureSolver::default();
        let out =
            project(self.mesh, &self.boundary, &self.medium, self.u.clone(), 0.0, guess, &params, solver);
        let Projected { u, report, .. } = out.map_err(CaseError::new)?;
        let left = self.divergence(&u)? / self.divergence(&self.u)?;
        let largest = report.max_divergence * self.mesh.tree.grid().dx();
        Ok((report.iterations, [left, largest], report.n_unknowns))
    }
}

/// Returns the fraction of the time of a collapsing column that the pressure takes.
fn pressure_time_fraction(n: u32, pressure_solver: Kind, tolerance: f64) -> Result<f64, CaseError> {
    let mut scene = Scene::empty("nodal-octree", DVec3::new(1.0, 0.75, 0.5), n, n.ilog2() as u8 - 3);
    let column = Shape::Box { min: DVec3::splat(-1.0), max: DVec3::new(0.35, 0.5, 2.0) };
    scene.liquids = vec![at_rest(column)];
    scene.numerics.pressure_solver = pressure_solver;
    scene.numerics.tolerance = tolerance;
    let mut method = NodalLiquid::new(&scene);
    let (mut own, mut all) = (0.0, 0.0);
    for _ in 0..12 {
        let dt = method.max_dt();
        let report = take_step(&mut method, dt)?;
        for (stage, seconds) in report.stages {
            all += seconds;
            own += if stage == "project" { seconds } else { 0.0 };
        }
    }
    Ok(own / all)
}
