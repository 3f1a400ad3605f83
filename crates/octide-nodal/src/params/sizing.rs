//! Choices that concern the size of cells of water.

use glam::DVec3;
use octide_core::octree::RootGrid;
use octide_core::scene::Scene;
use octide_core::sizing::{Regions, View};

/// How many of its edges a cell in water keeps away from the surface.
const UNDER: f64 = 2.0;
/// How many of its edges a cell in air keeps away from the surface.
const OVER: f64 = 0.5;
/// Extra coarsening levels outside the camera's view.
const UNSEEN: u8 = 2;

/// How large cells are.
#[derive(Clone, Debug)]
pub struct SizingParams {
    /// From 0, finest cells everywhere, to 1, cells as large as they may be.
    pub strength: f64,
    /// How often the cells of a level are spread to their face neighbors.
    pub dilation: u32,
    /// Where the scene bounds the size of cells.
    pub regions: Regions,
    /// What can be seen; all of it without a camera.
    pub view: Option<View>,
}

impl SizingParams {
    /// The choices of a scene.
    pub fn from_scene(scene: &Scene) -> Self {
        let a = &scene.adaptivity;
        Self {
            strength: a.strength,
            dilation: a.dilation,
            regions: Regions::new(scene),
            view: View::of(scene),
        }
    }

    /// The finest level that may be asked for at a point.
    pub(crate) fn finest_at(&self, grid: &RootGrid, p: DVec3) -> u8 {
        let max = grid.max_level();
        let is_seen = self.view.is_none_or(|v| v.sees(p, 4.0 * grid.dx()));
        let finest = if is_seen { max } else { max.saturating_sub(UNSEEN) };
        self.regions.finest_at(p, max).min(finest)
    }

    /// The level that is needed at `gap` from the surface, in water or in air.
    pub(crate) fn level(&self, grid: &RootGrid, gap: f64, in_water: bool) -> u8 {
        let reach = if in_water { UNDER } else { OVER } / self.strength;
        let too_large = |&level: &u8| gap < reach * grid.cell_size(level);
        (0..grid.max_level()).take_while(too_large).count() as u8
    }
}
