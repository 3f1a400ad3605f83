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

use crate::bvh::{Bvh, Ray};
use crate::skin::UnitScene;
use field::Field;
use glam::Vec3;
use light::Light;
use octide_core::contract::Smoke;

/// κ: the extinction of a density of 1 on a way as long as the domain's longest side. A column of a fiftieth
/// of it lets a third of the light through.
pub const EXTINCTION: f32 = 50.0;

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

    /// The light at a point, before smoke.
    #[cfg(test)]
    pub fn light_at(&self, p: Vec3) -> light::At {
        self.light.at(p)
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
