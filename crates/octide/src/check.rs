//! `octide check`: validates a scene and estimates its memory. The start and one step are measured if they
//! fit into memory; the rest is forecast from runs with larger cells.

use crate::args::{CheckArgs, set_threads};
use crate::counts::Counts;
use crate::errors::{Failure, MORE_MEMORY, print_failure};
use crate::forecast;
use crate::memory;
use crate::methods;
use crate::progress::ProgressFormat;
use crate::run_memory::{Peak, RunMemory};
use crate::stage_notice::StageNotice;
use crate::stop::Stop;
use crate::text::{bytes, count, length, print_line};
use octide_core::contract::StepReport;
use octide_core::scene::Scene;
use octide_io::printable;
use octide_methods::Simulation;
use std::time::Duration;

/// Validates a scene and prints what it needs.
pub fn check(args: &CheckArgs) -> Result<(), Failure> {
    // This comes first because reading meshes already uses threads.
    set_threads(args.threads)?;
    let stop = Stop::listen_within(args.max_memory)?;
    // Nothing is written that would have to be kept.
    stop.quit_at_once(|| print_failure(&Failure::Interrupted("interrupted".to_owned())));
    let before = memory::resident().unwrap_or(0);
    let loaded = {
        let lines = ProgressFormat::Lines { verbose: false };
        let _notice = StageNotice::new("reading the scene and its meshes", lines);
        args.scene.load(&[])?
    };
    let of_meshes = memory::resident().unwrap_or(0).saturating_sub(before);
    let scene = &loaded.scene;
    let description = scene.description.split_whitespace().collect::<Vec<_>>().join(" ");
    let about = if description.is_empty() { String::new() } else { format!(": {}", printable(&description)) };
    row("scene", &format!("{}{about}", printable(&scene.name)));
    row("method", &printable(&scene.method).to_string());
    row("domain", &domain(scene));
    let time = &scene.time;
    let end = f64::from(time.frames) / time.fps;
    row("time", &format!("{} frames at {}/s, {end:.3} s; {} files", time.frames, time.fps, time.frames + 1));

    let limit = stop.memory_limit();
    let run = RunMemory::new(scene, of_meshes)?;
    if let Some(first) = forecast::first(scene, limit)? {
        let needed = forecast::first_step_bytes(run.step(&first));
        if needed > limit {
            row("cells", &format!("about {} at the start", count(first.cells)));
            return Err(Failure::Memory(format!(
                "the first frame needs about {}, past the limit of {}; {MORE_MEMORY}",
                bytes(needed),
                bytes(limit)
            )));
        }
    }
    memory::reset_peak();
    let mut simulation = Simulation::new(methods::start_within(scene, limit)?, time.fps);
    let first = simulation.report();
    row("cells", &cells(scene, &first));
    match first.smoke {
        Some(smoke) => row(
            "smoke",
            &format!("{:.6} m³ at the start, density up to {:.3}", smoke.amount, smoke.max_density),
        ),
        None => row("volume", &format!("{:.6} m³", first.volume)),
    }
    stop.check()?;
    let step = simulation.step();
    let at_start = Counts::of_step(&first);
    row("memory", &memory_text(forecast::first_step_bytes(run.step(&at_start))));
    drop(simulation);
    let short = if args.no_pilot { None } else { whole_run(scene, &run, args, &stop)? };
    let odd = methods::start_warning(scene, &first);
    let warnings: Vec<String> =
        loaded.warnings.iter().map(ToString::to_string).chain(odd).chain(short).collect();
    for warning in &warnings {
        print_line(&format!("warning: {warning}"));
    }
    match step {
        Ok(_) => print_line(if warnings.is_empty() { "no problems found" } else { "the scene can be run" }),
        Err(why) => print_line(&format!("warning: the first step fails: {why}")),
    }
    Ok(())
}

fn row(name: &str, value: &str) {
    print_line(&format!("{name:<8} {value}"));
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
    let of_water = match report.smoke {
        Some(_) => String::new(),
        None => format!(
            ", {} of them liquid, {} at the surface",
            count(report.liquid_cells),
            count(report.surface_cells)
        ),
    };
    format!(
        "{} at the start ({:.1} % of the {} of a uniform grid){of_water}",
        count(report.cells),
        100.0 * report.cells as f64 / uniform,
        // A resolution is small enough for its cube to fit.
        count(uniform as usize)
    )
}

fn memory_text(forecast: u64) -> String {
    let measured = memory::peak().map_or("not measured (only Linux reports it)".to_owned(), bytes);
    let left =
        memory::available().map_or(String::new(), |left| format!("; {} free on this machine", bytes(left)));
    format!("{measured} for the first step (forecast {}){left}", bytes(forecast))
}

/// Prints what the whole run needs, from pilot runs; returns a warning if that exceeds the limit.
fn whole_run(
    scene: &Scene,
    run: &RunMemory,
    args: &CheckArgs,
    stop: &Stop,
) -> Result<Option<String>, Failure> {
    let time = Duration::from_secs(args.pilot_time.into());
    let pilots = forecast::run_pilots(scene, args.pilot_resolution, time, stop)?;
    let most = pilots.forecast(scene);
    let Peak { during, bytes: needed } = run.peak(&most);
    let spray =
        if most.drops > 0 { format!(", {} of them spray,", count(most.drops)) } else { String::new() };
    row(
        "the run",
        &format!(
            "up to about {} cells, {} particles{spray} and {} while {during}, from a pilot of {} of {} frames at \
             resolution {}",
            count(most.cells),
            count(most.particles.max(most.shown)),
            bytes(needed),
            pilots.frames(),
            scene.time.frames,
            pilots.fine.resolution
        ),
    );
    if pilots.frames() < scene.time.frames as usize {
        row(
            "",
            "the pilot did not see the whole run, which may need more; give it more time by --pilot-time",
        );
    }
    let limit = stop.memory_limit();
    Ok((needed > limit).then(|| {
        format!("the run may need about {}, past the limit of {}; {MORE_MEMORY}", bytes(needed), bytes(limit))
    }))
}
