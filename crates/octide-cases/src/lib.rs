//! Octide's claims as verification cases. The framework they are written in is [`octide_verify`].
//!
//! ```
//! use octide_verify::{Context, run};
//!
//! let case = octide_cases::find("sphere-mesh").unwrap();
//! let context = Context { quick: true, method: "shared", threads: 1, observer: &() };
//! assert!(!run(case, &context).unwrap().is_broken());
//! ```
//!
//! | folder | what its cases measure | methods |
//! |---|---|---|
//! | `rooms` | code that all methods share | `shared` |
//! | `water` | physical problems with water | every method that simulates water |
//! | `smoke` | physical problems with smoke | every method that simulates smoke |
//! | `contract` | promises that every method must keep | every method that simulates water |
//! | `octree`, `nodal_octree` | the inside of one method: its discretization, its solver | that one |
//!
//! The cases in `water`, `smoke` and `contract` name no method: they ask the registry (`methods`). What differs
//! by method (known failures, options, extra runs of its inside) is data in `expectations`, one file for each
//! method, with a neutral default. A new method runs all shared cases without a line in this crate.

#![cfg_attr(not(test), warn(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr))]

mod contract;
mod costs;
mod energies;
mod expectations;
#[cfg(feature = "faulty")]
mod faulty;
mod methods;
mod nodal_octree;
mod octree;
mod rooms;
mod smoke;
mod stage;
mod water;

pub use costs::estimated_cpu_seconds;

use octide_verify::Case;

/// All cases, in the order in which they are listed and run.
pub const CASES: &[&Case] = &[
    &rooms::sphere_mesh::CASE,
    &rooms::mesh_distance::CASE,
    &rooms::redistancing::CASE,
    &octree::interpolation::CASE,
    &octree::poisson::UNIFORM,
    &octree::poisson::T_JUNCTIONS,
    &octree::poisson_free_surface::CASE,
    &octree::poisson_solid::CASE,
    &nodal_octree::poisson_unrestricted::CASE,
    &nodal_octree::nodal_pressure::CASE,
    &octree::flat_surface::CASE,
    &octree::multigrid::CASE,
    &water::zalesak::CASE,
    &water::deformation::CASE,
    &octree::remeshing::CASE,
    &octree::hydrostatics::CASE,
    &water::rest_t_junctions::CASE,
    &water::free_fall::CASE,
    &octree::settling_bump::CASE,
    &octree::free_surface_cost::CASE,
    &water::sloshing::CASE,
    &water::waves::CASE,
    &water::dam_break::CASE,
    &water::long_dam_break::CASE,
    &water::ten_seconds::CASE,
    &octree::particle_energy::CASE,
    &water::wall_friction::CASE,
    &water::filling::CASE,
    &water::detaching::CASE,
    &water::energy::CASE,
    &water::everyday::CASE,
    &octree::sizing_strength::CASE,
    &octree::crown::CASE,
    &water::tension::DROP_OSCILLATION,
    &water::tension::STATIC_DROP,
    &water::tension::RAYLEIGH_PLATEAU,
    &nodal_octree::stratified::CASE,
    &nodal_octree::taylor_green::CASE,
    &nodal_octree::vortex_ring::CASE,
    &smoke::helium_plume::CASE,
    &contract::REST,
    &contract::SYMMETRY,
    &contract::TIME,
    &contract::WATER,
    &contract::SOLIDS,
    &contract::WALLS,
    &contract::THREADS,
    &contract::SAVED,
];

/// Returns all cases, including those that are not listed.
pub fn all() -> impl Iterator<Item = &'static Case> {
    #[cfg(feature = "faulty")]
    let hidden = faulty::CASES;
    #[cfg(not(feature = "faulty"))]
    let hidden: &[&Case] = &[];
    CASES.iter().chain(hidden).copied()
}

/// Returns the case of a name.
pub fn find(name: &str) -> Option<&'static Case> {
    all().find(|case| case.name == name)
}

#[cfg(test)]
mod tests;
