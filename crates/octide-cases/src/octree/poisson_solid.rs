//! Solids in the pressure solve: a tank full of liquid with a ball in it, and a projection with a known
//! answer.
//!
//! u* = u + ∇p with p = cos(πx) cos(2πy) cos(πz), which has no slope across the sides of the unit cube, and u
//! = ∇s × ∇m with s = |x − c|², m = x(1−x) y(1−y) z(1−z): free of divergence, along the ball, where s is
//! constant, and along the sides, where m is. The projection must find p up to a constant, and leave u.

use super::poisson::params;
use super::poisson_free_surface::mesh;
use glam::DVec3;
use octide_core::faces::WetCells;
use octide_core::geometry::Shape;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::par;
use octide_core::scene::Solid;
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
            Where solids cross T-junctions, Ando & Batty 2020 (§9.2.2) did not reach second order; the result is \
            reported.",
        measured: "Errors of p after the mean is removed, with orders over all grids: L∞ over cells with their center in \
            the liquid, L∞ over all cells with an open face, and L1 over these; and the root-mean-square error of \
            the velocity left on faces. The same with volume fractions in place of open face fractions shows that \
            the case can distinguish them.",
    },
    methods: super::methods,
    quick: true,
    quantities,
    run,
};

const CENTER: DVec3 = DVec3::new(0.512, 0.487, 0.531);
const RADIUS: f64 = 0.21;
const NG: &str = "Ng et al. 2009: second order";
const CLOSED: &str = "Faces whose open fraction is below 1/200 count as closed. A cell with its center in the solid and only \
    slightly more than that open lacks their flux. With all fractions kept the order is 1.98.";

fn quantities(_: &str, _: bool) -> Vec<Quantity> {
    let quantity = |name| Quantity::new(name, "");
    vec![
        quantity("uniform cells: order, L∞").limit(Limit::AtLeast(1.8), NG).expected(2.0),
        quantity("uniform cells: order, L1").limit(Limit::AtLeast(1.8), NG).expected(2.0),
        quantity("uniform cells: order of the velocity, L2"),
        quantity("uniform cells: order, L∞ of all")
            .limit(Limit::AtLeast(1.8), NG)
            .expected(2.0)
            .known_to_fail(CLOSED),
        quantity("volume fractions: order, L∞").limit(Limit::AtMost(1.5), "Ng et al. 2009: no second order"),
        quantity("volume fractions: order of the velocity, L2")
            .limit(Limit::AtMost(1.0), "Ng et al. 2009: no second order"),
        quantity("T-junctions: order, L∞"),
        quantity("T-junctions: order, L∞ of all"),
        quantity("T-junctions: order, L1"),
        quantity("T-junctions: order of the velocity, L2"),
        quantity("uniform cells: L∞, finest grid"),
        quantity("T-junctions: L∞, finest grid"),
    ]
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let grids: &[u32] = if context.quick { &[12, 24, 48] } else { &[12, 16, 24, 32, 48, 64, 96] };
    let names = ["L∞", "L1", "L∞ of all", "velocity, L2", "L∞, half liquid"];
    let [mut equal, mut shares, mut t] = [0; 3].map(|_| Convergence::new(&names));
    for &n in grids {
        context.progress(&format!("{n} cells a side"))?;
        let h = 1.0 / f64::from(n);
        let uniform = mesh(n, false);
        equal.add(n, h, &solve(&uniform, false)?);
        shares.add(n, h, &solve(&uniform, true)?);
        t.add(n, h, &solve(&mesh(n, true), false)?);
    }
    let mut m = Measured::default();
    m.set("uniform cells: order, L∞", equal.order(0));
    m.set("uniform cells: order, L1", equal.order(1));
    m.set("uniform cells: order of the velocity, L2", equal.order(3));
    m.set("uniform cells: order, L∞ of all", equal.order(2));
    m.set("volume fractions: order, L∞", shares.order(0));
    m.set("volume fractions: order of the velocity, L2", shares.order(3));
    m.set("T-junctions: order, L∞", t.order(0));
    m.set("T-junctions: order, L∞ of all", t.order(2));
    m.set("T-junctions: order, L1", t.order(1));
    m.set("T-junctions: order of the velocity, L2", t.order(3));
    m.set("uniform cells: L∞, finest grid", equal.last(0));
    m.set("T-junctions: L∞, finest grid", t.last(0));
    let counts = "large cells a side";
    m.tables.push(equal.table("Equal cells", "cells a side"));
    m.tables.push(t.table("Solid across T-junctions", counts));
    m.tables.push(shares.table("Volume fractions in place of apertures, uniform cells", "cells a side"));
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

/// Errors of p: largest with the center in the liquid, mean, largest of all, largest where half of the cell
/// or more is liquid; and of the velocity.
fn solve(mesh: &Mesh, volume_shares: bool) -> Result<[f64; 5], CaseError> {
    let ball = Solid::still(Shape::Sphere { center: CENTER, radius: RADIUS });
    let solids = Solids::at(&[ball], 0.0);
    let mut apertures = Apertures::within_walls(mesh, &solids);
    if volume_shares {
        for k in (0..mesh.n_faces() as u32).map(FaceId).filter(|&k| !mesh.faces.is_wall(k)) {
            let from = mesh.face_position(k) - CENTER;
            let share = fraction_behind_plane(-from.normalize() * mesh.face_size(k), RADIUS - from.length());
            apertures.set_open(k, share);
        }
    }
    let liquid = Field::filled(mesh.n_cells(), -1.0);
    let before = par::map(mesh.n_faces(), |k: FaceId| {
        let x = mesh.face_position(k);
        (velocity(x) + slope(x))[mesh.faces.axis(k)]
    });
    let params = Params { free_surface: FreeSurface::Spd, ..params() };
    let system = project::assemble(mesh, &liquid, &apertures, &before, 0.0, params.free_surface)
        .map_err(CaseError::new)?;
    let guess = Field::filled(mesh.n_cells(), 0.0);
    let out = project::project(mesh, &liquid, &apertures, before, 0.0, guess, &params)
        .map_err(CaseError::new)?;

    let rows = || {
        let off = |c: CellId| out.pressure[c] - pressure(mesh.tree.center(c));
        system.cells.iter().map(move |&c| (off(c), mesh.tree.size(c).powi(3)))
    };
    let (sum, all) = rows().fold((0.0, 0.0), |(sum, all), (e, v)| (sum + e * v, all + v));
    let of_p = norms(rows().map(|(e, v)| (e - sum / all, v)));
    let is_outside = |row: usize| apertures.solid_distance(system.cells[row]) >= 0.0;
    let outside =
        norms(rows().enumerate().filter(|&(row, _)| is_outside(row)).map(|(_, (e, v))| (e - sum / all, v)));
    let wet = WetCells::new(mesh, &solids);
    let is_half = |row: usize| {
        let c = system.cells[row];
        wet.of(c).volume >= 0.5 * mesh.tree.size(c).powi(3)
    };
    let half =
        norms(rows().enumerate().filter(|&(row, _)| is_half(row)).map(|(_, (e, v))| (e - sum / all, v)));
    let of_u = norms(out.u.ids().filter(|&k| out.valid[k]).map(|k: FaceId| {
        let exact = velocity(mesh.face_position(k))[mesh.faces.axis(k)];
        (out.u[k] - exact, apertures.open(k) * mesh.face_size(k).powi(3))
    }));
    Ok([outside.max, of_p.l1, of_p.max, of_u.l2, half.max])
}
