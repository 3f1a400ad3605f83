//! Everything that rays can hit: water, solids and the floor; and how light is transmitted.

use crate::bvh::{Hit, Ray, Sides};
use crate::fog::Fog;
use crate::optics::{WATER, facing, fresnel, reflect, refract};
use crate::traced_mesh::{TracedMesh, UnitScene};
use glam::Vec3;
use octide_core::contract::{Smoke, Surface};
use octide_core::geometry::{Pose, TriMesh};
use octide_core::scene::Domain;

/// The floor lies this far below the domain, so that water on it does not flicker.
pub const FLOOR: f32 = -4e-4;
/// Offset of the start of a ray from the surface that it leaves.
pub const OFF: f32 = 2e-5;

/// Absorption of water over the typical size of the domain, strongest in red.
const ABSORPTION: Vec3 = Vec3::new(3.4, 1.10, 0.66);

/// The scene prepared for ray tracing.
pub struct Stage {
    pub scene: UnitScene,
    pub water: TracedMesh,
    pub solids: TracedMesh,
    /// Visible smoke.
    pub fog: Option<Fog>,
    pub backdrop: Backdrop,
    absorption: Vec3,
    /// Water that ends within this distance of a solid counts as touching it.
    pub touch: f32,
}

/// Brightness of the background as the camera sees it; the light in the scene does not depend on it.
#[derive(Clone, Copy, Debug)]
pub struct Backdrop {
    pub sky: Vec3,
    pub floor: f32,
}

impl Backdrop {
    pub const DAY: Self = Self { sky: Vec3::ONE, floor: 1.0 };
    pub const DUSK: Self = Self { sky: Vec3::new(0.17, 0.19, 0.22), floor: 0.5 };
}

/// The first thing that a ray hits.
pub enum FirstHit {
    Water(Hit),
    Solid(Hit),
    Floor(f32),
    Nothing,
}

/// Reflection and refraction at a water surface.
pub struct Border {
    /// Fraction of the light that is reflected.
    pub reflectance: f32,
    pub reflected: Ray,
    /// None under total reflection.
    pub refracted: Option<Ray>,
    /// Whether the ray came from outside.
    pub enters: bool,
}

impl Stage {
    pub fn new(surface: &Surface, solids: &[(&TriMesh, Pose)], domain: &Domain) -> Self {
        Self::set(surface, None, solids, domain, Backdrop::DAY)
    }

    /// Prepares a stage for smoke, with a darker background that makes pale smoke visible.
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
        let (water, solids) =
            rayon::join(|| TracedMesh::water(surface, &scene), || TracedMesh::solids(solids, &scene));
        let size = scene.hi - scene.lo;
        // The color of water depends on its width seen from the side, and on its depth seen from above.
        let typical = (size.y * size.element_product().cbrt()).sqrt().max(0.05);
        let fog = smoke.and_then(|smoke| Fog::new(smoke, &solids.bvh, &scene));
        let (absorption, touch) = (ABSORPTION / typical, 1.5 * scene.dx);
        Self { scene, water, solids, fog, backdrop, absorption, touch }
    }

    /// Returns the fraction of light that a length of water transmits.
    ///
    /// Thin water absorbs more than it really does: real drops and sheets are almost colorless and would not
    /// be recognized as the same water.
    pub fn transmittance(&self, length: f32) -> Vec3 {
        let thin = 0.12 * (1.0 - (-length / 0.06).exp());
        (-self.absorption * (length + thin)).exp()
    }

    /// Returns the nearest thing that a ray hits.
    pub fn first_hit(&self, ray: &Ray) -> FirstHit {
        let to_floor = if ray.dir.y < 0.0 { (FLOOR - ray.origin.y) / ray.dir.y } else { f32::INFINITY };
        let to_floor = if to_floor > 0.0 { to_floor } else { f32::INFINITY };
        let water = self.water.bvh.nearest(ray, to_floor, Sides::Both);
        let t_max = water.map_or(to_floor, |h| h.t);
        // Solids are seen only from outside, so that one may enclose the scene.
        match (self.solids.bvh.nearest(ray, t_max, Sides::Front), water) {
            (Some(solid), _) => FirstHit::Solid(solid),
            (None, Some(hit)) => self.through_contact(ray, hit),
            (None, None) if to_floor.is_finite() => FirstHit::Floor(to_floor),
            (None, None) => FirstHit::Nothing,
        }
    }

    /// Continues a ray that leaves water into the floor or a solid that the water touches: there is no film
    /// of air between them that could reflect, so the ray hits the floor or the solid directly.
    fn through_contact(&self, ray: &Ray, hit: Hit) -> FirstHit {
        if self.water.normal(&hit).dot(ray.dir) <= 0.0 {
            return FirstHit::Water(hit);
        }
        if self.water.tag(&hit) == 1 {
            return FirstHit::Floor(hit.t);
        }
        match self.solids.bvh.nearest(ray, hit.t + self.touch, Sides::Front) {
            Some(solid) => FirstHit::Solid(solid),
            None => FirstHit::Water(hit),
        }
    }

    /// Computes reflection and refraction where a ray hits water.
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

    /// Returns whether a point is in water: a ray from there leaves the first surface that it hits.
    pub fn submerged(&self, p: Vec3) -> bool {
        let up = Ray::new(p, Vec3::new(0.013, 1.0, 0.017).normalize());
        let hit = self.water.bvh.nearest(&up, f32::INFINITY, Sides::Both);
        hit.is_some_and(|h| self.water.normal(&h).dot(up.dir) > 0.0)
    }

    /// Returns the fraction of sunlight that reaches a point on a straight line.
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
