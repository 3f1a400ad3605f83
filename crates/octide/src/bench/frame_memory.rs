//! `octide bench memory --frames`: what frames, volumes and pictures take, set against the forecast.

use crate::counts::Counts;
use crate::errors::Failure;
use crate::memory;
use crate::methods;
use crate::run_memory::RunMemory;
use crate::stop::Stop;
use crate::text::{bytes, count, print_line};
use octide_core::scene::{Scene, Up};
use octide_io::vdb::{write_smoke, write_volume};
use octide_methods::Simulation;
use serde_json::json;

/// What a part of a frame took, in addition to what was held before.
struct Taken {
    part: &'static str,
    measured: u64,
    forecast: u64,
}

/// Measures the last frame of a scene; every frame as JSON.
pub fn measure(scene: &Scene, json: bool, stop: &Stop) -> Result<(), Failure> {
    let run = RunMemory::new(scene, 0)?;
    let mut simulation = Simulation::new(methods::start(scene)?, scene.time.fps);
    for k in 0..=scene.time.frames {
        simulation.advance_to_frame(k)?;
        stop.check()?;
        if json || k == scene.time.frames {
            let (at, before, parts) = measure_frame(&simulation, &run, scene)?;
            for part in parts {
                print_part(scene, &at, before, &part, json);
            }
        }
    }
    Ok(())
}

/// Returns the counts of the frame, what was held before it was made, and what its parts took.
fn measure_frame(
    simulation: &Simulation,
    run: &RunMemory,
    scene: &Scene,
) -> Result<(Counts, u64, Vec<Taken>), Failure> {
    let (before, (frame, made)) = (memory::resident().unwrap_or(0), taken(|| simulation.frame()));
    let at = Counts::of_step(&simulation.report()).with_frame(&frame);
    let mut parts = vec![Taken { part: "frame", measured: made, forecast: run.making_frame(&at) }];
    let file = std::env::temp_dir().join(format!("octide-bench-{}.vdb", std::process::id()));
    let (written, measured) = taken(|| match &frame.smoke {
        Some(smoke) => write_smoke(&file, smoke, frame.time, Up::Y),
        None => write_volume(&file, simulation.method().view().as_ref(), &scene.domain, frame.time, Up::Y),
    });
    written?;
    // The measurement does not depend on whether the file can be removed.
    let _ = octide_io::files::remove_file(&file);
    parts.push(Taken { part: "volume", measured, forecast: run.writing_volume(&at) });
    if let Some(painter) = run.painter() {
        let (_, measured) = taken(|| painter.frame(&frame));
        parts.push(Taken { part: "picture", measured, forecast: painter.bytes(&at) });
    }
    Ok((at, before, parts))
}

/// Runs `work`; returns its result and the most that it held in addition.
fn taken<T>(work: impl FnOnce() -> T) -> (T, u64) {
    memory::reset_peak();
    let before = memory::resident().unwrap_or(0);
    let result = work();
    (result, memory::peak().unwrap_or(0).saturating_sub(before))
}

fn print_part(scene: &Scene, at: &Counts, before: u64, taken: &Taken, json: bool) {
    let Taken { part, measured, forecast } = taken;
    if json {
        print_line(
            &json!({
                "case": scene.name, "resolution": scene.domain.resolution, "part": part, "held_before": before,
                "measured": measured, "forecast": forecast, "cells": at.cells, "particles": at.particles,
                "triangles": at.triangles, "shown": at.shown, "drops": at.drops, "smoke_cells": at.smoke_cells,
            })
            .to_string(),
        );
        return;
    }
    print_line(&format!(
        "{:<16} {:>5}  {part:<8} took {:>8}  forecast {:>8}  with {} cells, {} triangles, {} particles, {} drops",
        scene.name,
        scene.domain.resolution,
        bytes(*measured),
        bytes(*forecast),
        count(at.cells),
        count(at.triangles),
        count(at.shown),
        count(at.drops),
    ));
}
