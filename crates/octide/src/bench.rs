//! `octide bench`: what a step costs. Cases are built-in scenes with the same frames, rate and CFL number, so
//! that their figures can be set beside others'. `octide bench solver` looks at linear systems alone.

mod memory_model;
mod result;
mod solver;
mod systems;
mod triad;

use crate::args::{BenchArgs, BenchCommand, set_threads};
use crate::cpu::Clock;
use crate::errors::Failure;
use crate::memory;
use crate::methods;
use crate::stop::Stop;
use crate::text::print_line;
use octide_core::scene::Scene;
use octide_io::scene_file::{LoadOptions, builtin, builtins, load};
use octide_methods::Simulation;
use result::BenchResult;

const CASES: [&str; 2] = ["water-drop", "dam-break"];

/// Short frames that show a splash, as in published measurements of these scenes.
const SETTINGS: [(&str, &str); 3] = [("time.frames", "24"), ("time.fps", "120"), ("time.cfl", "2")];

/// Runs all cases and prints their figures.
pub fn bench(args: &BenchArgs) -> Result<(), Failure> {
    match &args.command {
        Some(BenchCommand::Solver(args)) => return solver::solver(args),
        Some(BenchCommand::Memory(args)) => return memory_model::memory_model(args),
        None => {}
    }
    let names: Vec<&str> =
        if args.cases.is_empty() { CASES.to_vec() } else { args.cases.iter().map(String::as_str).collect() };
    let scenes = names
        .iter()
        .map(|name| case(name, args.resolution, args.method.as_deref()))
        .collect::<Result<Vec<_>, _>>()?;
    set_threads(args.threads)?;
    let stop = Stop::listen()?;
    for scene in &scenes {
        let result = measure(scene, &stop)?;
        print_line(&if args.json { result.json().to_string() } else { result.table() });
    }
    Ok(())
}

fn case(name: &str, resolution: Option<u32>, method: Option<&str>) -> Result<Scene, Failure> {
    if builtin(name).is_none() {
        let known: Vec<&str> = builtins().iter().map(|b| b.name).collect();
        return Err(Failure::Input(format!("there is no case {name:?}; there are {}", known.join(", "))));
    }
    let mut overrides: Vec<_> = SETTINGS.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    overrides.extend(resolution.map(|n| ("resolution".to_owned(), n.to_string())));
    overrides.extend(method.map(|m| ("method".to_owned(), m.to_owned())));
    Ok(load(name, &LoadOptions::new(octide_methods::ABILITIES).with_overrides(overrides))?.scene)
}

fn measure(scene: &Scene, stop: &Stop) -> Result<BenchResult, Failure> {
    memory::reset_peak();
    let mut result = BenchResult::new(&scene.name, scene.domain.resolution);
    let clock = Clock::start();
    let mut simulation = Simulation::new(methods::start(scene)?, scene.time.fps);
    result.init_seconds = clock.read().1;

    let clock = Clock::start();
    while simulation.frame_number() < scene.time.frames {
        result.add(&simulation.step()?.report);
        stop.check()?;
    }
    (result.cpu_seconds, result.wall_seconds) = clock.read();
    result.peak_memory = memory::peak().unwrap_or(0);
    Ok(result)
}
