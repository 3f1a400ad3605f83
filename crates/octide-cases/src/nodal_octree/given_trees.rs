//! Runs of the case `rest-t-junctions` on a given tree: both forms of gravity, both surface conditions, all
//! distances Δ of the paper.

use crate::water::rest_t_junctions::{GivenTree, fastest_on};
use octide_core::scene::FreeSurface::{self, FirstOrder, SecondOrder};
use octide_core::scene::GradientDistance::{self, Euclidean, Large, Mean, Small};
use octide_nodal::{NodalLiquid, Params};

/// Name, whether gravity is a difference of its potential, surface condition, Δ.
type Variant = (&'static str, bool, FreeSurface, GradientDistance);

const VARIANTS: [Variant; 10] = [
    ("upright T-junctions, the paper's gravity, first order", false, FirstOrder, Mean),
    ("upright T-junctions, the paper's gravity, second order", false, SecondOrder, Mean),
    ("upright T-junctions, the paper's gravity, second order, Δ large", false, SecondOrder, Large),
    ("upright T-junctions, the paper's gravity, second order, Δ small", false, SecondOrder, Small),
    ("upright T-junctions, the paper's gravity, second order, Δ euclidean", false, SecondOrder, Euclidean),
    ("upright T-junctions, first order", true, FirstOrder, Mean),
    ("upright T-junctions, second order", true, SecondOrder, Mean),
    ("upright T-junctions, second order, Δ large", true, SecondOrder, Large),
    ("upright T-junctions, second order, Δ small", true, SecondOrder, Small),
    ("upright T-junctions, second order, Δ euclidean", true, SecondOrder, Euclidean),
];

/// Returns the runs.
pub(crate) fn runs() -> Vec<GivenTree> {
    let run = |(name, is_balanced, free_surface, distance): Variant| GivenTree {
        name,
        is_exact: is_balanced && free_surface == SecondOrder,
        run: Box::new(move |scene| {
            let mut params = Params::from_scene(scene);
            params.balanced_gravity = is_balanced;
            params.free_surface = free_surface;
            params.project.gradient_distance = distance;
            fastest_on(scene, |tree| NodalLiquid::on_tree(scene, params, tree), NodalLiquid::step_on)
        }),
    };
    VARIANTS.into_iter().map(run).collect()
}
