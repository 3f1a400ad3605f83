//! Pictures of water.

#[cfg(test)]
mod tests;

use crate::image::Picture;
use crate::render::{View, render_stage};
use crate::stage::Stage;
use octide_core::contract::Surface;
use octide_core::geometry::{Pose, TriMesh};
use octide_core::scene::{Camera, Domain};

/// The content of a picture of water, and the view.
#[derive(Clone, Copy, Debug)]
pub struct WaterView<'a> {
    /// The liquid's surface, closed. Normals may be missing; velocities are not used.
    pub surface: &'a Surface,
    /// Meshes of solids with their poses.
    pub solids: &'a [(&'a TriMesh, Pose)],
    /// The box that the water is in. The floor lies under it.
    pub domain: &'a Domain,
    /// The camera; by default one that sees the whole domain.
    pub camera: Option<&'a Camera>,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Extra rays for pixels that differ from their neighbors: 0 for none, 4 for smooth edges.
    pub samples: u32,
}

/// Draws water, solids, and the floor beneath them. The bytes do not depend on the number of threads.
pub fn render_water(view: &WaterView) -> Picture {
    let WaterView { camera, width, height, samples, .. } = *view;
    if width == 0 || height == 0 {
        return Picture { width, height, rgb: Vec::new() };
    }
    let stage = Stage::new(view.surface, view.solids, view.domain);
    render_stage(&stage, &View { camera, width, height, samples })
}
