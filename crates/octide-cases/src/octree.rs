//! Cases of the inside of the method `octree`.

pub(crate) mod crown;
pub(crate) mod flat_surface;
pub(crate) mod free_surface_cost;
pub(crate) mod given_trees;
pub(crate) mod hydrostatics;
pub(crate) mod interpolation;
pub(crate) mod multigrid;
pub(crate) mod particle_energy;
pub(crate) mod poisson;
pub(crate) mod poisson_free_surface;
pub(crate) mod poisson_solid;
pub(crate) mod remeshing;
pub(crate) mod settling_bump;
pub(crate) mod sizing_strength;

/// These cases call the functions of one method.
fn methods() -> Vec<&'static str> {
    vec!["octree"]
}
