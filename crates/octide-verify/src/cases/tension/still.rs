//! A drop at rest: u = 0 and p = 2σ/R.

use super::{Drop, drop};
use crate::case::{Article, Case, CaseError, Context, Measured, Quantity};
use crate::cases::stage::over;
use crate::fit::Convergence;
use crate::limit::Limit;
use crate::plot::Series;
use octide_core::contract::Method;
use octide_core::scene::VolumeCorrection;
use octide_octree::{OctreeLiquid, Params};

pub(in crate::cases) static CASE: Case = Case {
    name: "static-drop",
    title: "A drop at rest",
    summary: "spurious currents and the pressure jump 2σ/R of a drop at rest",
    article: Article {
        problem: "A drop of diameter D = 2R without gravity is at rest for ten capillary times √(ρD³/σ), a tenth of one in the quick \
            form: once with the exact curvature 2/R imposed, once with the one that is computed. The drop is in the middle of \
            no cell.",
        reference: "Exact: u = 0, p = 2σ/R (Laplace). With the exact curvature the pressure balances the tension, and |u| stays at the \
            solver's tolerance; with the computed one the speeds are bounded and fall with dx. The liquid is ideal: \
            no viscosity damps what errors of the curvature drive.",
        measured: "max |u| √(ρD/σ) over all faces and steps, with either curvature; its order over the grids with the computed one, in the first capillary time and in all ten; \
            the pressure in the drop's middle over 2σ/R at the end. The plot has the largest speed of each step.",
    },
    methods: &["octree"],
    quick: true,
    quantities,
    run,
};

const IMPOSED: &str = "exact curvature: speed times √(ρD/σ)";
const EARLY: &str = "computed curvature: order of the speed, one capillary time";
const ORDER: &str = "computed curvature: order of the speed, ten capillary times";
const UNDAMPED: &str = "the liquid is ideal: what errors of the curvature drive is not damped, and takes longer to gather in smaller \
    cells, not less";
const JUMP: &str = "pressure over 2σ/R, finest grid";

/// Cells a diameter.
fn grids(quick: bool) -> &'static [u32] {
    if quick { &[8, 12] } else { &[8, 10, 12] }
}

fn computed(n: u32) -> String {
    format!("computed curvature: speed times √(ρD/σ), {n} cells a diameter")
}

fn quantities(_: &str, quick: bool) -> Vec<Quantity> {
    let mut all =
        vec![Quantity::new(IMPOSED, "").limit(Limit::AtMost(1e-6), "exact: balanced").expected(0.0)];
    for &n in grids(quick) {
        let q = Quantity::new(computed(n), "").expected(0.0);
        all.push(match (n, quick) {
            (12, true) => q.limit(Limit::AtMost(0.05), "the drop stays: small beside √(σ/(ρD))"),
            (_, false) => q.limit(Limit::AtMost(0.2), "bounded: small beside √(σ/(ρD))"),
            _ => q,
        });
    }
    all.push(Quantity::new(EARLY, "").limit(Limit::AtLeast(0.5), "the speed falls with dx"));
    if !quick {
        let order = Quantity::new(ORDER, "").limit(Limit::AtLeast(0.0), "the speed falls with dx");
        all.push(order.known_to_fail(UNDAMPED));
    }
    all.push(Quantity::new(JUMP, "").limit(Limit::RelativeError(0.02), "Laplace").expected(1.0));
    all
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let mut m = Measured::default();
    context.progress("exact curvature")?;
    m.set(IMPOSED, rest(8, if context.quick { 0.1 } else { 1.0 }, true)?.most());
    let mut errors = Convergence::new(&["speed times √(ρD/σ), one time", "ten times"]);
    let mut series = Vec::new();
    for &n in grids(context.quick) {
        context.progress(&format!("{n} cells a diameter"))?;
        let rest = rest(n, if context.quick { 0.3 } else { 10.0 }, false)?;
        m.set(computed(n), rest.most());
        errors.add(n, 1.0 / f64::from(n), &[rest.most_until(1.0), rest.most()]);
        if n == 12 {
            m.set(JUMP, rest.jump);
        }
        series.push(Series::line(format!("{n} cells a diameter"), rest.speeds));
    }
    m.set(EARLY, errors.order(0));
    if !context.quick {
        m.set(ORDER, errors.order(1));
    }
    m.tables.push(errors.table("Speeds with the computed curvature", "cells a diameter"));
    let title = "Largest speed over time, computed curvature";
    m.plots.push(over(title, "t / √(ρD³/σ)", "speed times √(ρD/σ)", series));
    Ok(m)
}

/// What was seen of a drop.
struct Rest {
    /// Time and largest speed, without units.
    speeds: Vec<[f64; 2]>,
    /// The pressure over 2σ/R.
    jump: f64,
}

impl Rest {
    fn most(&self) -> f64 {
        self.most_until(f64::INFINITY)
    }

    fn most_until(&self, time: f64) -> f64 {
        self.speeds.iter().take_while(|s| s[0] <= time).map(|s| s[1]).fold(0.0, f64::max)
    }
}

fn rest(cells: u32, times: f64, imposed: bool) -> Result<Rest, CaseError> {
    let Drop { mut scene, radius, center } = drop("octree", cells, 0.0);
    scene.numerics.tolerance = if imposed { 1e-12 } else { 1e-6 };
    if imposed {
        // Volume that is given back moves the surface.
        scene.numerics.volume_correction = VolumeCorrection::Off;
    }
    let imposed_curvature = imposed.then_some(2.0 / radius);
    let params = Params { imposed_curvature, ..Params::from_scene(&scene) };
    let (sigma, density) = (params.surface_tension, params.density);
    let (time, speed) =
        ((density * (2.0 * radius).powi(3) / sigma).sqrt(), (sigma / (density * 2.0 * radius)).sqrt());
    let mut sim = OctreeLiquid::with_params(&scene, params);
    let mut speeds = Vec::new();
    while sim.time() < times * time {
        let dt = sim.max_dt();
        sim.step(dt).map_err(CaseError::new)?;
        speeds.push([sim.time() / time, sim.state().max_component / speed]);
    }
    let pressure = sim.view().sample(center).pressure.unwrap_or(f64::NAN);
    Ok(Rest { speeds, jump: pressure * radius / (2.0 * sigma) })
}
