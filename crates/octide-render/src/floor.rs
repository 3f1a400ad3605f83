//! The floor: matte tiles that fade into the horizon, lit by two maps that are computed once per picture.
//!
//! * Sunlight: rays from the sun start on a regular grid, are refracted and attenuated by water, and add
//!   their light to the texel where they arrive. Unobstructed rays arrive on the same grid, so that the light
//!   is uniform; behind water they form caustics; behind solids there are none.
//! * Skylight: the fraction of the sky that a point sees past solids and water, which darkens the floor near
//!   them.

mod map;
mod pattern;

use crate::bvh::{Ray, Sides};
use crate::sky::{AMBIENT, SUN, SUN_RADIUS, smooth, sun, sun_frame};
use crate::stage::{FLOOR, FirstHit, OFF, Stage};
use glam::{Vec2, Vec3};
use map::Map;
use rayon::prelude::*;

/// Texels along the longer side of the sunlight's map.
const SUN_TEXELS: f32 = 224.0;
const SKY_TEXELS: f32 = 56.0;
/// Number of rays to each texel from the sun, along one side of a square; each comes from a different part of
/// the sun.
const SUN_RAYS: usize = 2;
const SKY_RAYS: usize = 24;
/// Maximum number of water boundaries on the path of a ray.
const BORDERS: usize = 7;

/// The light that falls on the floor.
pub struct FloorLight {
    sun: Map,
    sky: Map,
    tile: f32,
    corner: Vec2,
}

impl FloorLight {
    /// Computes the light that reaches the floor of a stage.
    pub fn new(stage: &Stage) -> Self {
        let (lo, hi) = (stage.scene.lo, stage.scene.hi);
        let cast = -sun() * (hi.y / sun().y);
        let (lo2, hi2) = (Vec2::new(lo.x, lo.z), Vec2::new(hi.x, hi.z));
        let cast = Vec2::new(cast.x, cast.z);
        let margin = 0.08;
        let (from, to) = ((lo2 + cast).min(lo2) - margin, (hi2 + cast).max(hi2) + margin);
        let sunlit = sun_map(stage, Map::over(from, to, SUN_TEXELS));
        let around = 0.25;
        let skylit = sky_map(stage, Map::over(lo2 - around, hi2 + around, SKY_TEXELS));
        Self { sun: sunlit, sky: skylit, tile: 0.125, corner: lo2 }
    }

    /// Returns the color of the floor at a point, seen with a footprint of some width.
    pub fn color(&self, p: Vec3, width: f32) -> Vec3 {
        let at = Vec2::new(p.x, p.z);
        let light = SUN * sun().y * self.sun.at(at) + AMBIENT * self.sky.at(at);
        pattern::tiles((at - self.corner) / self.tile, width / self.tile) * light
    }
}

fn sun_map(stage: &Stage, mut map: Map) -> Map {
    let (right, up) = sun_frame();
    let rays = SUN_RAYS as f32;
    let weight = 1.0 / (rays * rays);
    let (nx, ny) = map.size();
    let far = 1.0 + 2.0 * (stage.scene.hi - stage.scene.lo).length();
    let arrivals: Vec<Vec<(Vec2, Vec3)>> = (0..ny * SUN_RAYS)
        .into_par_iter()
        .map(|row| {
            let mut found = Vec::with_capacity(nx * SUN_RAYS);
            for column in 0..nx * SUN_RAYS {
                let (i, j) = ((column % SUN_RAYS) as f32, (row % SUN_RAYS) as f32);
                let part = (Vec2::new(i, j) + 0.5) / rays * 2.0 - 1.0;
                let down = -(sun() + SUN_RADIUS * (part.x * right + part.y * up)).normalize();
                let cell = Vec2::new((column / SUN_RAYS) as f32, (row / SUN_RAYS) as f32);
                let goal = map.point(cell + 0.5);
                let ray = Ray::new(Vec3::new(goal.x, FLOOR, goal.y) - far * down, down);
                found.extend(follow(stage, ray));
            }
            found
        })
        .collect();
    for (at, light) in arrivals.into_iter().flatten() {
        map.splat(at, weight * light);
    }
    map.seal(Vec3::ONE);
    map.blur();
    map
}

/// Follows a ray of sunlight; returns where it reaches the floor, and its remaining light.
fn follow(stage: &Stage, mut ray: Ray) -> Option<(Vec2, Vec3)> {
    let mut light = Vec3::ONE;
    let mut inside = false;
    for _ in 0..=BORDERS {
        match stage.first_hit(&ray) {
            FirstHit::Floor(t) => {
                if inside {
                    light *= stage.transmittance(t);
                }
                let p = ray.at(t);
                light *= stage.fog.as_ref().map_or(1.0, |fog| fog.sunlight(p));
                return Some((Vec2::new(p.x, p.z), light));
            }
            FirstHit::Water(hit) => {
                let border = stage.border(&ray, &hit);
                if !border.enters {
                    light *= stage.transmittance(hit.t);
                }
                inside = border.enters == border.refracted.is_some();
                ray = match border.refracted {
                    Some(refracted) => {
                        light *= 1.0 - border.reflectance;
                        refracted
                    }
                    None => border.reflected,
                };
            }
            FirstHit::Solid(_) | FirstHit::Nothing => return None,
        }
    }
    None
}

fn sky_map(stage: &Stage, mut map: Map) -> Map {
    let (nx, ny) = map.size();
    let texels: Vec<Vec3> = (0..nx * ny)
        .into_par_iter()
        .with_min_len(64)
        .map(|i| {
            let p = map.point(Vec2::new((i % nx) as f32, (i / nx) as f32) + 0.5);
            skylight(stage, Vec3::new(p.x, FLOOR + OFF, p.y))
        })
        .collect();
    map.fill(texels);
    map.seal(Vec3::ONE);
    map.blur();
    map
}

fn skylight(stage: &Stage, p: Vec3) -> Vec3 {
    let wet = stage.submerged(p + 3.0 * Vec3::Y * (OFF - FLOOR));
    let mut seen = Vec3::ZERO;
    for i in 0..SKY_RAYS {
        // A spiral with equal weights under the cosine law.
        let r2 = (i as f32 + 0.5) / SKY_RAYS as f32;
        let (sin, cos) = (i as f32 * 2.399_963).sin_cos();
        let r = r2.sqrt();
        let ray = Ray::new(p, Vec3::new(r * cos, (1.0 - r2).sqrt(), r * sin));
        seen += if stage.solids.bvh.blocked(&ray, 1.0, Sides::Front) {
            Vec3::splat(0.12)
        } else if wet {
            Vec3::new(0.72, 0.80, 0.82)
        } else {
            match stage.water.bvh.nearest(&ray, 1.0, Sides::Both) {
                Some(hit) => Vec3::new(0.50, 0.66, 0.70).lerp(Vec3::ONE, smooth(0.0, 1.0, hit.t)),
                None => Vec3::ONE,
            }
        };
    }
    seen / SKY_RAYS as f32
}
