//! Where a scene bounds the size of cells. A region has a shape and one or both of two bounds:
//!
//! - `at_most`: all cells that reach into the shape are at most this large, in water and air, whatever else
//!   is asked for;
//! - `at_least`: nothing inside the shape asks for smaller cells than this. Neighbors that are finer may
//!   still make some near its rim, by grading.
//!
//! Of regions that overlap, the smallest `at_most` and the largest `at_least` hold; where they contradict,
//! `at_most` does.

use crate::geometry::Shape;
use crate::octree::{Refinement, RootGrid};
use crate::scene::Scene;
use glam::{DVec3, IVec3};

/// The regions of a scene, made ready for its grid.
#[derive(Clone, Debug, Default)]
pub struct Regions {
    /// Cells that are refined in every tree, with their level.
    refined: Vec<(u8, IVec3)>,
    /// The finest level that is asked for inside a shape.
    finest: Vec<(Shape, u8)>,
}

impl Regions {
    /// The regions of a scene.
    pub fn new(scene: &Scene) -> Self {
        let grid = scene.domain.root_grid();
        let mut regions = Self::default();
        for region in &scene.adaptivity.regions {
            regions.refine(&grid, &region.shape, region.at_most);
            if region.at_least > 0.0 {
                let levels = (0..=grid.max_level()).rev();
                // 1 % lets rounding pass.
                let finest =
                    levels.into_iter().find(|&l| 1.01 * grid.cell_size(l) >= region.at_least).unwrap_or(0);
                regions.finest.push((region.shape.clone(), finest));
            }
        }
        regions
    }

    /// Adds the cells that are larger than `at_most` and reach into the shape.
    fn refine(&mut self, grid: &RootGrid, shape: &Shape, at_most: f64) {
        let mut candidates = grid.roots().to_vec();
        for level in 0..grid.max_level() {
            let size = grid.cell_size(level);
            if size <= 1.01 * at_most {
                break;
            }
            let half = 1 << (grid.max_level() - level);
            // Half a diagonal is as far as a cell reaches.
            candidates
                .retain(|&c| shape.distance(grid.position(c * (2 * half) + half)) < 0.5 * 3f64.sqrt() * size);
            self.refined.extend(candidates.iter().map(|&c| (level, c)));
            let children = |c: IVec3| (0..8).map(move |o| 2 * c + IVec3::new(o & 1, o >> 1 & 1, o >> 2));
            candidates = candidates.iter().flat_map(|&c| children(c)).collect();
        }
    }

    /// The finest level that may be asked for at a point, `max` where there is no bound.
    #[inline]
    pub fn finest_at(&self, p: DVec3, max: u8) -> u8 {
        self.finest.iter().filter(|(shape, _)| shape.distance(p) < 0.0).map(|r| r.1).fold(max, u8::min)
    }

    /// Refines what must be.
    pub fn add_to(&self, refinement: &mut Refinement) {
        for &(level, c) in &self.refined {
            refinement.refine(level, c);
        }
    }
}
