//! Parameters of the cell size in water.

use glam::DVec3;
use octide_core::octree::RootGrid;
use octide_core::scene::Scene;
use octide_core::sizing::{Regions, View};

/// The least distance of a cell in water from the surface, in edges of the cell.
const UNDER: f64 = 2.0;
/// The least distance of a cell in air from the surface, in edges of the cell.
const OVER: f64 = 0.5;
/// Extra coarsening levels outside the camera's view.
const UNSEEN: u8 = 2;

/// Parameters of the cell size.
#[derive(Clone, Debug)]
pub struct SizingParams {
    /// From 0, finest cells everywhere, to 1, cells as large as allowed.
    pub strength: f64,
    /// How often the cells of a level are spread to their face neighbors.
    pub dilation: u32,
    /// Regions in which the scene bounds the cell size.
    pub regions: Regions,
    /// The camera's view; without a camera, everything is visible.
    pub view: Option<View>,
}

impl SizingParams {
    /// Reads the parameters from a scene.
    pub fn from_scene(scene: &Scene) -> Self {
        let a = &scene.adaptivity;
        Self {
            strength: a.strength,
            dilation: a.dilation,
            regions: Regions::new(scene),
            view: View::of(scene),
        }
    }

    /// Returns the finest level that may be requested at a point.
    pub(crate) fn finest_at(&self, grid: &RootGrid, p: DVec3) -> u8 {
        let max = grid.max_level();
        let is_seen = self.view.is_none_or(|v| v.sees(p, 4.0 * grid.dx()));
        let finest = if is_seen { max } else { max.saturating_sub(UNSEEN) };
        self.regions.finest_at(p, max).min(finest)
    }

    /// Returns the level that is needed at a distance `gap` from the surface, in water or in air.
    pub(crate) fn level(&self, grid: &RootGrid, gap: f64, in_water: bool) -> u8 {
        let reach = if in_water { UNDER } else { OVER } / self.strength;
        let too_large = |&level: &u8| gap < reach * grid.cell_size(level);
        (0..grid.max_level()).take_while(too_large).count() as u8
    }
}
