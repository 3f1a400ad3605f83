//! Cases of the code that all methods share.

pub(crate) mod mesh_distance;
pub(crate) mod redistancing;
pub(crate) mod sphere_mesh;

/// These cases run once, with no method.
fn methods() -> Vec<&'static str> {
    vec![octide_verify::SHARED]
}
