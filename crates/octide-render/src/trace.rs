//! The light that comes along a ray.
//!
//! At a water surface light splits: `L = F L_reflected + (1 − F) L_refracted`. Over a length `s` of water it
//! is absorbed, and light that the water scatters is added: `L e^(−σ s) + G (1 − e^(−σ s))`. Branches with
//! little weight end in the sky or the color of water, never in black.

use crate::bvh::{Hit, Ray};
use crate::floor::FloorLight;
use crate::noise::unit;
use crate::optics::{facing, reflect};
use crate::sky::{AMBIENT, SUN, SUN_RADIUS, horizon, sky, sky_in_mirrors, smooth, sun, sun_frame};
use crate::stage::{Backdrop, FirstHit, OFF, Stage};
use glam::{Vec2, Vec3};

const BORDERS: u32 = 7;
/// Rays to the sun from a point of a solid.
const SUN_RAYS: u32 = 5;
/// Branches with a weight below this end early.
const FAINT: f32 = 0.025;
/// The color of very deep water.
const DEEP: Vec3 = Vec3::new(0.010, 0.23, 0.36);
/// Distances from the middle of the scene at which the floor starts to fade and has faded.
const FADE: (f32, f32) = (0.9, 7.0);
/// Samples are clamped to this brightness, to avoid specks.
const BRIGHTEST: f32 = 6.0;
/// Offset from a solid at which its rays to the sun start.
const LIFT: f32 = 3e-3;

/// Colors of solids, used in turn.
const PAINTS: [Vec3; 4] = [
    Vec3::new(0.68, 0.18, 0.06),
    Vec3::new(0.72, 0.58, 0.38),
    Vec3::new(0.26, 0.31, 0.38),
    Vec3::new(0.78, 0.48, 0.10),
];

/// A ray on its way through the scene.
struct Path {
    ray: Ray,
    inside: bool,
    /// Fraction of its light that reaches the camera.
    weight: f32,
    borders: u32,
    /// Distance from the camera, for the footprint of a pixel.
    length: f32,
}

/// Traces rays through a stage from one camera.
pub struct Tracer<'a> {
    pub stage: &'a Stage,
    pub floor: &'a FloorLight,
    pub eye_inside: bool,
    pub pixel_angle: f32,
}

impl Tracer<'_> {
    /// Returns the light along a ray from the camera and the distance of the first hit. `seed` selects the
    /// points of the sun that cast shadows on solids.
    pub fn look(&self, ray: Ray, seed: u32) -> (Vec3, f32) {
        let hit = self.stage.first_hit(&ray);
        let distance = match hit {
            FirstHit::Water(hit) | FirstHit::Solid(hit) => hit.t,
            FirstHit::Floor(t) => t,
            FirstHit::Nothing => f32::INFINITY,
        };
        let path = Path { ray, inside: self.eye_inside, weight: 1.0, borders: 0, length: 0.0 };
        let light = self.shade(&path, hit, seed).min(Vec3::splat(BRIGHTEST));
        match &self.stage.fog {
            Some(fog) => fog.veil(&ray, distance, light, seed),
            None => (light, distance),
        }
    }

    fn follow(&self, path: Path, seed: u32) -> Vec3 {
        if path.weight < FAINT || path.borders > BORDERS {
            return self.cut_short(&path);
        }
        self.shade(&path, self.stage.first_hit(&path.ray), seed)
    }

    fn shade(&self, path: &Path, hit: FirstHit, seed: u32) -> Vec3 {
        let ray = &path.ray;
        match hit {
            FirstHit::Water(hit) => self.border(path, &hit, seed),
            FirstHit::Solid(hit) => {
                let color = self.solid(ray, &hit, path.inside, seed);
                self.through(path.inside, hit.t, color)
            }
            FirstHit::Floor(t) => {
                let color = self.floor(path, t);
                self.through(path.inside, t, color)
            }
            FirstHit::Nothing if path.borders == 0 => sky(ray.dir) * self.stage.backdrop.sky,
            FirstHit::Nothing => sky_in_mirrors(ray.dir),
        }
    }

    fn border(&self, path: &Path, hit: &Hit, seed: u32) -> Vec3 {
        let border = self.stage.border(&path.ray, hit);
        let f = border.reflectance;
        let next = |ray, inside, part: f32| Path {
            ray,
            inside,
            weight: path.weight * part,
            borders: path.borders + 1,
            length: path.length + hit.t,
        };
        let mut light = f * self.follow(next(border.reflected, !border.enters, f), seed);
        if let Some(refracted) = border.refracted {
            light += (1.0 - f) * self.follow(next(refracted, border.enters, 1.0 - f), seed);
        }
        self.through(!border.enters, hit.t, light)
    }

    fn through(&self, water: bool, length: f32, light: Vec3) -> Vec3 {
        if !water {
            return light;
        }
        let t = self.stage.transmittance(length);
        light * t + DEEP * (Vec3::ONE - t)
    }

    fn cut_short(&self, path: &Path) -> Vec3 {
        if path.inside {
            0.5 * DEEP + 0.35 * horizon() * Vec3::new(0.5, 0.9, 1.0)
        } else {
            sky_in_mirrors(path.ray.dir)
        }
    }

    fn floor(&self, path: &Path, t: f32) -> Vec3 {
        let p = path.ray.at(t);
        // An estimate: curved surfaces enlarge the footprint of a pixel.
        let spread = 1.0 + 0.6 * path.borders as f32;
        let width = spread * (path.length + t) * self.pixel_angle / (-path.ray.dir.y).max(0.02).sqrt();
        let fade = smooth(FADE.0, FADE.1, Vec2::new(p.x, p.z).length());
        let Backdrop { sky, floor } = self.stage.backdrop;
        (floor * self.floor.color(p, width)).lerp(horizon() * sky, fade)
    }

    fn solid(&self, ray: &Ray, hit: &Hit, wet: bool, seed: u32) -> Vec3 {
        let mesh = &self.stage.solids;
        let ng = mesh.normal(hit);
        let n = facing(mesh.smooth_normal(hit), ray.dir);
        let p = ray.at(hit.t) + OFF * ng;
        let paint = PAINTS[mesh.tag(hit) as usize % PAINTS.len()];

        let cos = n.dot(sun()).max(0.0);
        // The cosine, with a softer start.
        let lit = 1.12 * cos * cos / (cos + 0.12);
        // Well off the triangle, so that flat faces of a round body do not shadow each other.
        let direct = if lit > 0.0 { self.sunlight(p + LIFT * n, seed) * lit } else { Vec3::ZERO };

        let open = 0.5 + 0.5 * n.y;
        let near_floor = 0.35 + 0.65 * smooth(0.0, 0.22, p.y + 0.1 * n.y.max(0.0));
        let bounce = 0.25 * AMBIENT + 0.09 * SUN;
        // Light from all around is stronger from the sun's side.
        let side = 1.0 + 0.35 * n.dot(sun());
        let around = (AMBIENT * open + bounce * (1.0 - open) * near_floor) * side;
        let matte = paint * (SUN * direct + around);
        if wet {
            return matte;
        }
        let mirrored = reflect(ray.dir, n, ng);
        let f = 0.04 + 0.5 * (1.0 - n.dot(-ray.dir).clamp(0.0, 1.0)).powi(5);
        let shine = if mirrored.y > 0.0 { sky_in_mirrors(mirrored) } else { 0.6 * horizon() };
        matte * (1.0 - f) + f * shine.min(Vec3::splat(3.0)) * (0.4 + 0.6 * direct.max(Vec3::splat(0.3)))
    }

    /// Returns the sunlight at a point, from a few points of the sun that vary from pixel to pixel.
    fn sunlight(&self, p: Vec3, seed: u32) -> Vec3 {
        let (right, up) = sun_frame();
        let turn = std::f32::consts::TAU * unit(seed);
        let mut light = Vec3::ZERO;
        for k in 0..SUN_RAYS {
            let r = SUN_RADIUS * ((k as f32 + 0.5) / SUN_RAYS as f32).sqrt();
            let (sin, cos) = (turn + k as f32 * 2.399_963).sin_cos();
            light += self.stage.sunlight(p, (sun() + r * (cos * right + sin * up)).normalize());
        }
        light / SUN_RAYS as f32
    }
}
