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
//! use octide_core::contract::{Method, TimeStep};
//! use octide_core::geometry::Shape;
//! use octide_core::scene::Scene;
//! use octide_octree::OctreeLiquid;
//!
//! let drop = Shape::Sphere { center: DVec3::splat(0.5), radius: 0.2 };
//! let scene = Scene::empty("octree", DVec3::ONE, 32, 2).with_liquid(drop);
//! let mut water = OctreeLiquid::new(&scene);
//! let report = water.step(TimeStep::new(water.max_dt())?)?;
//! assert!(report.volume_drift.abs() < 0.01);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The unknowns and their locations, on a graded octree that is rebuilt every step:
//!
//! | unknown | location |
//! |---|---|
//! | φ, signed distance, negative in liquid | cell centers |
//! | p, pressure times dt/ρ | centers of liquid cells |
//! | u, the normal component | face centers; at a T-junction the large face |
//! | particles with φ, velocity and its gradient | anywhere in finest cells below the surface, and as spray |
//!
//! A step ([`step`]) does the following, in this order. It builds a tree that fits the surface at the end of
//! the step ([`sizing`]), advects φ and u from the old tree to the new one ([`advect`]), corrects them with
//! the particles (`particles`), adds gravity and projects the velocity ([`project`]). Finally it prepares
//! the next step: φ is extended into solids and redistanced, and u is extended into air and solids
//! ([`extend`]).
//!
//! Guarantees: water at rest under gravity along an axis stays at rest, also across T-junctions; advection
//! with zero velocity on an unchanged tree is the identity; a failed step leaves the state untouched; results
//! are bitwise identical on any number of threads.

#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr))]

pub mod advect;
pub mod apertures;
mod ceiling;
mod conserve;
mod correct;
pub mod driven;
pub mod extend;
mod faults;
mod flows;
pub mod interpolate;
pub mod memory;
pub mod mesh;
pub mod nodal;
mod open_sides;
pub mod params;
mod particles;
mod pockets;
pub mod project;
mod regions;
pub mod sizing;
pub mod state;
pub mod step;
mod tension;
pub mod volume;

mod frame;
mod health;
mod init;
mod keys;
mod liquid_cells;
mod phi;
mod pressure;
mod remesh;
mod saved;
mod shown;
mod simulation;
mod surface;
mod tracking;
mod velocity;
mod view;

use octide_core::contract::{Method, MethodDescriptor};
pub use octide_core::solids;

/// The descriptor of this method, for the list in `octide-methods`.
pub const METHOD: MethodDescriptor = MethodDescriptor {
    abilities: ABILITIES,
    start: |scene| Box::new(OctreeLiquid::new(scene)),
    start_within: |scene, bytes| Ok(Box::new(OctreeLiquid::within(scene, bytes)?)),
    load: |scene, snapshot| Ok(Box::new(OctreeLiquid::load(scene, snapshot)?)),
    memory: |_| memory::MODEL,
    track: Some(tracking::track),
    faults: &faults::FAULTS,
};

pub use keys::ABILITIES;
pub use params::Params;
pub use simulation::OctreeLiquid;
pub use state::State;

/// Compiles and runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
