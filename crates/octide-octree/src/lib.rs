//! Liquid on an adaptive octree, after Ando & Batty 2020, *A Practical Octree Liquid Simulator with Adaptive
//! Surface Resolution*.
//!
//! Solves the incompressible Euler equations with a free surface, eq. (1):
//!
//! ```text
//! ∂u/∂t + u·∇u = −∇p/ρ + g,   ∇·u = 0,   p = σκ on the surface φ = 0.
//! ```
//!
//! ```
//! use octide_core::DVec3;
//! use octide_core::contract::Method;
//! use octide_core::geometry::Shape;
//! use octide_core::scene::Scene;
//! use octide_octree::OctreeLiquid;
//!
//! let drop = Shape::Sphere { center: DVec3::splat(0.5), radius: 0.2 };
//! let scene = Scene::empty("octree", DVec3::ONE, 32, 2).with_liquid(drop);
//! let mut water = OctreeLiquid::new(&scene);
//! let report = water.step(water.max_dt())?;
//! assert!(report.volume_drift.abs() < 0.01);
//! # Ok::<(), octide_core::contract::StepError>(())
//! ```
//!
//! The unknowns and where they live, on a graded octree that is rebuilt every step:
//!
//! | unknown | place |
//! |---|---|
//! | φ, signed distance, negative in liquid | cell centers |
//! | p, pressure times dt/ρ | centers of liquid cells |
//! | u, the normal component | face centers; at a T-junction the large face |
//! | particles with φ, velocity and its gradient | anywhere in finest cells below the surface, and as spray |
//!
//! A step ([`step`]) in the order it runs: a tree for where the surface will be ([`sizing`]), φ and u carried
//! from the old tree to the new one ([`advect`]) and corrected by particles ([`particles`]), gravity,
//! projection ([`project`]), and what keeps the next step well posed: φ into solids and as distance, u into
//! air and solids ([`extend`]).
//!
//! Promises: water at rest under gravity along an axis stays at rest, also across T-junctions; advection
//! without velocity on an unchanged tree is the identity; a failed step leaves the state untouched; the same
//! bytes on any number of threads.

pub mod advect;
pub mod apertures;
pub mod ceiling;
pub mod correct;
pub mod driven;
pub mod extend;
mod faults;
pub mod flows;
pub mod interpolate;
pub mod memory;
pub mod mesh;
pub mod nodal;
pub mod open_sides;
pub mod params;
pub mod particles;
pub mod project;
pub mod regions;
pub mod sizing;
pub mod state;
pub mod step;
pub mod tension;
pub mod volume;

mod frame;
mod health;
mod init;
mod level_set;
mod phi;
mod pressure;
mod remesh;
mod sampler;
mod saved;
mod simulation;
mod surface;
mod totals;
mod tracking;
mod velocity;

use octide_core::contract::{Abilities, Method, MethodDescriptor};
pub use octide_core::solids;

/// What the method can do with a scene.
pub const ABILITIES: Abilities = Abilities {
    name: "octree",
    water: Some(&[
        "physics.buoyancy",
        "physics.confinement",
        "physics.half_life",
        "solid.temperature",
        "adaptivity.smoke",
        "numerics.gradient_distance",
        "numerics.pressure_solver",
    ]),
    smoke: None,
};

/// The method, for the list in `octide-methods`.
pub const METHOD: MethodDescriptor = MethodDescriptor {
    abilities: ABILITIES,
    start: |scene| Box::new(OctreeLiquid::new(scene)),
    start_within: |scene, bytes| Ok(Box::new(OctreeLiquid::within(scene, bytes)?)),
    load: |scene, snapshot| Ok(Box::new(OctreeLiquid::load(scene, snapshot)?)),
    memory: |_| memory::MODEL,
    track: Some(tracking::track),
    faults: &faults::FAULTS,
};

pub use params::Params;
pub use simulation::OctreeLiquid;
pub use state::State;

/// The examples of the README are compiled and run as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
