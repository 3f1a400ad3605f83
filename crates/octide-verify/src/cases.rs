//! The one list of cases.

mod contract;
mod dam_break;
#[cfg(feature = "faulty")]
mod faulty;
mod free_fall;
mod hydrostatics;
mod long_dam_break;
mod mesh_distance;
mod poisson;
mod redistancing;
mod sloshing;
mod sphere_mesh;
mod stage;
mod tension;

use crate::case::Case;

/// All cases, in the order in which they are listed and run.
pub const CASES: &[&Case] = &[
    &sphere_mesh::CASE,
    &mesh_distance::CASE,
    &redistancing::CASE,
    &poisson::UNIFORM,
    &poisson::T_JUNCTIONS,
    &hydrostatics::CASE,
    &free_fall::CASE,
    &sloshing::CASE,
    &dam_break::CASE,
    &long_dam_break::CASE,
    &tension::DROP_OSCILLATION,
    &tension::STATIC_DROP,
    &tension::RAYLEIGH_PLATEAU,
    &contract::REST,
    &contract::SYMMETRY,
    &contract::TIME,
    &contract::WATER,
    &contract::SOLIDS,
    &contract::THREADS,
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
