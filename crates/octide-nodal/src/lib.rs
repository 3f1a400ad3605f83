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
//! use octide_core::contract::Method;
//! use octide_core::geometry::Shape;
//! use octide_core::scene::Scene;
//! use octide_nodal::NodalLiquid;
//!
//! let drop = Shape::Sphere { center: DVec3::splat(0.5), radius: 0.2 };
//! let scene = Scene::empty("nodal-octree", DVec3::ONE, 32, 2).with_liquid(drop);
//! let mut water = NodalLiquid::new(&scene);
//! let report = water.step(water.max_dt())?;
//! assert!(report.volume_drift.abs() < 0.01);
//! # Ok::<(), octide_core::contract::StepError>(())
//! ```
//!
//! The unknowns and where they live, on an octree whose levels may jump at will (§3):
//!
//! | unknown | place |
//! |---|---|
//! | p, pressure | cell centers |
//! | u, the normal component | centers of faces; at a T-junction the small ones |
//! | φ, signed distance, negative in water | corners of cells |
//! | density and temperature of smoke | corners of cells |
//!
//! Corners that hang on the edge or face of a larger cell are constrained to what that cell has there, so
//! that fields at corners are continuous. [`transfer`] brings velocity from faces to corners and back.

pub mod advect;
pub mod boundary;
pub mod distance;
pub mod driven;
pub mod extend;
pub mod flows;
pub mod level_set;
pub mod memory;
pub mod mesh;
pub mod params;
pub mod particles;
pub mod project;
pub mod sizing;
pub mod smoke;
pub mod state;
pub mod step;
pub mod tension;
#[cfg(test)]
mod testing;
pub mod transfer;
pub mod volume;

mod correct;
mod faults;
mod frame;
mod gravity;
mod health;
mod init;
mod landing;
mod open_sides;
mod phi;
mod pressure;
mod remesh;
mod sampler;
mod saved;
mod simulation;
mod totals;
mod tracking;

pub use boundary::Boundary;
pub use mesh::Mesh;
pub use params::Params;
pub use simulation::NodalLiquid;
pub use smoke::NodalSmoke;
pub use state::State;

use octide_core::contract::{Abilities, Method, MethodDescriptor};

/// The method, for the list in `octide-methods`.
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

/// What the method can do with a scene.
pub const ABILITIES: Abilities = Abilities {
    name: "nodal-octree",
    water: Some(&[
        "physics.buoyancy",
        "physics.confinement",
        "physics.half_life",
        "solid.temperature",
        "adaptivity.smoke",
        "adaptivity.curvature",
        "adaptivity.strain",
        "adaptivity.along_surface",
        "adaptivity.decay",
        "adaptivity.decay_time",
        "numerics.interpolation",
        "numerics.transfer",
        "numerics.flip_ratio",
        "numerics.volume_correction=regional",
    ]),
    smoke: Some(&[
        "physics.surface_tension",
        "adaptivity.curvature",
        "adaptivity.strain",
        "adaptivity.along_surface",
        "adaptivity.decay",
        "adaptivity.decay_time",
        "numerics.free_surface",
        "numerics.volume_correction",
        "numerics.max_volume_drift",
        "numerics.interpolation",
        "numerics.particles",
        "numerics.transfer",
        "numerics.flip_ratio",
    ]),
};

/// The examples of the README are compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
