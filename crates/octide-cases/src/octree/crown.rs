//! The crown of a drop that falls into a pool has no memory of the grid's axes.
//!
//! The height of the rim over the pool at rest, η(θ), is the highest point of the surface along a ray from the
//! drop's axis. Its azimuthal modes are
//!
//! ```text
//! a_m = 2 |mean of η(θ) exp(−i m θ)|,      a_0 = mean of η,
//! ```
//!
//! in finest cells. The flow is axisymmetric, so that every a_m with m > 0 is an error; m = 4, 8 and 12 are those
//! that a grid makes.

use crate::expectations;
use crate::stage::{at_rest, start, step_towards};
use glam::{DVec3, Vec3};
use octide_core::contract::{Method, StateView};
use octide_core::geometry::Shape;
use octide_core::par;
use octide_core::scene::{Liquid, Scene, Seeding, VolumeCorrection};
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity, Table, number};
use std::f64::consts::TAU;

pub(crate) static CASE: Case = Case {
    name: "crown",
    title: "The crown of a drop",
    summary: "a drop falls into a pool: the modes that the grid leaves on the rim of its crown",
    article: Article {
        problem: "A drop with a radius of 0.1 m falls at 2 m/s into a pool 0.245 m deep, in a tank of 1 × 0.5 × 1 m, and throws \
            up a crown. There are no particles and no roughness, so that everything is axisymmetric until the waves reach the \
            walls: a drop that is turned about the vertical is the same drop, and what differs from angle to angle comes from \
            the grid. The drop's axis is where cells meet, and off it by 0.3 and 0.17 of a finest cell.",
        reference: "Axisymmetry.",
        measured: "The height of the rim at 96 angles, at the highest of the moments 0.12, 0.14, ... 0.2 s, and the amplitude of its \
            azimuthal modes 4, 8 and 12 in finest cells: the largest of them, of both places of the drop. The same modes of \
            the number of finest cells farther than 0.06 m from the axis, relative to the mean. With volume kept cell by \
            cell, which is the default, and without a correction of the volume.",
    },
    methods: super::methods,
    quick: true,
    quantities,
    run,
};

const LIMIT: f64 = 0.1;
const SOURCE: &str = "requirement: less than a tenth of a finest cell";
const KEEPING: [(&str, VolumeCorrection); 2] =
    [("local", VolumeCorrection::Local), ("off", VolumeCorrection::Off)];
const MODES: [u32; 3] = [4, 8, 12];
const ANGLES: usize = 96;
const DEPTH: f64 = 0.245;
const RADIUS: f64 = 0.1;
const SPEED: f64 = 2.0;
/// Rays begin here: the drop itself is nearer to the axis.
const NEAREST: f64 = 0.06;
const FARTHEST: f64 = 0.45;
const MOMENTS: [f64; 5] = [0.12, 0.14, 0.16, 0.18, 0.2];

fn sides(quick: bool) -> &'static [u32] {
    if quick { &[64] } else { &[64, 96, 128] }
}

fn rim(side: u32, keeping: &str) -> String {
    format!("{side}, volume {keeping}: largest mode of the rim")
}

fn cells(side: u32, keeping: &str) -> String {
    format!("{side}, volume {keeping}: largest mode of the finest cells")
}

fn quantities(method: &str, quick: bool) -> Vec<Quantity> {
    let mut all = Vec::new();
    for (keeping, _) in KEEPING {
        for &side in sides(quick) {
            all.push(Quantity::new(rim(side, keeping), "cells").limit(Limit::AtMost(LIMIT), SOURCE));
            all.push(Quantity::new(cells(side, keeping), "of the mean"));
        }
    }
    expectations::apply(CASE.name, method, quick, all)
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let mut m = Measured::default();
    let mut rows = Vec::new();
    for (keeping, correction) in KEEPING {
        for &side in sides(context.quick) {
            let (mut of_rim, mut of_cells) = (0.0_f64, 0.0_f64);
            for place in [[0.0, 0.0], [0.3, 0.17]] {
                context.progress(&format!("{side}, volume {keeping}, off by {place:?}"))?;
                let crown = crown(context, side, correction, place)?;
                of_rim = MODES.iter().map(|&m| mode(&crown.heights, m)).fold(of_rim, f64::max);
                let mean = mode(&crown.finest, 0);
                of_cells = MODES.iter().map(|&m| mode(&crown.finest, m) / mean).fold(of_cells, f64::max);
                let mut row = vec![keeping.to_owned(), side.to_string(), format!("{place:?}")];
                row.extend([crown.time, mode(&crown.heights, 0)].map(number::short));
                row.extend(MODES.map(|m| number::error(mode(&crown.heights, m))));
                row.extend(MODES.map(|m| number::error(mode(&crown.finest, m) / mean)));
                rows.push(row);
            }
            m.set(rim(side, keeping), of_rim);
            m.set(cells(side, keeping), of_cells);
        }
    }
    let columns = [
        "volume",
        "side",
        "off by",
        "time (s)",
        "height (cells)",
        "rim, m = 4",
        "rim, m = 8",
        "rim, m = 12",
        "cells, m = 4",
        "cells, m = 8",
        "cells, m = 12",
    ];
    m.tables.push(Table { title: "Modes".to_owned(), columns: columns.map(str::to_owned).into(), rows });
    Ok(m)
}

/// A crown at its peak.
struct Crown {
    time: f64,
    /// By angle, in finest cells over the pool at rest.
    heights: Vec<f64>,
    /// The number of finest cells by angle.
    finest: Vec<f64>,
}

/// Runs the drop, with its axis off the place where cells meet by a part of a finest cell along x and z.
fn crown(
    context: &Context,
    side: u32,
    correction: VolumeCorrection,
    place: [f64; 2],
) -> Result<Crown, CaseError> {
    let mut scene = Scene::empty(context.method, DVec3::new(1.0, 0.5, 1.0), side, 4);
    let dx = scene.domain.dx();
    scene.numerics.particles = Seeding::Off;
    scene.numerics.volume_correction = correction;
    let axis = DVec3::new(0.5 + place[0] * dx, DEPTH, 0.5 + place[1] * dx);
    let pool = Shape::Box { min: DVec3::splat(-1.0), max: DVec3::new(2.0, DEPTH, 2.0) };
    let drop = Shape::Sphere { center: axis + 1.1 * RADIUS * DVec3::Y, radius: RADIUS };
    let falling = Liquid { velocity: -SPEED * DVec3::Y, ..at_rest(drop) };
    scene.liquids = vec![at_rest(pool), falling];
    let mut sim = start(&scene)?;
    let mut best: Option<Crown> = None;
    for moment in MOMENTS {
        while !step_towards(&mut *sim, moment)?.arrived {}
        let heights = heights(&*sim.view(), axis, dx);
        if best.as_ref().is_none_or(|best| mode(&heights, 0) > mode(&best.heights, 0)) {
            best = Some(Crown { time: sim.time(), heights, finest: finest_cells(&*sim, axis, dx) });
        }
    }
    best.ok_or_else(|| CaseError::new("there is no moment to look at"))
}

/// Returns the height of the rim over the pool by angle, in finest cells.
fn heights(view: &dyn StateView, axis: DVec3, dx: f64) -> Vec<f64> {
    par::map_index(ANGLES, |i| {
        let along = direction(i);
        let mut highest = axis.y;
        let mut radius = NEAREST;
        while radius < FARTHEST {
            let phi = |y: f64| {
                let foot = axis + radius * along;
                view.liquid_distance(DVec3::new(foot.x, y, foot.z))
            };
            // Down to the surface, or to where others were higher.
            let (mut y, mut here) = (axis.y + 0.24, 1.0_f64);
            while y > highest && here > 0.0 {
                let step = (0.6 * here.min(0.05)).max(0.25 * dx);
                let below = phi(y - step);
                if below <= 0.0 {
                    highest = highest.max(y - step * here / (here - below));
                }
                (y, here) = (y - step, below);
            }
            radius += 0.5 * dx;
        }
        (highest - axis.y) / dx
    })
}

fn direction(i: usize) -> DVec3 {
    let angle = TAU * (i as f64 + 0.5) / ANGLES as f64;
    DVec3::new(angle.cos(), 0.0, angle.sin())
}

/// Returns the number of finest cells around the axis, by angle.
fn finest_cells(sim: &dyn Method, axis: DVec3, dx: f64) -> Vec<f64> {
    let mut count = vec![0.0; ANGLES];
    let frame = sim.frame();
    for cell in 0..frame.cells.len() {
        let from = Vec3::from(frame.cells.center(cell)).as_dvec3() - axis;
        let radius = from.x.hypot(from.z);
        if f64::from(frame.cells.size(cell)) < 1.5 * dx && (NEAREST..FARTHEST).contains(&radius) {
            let turn = from.z.atan2(from.x).rem_euclid(TAU) / TAU;
            count[((turn * ANGLES as f64) as usize).min(ANGLES - 1)] += 1.0;
        }
    }
    count
}

/// Returns the amplitude of mode `m` of values by angle.
fn mode(values: &[f64], m: u32) -> f64 {
    let n = values.len() as f64;
    let (mut cos, mut sin) = (0.0, 0.0);
    for (i, value) in values.iter().enumerate() {
        let angle = TAU * (i as f64 + 0.5) / n * f64::from(m);
        (cos, sin) = (cos + value * angle.cos(), sin + value * angle.sin());
    }
    cos.hypot(sin) / n * if m == 0 { 1.0 } else { 2.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_of_a_wave_are_its_amplitudes() {
        let wave = |i: usize| {
            let angle = TAU * (i as f64 + 0.5) / ANGLES as f64;
            3.0 + 0.25 * (4.0 * angle + 0.7).cos() + 0.125 * (12.0 * angle).sin()
        };
        let values: Vec<f64> = (0..ANGLES).map(wave).collect();
        for (m, amplitude) in [(0, 3.0), (4, 0.25), (8, 0.0), (12, 0.125)] {
            assert!((mode(&values, m) - amplitude).abs() < 1e-12, "{m}");
        }
    }
}
