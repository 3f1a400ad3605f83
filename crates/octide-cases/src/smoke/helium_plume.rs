//! Puffing frequency of a helium plume.

use crate::methods::smoke_methods;
use crate::stage::{line_plot, record_with, start};
use glam::DVec3;
use octide_core::geometry::{Motion, Shape};
use octide_core::scene::{Advection, Buoyancy, Heading, OpenSides, Region, Release, Scene, SmokeSource};
use octide_verify::plot::Series;
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity};
use std::f64::consts::{PI, TAU};

pub(crate) static CASE: Case = Case {
    name: "helium-plume",
    title: "The puffing of a helium plume of 1 m",
    summary: "vortices leave the plume as often as measured at Sandia, within 20 %",
    article: Article {
        problem: "Helium rises from a round opening of 1 m in the floor at 0.325 m/s into air at rest, in a box of 3 × 3 × \
            3 m whose other sides are open. The puffs are axisymmetric, so a quarter of the plume is simulated, \
            between two walls that act as mirrors. Cells are 1/32 m up to 0.9 m above the opening, where rolls form, \
            and larger above and outside. Where helium meets air, rolls form at the rim and detach all around at the \
            same time: the plume puffs. The solver uses the Boussinesq approximation: helium differs from air only \
            by its buoyancy, b = g (1 − ρ/ρ_air) = 7.95 m/s². With 16 and 24 cells a diameter, rolls at the rim are \
            damped for seconds; a whole plume of 16 or 24 cells, shifted by a third of a cell, breaks up into \
            columns of air and helium before it puffs, and a quarter of 32 cells or more puffs from the fifth second \
            on. There is no quick form.",
        reference: "O'Hern et al. 2005, Journal of Fluid Mechanics 544, table 1: 1.37 Hz, the mean of ten runs (1.19 to 1.53 \
            Hz). A Boussinesq solver is allowed 20 %.",
        measured: "The upward velocity on the axis, half a diameter above the floor, from the sixth second to the \
            eighteenth: the frequency is the number of times it rises through its mean, over the time between the \
            first and the last of them. Also the maximum of its spectrum (Hann window) between 0.5 and 4 Hz: with a \
            dozen puffs of a chaotic flow neither is sharp. Two runs that differ only in the rounding of the \
            advection limiter give 1.36 and 1.13 Hz by rises, 1.28 and 1.35 Hz by the spectrum; a source with smooth \
            edges gives 1.00 and 1.42 Hz, with contributions from 0.8 to 1.6 Hz in the spectrum.",
    },
    methods: smoke_methods,
    quick: false,
    quantities,
    run,
};

const FROM: f64 = 6.0;
const TO: f64 = 18.0;
/// Cells a meter, which is the diameter.
const CELLS: u32 = 32;

fn quantities(_: &str, _: bool) -> Vec<Quantity> {
    vec![
        Quantity::new("puffing frequency", "Hz")
            .limit(Limit::RelativeError(0.2), "O'Hern et al. 2005; 20 % for a Boussinesq solver")
            .expected(1.37),
        Quantity::new("fluctuation of the velocity, root mean square", "m/s")
            .limit(Limit::AtLeast(0.05), "our own: the plume puffs"),
        Quantity::new("frequency of the largest value in the spectrum", "Hz"),
        Quantity::new("mean velocity on the axis", "m/s"),
    ]
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let mut scene = Scene::empty(context.method, DVec3::new(1.5, 3.0, 1.5), 3 * CELLS, 3);
    // The floor and the two mirrors are walls.
    scene.open = OpenSides::of(&Heading::ALL.into_iter().filter(|h| h.forward).collect::<Vec<_>>());
    scene.physics.density = octide_core::scene::Physics::AIR;
    scene.physics.buoyancy = Buoyancy { weight: 0.0, lift: 7.95 };
    scene.physics.confinement = 0.0;
    scene.time.fps = 50.0;
    scene.time.cfl = 2.0;
    scene.numerics.advection = Advection::MacCormack;
    scene.adaptivity.smoke.vorticity = 6.0;
    scene.adaptivity.smoke.density = [0.0, 0.0];
    let dx = 1.0 / f64::from(CELLS);
    let near = Shape::Box { min: DVec3::ZERO, max: DVec3::new(0.55, 0.9, 0.55) };
    let above = Shape::Box { min: DVec3::new(0.0, 1.2, 0.0), max: DVec3::splat(6.0) };
    scene.adaptivity.regions = vec![
        Region { shape: near, at_most: 1.001 * dx, at_least: 0.0 },
        Region { shape: above, at_most: f64::INFINITY, at_least: 1.999 * dx },
    ];
    let (from, to) = (DVec3::new(0.0, -1.0, 0.0), DVec3::new(0.0, 0.9 * dx, 0.0));
    scene.smoke.push(SmokeSource {
        shape: Shape::Cylinder { from, to, radius: 0.5 },
        density: 1.0,
        temperature: 1.0,
        velocity: Some(DVec3::new(0.0, 0.325, 0.0)),
        motion: Motion::Still,
        when: Release::default(),
    });
    let mut sim = start(&scene)?;
    let mut path = Vec::new();
    for second in 1..=TO as u32 {
        context.progress(&format!("second {second}"))?;
        let seen = record_with(sim.as_mut(), f64::from(second), |sim| {
            vec![Some(sim.view().sample(DVec3::new(0.0, 0.5, 0.0)).velocity.y)]
        })?;
        path.extend(seen.iter().skip(1).map(|r| [r.time, r.values[0]]));
    }
    let late: Vec<[f64; 2]> = path.iter().copied().filter(|p| p[0] >= FROM).collect();
    let mean = late.iter().map(|p| p[1]).sum::<f64>() / late.len() as f64;
    let rises = rises_through(&late, mean);
    let puffs = rises.len().saturating_sub(1) as f64;
    let time = rises.last().unwrap_or(&0.0) - rises.first().unwrap_or(&0.0);
    let mut m = Measured::default();
    let square = late.iter().map(|p| (p[1] - mean).powi(2)).sum::<f64>() / late.len() as f64;
    m.set("puffing frequency", puffs / time);
    m.set("fluctuation of the velocity, root mean square", square.sqrt());
    m.set("frequency of the largest value in the spectrum", strongest(&late, mean));
    m.set("mean velocity on the axis", mean);
    m.plots.push(line_plot(
        "On the axis, half a diameter up",
        "time (s)",
        "upward velocity (m/s)",
        vec![Series::line("measured", path)],
    ));
    Ok(m)
}

/// The frequency between 0.5 and 4 Hz at which the spectrum of values about their mean is largest, by Hann's
/// window.
fn strongest(path: &[[f64; 2]], mean: f64) -> f64 {
    let (Some(first), Some(last)) = (path.first(), path.last()) else { return f64::NAN };
    let length = last[0] - first[0];
    let power = |frequency: f64| {
        let (mut re, mut im) = (0.0, 0.0);
        for pair in path.windows(2) {
            let ([t, v], dt) = (pair[0], pair[1][0] - pair[0][0]);
            let window = (PI * (t - first[0]) / length).sin().powi(2);
            let (sin, cos) = (TAU * frequency * t).sin_cos();
            re += dt * window * (v - mean) * cos;
            im += dt * window * (v - mean) * sin;
        }
        re * re + im * im
    };
    let all = (50..=400).map(|i| 0.01 * f64::from(i)).map(|f| (f, power(f)));
    all.fold((f64::NAN, 0.0), |best, now| if now.1 > best.1 { now } else { best }).0
}

/// When values rise through `level`; not again before they have been clearly below it.
fn rises_through(path: &[[f64; 2]], level: f64) -> Vec<f64> {
    let spread = path.iter().map(|p| (p[1] - level).abs()).fold(0.0, f64::max);
    let mut was_below = false;
    let mut rises = Vec::new();
    for pair in path.windows(2) {
        let ([t0, v0], [t1, v1]) = (pair[0], pair[1]);
        was_below |= v0 < level - 0.15 * spread;
        if was_below && v0 < level && v1 >= level {
            rises.push(t0 + (t1 - t0) * (level - v0) / (v1 - v0));
            was_below = false;
        }
    }
    rises
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_wave_is_found_beside_others_in_steps_of_any_length() {
        let value = |t: f64| (2.8 * PI * t).sin() + 0.6 * (TAU * 2.3 * t).cos() + 0.5 * (0.1 * t).cos() + 3.0;
        let mut path = vec![[6.0, value(6.0)]];
        while let Some(&[t, _]) = path.last().filter(|p| p[0] < 18.0) {
            let t = t + 0.01 + 0.004 * (9.0 * t).sin();
            path.push([t, value(t)]);
        }
        let mean = path.iter().map(|p| p[1]).sum::<f64>() / path.len() as f64;
        let found = strongest(&path, mean);
        assert!((found - 1.4).abs() < 0.02, "{found}");
    }

    #[test]
    fn a_wave_is_counted_by_its_rises_and_small_ones_on_it_are_not() {
        let value = |t: f64| (2.8 * PI * t).sin() + 0.05 * (70.0 * t).sin() + 3.0;
        let path: Vec<[f64; 2]> = (0..2000).map(|i| 0.005 * f64::from(i)).map(|t| [t, value(t)]).collect();
        let rises = rises_through(&path, 3.0);
        let frequency = (rises.len() - 1) as f64 / (rises[rises.len() - 1] - rises[0]);
        assert!((frequency - 1.4).abs() < 0.02, "{frequency}");
    }
}
