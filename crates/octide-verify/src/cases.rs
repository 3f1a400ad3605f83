//! The one list of cases.

mod deformation;
#[cfg(feature = "faulty")]
mod faulty;
mod flat_surface;
mod mesh_distance;
mod multigrid;
mod poisson;
mod poisson_free_surface;
mod poisson_solid;
mod redistancing;
mod remeshing;
mod sphere_mesh;
mod tracking;
mod zalesak;

use crate::case::Case;

/// All cases, in the order in which they are listed and run.
pub const CASES: &[&Case] = &[
    &sphere_mesh::CASE,
    &mesh_distance::CASE,
    &redistancing::CASE,
    &poisson::UNIFORM,
    &poisson::T_JUNCTIONS,
    &poisson_free_surface::CASE,
    &poisson_solid::CASE,
    &flat_surface::CASE,
    &multigrid::CASE,
    &zalesak::CASE,
    &deformation::CASE,
    &remeshing::CASE,
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
