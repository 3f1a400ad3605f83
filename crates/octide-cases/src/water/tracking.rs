//! What cases of surface tracking share: a shape carried by a given velocity, and how much of it is where it
//! should be.
//!
//! The surface is carried by each method's own stages ([`octide_methods::track`]). After it has come back, the
//! volume fractions F of cubes of the finest size are compared with the exact ones: Σ |F − F₀| h³.

use crate::stage;
use glam::DVec3;
use octide_core::contract::{SurfaceTracker, TrackingOptions, TrackingRefinement};
use octide_core::geometry::Shape;
use octide_core::par;
use octide_core::scene::{Scene, VolumeCorrection};
use octide_core::volume::fraction_behind_plane;
use octide_verify::{CaseError, Context};
use std::time::Instant;

/// The limit of the sum of what is kept cell by cell: rounding, over hundreds of steps.
pub(super) const ROUNDING: f64 = 1e-11;

/// How particles' difference compares with that of the level set alone.
pub(super) fn gain(n: u32) -> String {
    format!("Σ|Δ|dV with particles over without, {n}³")
}

/// How cells are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cells {
    /// All of the finest size.
    Uniform,
    /// Of the finest size near the surface.
    Distance,
    /// As by distance, with particles everywhere in the method's band at the surface.
    Particles,
    /// By the method's sizing rule along the surface.
    Sizing,
}

impl Cells {
    /// In words.
    pub fn text(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Distance => "by distance",
            Self::Particles => "by distance, with particles",
            Self::Sizing => "by the sizing rule",
        }
    }
}

/// How volume is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Volume {
    /// What φ loses is lost.
    Free,
    /// What φ loses is restored everywhere.
    Corrected,
    /// Cell by cell.
    Kept,
}

impl Volume {
    /// In words, after those for cells.
    pub fn text(self) -> &'static str {
        match self {
            Self::Free => "",
            Self::Corrected => ", volume corrected",
            Self::Kept => ", volume kept cell by cell",
        }
    }

    fn correction(self) -> VolumeCorrection {
        match self {
            Self::Free => VolumeCorrection::Off,
            Self::Corrected => VolumeCorrection::Global,
            Self::Kept => VolumeCorrection::Local,
        }
    }
}

/// A shape and what carries it.
pub(super) struct Flow {
    pub shape: Shape,
    /// When the shape is back.
    pub end: f64,
    /// The largest velocity component.
    pub speed: f64,
    /// The velocity at a point and a time.
    pub velocity: fn(DVec3, f64) -> DVec3,
}

/// What is left after the way.
pub(super) struct Returned {
    /// Σ |F − F₀| h³.
    pub difference: f64,
    /// Σ F h³ / Σ F₀ h³ − 1.
    pub volume: f64,
    /// The same two figures of the water that the method keeps cell by cell, the second relative to what it kept at the start.
    pub kept: Option<[f64; 2]>,
    /// The most cells at any time.
    pub cells: usize,
    pub steps: usize,
    pub seconds: f64,
}

/// Levels of trees between the finest cells and the roots.
const LEVELS: u8 = 3;

/// Carries a shape in the unit cube with `n` finest cells a side until it is back.
pub(super) fn advect_with(
    context: &Context,
    flow: &Flow,
    n: u32,
    cells: Cells,
    volume: Volume,
) -> Result<Returned, CaseError> {
    let start = Instant::now();
    let levels = if cells == Cells::Uniform { 0 } else { LEVELS.min(n.trailing_zeros() as u8) };
    let scene = scene(context.method, flow, n, levels);
    let options = TrackingOptions {
        refinement: match cells {
            Cells::Sizing => TrackingRefinement::SizingRule,
            Cells::Uniform | Cells::Distance | Cells::Particles => TrackingRefinement::NearSurface,
        },
        particles: cells == Cells::Particles,
        volume_correction: volume.correction(),
        max_speed: flow.speed,
    };
    let mut tracker = octide_methods::track(&scene, &options).map_err(CaseError::new)?;
    let h = 1.0 / f64::from(n);
    let steps = (flow.end * flow.speed / (tracker.cfl() * h)).ceil() as usize;
    let dt = flow.end / steps as f64;
    let time_step = stage::time_step(dt)?;
    let mut most = 0;
    let of_kept = |tracker: &dyn SurfaceTracker| {
        let kept = |x: DVec3| tracker.kept_fraction(x);
        (kept(DVec3::splat(0.5)).is_some()).then(|| compare(|x| kept(x).unwrap_or(f64::NAN), &flow.shape, n))
    };
    let at_start = of_kept(&*tracker);
    for step in 0..steps {
        if step % 16 == 0 {
            let share = 100.0 * step as f64 / steps as f64;
            context.progress(&format!("{n}³ {}{}, {share:.0} %", cells.text(), volume.text()))?;
        }
        tracker.step(step as f64 * dt, time_step, &flow.velocity).map_err(CaseError::new)?;
        most = most.max(tracker.n_cells());
    }
    let [difference, there, exact] = compare(|x| tracker.volume_fraction(x, h), &flow.shape, n);
    let (volume, seconds) = (there / exact - 1.0, start.elapsed().as_secs_f64());
    let kept = of_kept(&*tracker).zip(at_start).map(|(end, start)| [end[0], end[1] / start[1] - 1.0]);
    let contents = kept.map_or_else(String::new, |kept| format!(", contents {:.3e}", kept[0]));
    context.progress(&format!("{n}³: Σ|Δ|dV {difference:.3e}{contents}"))?;
    Ok(Returned { difference, volume, kept, cells: most, steps, seconds })
}

fn scene(method: &str, flow: &Flow, n: u32, levels: u8) -> Scene {
    let mut scene = Scene::empty(method, DVec3::ONE, n, levels);
    scene.physics.gravity = DVec3::ZERO;
    scene.liquids = vec![stage::at_rest(flow.shape.clone())];
    scene
}

/// Σ |F − F₀| h³, Σ F h³ and Σ F₀ h³ over n³ cubes.
fn compare(fraction: impl Fn(DVec3) -> f64 + Sync, shape: &Shape, n: u32) -> [f64; 3] {
    let h = 1.0 / f64::from(n);
    let n = n as usize;
    let sums = par::reduce(
        n * n * n,
        || [0.0; 3],
        |sums: [f64; 3], i| {
            let x = h * (DVec3::new((i % n) as f64, (i / n % n) as f64, (i / n / n) as f64) + 0.5);
            let (now, exact) = (fraction(x), exact_share(shape, x, h));
            [sums[0] + (now - exact).abs(), sums[1] + now, sums[2] + exact]
        },
        |a, b| [a[0] + b[0], a[1] + b[1], a[2] + b[2]],
    );
    sums.map(|s| s * h.powi(3))
}

/// A shape's share of a cube, from planes in 4³ parts of it.
fn exact_share(shape: &Shape, x: DVec3, h: f64) -> f64 {
    const PARTS: usize = 4;
    let d = shape.distance(x);
    if d.abs() > h {
        return if d < 0.0 { 1.0 } else { 0.0 };
    }
    let part = h / PARTS as f64;
    let slope = |p: DVec3| {
        let along =
            |e: DVec3| (shape.distance(p + 0.1 * part * e) - shape.distance(p - 0.1 * part * e)) / 0.2;
        DVec3::new(along(DVec3::X), along(DVec3::Y), along(DVec3::Z))
    };
    let mut sum = 0.0;
    for i in 0..PARTS.pow(3) {
        let place = DVec3::new((i % PARTS) as f64, (i / PARTS % PARTS) as f64, (i / PARTS / PARTS) as f64);
        let p = x - 0.5 * h + part * (place + 0.5);
        sum += fraction_behind_plane(slope(p), shape.distance(p));
    }
    sum / PARTS.pow(3) as f64
}
