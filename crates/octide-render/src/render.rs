//! Renders a stage: one ray per pixel, extra rays where neighbors differ, a tone curve, and the edges of the
//! domain as faint lines.

mod edges;

use crate::bvh::Ray;
use crate::camera::PinholeCamera;
use crate::floor::FloorLight;
use crate::image::Picture;
use crate::stage::Stage;
use crate::trace::Tracer;
use glam::{Vec2, Vec3};
use octide_core::scene::Camera;
use rayon::prelude::*;

/// Difference to a neighbor, relative to full brightness, above which a pixel gets extra rays.
const CONTRAST: f32 = 0.045;

/// The camera and the resolution of a picture.
pub struct View<'a> {
    /// The camera; by default one that sees the whole domain.
    pub camera: Option<&'a Camera>,
    pub width: u32,
    pub height: u32,
    /// Extra rays for pixels that differ from their neighbors.
    pub samples: u32,
}

/// Renders a stage.
pub fn render_stage(stage: &Stage, view: &View) -> Picture {
    let (width, height) = (view.width, view.height);
    let aspect = width as f32 / height as f32;
    let eye = match view.camera {
        Some(c) => {
            let (from, to) = (stage.scene.point(c.position), stage.scene.point(c.target));
            PinholeCamera::look(from, to, c.fov as f32, aspect)
        }
        None => PinholeCamera::frame(stage.scene.lo, stage.scene.hi, aspect),
    };
    let tracer = Tracer {
        stage,
        floor: &FloorLight::new(stage),
        eye_inside: stage.submerged(eye.position),
        pixel_angle: eye.pixel_angle(height),
    };
    let scale = Vec2::new(1.0 / width as f32, 1.0 / height as f32);
    let look = |x: u32, y: u32, k: u32| {
        let at = (Vec2::new(x as f32, y as f32) + inside_pixel(k)) * scale;
        let dir = eye.direction(at.x, at.y);
        let seed = y.wrapping_mul(width).wrapping_add(x).wrapping_mul(0x2545_f491).wrapping_add(k);
        let (light, distance) = tracer.look(Ray::new(eye.position, dir), seed);
        (tone(light), eye.depth(dir, distance))
    };

    let row = width as usize;
    let n_pixels = row * height as usize;
    let place = |i: usize| ((i % row) as u32, (i / row) as u32);
    let first: Vec<(Vec3, f32)> = (0..n_pixels)
        .into_par_iter()
        .with_min_len(64)
        .map(|i| {
            let (x, y) = place(i);
            look(x, y, 0)
        })
        .collect();
    let mut colors: Vec<Vec3> = (0..n_pixels)
        .into_par_iter()
        .with_min_len(64)
        .map(|i| {
            let color = first[i].0;
            let (x, y) = place(i);
            if view.samples == 0 || !differs(&first, width, height, x, y) {
                return color;
            }
            let more: Vec3 = (1..=view.samples).map(|k| look(x, y, k).0).sum();
            (color + more) / (view.samples + 1) as f32
        })
        .collect();
    edges::draw(&mut colors, &first, width, &eye, stage);
    Picture { width, height, rgb: colors.iter().flat_map(|c| c.to_array().map(encode)).collect() }
}

/// Returns where the `k`-th ray passes through a pixel: the first through its middle, the others spread
/// evenly around.
fn inside_pixel(k: u32) -> Vec2 {
    if k == 0 {
        return Vec2::splat(0.5);
    }
    // Multiples of the inverse plastic number and of its square are spread evenly in the square.
    let k = k as f32;
    Vec2::new((0.5 + k * 0.754_877_7).fract(), (0.5 + k * 0.569_840_3).fract())
}

fn differs(first: &[(Vec3, f32)], width: u32, height: u32, x: u32, y: u32) -> bool {
    let color = |x: u32, y: u32| first[y as usize * width as usize + x as usize].0;
    let here = color(x, y).map(f32::sqrt);
    let far = |x: u32, y: u32| (color(x, y).map(f32::sqrt) - here).abs().max_element() > CONTRAST;
    (x > 0 && far(x - 1, y))
        || (y > 0 && far(x, y - 1))
        || (x + 1 < width && far(x + 1, y))
        || (y + 1 < height && far(x, y + 1))
}

/// Maps light to [0, 1]: nearly linear in the dark, compressed toward white.
fn tone(light: Vec3) -> Vec3 {
    const EXPOSURE: f32 = 1.05;
    const WHITE: f32 = 3.6;
    let x = EXPOSURE * light.max(Vec3::ZERO);
    // Very bright colors look paler.
    let gray = Vec3::splat(x.dot(Vec3::new(0.2126, 0.7152, 0.0722)));
    let x = x.lerp(gray, 0.25 * (gray.x / (1.0 + gray.x)));
    let y = (x * (1.0 + x / (WHITE * WHITE)) / (1.0 + x)).min(Vec3::ONE);
    // A little more contrast in the midtones.
    y.lerp(y * y * (3.0 - 2.0 * y) * 1.1, 0.35).min(Vec3::ONE)
}

/// Converts linear light to a byte of sRGB.
fn encode(x: f32) -> u8 {
    let x = x.clamp(0.0, 1.0);
    let s = if x <= 0.003_130_8 { 12.92 * x } else { 1.055 * x.powf(1.0 / 2.4) - 0.055 };
    (255.0 * s + 0.5) as u8
}
