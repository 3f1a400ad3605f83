//! Where cells are refined.

use super::SmokeDetail;
use crate::geometry::Shape;

/// Where cells are refined.
#[derive(Clone, Debug)]
pub struct Adaptivity {
    /// Weight of the surface's curvature.
    pub curvature: f64,
    /// Weight of the flow's strain at the surface.
    pub strain: f64,
    /// Whether cell sizes vary along the surface; if false, the whole surface has finest cells.
    pub along_surface: bool,
    /// From 0 (finest cells everywhere) to 1 (cells as large as allowed).
    pub strength: f64,
    /// Number of times that the cells of a level are dilated to their face neighbors before the next coarser
    /// level may follow.
    pub dilation: u32,
    /// Fraction of a sizing value that is left after `decay_time`.
    pub decay: f64,
    /// Time in seconds in which a sizing value falls to the fraction `decay`; `None` derives it from the
    /// scene's size and speed.
    pub decay_time: Option<f64>,
    /// Whether only regions in the camera's view request detail.
    pub camera: bool,
    /// Where cells are refined in smoke.
    pub smoke: SmokeDetail,
    /// Regions in which the cell size is bounded.
    pub regions: Vec<Region>,
}

impl Default for Adaptivity {
    fn default() -> Self {
        Self {
            curvature: 4.0,
            strain: 3.0,
            along_surface: true,
            strength: 1.0,
            dilation: 0,
            decay: 0.9,
            decay_time: None,
            camera: false,
            smoke: SmokeDetail::default(),
            regions: Vec::new(),
        }
    }
}

/// A region in which the cell size is bounded.
#[derive(Clone, Debug)]
pub struct Region {
    /// The region.
    pub shape: Shape,
    /// Upper bound in meters for the size of all cells that overlap the region; infinite if there is none.
    pub at_most: f64,
    /// Lower bound in meters for the cell sizes that are requested in the region; zero if there is none.
    pub at_least: f64,
}
