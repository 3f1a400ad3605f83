//! Smoke for ray tracing, with the light in it.
//!
//! Along a ray through smoke of extinction σ = κρ,
//!
//! ```text
//! L = L₀ T(0, s) + ∫ T(0, t) σ S dt,   T(a, b) = exp(−∫ σ dt),
//! ```
//!
//! L₀ is the light from behind it, and S the light that the smoke at a point scatters. It scatters sunlight,
//! attenuated by smoke and solids, and skylight; both are computed on a coarse grid ([`mod@light`]). Multiple
//! scattering is approximated by light through ever thinner smoke.
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
use crate::traced_mesh::UnitScene;
use field::Field;
use glam::Vec3;
use light::Light;
use octide_core::contract::Smoke;

/// κ: the optical depth of density 1 over the longest side of the domain. A fiftieth of that length transmits
/// a third of the light.
pub const EXTINCTION: f32 = 50.0;

/// Smoke on a stage.
pub struct Fog {
    field: Field,
    light: Light,
}

impl Fog {
    /// Builds the smoke between solids; `None` if there is no visible smoke.
    pub fn new(smoke: &Smoke, solids: &Bvh, scene: &UnitScene) -> Option<Self> {
        let field = Field::new(smoke, scene)?;
        let light = Light::new(&field, solids);
        Some(Self { field, light })
    }

    /// Returns the light at a point, before smoke.
    #[cfg(test)]
    pub fn light_at(&self, p: Vec3) -> light::At {
        self.light.at(p)
    }

    /// Returns the fraction of the sunlight that smoke transmits to a point.
    pub fn sunlight(&self, p: Vec3) -> f32 {
        self.light.sun_through(p)
    }

    /// Attenuates light that comes from `distance` along a ray and adds scattered light; also returns the
    /// distance at which half is absorbed. `seed` shifts samples.
    pub fn veil(&self, ray: &Ray, distance: f32, light: Vec3, seed: u32) -> (Vec3, f32) {
        let seen = march::march(&self.field, &self.light, ray, distance, seed);
        (light * seen.left + seen.light, seen.half.min(distance))
    }
}
