//! Water detaches from solids where air can reach, and nowhere else.

mod scenes;

use crate::contract::parts::{Part, measure};
use crate::expectations;
use crate::methods::water_methods;
use crate::stage::{record, record_with, start, step_towards};
use octide_core::contract::Method;
use octide_core::probes;
use octide_core::scene::Scene;
use octide_verify::{Article, Case, CaseError, Context, Limit, Measured, Quantity};
use scenes::{Crate, Glass, Hole, entering_ball, entering_disc, piston, siphon};

pub(crate) static CASE: Case = Case {
    name: "detaching",
    title: "Water that detaches from solids",
    summary: "a ball and a disc open cavities, a hole's jet contracts, a siphon runs, a piston draws, a diving glass keeps its air",
    article: Article {
        problem: "Water 0.5 m deep flows out through a round hole of 0.1 m in a plate of an eighth of that thickness (a quarter in \
            the quick form), a quarter of a tank of 0.6 × 0.6 m, with 16 and 32 cells across the hole and CFL 0.25, \
            8 cells and CFL 0.5 in the quick form. A disc of 0.05 m radius, 8 cells, 2 cells thick, enters water flat at 1.333 m/s, again a quarter of \
            it. A ball of the same radius falls into it at 3 m/s, without and with adhesion. A siphon leads over a wall from one basin to another, lower one; both ends are below water. A piston rises \
            in a chamber whose lower end is open to a basin. A glass, upside down, is pushed into water, 5.3 cells in radius, without and \
            with a hole in its bottom.",
        reference: "The jet of a sharp-edged hole contracts to 0.61 of its area. The cavity behind a disc closes after 2.285 √(R/g), \
            whatever its speed (Glasheen & McMahon 1996, Phys. Fluids 8, 2078). Water that does not stick leaves a ball at its \
            widest place; water that sticks closes behind it. Where no air can reach, water follows: the crest of \
            the siphon and the chamber below the piston stay full, at a pressure below that of the air. Air that cannot leave the glass keeps the \
            water out.",
        measured: "The discharge over A √(2 g h), from the level of the tank, between 0.1 and 0.26 s, while that falls by about a cell of the coarser grid. The time from the disc's touch to \
            the first water above it on its axis, over √(R/g). The fraction of the axis between the ball, 3 diameters deep, and the \
            surface that is in air. The fraction of points below the siphon's crest and below the \
            piston that are in water at the end, and the fall of the level in the upper basin, in cells. The fraction of the axis of the glass, 0.2 m \
            deep, that is in air.",
    },
    methods: water_methods,
    quick: true,
    quantities,
    run,
};

const SIPHON: &str = "fraction of the siphon's crest in water";
const FALL: &str = "fall of the level that the siphon drains";
const PISTON: &str = "fraction of the space below the piston in water";
const BALL: &str = "fraction of the way of a ball that is open behind it";
const STICKING: &str = "the same with an adhesion of 1 MPa";
const SHUT_IN: &str = "fraction of a glass pushed into water that is in air";
const OPEN: &str = "the same with a hole in its bottom";
const SEAL: &str = "closing of the disc's cavity over √(R/g)";

fn discharge_name(cells: u32) -> String {
    format!("discharge coefficient, {cells} cells across the hole")
}

/// The holes of a form: cells across, and the allowed relative error.
fn holes(quick: bool) -> &'static [(u32, f64)] {
    if quick { &[(8, 0.16)] } else { &[(16, 0.08), (32, 0.04)] }
}

fn quantities(method: &str, quick: bool) -> Vec<Quantity> {
    let mut all = Vec::new();
    for &(cells, error) in holes(quick) {
        let limit = Limit::RelativeError(error);
        all.push(Quantity::new(discharge_name(cells), "").limit(limit, "textbook value").expected(0.61));
    }
    let seal = "Glasheen & McMahon 1996; the error is our own limit";
    all.push(Quantity::new(SEAL, "").limit(Limit::RelativeError(0.1), seal).expected(2.285));
    let sticks = "our own requirement: water sticks by adhesion only";
    all.push(Quantity::new(BALL, "").limit(Limit::AtLeast(0.9), sticks).expected(1.0));
    all.push(Quantity::new(STICKING, "").limit(Limit::AtMost(0.2), sticks).expected(0.0));
    let follows = "no air can reach";
    all.push(Quantity::new(SIPHON, "").limit(Limit::AtLeast(0.95), follows).expected(1.0));
    all.push(Quantity::new(FALL, "cells").limit(Limit::AtLeast(0.5), "a siphon runs"));
    all.push(Quantity::new(PISTON, "").limit(Limit::AtLeast(0.95), follows).expected(1.0));
    let keeps = "our own requirement: the water rises by the cell in which the rim closes, and by sloshing";
    all.push(Quantity::new(SHUT_IN, "").limit(Limit::AtLeast(0.8), keeps).expected(1.0));
    let leaves = "the water inside stands about as high as outside";
    all.push(Quantity::new(OPEN, "").limit(Limit::AtMost(0.2), leaves).expected(0.0));
    expectations::apply(CASE.name, method, quick, all)
}

fn run(context: &Context) -> Result<Measured, CaseError> {
    let parts: [(&str, Part); 6] = [
        ("hole", discharge),
        ("disc", seal),
        ("ball", fall),
        ("siphon", run_siphon),
        ("piston", run_piston),
        ("glass", dive),
    ];
    measure(context, &parts)
}

fn discharge(context: &Context, m: &mut Measured) -> Result<(), CaseError> {
    for &(cells, _) in holes(context.quick) {
        let hole = Hole::new(context.method, cells, context.quick);
        let mut sim = start(&hole.scene)?;
        let mut level_at = |time: f64| {
            // The first steps are retried: water that starts at rest is fast at once.
            while !octide_methods::step_towards(&mut *sim, time).map_err(CaseError::new)?.arrived {}
            Ok(probes::read(&hole.scene, &*sim)[0].unwrap_or(f64::NAN))
        };
        let (before, after) = (level_at(Hole::FROM)?, level_at(Hole::TO)?);
        let depth = 0.5 * (before + after) - Hole::TOP;
        let speed = (2.0 * hole.scene.physics.gravity.length() * depth).sqrt();
        let ideal = hole.area * speed * (Hole::TO - Hole::FROM);
        m.set(discharge_name(cells), (before - after) * hole.tank_area / ideal);
    }
    Ok(())
}

fn seal(context: &Context, m: &mut Measured) -> Result<(), CaseError> {
    let disc = entering_disc(context.method);
    let mut sim = start(&disc.scene)?;
    let end = disc.touch + 3.0 * disc.unit;
    while sim.time() < end {
        step_towards(&mut *sim, end)?;
        let above = disc.axis_above(sim.time());
        if above.iter().any(|&x| sim.view().liquid_distance(x) < 0.0) {
            m.set(SEAL, (sim.time() - disc.touch) / disc.unit);
            return Ok(());
        }
    }
    Ok(())
}

fn fall(context: &Context, m: &mut Measured) -> Result<(), CaseError> {
    for (name, adhesion) in [(BALL, 0.0), (STICKING, 1e6)] {
        let mut ball = entering_ball(context.method);
        ball.scene.physics.adhesion = adhesion;
        let mut sim = start(&ball.scene)?;
        record_with(&mut *sim, 0.1, |_| Vec::new())?;
        let above = ball.axis_above(sim.time());
        let view = sim.view();
        let open = above.iter().filter(|&&x| view.liquid_distance(x) >= 0.0).count();
        m.set(name, open as f64 / above.len() as f64);
    }
    Ok(())
}

fn run_siphon(context: &Context, m: &mut Measured) -> Result<(), CaseError> {
    let (scene, crest) = siphon(context.method);
    let mut sim = start(&scene)?;
    let readings = record(&scene, &mut *sim, 0.3)?;
    let level = |r: Option<&crate::stage::Reading>| r.map_or(f64::NAN, |r| r.values[0]);
    m.set(SIPHON, wet_fraction(&scene, &*sim, crest));
    m.set(FALL, (level(readings.first()) - level(readings.last())) / scene.domain.dx());
    Ok(())
}

fn run_piston(context: &Context, m: &mut Measured) -> Result<(), CaseError> {
    let (scene, drawn) = piston(context.method);
    let mut sim = start(&scene)?;
    record_with(&mut *sim, 0.4, |_| Vec::new())?;
    m.set(PISTON, wet_fraction(&scene, &*sim, drawn));
    Ok(())
}

fn dive(context: &Context, m: &mut Measured) -> Result<(), CaseError> {
    for (name, is_open) in [(SHUT_IN, false), (OPEN, true)] {
        let glass = Glass::new(context.method, is_open);
        let mut sim = start(&glass.scene)?;
        record_with(&mut *sim, Glass::END, |_| Vec::new())?;
        let view = sim.view();
        let dry = glass.inside.iter().filter(|&&x| view.liquid_distance(x) >= 0.0).count();
        m.set(name, dry as f64 / glass.inside.len() as f64);
    }
    Ok(())
}

/// Returns the fraction of points of a box, two along each finest cell, that are in water.
fn wet_fraction(scene: &Scene, sim: &dyn Method, region: Crate) -> f64 {
    let view = sim.view();
    let points = region.points(0.5 * scene.domain.dx());
    let wet = points.iter().filter(|&&x| view.liquid_distance(x) < 0.0).count();
    wet as f64 / points.len() as f64
}
