//! Octide's simulation methods by name, and [`Simulation`], which steps a scene from frame to frame.
//!
//! ```
//! use octide_core::DVec3;
//! use octide_core::geometry::Shape;
//! use octide_core::scene::Scene;
//! use octide_methods::Simulation;
//!
//! let pool = Shape::Box { min: DVec3::ZERO, max: DVec3::new(1.0, 0.25, 1.0) };
//! let drop = Shape::Sphere { center: DVec3::new(0.5, 0.6, 0.5), radius: 0.15 };
//! let scene = Scene::empty("octree", DVec3::ONE, 32, 2).with_liquid(pool).with_liquid(drop);
//!
//! let mut simulation = Simulation::start(&scene)?;
//! for _ in 0..3 {
//!     let frame = simulation.next_frame()?;
//!     println!("{:.3} s: {} triangles", frame.time, frame.surface.mesh.triangles.len());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Simulation::step`] takes single steps, [`Simulation::method`] gives access to the state at any point.
//! The scene may also come from a file, by `octide_io::scene_file::load`, and frames may be written by
//! `octide_io::ply` or drawn by `octide_render`.
//!
//! A method is a crate that exports a [`MethodDescriptor`] and one line in [`ALL`]. Scene files may then name
//! it, and the command, the memory forecast, the benchmarks and the verification cases run it.

#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr))]

mod error;
mod registry;
mod simulation;

pub use error::{LoadError, StartError, TrackError, UnknownMethod};
pub use registry::Registry;
pub use simulation::{Simulation, SimulationError, Step, step_towards};

use octide_core::contract::{Abilities, Method, MethodDescriptor, SurfaceTracker, TrackingOptions};
use octide_core::memory::MemoryModel;
use octide_core::scene::Scene;
use octide_core::snapshot::Snapshot;

/// All methods. A scene that names none gets the first one that can simulate it.
pub const ALL: &[MethodDescriptor] = &[octide_octree::METHOD, octide_nodal::METHOD];

/// The same as a registry.
pub const BUILT_IN: Registry = Registry::new(ALL);

/// What the methods of [`ALL`] can do with a scene, in the same order: what a reader of scene files is given.
pub const ABILITIES: &[Abilities] = &{
    let mut abilities = [ALL[0].abilities; ALL.len()];
    let mut i = 0;
    while i < ALL.len() {
        abilities[i] = ALL[i].abilities;
        i += 1;
    }
    abilities
};

/// The names of the methods of [`ALL`], in the same order.
pub const NAMES: &[&str] = &{
    let mut names = [""; ALL.len()];
    let mut i = 0;
    while i < ALL.len() {
        names[i] = ALL[i].name();
        i += 1;
    }
    names
};

/// Starts a scene at time 0 with the method that it names.
pub fn start(scene: &Scene) -> Result<Box<dyn Method>, UnknownMethod> {
    BUILT_IN.start(scene)
}

/// Starts a scene at time 0 if the process can hold it and take steps within `bytes`.
pub fn start_within(scene: &Scene, bytes: u64) -> Result<Box<dyn Method>, StartError> {
    BUILT_IN.start_within(scene, bytes)
}

/// Restores a scene from a snapshot with the method that it names.
pub fn load(scene: &Scene, snapshot: &mut Snapshot) -> Result<Box<dyn Method>, LoadError> {
    BUILT_IN.load(scene, snapshot)
}

/// Returns the bytes that the process holds at most during a step from and to a grid of `cells`.
pub fn step_bytes(scene: &Scene, cells: usize, particles: usize) -> Result<u64, UnknownMethod> {
    BUILT_IN.step_bytes(scene, cells, particles)
}

/// Returns the constants of the memory forecast for a scene.
pub fn memory_model(scene: &Scene) -> Result<MemoryModel, UnknownMethod> {
    BUILT_IN.memory_model(scene)
}

/// Starts the surface of a scene's liquids, to be carried by a prescribed velocity.
pub fn track(scene: &Scene, options: &TrackingOptions) -> Result<Box<dyn SurfaceTracker>, TrackError> {
    BUILT_IN.track(scene, options)
}

/// The examples of the README are compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
