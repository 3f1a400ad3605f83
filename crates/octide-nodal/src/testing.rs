//! Trees for tests.

use crate::mesh::Mesh;
use glam::DVec3;
use octide_core::octree::{Grading, Octree};
use octide_core::scene::Scene;

/// A number in [0, 1) from a place, a level and a seed.
pub fn noise(p: DVec3, level: u8, seed: u64) -> f64 {
    let mut h = seed ^ 0x9e37_79b9_7f4a_7c15;
    for v in [p.x, p.y, p.z, f64::from(level)] {
        h = (h ^ v.to_bits()).wrapping_mul(0xff51_afd7_ed55_8ccd);
        h ^= h >> 32;
    }
    (h >> 11) as f64 / (1u64 << 53) as f64
}

/// A box of 1 × 0.5 × 1 with levels that jump at random.
pub fn jagged(seed: u64) -> Mesh {
    let scene = Scene::empty("nodal-octree", DVec3::new(1.0, 0.5, 1.0), 32, 4);
    let grid = scene.domain.root_grid();
    Mesh::new(Octree::build(&grid, Grading::Unrestricted, |c| noise(c.center, c.level, seed) < 0.45))
}
