//! `octide bench`: what a step costs. Cases are built-in scenes with the same frames, rate and CFL number, so
//! that their figures can be set beside others'; `dam-break-mesh` is the dam break with a mesh in its way.
//! `octide bench solver` looks at linear systems alone.

mod frame_memory;
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
use crate::text::{print_json, print_line};
use octide_core::DVec3;
use octide_core::geometry::primitives::lump;
use octide_core::geometry::{MeshSdf, MeshShape, Shape};
use octide_core::scene::{Scene, Solid};
use octide_io::scene_file::{LoadOptions, builtin, builtins, load};
use octide_methods::Simulation;
use result::BenchResult;
use std::sync::Arc;

const CASES: [&str; 3] = ["water-drop", "dam-break", MESH_CASE];

/// The dam break with a mesh of 81,920 triangles.
const MESH_CASE: &str = "dam-break-mesh";
const MESH_SUBDIVISIONS: u32 = 6;

/// Short frames that show a splash, as in published measurements of these scenes.
const SETTINGS: [(&str, &str); 3] = [("time.frames", "24"), ("time.fps", "120"), ("time.cfl", "2")];

/// Runs all cases and prints their figures.
pub fn bench(args: &BenchArgs) -> Result<(), Failure> {
    match &args.command {
        Some(BenchCommand::Solver(args)) => return solver::solver(args),
        Some(BenchCommand::Memory(args)) => return memory_model::memory_model(args),
        None => {}
    }
    // This comes first because reading meshes already uses threads.
    set_threads(args.threads)?;
    let names: Vec<&str> =
        if args.cases.is_empty() { CASES.to_vec() } else { args.cases.iter().map(String::as_str).collect() };
    let scenes = names
        .iter()
        .map(|name| case(name, args.resolution, args.method.as_deref()))
        .collect::<Result<Vec<_>, _>>()?;
    let stop = Stop::listen()?;
    for scene in &scenes {
        let result = measure(scene, &stop)?;
        if args.json {
            print_json(&result.json().to_string());
        } else {
            print_line(&result.table());
        }
    }
    Ok(())
}

fn case(name: &str, resolution: Option<u32>, method: Option<&str>) -> Result<Scene, Failure> {
    if name == MESH_CASE {
        let mut scene = case("dam-break", resolution, method)?;
        MESH_CASE.clone_into(&mut scene.name);
        scene.solids.push(Solid::still(obstacle()?));
        return Ok(scene);
    }
    if builtin(name).is_none() {
        let known: Vec<&str> = builtins().iter().map(|b| b.name).chain([MESH_CASE]).collect();
        return Err(Failure::Input(format!("there is no case {name:?}; there are {}", known.join(", "))));
    }
    let mut overrides: Vec<_> = SETTINGS.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    overrides.extend(resolution.map(|n| ("resolution".to_owned(), n.to_string())));
    overrides.extend(method.map(|m| ("method".to_owned(), m.to_owned())));
    Ok(load(name, &LoadOptions::new(octide_methods::ABILITIES).with_overrides(overrides))?.scene)
}

/// Returns a lump that stands in the way of the wave.
fn obstacle() -> Result<Shape, Failure> {
    let mesh = lump(MESH_SUBDIVISIONS).mapped(|p| 0.15 * p + DVec3::new(0.6, 0.12, 0.5));
    let sdf = MeshSdf::new(&mesh).map_err(|e| Failure::Input(e.to_string()))?;
    Ok(Shape::Mesh(Arc::new(MeshShape { source: "lump".to_owned(), sdf, is_shell: false })))
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
