//! Pictures of smoke.

#[cfg(test)]
mod tests;

use crate::image::Picture;
use crate::render::{View, render_stage};
use crate::stage::Stage;
use octide_core::contract::Smoke;
use octide_core::geometry::{Pose, TriMesh};
use octide_core::scene::{Camera, Domain};

/// The content of a picture of smoke, and the view.
#[derive(Clone, Copy, Debug)]
pub struct SmokeView<'a> {
    /// The smoke, if there is any. Velocities and temperatures are not used.
    pub smoke: Option<&'a Smoke>,
    /// Meshes of solids with their poses.
    pub solids: &'a [(&'a TriMesh, Pose)],
    /// The box that the smoke is in. The floor lies under it.
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

/// Draws smoke, solids, and the floor beneath them. The bytes do not depend on the number of threads.
pub fn render_smoke(view: &SmokeView) -> Picture {
    let SmokeView { camera, width, height, samples, .. } = *view;
    if width == 0 || height == 0 {
        return Picture { width, height, rgb: Vec::new() };
    }
    let stage = Stage::of_smoke(view.smoke, view.solids, view.domain);
    render_stage(&stage, &View { camera, width, height, samples })
}
