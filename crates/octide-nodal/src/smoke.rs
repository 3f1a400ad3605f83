//! Smoke (§5): air that advects a density ρ and a temperature T, both of which act on it by buoyancy.
//!
//! | what | paper | where |
//! |---|---|---|
//! | buoyancy | §5, first paragraph | [`buoyancy`] |
//! | vorticity and its confinement | §5, second paragraph | [`vorticity`], [`confinement`] |
//! | objects | §5, third paragraph | [`objects`] |
//! | cell size | §5, fourth paragraph | [`sizing`] |
//! | sources, open sides | not in the paper | [`sources`], [`open_sides`] |
//! | the step | | [`step`] |
//!
//! ρ is a dimensionless concentration. T is in K above the ambient air, so T_amb = 0. Both are stored at
//! corners.

mod acceleration;
pub mod buoyancy;
pub mod confinement;
pub mod objects;
pub mod open_sides;
pub mod params;
pub mod sizing;
pub mod sources;
pub mod state;
pub mod step;
mod view;
pub mod vorticity;

mod forces;
mod frame;
mod health;
mod init;
mod saved;
mod scalars;
mod simulation;
mod totals;

#[cfg(test)]
pub(crate) mod test_meshes;

pub use params::SmokeParams;
pub use simulation::NodalSmoke;
pub use state::SmokeState;
