//! Water and smoke on an unrestricted octree, after Losasso, Gibou & Fedkiw 2004, *Simulating Water and Smoke
//! with an Octree Data Structure*.
//!
//! Solves the incompressible Euler equations, eqs. (1) and (2), with the density absorbed into p:
//!
//! ```text
//! ∂u/∂t + u·∇u = −∇p + f,   ∇·u = 0.
//! ```
//!
//! ```
//! use octide_core::DVec3;
//! use octide_core::contract::{Method, TimeStep};
//! use octide_core::geometry::Shape;
//! use octide_core::scene::Scene;
//! use octide_nodal::NodalLiquid;
//!
//! let drop = Shape::Sphere { center: DVec3::splat(0.5), radius: 0.2 };
//! let scene = Scene::empty("nodal-octree", DVec3::ONE, 32, 2).with_liquid(drop);
//! let mut water = NodalLiquid::new(&scene);
//! let report = water.step(TimeStep::new(water.max_dt())?)?;
//! assert!(report.volume_drift.abs() < 0.01);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The unknowns and where they are stored, on an octree whose levels may jump arbitrarily (§3):
//!
//! | unknown | place |
//! |---|---|
//! | p, pressure | cell centers |
//! | u, the normal component | centers of faces; at a T-junction the small ones |
//! | φ, signed distance, negative in water | corners of cells |
//! | density and temperature of smoke | corners of cells |
//!
//! A corner that hangs on the edge or face of a larger cell is constrained to the value that this cell
//! interpolates there, so that fields at corners are continuous. `transfer.rs` interpolates velocity from
//! faces to corners and back.

#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr))]

mod advect;
pub mod boundary;
mod distance;
mod driven;
mod extend;
mod flows;
mod level_set;
pub mod memory;
pub mod mesh;
pub mod params;
mod particles;
mod paths;
pub mod project;
mod sizing;
pub mod smoke;
pub mod state;
mod step;
mod tension;
#[cfg(test)]
mod testing;
mod transfer;
mod volume;

mod correct;
mod detach;
mod faults;
mod frame;
mod gravity;
mod health;
mod init;
mod keys;
mod landing;
mod liquid_cells;
mod open_sides;
mod phi;
mod pressure;
mod remesh;
mod saved;
mod simulation;
mod tracking;
mod view;

pub use boundary::Boundary;
pub use keys::ABILITIES;
pub use mesh::Mesh;
pub use params::Params;
pub use simulation::NodalLiquid;
pub use smoke::NodalSmoke;
pub use state::State;

use octide_core::contract::{Method, MethodDescriptor};

/// The method's entry in the list of `octide-methods`.
pub const METHOD: MethodDescriptor = MethodDescriptor {
    abilities: ABILITIES,
    start: |scene| match scene.is_smoke() {
        true => Box::new(NodalSmoke::new(scene)),
        false => Box::new(NodalLiquid::new(scene)),
    },
    start_within: |scene, bytes| {
        Ok(match scene.is_smoke() {
            true => Box::new(NodalSmoke::within(scene, bytes)?),
            false => Box::new(NodalLiquid::within(scene, bytes)?),
        })
    },
    load: |scene, snapshot| {
        Ok(match scene.is_smoke() {
            true => Box::new(NodalSmoke::load(scene, snapshot)?),
            false => Box::new(NodalLiquid::load(scene, snapshot)?),
        })
    },
    memory: |scene| if scene.is_smoke() { memory::SMOKE } else { memory::WATER },
    track: Some(tracking::track),
    faults: &faults::FAULTS,
};

/// The examples of the README are compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
