//! Cases of the inside of the method `nodal-octree`.

pub(crate) mod given_trees;
pub(crate) mod nodal_pressure;
pub(crate) mod poisson_unrestricted;
pub(crate) mod stratified;
pub(crate) mod taylor_green;
pub(crate) mod vortex_ring;

/// These cases call the functions of one method.
fn methods() -> Vec<&'static str> {
    vec!["nodal-octree"]
}
