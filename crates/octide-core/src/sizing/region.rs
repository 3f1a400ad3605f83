//! Regions in which a scene bounds the size of cells. A region has a shape and one or both of two bounds:
//!
//! - `at_most`: all cells that overlap the shape are at most this large, in water and in air, regardless of
//!   all other criteria;
//! - `at_least`: nothing inside the shape requests smaller cells than this. Finer neighbors may still cause
//!   some near its boundary, by grading.
//!
//! Where regions overlap, the smallest `at_most` and the largest `at_least` apply; if these contradict each
//! other, `at_most` wins.

use crate::geometry::Shape;
use crate::octree::{Refinement, RootGrid};
use crate::scene::Scene;
use glam::{DVec3, IVec3};

/// The regions of a scene, prepared for its grid.
#[derive(Clone, Debug, Default)]
pub struct Regions {
    /// Cells that are refined in every tree, with their level.
    refined: Vec<(u8, IVec3)>,
    /// Shapes with the finest level that may be requested inside them.
    finest: Vec<(Shape, u8)>,
}

impl Regions {
    /// Prepares the regions of a scene.
    pub fn new(scene: &Scene) -> Self {
        let mut regions = Self::default();
        if scene.adaptivity.regions.is_empty() {
            return regions;
        }
        let grid = scene.domain.root_grid();
        for region in &scene.adaptivity.regions {
            regions.refine(&grid, &region.shape, region.at_most);
            if region.at_least > 0.0 {
                let levels = (0..=grid.max_level()).rev();
                // A tolerance of 1 % for rounding.
                let finest =
                    levels.into_iter().find(|&l| 1.01 * grid.cell_size(l) >= region.at_least).unwrap_or(0);
                regions.finest.push((region.shape.clone(), finest));
            }
        }
        regions
    }

    /// Adds the cells that are larger than `at_most` and overlap the shape.
    fn refine(&mut self, grid: &RootGrid, shape: &Shape, at_most: f64) {
        let mut candidates = grid.roots().to_vec();
        for level in 0..grid.max_level() {
            let size = grid.cell_size(level);
            if size <= 1.01 * at_most {
                break;
            }
            let half = 1 << (grid.max_level() - level);
            // A cell extends by at most half its diagonal from its center.
            candidates
                .retain(|&c| shape.distance(grid.position(c * (2 * half) + half)) < 0.5 * 3f64.sqrt() * size);
            self.refined.extend(candidates.iter().map(|&c| (level, c)));
            let children = |c: IVec3| (0..8).map(move |o| 2 * c + IVec3::new(o & 1, o >> 1 & 1, o >> 2));
            candidates = candidates.iter().flat_map(|&c| children(c)).collect();
        }
    }

    /// Returns the finest level that may be requested at a point, or `max` if there is no bound.
    #[inline]
    pub fn finest_at(&self, p: DVec3, max: u8) -> u8 {
        self.finest.iter().filter(|(shape, _)| shape.distance(p) < 0.0).map(|r| r.1).fold(max, u8::min)
    }

    /// Adds the cells that must be refined.
    pub fn add_to(&self, refinement: &mut Refinement) {
        for &(level, c) in &self.refined {
            refinement.refine(level, c);
        }
    }
}
