//! `octide check`: what a scene is and what it will need, measured on its first state and one step from there.

use crate::args::{CheckArgs, set_threads};
use crate::errors::Failure;
use crate::memory;
use crate::methods;
use crate::stop::Stop;
use crate::text::{bytes, count, length, say};
use octide_core::contract::{Method, StepReport};
use octide_core::scene::Scene;

/// Validates a scene and tells what it needs.
pub fn check(args: &CheckArgs) -> Result<(), Failure> {
    // First of all: reading meshes already uses threads.
    set_threads(args.threads)?;
    let loaded = args.scene.load(&[])?;
    let stop = Stop::listen()?;
    let scene = &loaded.scene;
    let about = if scene.description.is_empty() { String::new() } else { format!(": {}", scene.description) };
    row("scene", &format!("{}{about}", scene.name));
    row("method", &scene.method);
    row("domain", &domain(scene));
    let time = &scene.time;
    let end = f64::from(time.frames) / time.fps;
    row("time", &format!("{} frames at {}/s, {end:.3} s; {} files", time.frames, time.fps, time.frames + 1));

    let mut method = methods::start(scene)?;
    let first = method.report();
    row("cells", &cells(scene, &first));
    row("volume", &format!("{:.6} m³", first.volume));
    stop.check()?;
    let step = first_step(method.as_mut(), 1.0 / time.fps);
    row("memory", &memory_text());
    let odd = methods::odd_start(scene, &first);
    for warning in loaded.warnings.iter().map(ToString::to_string).chain(odd.clone()) {
        say(&format!("warning: {warning}"));
    }
    match step {
        Ok(()) => {
            say(if loaded.warnings.is_empty() && odd.is_none() { "all is well" } else { "it can be run" })
        }
        Err(why) => say(&format!("warning: the first step fails: {why}")),
    }
    Ok(())
}

fn first_step(method: &mut dyn Method, frame: f64) -> Result<(), String> {
    let dt = method.max_dt().min(frame);
    method.step(dt).map(|_| ()).map_err(|e| e.to_string())
}

fn row(name: &str, value: &str) {
    say(&format!("{name:<8} {value}"));
}

fn domain(scene: &Scene) -> String {
    let d = &scene.domain;
    let n = (d.size / d.dx()).round();
    format!(
        "{} × {} × {} m, {} × {} × {} finest cells of {}; coarsest {}, {} levels",
        d.size.x,
        d.size.y,
        d.size.z,
        n.x,
        n.y,
        n.z,
        length(d.dx()),
        length(d.dx() * f64::from(1u32 << d.levels)),
        d.levels + 1
    )
}

fn cells(scene: &Scene, report: &StepReport) -> String {
    let d = &scene.domain;
    let uniform = (d.size / d.dx()).round().element_product();
    format!(
        "{} at the start ({:.1} % of the {} of a uniform grid), {} of them liquid, {} at the surface",
        count(report.cells),
        100.0 * report.cells as f64 / uniform,
        // A resolution is small enough for its cube to fit.
        count(uniform as usize),
        count(report.liquid_cells),
        count(report.surface_cells)
    )
}

fn memory_text() -> String {
    match (memory::peak(), memory::available()) {
        (Some(peak), Some(left)) => format!(
            "{} for the first step; more as the water breaks up; {} are left on this machine",
            bytes(peak),
            bytes(left)
        ),
        (Some(peak), None) => format!("{} for the first step; more as the water breaks up", bytes(peak)),
        (None, _) => "not measured on this system".to_owned(),
    }
}
