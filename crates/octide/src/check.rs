//! `octide check`: validates a scene and estimates its memory. The start and one step are measured if they
//! fit into memory; the rest is forecast from runs with larger cells.

use crate::args::{CheckArgs, set_threads};
use crate::errors::{Failure, MORE_MEMORY};
use crate::forecast::{self, Size};
use crate::memory;
use crate::methods;
use crate::painter::Painter;
use crate::stop::Stop;
use crate::text::{bytes, count, length, print_line};
use octide_core::contract::StepReport;
use octide_core::scene::Scene;
use octide_methods::Simulation;

/// Validates a scene and prints what it needs.
pub fn check(args: &CheckArgs) -> Result<(), Failure> {
    // This comes first because reading meshes already uses threads.
    set_threads(args.threads)?;
    let loaded = args.scene.load(&[])?;
    let stop = Stop::listen_within(args.max_memory)?;
    let scene = &loaded.scene;
    let about = if scene.description.is_empty() { String::new() } else { format!(": {}", scene.description) };
    row("scene", &format!("{}{about}", scene.name));
    row("method", &scene.method);
    row("domain", &domain(scene));
    let time = &scene.time;
    let end = f64::from(time.frames) / time.fps;
    row("time", &format!("{} frames at {}/s, {end:.3} s; {} files", time.frames, time.fps, time.frames + 1));

    let limit = stop.memory_limit();
    if let Some(first) = forecast::first(scene, limit)? {
        let needed = first.first_bytes(scene)?;
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
    let size = Size { cells: first.cells, particles: first.particles };
    row("memory", &memory_text(size.first_bytes(scene)?));
    if scene.output.preview {
        let painter = Painter::new(scene, scene.output.view, scene.output.preview_size);
        let (what, needed) = painter.needs(&simulation.frame());
        row("pictures", &format!("about {} in addition, for {what}", bytes(needed)));
    }
    drop(simulation);
    let short = if args.no_pilot { None } else { whole_run(scene, size, &stop)? };
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

/// Prints what the whole run needs, from a pilot run; returns a warning if that exceeds the limit.
fn whole_run(scene: &Scene, first: Size, stop: &Stop) -> Result<Option<String>, Failure> {
    let Some(pilot) = forecast::pilot(scene, stop)? else {
        row("the run", "not estimated: not estimated: the tree has too few levels for a pilot run");
        return Ok(None);
    };
    let most = pilot.of_run(scene, first);
    let needed = most.bytes(scene)?;
    row(
        "the run",
        &format!(
            "up to about {} cells, {} particles and {}, from a pilot of {} of {} frames at resolution {}",
            count(most.cells),
            count(most.particles),
            bytes(needed),
            pilot.frames,
            scene.time.frames,
            pilot.resolution
        ),
    );
    let limit = stop.memory_limit();
    Ok((needed > limit).then(|| {
        format!("the run may need about {}, past the limit of {}; {MORE_MEMORY}", bytes(needed), bytes(limit))
    }))
}
