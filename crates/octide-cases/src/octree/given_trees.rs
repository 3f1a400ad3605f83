//! Runs of the case `rest-t-junctions` on a given tree.

use crate::water::rest_t_junctions::{GivenTree, fastest_on};
use octide_octree::{OctreeLiquid, Params};

/// Returns the runs.
pub(crate) fn runs() -> Vec<GivenTree> {
    vec![GivenTree {
        name: "upright T-junctions",
        is_exact: true,
        run: Box::new(|scene| {
            let start = |tree| OctreeLiquid::on_tree(scene, Params::from_scene(scene), tree);
            fastest_on(scene, start, OctreeLiquid::step_on)
        }),
    }]
}
