//! Solids in the pressure solve: a tank full of liquid with a ball in it, and a projection with a known
//! answer.
//!
//! u* = u + ∇p with p = cos(πx) cos(2πy) cos(πz), which has no slope across the sides of the unit cube, and u
//! = ∇s × ∇m with s = |x − c|², m = x(1−x) y(1−y) z(1−z): free of divergence, along the ball, where s is
//! constant, and along the sides, where m is. The projection must find p up to a constant, and leave u.

use super::poisson::params;
use super::poisson_free_surface::mesh;
use crate::expectations;
use glam::DVec3;
use octide_core::faces::{FaceCorners, FaceGeometry, WetCells};
use octide_core::geometry::Shape;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::octree::Octree;
use octide_core::par;
use octide_core::scene::Solid;
use octide_nodal::Boundary;
use octide_nodal::project::{self as split, Medium, PressureSolver, ProjectParams};
use octide_octree::apertures::Apertures;
use octide_octree::mesh::Mesh;
use octide_octree::params::{FreeSurface, Params};
use octide_octree::project;
use octide_octree::solids::Solids;
use octide_octree::volume::fraction_behind_plane;
use octide_verify::fit::{Convergence, norms};
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity};
use std::f64::consts::PI;

pub(crate) static CASE: Case = Case {
    name: "poisson-solid",
    title: "Poisson's equation around a solid",
    summary: "projection in a full tank with a ball in it: order of the pressure",
    article: Article {
        problem: "A closed tank is full of liquid around a fixed ball. The velocity before the projection is u + ∇p, where \
            p has zero normal derivative on the sides of the tank, and u is divergence free and tangential to the \
            sides and the ball. The two are independent, and the normal derivative of p on the ball is not zero.",
        reference: "Ng, Min & Gibou 2009 (J. Comput. Phys. 228): faces weighted by their open fraction give the pressure to \
            second order in the maximum norm. Weights from volume fractions, as used before, do not converge there. \
            Where solids cross T-junctions, Ando & Batty 2020 (§9.2.2) did not reach second order. There each small \
            face has its own open fraction here, and the limit is our own, half an order above the first order that \
            one fraction for all would give. The method nodal-octree has first-order differences at T-junctions, with \
            solids or without (Losasso et al. 2004); they are reported.",
        measured: "Errors of p after the mean is removed, with orders over all grids: L∞ over cells with their center in \
            the liquid, L∞ over all cells with an open face and L1 over these, L∞ over cells of which half or more \
            is liquid, and L∞ over cells that the ball cuts; and the root-mean-square error of the velocity left on \
            faces. The same with volume fractions in place of open face fractions shows that the case can \
            distinguish them. By octree, across T-junctions, nothing is known of the pressure's slope before the first solve, so \
            that it is found by solving again.",
    },
    methods: || vec!["octree", "nodal-octree"],
    quick: true,
    quantities,
    run,
};

const CENTER: DVec3 = DVec3::new(0.512, 0.487, 0.531);
const RADIUS: f64 = 0.21;
const NG: &str = "Ng et al. 2009: second order";
const OWN: &str = "our own: between first and second order";

/// The errors, in the order of [`Solved::errors`].
const ERRORS: [&str; 6] = ["L∞", "L1", "L∞ of all", "velocity, L2", "L∞, half liquid", "L∞ at the ball"];

/// The orders of these errors that are limited, for a kind of grid.
fn orders(grid: &str) -> [(String, usize); 6] {
    let names = [
        "order, L∞",
        "order, L1",
        "order, L∞ of all",
        "order of the velocity, L2",
        "order, L∞ of half liquid cells",
        "order, L∞ at the ball",
    ];
    std::array::from_fn(|i| (format!("{grid}: {}", names[i]), i))
}

fn quantities(method: &str, quick: bool) -> Vec<Quantity> {
    let mut all = Vec::new();
    for (name, i) in orders("uniform cells") {
        let quantity = Quantity::new(name, "");
        all.push(match i {
            3 => quantity,
            _ => quantity.limit(Limit::AtLeast(1.8), NG).expected(2.0),
        });
    }
    if method == "octree" {
        let none = "Ng et al. 2009: no second order";
        all.push(Quantity::new("volume fractions: order, L∞", "").limit(Limit::AtMost(1.5), none));
        all.push(
            Quantity::new("volume fractions: order of the velocity, L2", "").limit(Limit::AtMost(1.0), none),
        );
    }
    for (name, i) in orders("T-junctions") {
        let quantity = Quantity::new(name, "");
        let is_limited = method == "octree" && i != 3;
        all.push(if is_limited { quantity.limit(Limit::AtLeast(1.5), OWN) } else { quantity });
    }
    all.extend(
        ["uniform cells: L∞, finest grid", "T-junctions: L∞, finest grid"].map(|q| Quantity::new(q, "")),
    );
    expectations::apply(CASE.name, method, quick, all)
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let grids: &[u32] = if context.quick { &[12, 24, 48] } else { &[12, 16, 24, 32, 48, 64, 96] };
    let [mut equal, mut shares, mut t] = [0; 3].map(|_| Convergence::new(&ERRORS));
    let is_split = context.method == "nodal-octree";
    for &n in grids {
        context.progress(&format!("{n} cells a side"))?;
        let h = 1.0 / f64::from(n);
        let [uniform, mixed] = [false, true].map(|t_junctions| mesh(n, t_junctions));
        if is_split {
            equal.add(n, h, &solve_split(&uniform.tree)?);
            t.add(n, h, &solve_split(&mixed.tree)?);
        } else {
            equal.add(n, h, &solve(&uniform, false)?);
            shares.add(n, h, &solve(&uniform, true)?);
            t.add(n, h, &solve(&mixed, false)?);
        }
    }
    let mut m = Measured::default();
    for (errors, grid) in [(&equal, "uniform cells"), (&t, "T-junctions")] {
        orders(grid).into_iter().for_each(|(name, i)| m.set(name, errors.order(i)));
        m.set(format!("{grid}: L∞, finest grid"), errors.last(0));
    }
    let counts = "large cells a side";
    m.tables.push(equal.table("Equal cells", "cells a side"));
    m.tables.push(t.table("Solid across T-junctions", counts));
    if !is_split {
        m.set("volume fractions: order, L∞", shares.order(0));
        m.set("volume fractions: order of the velocity, L2", shares.order(3));
        m.tables.push(shares.table("Volume fractions in place of apertures, uniform cells", "cells a side"));
    }
    m.plots.push(equal.plot("Equal cells", "cells a side", "error", 2.0));
    m.plots.push(t.plot("Solid across T-junctions", counts, "error", 2.0));
    Ok(m)
}

fn pressure(x: DVec3) -> f64 {
    (PI * x.x).cos() * (2.0 * PI * x.y).cos() * (PI * x.z).cos()
}

fn slope(x: DVec3) -> DVec3 {
    let (a, b, c) = ((PI * x.x).sin_cos(), (2.0 * PI * x.y).sin_cos(), (PI * x.z).sin_cos());
    -PI * DVec3::new(a.0 * b.1 * c.1, 2.0 * a.1 * b.0 * c.1, a.1 * b.1 * c.0)
}

fn velocity(x: DVec3) -> DVec3 {
    let (b, d) = (x * (1.0 - x), 1.0 - 2.0 * x);
    let m_slope = DVec3::new(d.x * b.y * b.z, b.x * d.y * b.z, b.x * b.y * d.z);
    // Times a number that makes it about as fast as ∇p at the ball.
    2000.0 * (2.0 * (x - CENTER)).cross(m_slope)
}

/// Solids, and the velocity before the projection on the faces of a mesh.
fn problem(mesh: &impl FaceGeometry) -> (Solids, Field<FaceId, f64>) {
    let ball = Solid::still(Shape::Sphere { center: CENTER, radius: RADIUS });
    let before = par::map(mesh.n_faces(), |k: FaceId| {
        let x = mesh.face_position(k);
        (velocity(x) + slope(x))[mesh.axis(k)]
    });
    (Solids::at(&[ball], 0.0), before)
}

/// Solves by `octree`.
fn solve(mesh: &Mesh, volume_shares: bool) -> Result<[f64; 6], CaseError> {
    let (solids, before) = problem(mesh);
    let mut apertures = Apertures::within_walls(mesh, &solids);
    if volume_shares {
        for k in (0..mesh.n_faces() as u32).map(FaceId).filter(|&k| !mesh.faces.is_wall(k)) {
            let from = mesh.face_position(k) - CENTER;
            let share = fraction_behind_plane(-from.normalize() * mesh.face_size(k), RADIUS - from.length());
            apertures.set_open(k, share);
        }
    }
    let liquid = Field::filled(mesh.n_cells(), -1.0);
    let params = Params { free_surface: FreeSurface::Spd, ..params() };
    let system = project::assemble(mesh, &liquid, &apertures, &before, 0.0, params.free_surface)
        .map_err(CaseError::new)?;
    let guess = Field::filled(mesh.n_cells(), 0.0);
    let out =
        project::project(mesh, &liquid, &apertures, before, 0.0, guess, &params).map_err(CaseError::new)?;
    let solved = Solved { cells: &system.cells, pressure: &out.pressure, u: &out.u, valid: &out.valid };
    Ok(solved.errors(mesh, &apertures, &solids))
}

/// Solves by `nodal-octree`, on the same tree.
fn solve_split(tree: &Octree) -> Result<[f64; 6], CaseError> {
    let mesh = &octide_nodal::Mesh::new(tree.clone());
    let (solids, before) = problem(mesh);
    let boundary = Boundary::within_walls(mesh, &solids);
    let params = ProjectParams { tolerance: 1e-10, ..ProjectParams::default() };
    let system = split::assemble(mesh, &boundary, &Medium::Gas, &before, 0.0, params.gradient_distance)
        .map_err(CaseError::new)?;
    let guess = Field::filled(mesh.n_cells(), 0.0);
    let solver = &mut PressureSolver::default();
    let out = split::project(mesh, &boundary, &Medium::Gas, before, 0.0, guess, &params, solver)
        .map_err(CaseError::new)?;
    let solved = Solved { cells: &system.cells, pressure: &out.pressure, u: &out.u, valid: &out.valid };
    Ok(solved.errors(mesh, &boundary, &solids))
}

/// The result of a projection.
struct Solved<'a> {
    /// The cells that have a pressure.
    cells: &'a [CellId],
    pressure: &'a Field<CellId, f64>,
    u: &'a Field<FaceId, f64>,
    /// The faces whose velocity the pressure has set.
    valid: &'a Field<FaceId, bool>,
}

impl Solved<'_> {
    /// Errors of p: largest with the center in the liquid, mean, largest of all, largest where half of the
    /// cell or more is liquid, largest where the ball cuts the cell; fourth that of the velocity.
    fn errors(&self, mesh: &impl FaceCorners, apertures: &Apertures, solids: &Solids) -> [f64; 6] {
        let tree = mesh.tree();
        let volume = |c: CellId| tree.size(c).powi(3);
        let rows = || {
            let off = |c: CellId| self.pressure[c] - pressure(tree.center(c));
            self.cells.iter().map(move |&c| (off(c), volume(c)))
        };
        let (sum, all) = rows().fold((0.0, 0.0), |(sum, all), (e, v)| (sum + e * v, all + v));
        let of_p = norms(rows().map(|(e, v)| (e - sum / all, v)));
        let largest = |counts: &dyn Fn(CellId) -> bool| {
            let counted = self.cells.iter().zip(rows()).filter(|&(&c, _)| counts(c));
            norms(counted.map(|(_, (e, v))| (e - sum / all, v))).max
        };
        let wet = WetCells::new(mesh, solids);
        let outside = largest(&|c| apertures.solid_distance(c) >= 0.0);
        let half = largest(&|c| wet.of(c).volume >= 0.5 * volume(c));
        let cut = largest(&|c| wet.of(c).volume < volume(c));
        let of_u = norms(self.u.ids().filter(|&k| self.valid[k]).map(|k: FaceId| {
            let exact = velocity(mesh.face_position(k))[mesh.axis(k)];
            (self.u[k] - exact, apertures.open(k) * mesh.face_size(k).powi(3))
        }));
        [outside, of_p.l1, of_p.max, of_u.l2, half, cut]
    }
}
