//! Smoke (§5): air that carries a density ρ and a temperature T along, and feels both.
//!
//! | what | paper | where |
//! |---|---|---|
//! | buoyancy | §5, first paragraph | [`buoyancy`] |
//! | vorticity and its confinement | §5, second paragraph | [`vorticity`], [`confinement`] |
//! | objects | §5, third paragraph | [`objects`] |
//! | where cells are small | §5, fourth paragraph | [`sizing`] |
//! | sources, open sides | not in the paper | [`sources`], [`open_sides`] |
//! | the step | | [`step`] |
//!
//! ρ is a concentration without unit, T is in K above that of the air around: T_amb is 0 here. Both live at
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
pub mod vorticity;

mod forces;
mod frame;
mod health;
mod init;
mod sampler;
mod saved;
mod scalars;
mod simulation;
mod totals;

#[cfg(test)]
pub(crate) mod test_meshes;

pub use params::SmokeParams;
pub use simulation::NodalSmoke;
pub use state::SmokeState;
