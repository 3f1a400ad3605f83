//! The one list of cases.

mod contract;
mod dam_break;
mod deformation;
#[cfg(feature = "faulty")]
mod faulty;
mod filling;
mod flat_surface;
mod free_fall;
mod free_surface_cost;
mod helium_plume;
mod hydrostatics;
mod interpolation;
mod long_dam_break;
mod mesh_distance;
mod multigrid;
mod nodal_pressure;
mod particle_energy;
mod poisson;
mod poisson_free_surface;
mod poisson_solid;
mod poisson_unrestricted;
mod redistancing;
mod remeshing;
mod rest_t_junctions;
mod settling_bump;
mod sizing_strength;
mod sloshing;
mod sphere_mesh;
mod stage;
mod stratified;
mod taylor_green;
mod tension;
mod tracking;
mod vortex_ring;
mod zalesak;

use crate::case::Case;

/// All cases, in the order in which they are listed and run.
pub const CASES: &[&Case] = &[
    &sphere_mesh::CASE,
    &mesh_distance::CASE,
    &redistancing::CASE,
    &interpolation::CASE,
    &poisson::UNIFORM,
    &poisson::T_JUNCTIONS,
    &poisson_free_surface::CASE,
    &poisson_solid::CASE,
    &poisson_unrestricted::CASE,
    &nodal_pressure::CASE,
    &flat_surface::CASE,
    &multigrid::CASE,
    &zalesak::CASE,
    &deformation::CASE,
    &remeshing::CASE,
    &hydrostatics::CASE,
    &rest_t_junctions::CASE,
    &free_fall::CASE,
    &settling_bump::CASE,
    &free_surface_cost::CASE,
    &sloshing::CASE,
    &dam_break::CASE,
    &long_dam_break::CASE,
    &particle_energy::CASE,
    &filling::CASE,
    &sizing_strength::CASE,
    &tension::DROP_OSCILLATION,
    &tension::STATIC_DROP,
    &tension::RAYLEIGH_PLATEAU,
    &stratified::CASE,
    &taylor_green::CASE,
    &vortex_ring::CASE,
    &helium_plume::CASE,
    &contract::REST,
    &contract::SYMMETRY,
    &contract::TIME,
    &contract::WATER,
    &contract::SOLIDS,
    &contract::THREADS,
    &contract::SAVED,
];

/// All cases, those too that are not listed.
pub fn all() -> impl Iterator<Item = &'static Case> {
    #[cfg(feature = "faulty")]
    let hidden = faulty::CASES;
    #[cfg(not(feature = "faulty"))]
    let hidden: &[&Case] = &[];
    CASES.iter().chain(hidden).copied()
}

/// The case of a name.
pub fn find(name: &str) -> Option<&'static Case> {
    all().find(|case| case.name == name)
}

#[cfg(test)]
mod tests;
