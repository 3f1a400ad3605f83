//! The Taylor–Green vortex in a box with free-slip walls: numerical viscosity.

use crate::stage::time_step;
use glam::DVec3;
use octide_core::contract::Method;
use octide_core::octree::{Grading, Octree};
use octide_core::scene::{Advection, Scene};
use octide_nodal::NodalSmoke;
use octide_nodal::smoke::SmokeParams;
use octide_verify::fit::Convergence;
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity};
use std::f64::consts::PI;

pub(crate) static CASE: Case = Case {
    name: "taylor-green",
    title: "The Taylor–Green vortex",
    summary: "numerical viscosity decreases with the cell size; MacCormack has far less than semi-Lagrangian advection",
    article: Article {
        problem: "One vortex in a square box with free-slip walls, u = (sin πx cos πy, −cos πx sin πy, 0), a steady flow \
            of an ideal fluid; four cells deep. 16, 32 and 64 cells, 16 and 32 in the quick form; a cell is crossed \
            in four steps. Also with cells twice as large outside a circle of radius 0.3.",
        reference: "Exact: nothing changes. The loss of kinetic energy in one second is expressed as a viscosity ν, E = E₀ \
            exp(−4π²νt). Semi-Lagrangian advection is first order. The splitting of advection and pressure alone \
            costs dt/8: it removes the pressure gradient of a step, which is perpendicular to the flow.",
        measured: "ν of both kinds of advection, its order in the cell size, and their ratio on the finest grid.",
    },
    methods: super::methods,
    quick: true,
    quantities,
    run,
};

/// Steps in which a cell is crossed.
const STEPS: u32 = 4;

fn quantities(_: &str, _: bool) -> Vec<Quantity> {
    vec![
        Quantity::new("order of ν, semi-Lagrangian", "")
            .limit(Limit::AtLeast(0.7), "theory: first order; falls with dx")
            .expected(1.0),
        Quantity::new("order of ν, MacCormack", "")
            .limit(Limit::AtLeast(0.7), "theory: first order by splitting; falls with dx")
            .expected(1.0),
        Quantity::new("ν of MacCormack over semi-Lagrangian", "")
            .limit(Limit::AtMost(0.25), "our own: clearly better"),
        Quantity::new("the same with two sizes of cells", "")
            .limit(Limit::AtMost(0.5), "our own: clearly better"),
        Quantity::new("ν, semi-Lagrangian", "m²/s"),
        Quantity::new("ν, MacCormack", "m²/s"),
        Quantity::new("ν of splitting alone, dt/8", "m²/s"),
    ]
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let grids: &[u32] = if context.quick { &[16, 32] } else { &[16, 32, 64] };
    let mut nu = Convergence::new(&["semi-Lagrangian (m²/s)", "MacCormack (m²/s)"]);
    for &n in grids {
        context.progress(&format!("{n} cells"))?;
        let [plain, better] =
            [viscosity(n, Advection::SemiLagrangian, false)?, viscosity(n, Advection::MacCormack, false)?];
        nu.add(n, 1.0 / f64::from(n), &[plain, better]);
    }
    let finest = grids.last().copied().unwrap_or(16);
    context.progress("two sizes of cells")?;
    let plain = viscosity(finest, Advection::SemiLagrangian, true)?;
    let better = viscosity(finest, Advection::MacCormack, true)?;
    let mut m = Measured::default();
    m.set("order of ν, semi-Lagrangian", nu.order(0));
    m.set("order of ν, MacCormack", nu.order(1));
    m.set("ν of MacCormack over semi-Lagrangian", nu.last(1) / nu.last(0));
    m.set("the same with two sizes of cells", better / plain);
    m.set("ν, semi-Lagrangian", nu.last(0));
    m.set("ν, MacCormack", nu.last(1));
    m.set("ν of splitting alone, dt/8", 1.0 / f64::from(8 * STEPS * finest));
    m.tables.push(nu.table("Numerical viscosity", "cells"));
    m.plots.push(nu.plot("Numerical viscosity over the number of cells", "cells", "ν (m²/s)", 1.0));
    Ok(m)
}

/// ν after a second.
fn viscosity(n: u32, advection: Advection, two_sizes: bool) -> Result<f64, CaseError> {
    let mut scene = Scene::empty("nodal-octree", DVec3::new(1.0, 1.0, 4.0 / f64::from(n)), n, 2);
    scene.physics.gravity = DVec3::ZERO;
    scene.physics.confinement = 0.0;
    scene.numerics.advection = advection;
    scene.numerics.tolerance = 1e-6;
    let grid = scene.domain.root_grid();
    let tree = Octree::build(&grid, Grading::Graded, |c| {
        let r = (c.center - DVec3::new(0.5, 0.5, c.center.z)).length();
        !two_sizes || c.level == 0 || r < 0.3
    });
    let mut sim = NodalSmoke::on_tree(&scene, SmokeParams::from_scene(&scene), tree.clone());
    sim.set_velocity(|x| {
        let (a, b) = (PI * x.x, PI * x.y);
        DVec3::new(a.sin() * b.cos(), -a.cos() * b.sin(), 0.0)
    });
    let before = sim.totals().kinetic_energy;
    let steps = STEPS * n;
    let dt = time_step(1.0 / f64::from(steps))?;
    for _ in 0..steps {
        sim.step_on(tree.clone(), dt).map_err(CaseError::new)?;
    }
    Ok(-(sim.totals().kinetic_energy / before).ln() / (4.0 * PI * PI))
}
