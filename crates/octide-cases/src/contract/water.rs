//! What a splash must conserve: volume, a divergence-free velocity, a closed surface, a distance with slope 1.

use super::CONTRACT;
use super::parts::{Part, measure};
use super::places::centers;
use super::scenes::{advance, at_rest, ball, empty, most, pool, splash, start, worse};
use crate::expectations;
use crate::methods::water_methods;
use glam::DVec3;
use octide_core::contract::Sampler;
use octide_core::scene::{Heading, OpenSides, Scene, VolumeCorrection};
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity};

pub(crate) static CASE: Case = Case {
    name: "contract-water",
    title: "Contract: volume, divergence, surface and distance of a splash",
    summary: "a drop falls into a pool: volume, divergence, closed surface and distance",
    article: Article {
        problem: "A drop falls into a pool, with and without volume correction. A drop falls obliquely into a pool with a \
            body in it. A pool drains through an open side.",
        reference: "Water is incompressible. The divergence that the pressure solve leaves depends on its tolerance. The \
            surface mesh encloses the water. The distance that probes read may differ from the true one by a fifth \
            (octide-core, contract::Sampler).",
        measured: "The largest relative drift of the volume over all steps, and the drift at the end with correction over \
            that without; the volume inside the surface mesh beside that of the water, at frames, and the number of \
            frames whose mesh is not closed and manifold; the largest divergence after any projection in units of \
            the largest speed over the finest cell, which must be reported, not left at zero; the mean of | |∇φ| − 1 \
            | over places within three finest cells of the surface, by central differences over a cell.",
    },
    methods: water_methods,
    quick: true,
    quantities,
    run: |context| {
        let parts: &[(&str, Part)] = &[("volume", volume), ("splash", oblique), ("open side", draining)];
        measure(context, parts)
    },
};

const DRIFT: &str = "volume drift with correction, most";
const DRIFT_PLAIN: &str = "volume drift without correction, most";
const CORRECTED: &str = "volume drift at the end, with correction over without";
const SURFACE: &str = "volume inside the surface mesh, relative error, most";
const OPEN: &str = "surface meshes that are not closed and manifold";
const DIVERGENCE: &str = "divergence over speed / dx, most, solved to 1e-10";
const DIVERGENCE_RUN: &str = "divergence over speed / dx, most, solved as in a run";
const SLOPE: &str = "slope of the distance near the surface, mean error";
const LEFT: &str = "volume that left by open sides, relative error";

fn quantities(method: &str, quick: bool) -> Vec<Quantity> {
    let at_most = |name, most| Quantity::new(name, "").limit(Limit::AtMost(most), CONTRACT).expected(0.0);
    // Zero would mean that the method does not report it.
    let reported = |name, most| Quantity::new(name, "").limit(Limit::Within(1e-30, most), CONTRACT);
    let all = vec![
        at_most(DRIFT, 0.01),
        Quantity::new(DRIFT_PLAIN, ""),
        Quantity::new(CORRECTED, "").limit(Limit::AtMost(0.9), CONTRACT),
        at_most(SURFACE, 0.01),
        at_most(OPEN, 0.0),
        reported(DIVERGENCE, 1e-6),
        reported(DIVERGENCE_RUN, 0.01),
        Quantity::new(SLOPE, "")
            .limit(Limit::AtMost(0.2), "octide-core, contract::Sampler: promise")
            .expected(0.0),
        at_most(LEFT, 0.01),
    ];
    expectations::apply(CASE.name, method, quick, all)
}

fn drop_over_pool(context: &Context) -> Scene {
    let mut s = empty(context.method, [1.0, 0.5, 1.0], 64, 2);
    s.liquids = vec![pool(0.245), at_rest(ball([0.5, 0.37, 0.5], 0.075))];
    s.numerics.max_volume_drift = 1.0;
    s
}

/// Frames at 120 a second.
fn n_frames(quick: bool) -> u32 {
    if quick { 24 } else { 48 }
}

fn volume(context: &Context, m: &mut Measured) -> Result<(), CaseError> {
    let mut sim = start(&drop_over_pool(context))?;
    let (mut drift, mut surface, mut open) = (0.0, 0.0, 0);
    for frame in 1..=n_frames(context.quick) {
        let reports = advance(&mut *sim, f64::from(frame) / 120.0)?;
        drift = worse(drift, most(&reports, |r| r.volume_drift.abs()));
        let mesh = sim.frame().surface.mesh;
        open += u32::from(!mesh.is_closed_manifold());
        surface = worse(surface, (mesh.volume() / sim.totals().volume - 1.0).abs());
    }
    m.set(DRIFT, drift);
    m.set(SURFACE, surface);
    m.set(OPEN, f64::from(open));
    // Beside the same without it.
    let mut s = drop_over_pool(context);
    s.numerics.volume_correction = VolumeCorrection::Off;
    let mut plain = start(&s)?;
    let mut drift = 0.0;
    for frame in 1..=n_frames(context.quick) {
        let reports = advance(&mut *plain, f64::from(frame) / 120.0)?;
        drift = worse(drift, most(&reports, |r| r.volume_drift.abs()));
    }
    m.set(DRIFT_PLAIN, drift);
    m.set(CORRECTED, sim.report().volume_drift.abs() / plain.report().volume_drift.abs());
    Ok(())
}

fn oblique(context: &Context, m: &mut Measured) -> Result<(), CaseError> {
    for (tolerance, name) in [(1e-10, DIVERGENCE), (splash("").numerics.tolerance, DIVERGENCE_RUN)] {
        let mut s = splash(context.method);
        s.numerics.tolerance = tolerance;
        let mut sim = start(&s)?;
        let reports = advance(&mut *sim, 0.2)?;
        m.set(name, most(&reports, |r| r.max_divergence * s.domain.dx() / r.max_speed));
        if name == DIVERGENCE {
            m.set(SLOPE, slope_error(&s, &*sim.sampler()));
        }
    }
    Ok(())
}

/// A pool that drains through a side: its first volume less what left less what is there.
fn draining(context: &Context, m: &mut Measured) -> Result<(), CaseError> {
    let mut s = empty(context.method, [1.0, 0.5, 0.5], 64, 2);
    s.liquids = vec![pool(0.25)];
    s.open = OpenSides::of(&[Heading { axis: 0, forward: true }]);
    let mut sim = start(&s)?;
    let first = sim.report().volume;
    let reports = advance(&mut *sim, if context.quick { 0.1 } else { 0.3 })?;
    m.set(LEFT, most(&reports, |r| (first - r.volume_out - r.volume).abs() / first));
    Ok(())
}

/// The mean of | |∇φ| − 1 | near the surface, off walls and bodies.
fn slope_error(scene: &Scene, sampler: &dyn Sampler) -> f64 {
    let (dx, d) = (scene.domain.dx(), &scene.domain);
    let inner = |x: DVec3| (x - d.origin).min(d.origin + d.size - x).min_element() > 1.5 * dx;
    let (mut sum, mut n) = (0.0, 0.0);
    for x in centers(d).into_iter().filter(|&x| inner(x)) {
        let at = sampler.sample(x);
        if at.phi.abs() > 3.0 * dx || at.solid < 2.0 * dx {
            continue;
        }
        let along = |e: DVec3| sampler.sample(x + 0.5 * dx * e).phi - sampler.sample(x - 0.5 * dx * e).phi;
        let g = DVec3::new(along(DVec3::X), along(DVec3::Y), along(DVec3::Z)) / dx;
        sum += (g.length() - 1.0).abs();
        n += 1.0;
    }
    sum / n
}
