//! Everything that rays can meet: water, solids and the floor, and what light does on its way.

use crate::bvh::{Hit, Ray, Sides};
use crate::fog::Fog;
use crate::optics::{WATER, facing, fresnel, reflect, refract};
use crate::skin::{Skin, UnitScene};
use glam::Vec3;
use octide_core::contract::{Smoke, Surface};
use octide_core::geometry::{Pose, TriMesh};
use octide_core::scene::Domain;

/// The floor lies this far below the domain, so that water on it does not flicker.
pub const FLOOR: f32 = -4e-4;
/// Rays start this far off the surface that they leave.
pub const OFF: f32 = 2e-5;

/// Part of the light that water takes on a path as long as the domain's typical side: red first.
const ABSORPTION: Vec3 = Vec3::new(3.4, 1.10, 0.66);

/// The scene ready to be looked at.
pub struct Stage {
    pub scene: UnitScene,
    pub water: Skin,
    pub solids: Skin,
    /// Smoke, where there is some to be seen.
    pub fog: Option<Fog>,
    pub backdrop: Backdrop,
    absorption: Vec3,
    /// Water that ends this close before a solid touches it.
    pub touch: f32,
}

/// How bright what is behind the scene is: what the eye sees of it, not the light that it sends.
#[derive(Clone, Copy, Debug)]
pub struct Backdrop {
    pub sky: Vec3,
    pub floor: f32,
}

impl Backdrop {
    pub const DAY: Self = Self { sky: Vec3::ONE, floor: 1.0 };
    pub const DUSK: Self = Self { sky: Vec3::new(0.17, 0.19, 0.22), floor: 0.5 };
}

/// What a ray meets first.
pub enum Meets {
    Water(Hit),
    Solid(Hit),
    Floor(f32),
    Nothing,
}

/// Which way light goes on at the border of water.
pub struct Border {
    /// The part that is reflected.
    pub reflectance: f32,
    pub reflected: Ray,
    /// None where all is reflected.
    pub refracted: Option<Ray>,
    /// Whether the ray came from outside.
    pub enters: bool,
}

impl Stage {
    pub fn new(surface: &Surface, solids: &[(&TriMesh, Pose)], domain: &Domain) -> Self {
        Self::set(surface, None, solids, domain, Backdrop::DAY)
    }

    /// A stage for smoke, before a darker ground that pale smoke stands out from.
    pub fn of_smoke(smoke: Option<&Smoke>, solids: &[(&TriMesh, Pose)], domain: &Domain) -> Self {
        Self::set(&Surface::default(), smoke, solids, domain, Backdrop::DUSK)
    }

    fn set(
        surface: &Surface,
        smoke: Option<&Smoke>,
        solids: &[(&TriMesh, Pose)],
        domain: &Domain,
        backdrop: Backdrop,
    ) -> Self {
        let scene = UnitScene::new(domain);
        let (water, solids) = rayon::join(|| Skin::water(surface, &scene), || Skin::solids(solids, &scene));
        let size = scene.hi - scene.lo;
        // Seen from the side it is the width that colors water, seen from above its depth.
        let typical = (size.y * size.element_product().cbrt()).sqrt().max(0.05);
        let fog = smoke.and_then(|smoke| Fog::new(smoke, &solids.bvh, &scene));
        let (absorption, touch) = (ABSORPTION / typical, 1.5 * scene.dx);
        Self { scene, water, solids, fog, backdrop, absorption, touch }
    }

    /// What is left of light after a way through water.
    ///
    /// The first stretch counts more than it should: real drops and sheets are all but colorless, and would
    /// not be seen as the same water.
    pub fn transmittance(&self, length: f32) -> Vec3 {
        let thin = 0.12 * (1.0 - (-length / 0.06).exp());
        (-self.absorption * (length + thin)).exp()
    }

    /// The nearest thing on a ray's way.
    pub fn meet(&self, ray: &Ray) -> Meets {
        let to_floor = if ray.dir.y < 0.0 { (FLOOR - ray.origin.y) / ray.dir.y } else { f32::INFINITY };
        let to_floor = if to_floor > 0.0 { to_floor } else { f32::INFINITY };
        let water = self.water.bvh.nearest(ray, to_floor, Sides::Both);
        let t_max = water.map_or(to_floor, |h| h.t);
        // Solids are seen only from outside, so that one may enclose the scene.
        match (self.solids.bvh.nearest(ray, t_max, Sides::Front), water) {
            (Some(solid), _) => Meets::Solid(solid),
            (None, Some(hit)) => self.through_contact(ray, hit),
            (None, None) if to_floor.is_finite() => Meets::Floor(to_floor),
            (None, None) => Meets::Nothing,
        }
    }

    /// Water that lies on the floor or against a solid wets it: there is no film of air between them that
    /// could mirror, and a ray that leaves the water there sees the floor or the solid at once.
    fn through_contact(&self, ray: &Ray, hit: Hit) -> Meets {
        if self.water.normal(&hit).dot(ray.dir) <= 0.0 {
            return Meets::Water(hit);
        }
        if self.water.tag(&hit) == 1 {
            return Meets::Floor(hit.t);
        }
        match self.solids.bvh.nearest(ray, hit.t + self.touch, Sides::Front) {
            Some(solid) => Meets::Solid(solid),
            None => Meets::Water(hit),
        }
    }

    /// How light goes on where a ray meets water.
    pub fn border(&self, ray: &Ray, hit: &Hit) -> Border {
        let outward = self.water.normal(hit);
        let enters = outward.dot(ray.dir) <= 0.0;
        let side = if enters { 1.0 } else { -1.0 };
        let eta = if enters { 1.0 / WATER } else { WATER };
        let ng = side * outward;
        let n = facing(side * self.water.smooth_normal(hit), ray.dir);
        let at = ray.at(hit.t);
        let refracted = refract(ray.dir, n, ng, eta).map(|d| Ray::new(at - OFF * ng, d));
        let reflectance = if refracted.is_some() { fresnel(-n.dot(ray.dir), eta) } else { 1.0 };
        let reflected = Ray::new(at + OFF * ng, reflect(ray.dir, n, ng));
        Border { reflectance, reflected, refracted, enters }
    }

    /// Whether a point is in the water: a ray from there leaves it first.
    pub fn submerged(&self, p: Vec3) -> bool {
        let up = Ray::new(p, Vec3::new(0.013, 1.0, 0.017).normalize());
        let hit = self.water.bvh.nearest(&up, f32::INFINITY, Sides::Both);
        hit.is_some_and(|h| self.water.normal(&h).dot(up.dir) > 0.0)
    }

    /// The part of the sun's light that reaches a point straight through whatever lies between.
    pub fn sunlight(&self, from: Vec3, to_sun: Vec3) -> Vec3 {
        let mut ray = Ray::new(from, to_sun);
        if self.solids.bvh.blocked(&ray, f32::INFINITY, Sides::Front) {
            return Vec3::ZERO;
        }
        let mut light = Vec3::splat(self.fog.as_ref().map_or(1.0, |fog| fog.sunlight(from)));
        for _ in 0..8 {
            let Some(hit) = self.water.bvh.nearest(&ray, f32::INFINITY, Sides::Both) else {
                break;
            };
            let leaves = self.water.normal(&hit).dot(to_sun) > 0.0;
            light *= if leaves { self.transmittance(hit.t) } else { Vec3::splat(0.96) };
            ray.origin = ray.at(hit.t + OFF);
        }
        light
    }
}
