//! A drop at rest: u = 0 and p = 2σ/R.

use super::{Drop, declare, drop};
use crate::expectations;
use crate::methods::water_methods;
use crate::stage::{line_plot, start};
use octide_core::contract::Method;
use octide_core::scene::{Scene, VolumeCorrection};
use octide_verify::fit::Convergence;
use octide_verify::plot::Series;
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity};

pub(crate) static CASE: Case = Case {
    name: "static-drop",
    title: "A drop at rest",
    summary: "spurious currents and the pressure jump 2σ/R of a drop at rest",
    article: Article {
        problem: "A drop of diameter D = 2R without gravity is at rest for ten capillary times √(ρD³/σ), three tenths of one \
            in the quick form, with the curvature that the method computes. With a method that allows it, the drop also runs \
            for one capillary time (a tenth in the quick form) with the exact curvature 2/R imposed. The drop is not \
            centered on a cell.",
        reference: "Exact: u = 0, p = 2σ/R (Laplace). With the exact curvature the pressure balances the surface tension, \
            and |u| stays at the tolerance of the solver. With the computed curvature the speeds are bounded and decrease \
            with dx. The liquid is ideal: no viscosity damps the motion that curvature errors excite.",
        measured: "max |u| √(ρD/σ) over all liquid cells and steps, with either curvature; its order over the grids with \
            the computed one, in the first capillary time and in all ten; the pressure in the center of the drop over \
            2σ/R at the end. The plot shows the largest speed of each step.",
    },
    methods: water_methods,
    quick: true,
    quantities,
    run,
};

const IMPOSED: &str = "exact curvature: speed times √(ρD/σ)";
const EARLY: &str = "computed curvature: order of the speed, one capillary time";
const ORDER: &str = "computed curvature: order of the speed, ten capillary times";
const JUMP: &str = "pressure over 2σ/R, finest grid";

/// Finest cells along a diameter.
fn grids(quick: bool) -> &'static [u32] {
    if quick { &[8, 12] } else { &[8, 10, 12] }
}

fn computed(n: u32) -> String {
    format!("computed curvature: speed times √(ρD/σ), {n} cells a diameter")
}

fn quantities(method: &str, quick: bool) -> Vec<Quantity> {
    let imposed = Quantity::new(IMPOSED, "").limit(Limit::AtMost(1e-6), "exact: balanced").expected(0.0);
    let mut all = vec![match expectations::of(method).start_with_curvature {
        Some(_) => imposed,
        None => imposed.not_available("the method cannot impose a curvature"),
    }];
    for &n in grids(quick) {
        let q = Quantity::new(computed(n), "").expected(0.0);
        all.push(match (n, quick) {
            (12, true) => {
                q.limit(Limit::AtMost(0.05), "the drop stays at rest: small compared with √(σ/(ρD))")
            }
            (_, false) => q.limit(Limit::AtMost(0.2), "bounded: small compared with √(σ/(ρD))"),
            _ => q,
        });
    }
    all.push(Quantity::new(EARLY, "").limit(Limit::AtLeast(0.5), "the speed decreases with dx"));
    if !quick {
        all.push(Quantity::new(ORDER, "").limit(Limit::AtLeast(0.0), "the speed decreases with dx"));
    }
    all.push(Quantity::new(JUMP, "").limit(Limit::RelativeError(0.02), "Laplace").expected(1.0));
    declare(CASE.name, method, quick, all)
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let mut m = Measured::default();
    if let Some(start_with_curvature) = expectations::of(context.method).start_with_curvature {
        context.progress("exact curvature")?;
        let mut drop = drop(context.method, 8, 0.0);
        drop.scene.numerics.tolerance = 1e-12;
        // Volume correction would move the surface.
        drop.scene.numerics.volume_correction = VolumeCorrection::Off;
        let sim = start_with_curvature(&drop.scene, 2.0 / drop.radius);
        m.set(IMPOSED, rest(&drop, sim, if context.quick { 0.1 } else { 1.0 })?.most());
    }
    let mut errors = Convergence::new(&["speed times √(ρD/σ), one time", "ten times"]);
    let mut series = Vec::new();
    for &n in grids(context.quick) {
        context.progress(&format!("{n} cells a diameter"))?;
        let mut drop = drop(context.method, n, 0.0);
        drop.scene.numerics.tolerance = 1e-6;
        let sim = start(&drop.scene)?;
        let rest = rest(&drop, sim, if context.quick { 0.3 } else { 10.0 })?;
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
    m.plots.push(line_plot(title, "t / √(ρD³/σ)", "speed times √(ρD/σ)", series));
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

/// Steps for a number of capillary times.
fn rest(drop: &Drop, mut sim: Box<dyn Method>, times: f64) -> Result<Rest, CaseError> {
    let &Drop { ref scene, radius, center } = drop;
    let Scene { physics, .. } = scene;
    let (sigma, density) = (physics.surface_tension, physics.density);
    let (time, speed) =
        ((density * (2.0 * radius).powi(3) / sigma).sqrt(), (sigma / (density * 2.0 * radius)).sqrt());
    let mut speeds = Vec::new();
    while sim.time() < times * time {
        let dt = sim.max_dt();
        let report = sim.step(dt).map_err(CaseError::new)?;
        speeds.push([sim.time() / time, report.max_speed / speed]);
    }
    let pressure = sim.view().sample(center).pressure.unwrap_or(f64::NAN);
    Ok(Rest { speeds, jump: pressure * radius / (2.0 * sigma) })
}
