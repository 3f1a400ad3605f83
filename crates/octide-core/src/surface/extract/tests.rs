//! Meshes are closed, manifold and oriented for any input; exact on planes; second order on spheres.

mod check;
mod exact;
mod order;
mod topology;

use super::{Contour, extract};
use crate::index::{CellId, Field};
use crate::octree::{CellBox, Grading, Nodes, Octree, RootGrid};
use crate::par;
use glam::{DVec3, IVec3};

/// Returns a hash of its arguments as a number in 0..1.
fn noise(seed: u64, p: DVec3, level: u8) -> f64 {
    let mut h = seed ^ 0x9e37_79b9_7f4a_7c15;
    for v in [p.x, p.y, p.z, f64::from(level)] {
        h = (h ^ v.to_bits()).wrapping_mul(0xff51_afd7_ed55_8ccd);
        h ^= h >> 32;
    }
    (h >> 11) as f64 / (1u64 << 53) as f64
}

/// Returns a grid of `dims` unit-size roots from the origin.
fn unit_roots(dims: [i32; 3], levels: u8) -> RootGrid {
    let dx = 1.0 / f64::from(1u32 << levels);
    RootGrid::new(DVec3::ZERO, dx, levels, IVec3::ZERO, IVec3::from(dims), |_| true)
}

fn build(grid: &RootGrid, refine: impl Fn(&CellBox) -> bool + Sync) -> (Octree, Nodes) {
    let tree = Octree::build(grid, Grading::Graded, refine);
    let nodes = Nodes::new(&tree);
    (tree, nodes)
}

/// Builds a tree that is refined at random.
fn random_tree(seed: u64, share: f64) -> (Octree, Nodes) {
    build(&unit_roots([2, 1, 2], 3), |c| noise(seed, c.center, c.level) < share)
}

fn sample(tree: &Octree, f: impl Fn(DVec3) -> f64 + Sync + Send) -> Field<CellId, f64> {
    par::map(tree.n_cells(), |c| f(tree.center(c)))
}

fn contour(tree: &Octree, nodes: &Nodes, f: impl Fn(DVec3) -> f64 + Sync + Send) -> Contour {
    extract(tree, nodes, &sample(tree, f))
}
