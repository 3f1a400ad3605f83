//! `octide bench memory`: what steps hold at most, set against the forecast, and the constants that would
//! fit.

use super::case;
use crate::args::{MemoryArgs, set_threads};
use crate::errors::Failure;
use crate::memory;
use crate::methods;
use crate::stop::Stop;
use crate::text::{bytes, count, print_line};
use octide_core::scene::Scene;
use octide_methods::Simulation;
use serde_json::json;

const CASES: [&str; 4] = ["water-drop", "dam-break", "moving-cylinder", "waterfall"];

/// What a step was and held.
struct Held {
    cells: usize,
    particles: usize,
    /// The most during the step, and what was left after it.
    peak: u64,
    after: u64,
    forecast: u64,
}

impl Held {
    fn error(&self) -> f64 {
        self.forecast as f64 / self.peak.max(1) as f64 - 1.0
    }
}

/// Measures all cases and prints what fits them.
pub fn memory_model(args: &MemoryArgs) -> Result<(), Failure> {
    let names: Vec<&str> =
        if args.cases.is_empty() { CASES.to_vec() } else { args.cases.iter().map(String::as_str).collect() };
    let scenes = names
        .iter()
        .map(|name| case(name, args.resolution, args.method.as_deref()))
        .collect::<Result<Vec<_>, _>>()?;
    set_threads(args.threads)?;
    let stop = Stop::listen()?;
    let mut all = Vec::new();
    for scene in &scenes {
        let steps = measure(scene, &stop)?;
        let Some(most) = steps.iter().max_by_key(|s| s.peak) else { continue };
        if args.json {
            print_line(&json!({
                "case": scene.name, "resolution": scene.domain.resolution, "cells": most.cells,
                "particles": most.particles, "peak": most.peak, "forecast": most.forecast, "error": most.error(),
            })
            .to_string());
        } else {
            print_line(&format!(
                "{:<16} {:>5}  {:>8} cells  {:>8} particles  held {:>8}  forecast {:>8}  {:+.1} %  {} bytes a cell",
                scene.name,
                scene.domain.resolution,
                count(most.cells),
                count(most.particles),
                bytes(most.peak),
                bytes(most.forecast),
                100.0 * most.error(),
                most.peak / most.cells.max(1) as u64
            ));
        }
        all.extend(steps);
    }
    if let Some([base, cell, particle]) = fitted(&all).filter(|_| !args.json) {
        print_line(&format!(
            "fitting all steps: {:.1} MB, {cell:.0} bytes a cell ({:.0} of them between steps), {particle:.0} a particle",
            base / 1e6,
            between(&all, base, particle)
        ));
    }
    Ok(())
}

fn measure(scene: &Scene, stop: &Stop) -> Result<Vec<Held>, Failure> {
    let mut simulation = Simulation::new(methods::start(scene)?, scene.time.fps);
    let mut steps = Vec::new();
    memory::reset_peak();
    while simulation.frame_number() < scene.time.frames {
        let report = simulation.step()?.report;
        let (cells, particles) = (report.cells, report.particles);
        steps.push(Held {
            cells,
            particles,
            peak: memory::peak().unwrap_or(0),
            after: memory::resident().unwrap_or(0),
            forecast: methods::step_bytes(scene, cells, particles)?,
        });
        memory::reset_peak();
        stop.check()?;
    }
    Ok(steps)
}

/// Base, cell and particle with the least sum of squared relative errors.
fn fitted(steps: &[Held]) -> Option<[f64; 3]> {
    let mut m = [[0.0; 4]; 3];
    for s in steps.iter().filter(|s| s.peak > 0) {
        let row = [1.0, s.cells as f64, s.particles as f64].map(|x| x / s.peak as f64);
        for i in 0..3 {
            for j in 0..3 {
                m[i][j] += row[i] * row[j];
            }
            m[i][3] += row[i];
        }
    }
    for i in 0..3 {
        let pivot = m[i][i];
        if pivot.abs() <= f64::MIN_POSITIVE {
            return None;
        }
        m[i] = m[i].map(|x| x / pivot);
        for j in (0..3).filter(|&j| j != i) {
            let factor = m[j][i];
            for k in 0..4 {
                m[j][k] -= factor * m[i][k];
            }
        }
    }
    Some([m[0][3], m[1][3], m[2][3]])
}

/// Bytes a cell that are held between steps, in the mean.
fn between(steps: &[Held], base: f64, particle: f64) -> f64 {
    let sum: f64 = steps
        .iter()
        .map(|s| (s.after as f64 - base - 0.5 * particle * s.particles as f64) / s.cells.max(1) as f64)
        .sum();
    sum / steps.len().max(1) as f64
}
