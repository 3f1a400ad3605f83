//! Smoke that rays pass through, with the light in it.
//!
//! Along a ray through smoke of extinction σ = κρ,
//!
//! ```text
//! L = L₀ T(0, s) + ∫ T(0, t) σ S dt,   T(a, b) = exp(−∫ σ dt),
//! ```
//!
//! L₀ is what is behind it, S what the smoke at a place sends on of the light that reaches it. That light is
//! the sun's, dimmed on its way through the smoke and by solids, and the sky's; both are known on a coarse
//! grid ([`mod@light`]). Light that was scattered more than once is approximated: it is what an ever thinner
//! smoke would let through.
//!
//! | what | where |
//! |---|---|
//! | density anywhere | field.rs |
//! | sunlight and skylight in the smoke | light.rs |
//! | the integral along a ray | march.rs |

mod field;
mod light;
mod march;
#[cfg(test)]
mod tests;

use crate::bvh::{Bvh, Ray};
use crate::image::Picture;
use crate::shot::{Shot, shoot};
use crate::skin::UnitScene;
use crate::stage::Stage;
use field::Field;
use glam::Vec3;
use light::Light;
use octide_core::contract::Smoke;
use octide_core::geometry::{Pose, TriMesh};
use octide_core::scene::{Camera, Domain};

/// κ: the extinction of a density of 1 on a way as long as the domain's longest side. A column of a fiftieth
/// of it lets a third of the light through.
const EXTINCTION: f32 = 50.0;

/// What a picture of smoke shows, and from where.
#[derive(Clone, Copy, Debug)]
pub struct SmokeView<'a> {
    /// The smoke, where there is some. Velocities and temperatures are not looked at.
    pub smoke: Option<&'a Smoke>,
    /// Bodies and where they stand.
    pub solids: &'a [(&'a TriMesh, Pose)],
    /// The box that the smoke is in. The floor lies under it.
    pub domain: &'a Domain,
    /// The eye; one that sees the whole domain where there is none.
    pub camera: Option<&'a Camera>,
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Rays more for pixels that differ from their neighbors: 0 for none, 4 for smooth edges.
    pub samples: u32,
}

/// Draws smoke, solids, and the floor beneath them. The bytes do not depend on the number of threads.
pub fn render_smoke(view: &SmokeView) -> Picture {
    let SmokeView { camera, width, height, samples, .. } = *view;
    if width == 0 || height == 0 {
        return Picture { width, height, rgb: Vec::new() };
    }
    let stage = Stage::of_smoke(view.smoke, view.solids, view.domain);
    shoot(&stage, &Shot { camera, width, height, samples })
}

/// Smoke on a stage.
pub struct Fog {
    field: Field,
    light: Light,
}

impl Fog {
    /// Smoke between solids; none where there is nothing to see.
    pub fn new(smoke: &Smoke, solids: &Bvh, scene: &UnitScene) -> Option<Self> {
        let field = Field::new(smoke, scene)?;
        let light = Light::new(&field, solids);
        Some(Self { field, light })
    }

    /// The part of the sun's light that smoke lets through to a point.
    pub fn sunlight(&self, p: Vec3) -> f32 {
        self.light.sun_through(p)
    }

    /// What smoke makes of light that comes from `distance` along a ray, and how far off it hides half of
    /// what is behind; `seed` shifts samples.
    pub fn veil(&self, ray: &Ray, distance: f32, light: Vec3, seed: u32) -> (Vec3, f32) {
        let seen = march::march(&self.field, &self.light, ray, distance, seed);
        (light * seen.left + seen.light, seen.half.min(distance))
    }
}
