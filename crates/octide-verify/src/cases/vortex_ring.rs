//! A vortex ring travels by itself.

use super::stage::over;
use crate::case::{Article, Case, CaseError, Context, Measured, Quantity};
use crate::limit::Limit;
use crate::plot::Series;
use glam::DVec3;
use octide_core::contract::Method;
use octide_core::octree::{Grading, Octree, RootGrid};
use octide_core::scene::{Advection, Scene};
use octide_nodal::NodalSmoke;
use octide_nodal::smoke::SmokeParams;
use octide_nodal::smoke::vorticity::{cell_velocities, vorticity};
use std::f64::consts::{PI, TAU};

pub(super) static CASE: Case = Case {
    name: "vortex-ring",
    title: "The speed of a vortex ring",
    summary: "a ring of even vorticity travels about as fast as Kelvin's formula says, the nearer the finer the cells",
    article: Article {
        problem: "A ring of radius R = 0.15 m, its core of radius a = 0.05 m with even vorticity and the circulation Γ = 1 m²/s, in a closed box of 1 m. Cells are \
            small where the vorticity is: 64 and 96 along a side, 48 and 64 in the quick form. MacCormack transport, half a cell a step.",
        reference: "Kelvin: U = Γ/(4πR) (ln(8R/a) − ¼) for a thin core of even vorticity in unbounded space. A core of a third of the radius makes 2.7 % less by \
            Fraenkel's next term, and the walls' mirror images some 2 %. What transport damps makes the core wider and the ring slower.",
        measured: "The way of the middle of the squared vorticity over the time of the first half radius, beside U; and the enstrophy that is left.",
    },
    methods: &["nodal-octree"],
    quick: true,
    quantities,
    run,
};

const R: f64 = 0.15;
const CORE: f64 = 0.05;
const CENTER: DVec3 = DVec3::new(0.5, 0.35, 0.5);

fn kelvin() -> f64 {
    ((8.0 * R / CORE).ln() - 0.25) / (4.0 * PI * R)
}

fn quantities(_: &str, quick: bool) -> Vec<Quantity> {
    let limit = if quick { 0.2 } else { 0.15 };
    vec![
        Quantity::new("speed", "m/s")
            .limit(Limit::RelativeError(limit), "Kelvin's formula; house: 15 %, 20 % in the quick form")
            .expected(kelvin()),
        Quantity::new("error over that with larger cells", "").limit(Limit::AtMost(0.95), "falls with dx"),
        Quantity::new("enstrophy left", ""),
        Quantity::new("cells", ""),
    ]
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let grids = if context.quick { [48, 64] } else { [64, 96] };
    let mut m = Measured::default();
    let mut series = Vec::new();
    let mut errors = Vec::new();
    for n in grids {
        context.progress(&format!("{n} cells"))?;
        let ring = travel(n)?;
        errors.push((ring.speed / kelvin() - 1.0).abs());
        series.push(Series::line(format!("{n} cells"), ring.path));
        if n == grids[1] {
            m.set("speed", ring.speed);
            m.set("error over that with larger cells", errors[1] / errors[0]);
            m.set("enstrophy left", ring.enstrophy);
            m.set("cells", ring.cells);
        }
    }
    let end = 0.5 * R / kelvin();
    series.push(Series::guide("Kelvin", vec![[0.0, 0.0], [end, 0.5 * R]]));
    m.plots.push(over("The ring's way", "time (s)", "way (m)", series));
    Ok(m)
}

struct Ring {
    path: Vec<[f64; 2]>,
    speed: f64,
    enstrophy: f64,
    cells: f64,
}

fn travel(n: u32) -> Result<Ring, CaseError> {
    let mut scene = Scene::empty("nodal-octree", DVec3::ONE, n, 4);
    scene.physics.gravity = DVec3::ZERO;
    scene.physics.confinement = 0.0;
    scene.numerics.advection = Advection::MacCormack;
    scene.time.cfl = 0.5;
    let grid = RootGrid::from_domain(&scene.domain);
    let core = |p: DVec3| {
        let d = p - CENTER;
        (d.x.hypot(d.z) - R).hypot(d.y)
    };
    let tree = Octree::build(&grid, Grading::Graded, |c| core(c.center) < 1.5 * CORE + 1.5 * c.size);
    let mut sim = NodalSmoke::on_tree(&scene, SmokeParams::from_scene(&scene), tree);
    sim.set_velocity(ring_velocity());
    let middle = |sim: &NodalSmoke| {
        let s = sim.state();
        let omega = vorticity(&s.mesh, &cell_velocities(&s.mesh, &s.u), |_| true);
        let weight = |c| omega[c].length_squared() * s.mesh.tree.size(c).powi(3);
        let (height, sum) = s.mesh.tree.cells().fold((0.0, 0.0), |(a, b), c| {
            let w = weight(c);
            (a + w * s.mesh.tree.center(c).y, b + w)
        });
        (height / sum, sum)
    };
    // The first step makes the flow free of divergence.
    let mut path = vec![[0.0, 0.0]];
    let (start, strength) = middle(&sim);
    let end = 0.5 * R / kelvin();
    while end - sim.time() > 1e-9 {
        let left = end - sim.time();
        let steps = (left / sim.max_dt() - 1e-9).ceil().max(1.0);
        sim.step(left / steps).map_err(CaseError::new)?;
        path.push([sim.time(), middle(&sim).0 - start]);
    }
    let (last, left) = middle(&sim);
    Ok(Ring {
        path,
        speed: (last - start) / end,
        enstrophy: left / strength,
        cells: sim.state().mesh.n_cells() as f64,
    })
}

/// By Biot and Savart, of circles that fill the core evenly; in the core of each circle, which is as wide as they lie apart,
/// the velocity is smooth. Γ is 1 and the ring travels along +y.
fn ring_velocity() -> impl Fn(DVec3) -> DVec3 + Sync + Send {
    const SHELLS: usize = 6;
    const AROUND: usize = 64;
    let mut circles = Vec::new();
    for i in 0..SHELLS {
        let rho = CORE * (i as f64 + 0.5) / SHELLS as f64;
        let n = 6 * (i + 1);
        for j in 0..n {
            let angle = TAU * (j as f64 + 0.5) / n as f64;
            circles.push((R + rho * angle.cos(), rho * angle.sin(), rho / n as f64));
        }
    }
    let whole: f64 = circles.iter().map(|c| c.2).sum();
    let soft = (CORE / SHELLS as f64).powi(2);
    move |x: DVec3| {
        let d = x - CENTER;
        let r = d.x.hypot(d.z).max(1e-9);
        let (mut out, mut up) = (0.0, 0.0);
        for &(radius, height, share) in &circles {
            let dy = d.y - height;
            let (mut radial, mut axial) = (0.0, 0.0);
            for q in 0..AROUND {
                let cos = (TAU * (q as f64 + 0.5) / AROUND as f64).cos();
                let square = r * r + radius * radius - 2.0 * r * radius * cos + dy * dy + soft;
                let cube = square * square.sqrt();
                radial += dy * cos / cube;
                axial += (radius - r * cos) / cube;
            }
            let factor = share / whole * radius / (4.0 * PI) * TAU / AROUND as f64;
            out += factor * radial;
            up += factor * axial;
        }
        DVec3::new(out * d.x / r, up, out * d.z / r)
    }
}
