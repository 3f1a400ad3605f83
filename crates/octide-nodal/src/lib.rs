//! Water and smoke on an unrestricted octree, after Losasso, Gibou & Fedkiw 2004, *Simulating Water and Smoke
//! with an Octree Data Structure*.
//!
//! Solves the incompressible Euler equations, eqs. (1) and (2), with the density absorbed into p:
//!
//! ```text
//! ∂u/∂t + u·∇u = −∇p + f,   ∇·u = 0.
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

mod frame;
mod health;
mod init;
mod liquid_cells;
mod saved;
mod simulation;
mod view;

pub use boundary::Boundary;
pub use mesh::Mesh;
pub use params::Params;
pub use simulation::NodalLiquid;
pub use smoke::NodalSmoke;
pub use state::State;

use octide_core::contract::Abilities;

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
