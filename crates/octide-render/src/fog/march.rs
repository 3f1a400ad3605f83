//! The way of a ray through smoke, cell by cell.
//!
//! What lies in a cell is cut into stretches of at most a share of it; each is sampled once, near its middle,
//! at a place that differs from pixel to pixel, so that no rings are seen. A stretch of depth δ = σ dt sends
//! `S (1 − e^(−δ))` and lets `e^(−δ)` of what is behind it through, which is exact where σ and S are even.

use super::field::Field;
use super::light::{At, Light};
use crate::bvh::Ray;
use crate::noise::unit;
use crate::sky::{AMBIENT, SUN, sun};
use glam::Vec3;

/// A stretch is at most this share of its cell ...
const SHARE: f32 = 0.6;
/// ... but need not be shorter than this, and is never longer than that, within which light changes.
const SHORTEST: f32 = 1.0 / 512.0;
const LONGEST: f32 = 1.0 / 48.0;
/// What is behind smoke that lets less than this through is not seen.
const HIDDEN: f32 = 0.004;
/// How far samples stray from the middle of a stretch, of its length.
const STRAY: f32 = 0.8;

/// Color of what smoke sends on.
const ALBEDO: Vec3 = Vec3::new(0.93, 0.93, 0.94);
/// Light scattered once, twice and often: how strong it is, by how much thinner smoke it fades, and how far
/// it goes on ahead rather than to all sides.
const ORDERS: [(f32, f32, f32); 3] = [(0.36, 1.0, 0.4), (0.18, 0.35, 0.2), (0.07, 0.10, 0.0)];

/// What a ray has met.
pub struct Seen {
    /// Light that smoke sends along the ray.
    pub light: Vec3,
    /// The part of what is behind that is let through.
    pub left: f32,
    /// Where half of it is gone; infinite where more is left.
    pub half: f32,
}

/// Follows a ray up to a distance.
pub fn march(field: &Field, light: &Light, ray: &Ray, distance: f32, seed: u32) -> Seen {
    let mut seen = Seen { light: Vec3::ZERO, left: 1.0, half: f32::INFINITY };
    // A direction along an axis would give 0 · ∞.
    let inverse = ray.dir.map(|x| 1.0 / if x.abs() < 1e-9 { 1e-9f32.copysign(x) } else { x });
    let slab = |lo: Vec3, hi: Vec3| {
        let (a, b) = ((lo - ray.origin) * inverse, (hi - ray.origin) * inverse);
        (a.min(b).max_element(), a.max(b).min_element())
    };
    let (enters, leaves) = slab(field.lo, field.hi);
    let (mut t, end) = (enters.max(0.0), leaves.min(distance));
    let phases = ORDERS.map(|(_, _, g)| phase(ray.dir.dot(sun()), g));
    // Past a border by a hair, so that each cell is left for the next.
    let hair = 1e-3 * field.dx;
    let mut n_samples = 0u32;
    while t < end && seen.left > HIDDEN {
        let spot = field.find(ray.at(t + hair));
        let (_, out) = slab(spot.lo, spot.lo + spot.size);
        let next = out.max(t + hair).min(end);
        if let Some(cell) = spot.cell {
            let length = next - t;
            let n = (length / (SHARE * spot.size).clamp(SHORTEST, LONGEST)).ceil().max(1.0);
            let step = length / n;
            for k in 0..n as u32 {
                n_samples += 1;
                let place = 0.5 + STRAY * (unit(seed.wrapping_add(n_samples.wrapping_mul(0x9e37))) - 0.5);
                let at = t + step * (k as f32 + place);
                let p = ray.at(at);
                let through = (-step * field.within(&spot, cell, p)).exp();
                if through < 1.0 {
                    seen.light += seen.left * (1.0 - through) * scattered(&light.at(p), &phases);
                    seen.left *= through;
                    if seen.left < 0.5 && seen.half.is_infinite() {
                        seen.half = at;
                    }
                }
            }
        }
        t = next;
    }
    seen
}

/// What smoke sends toward the eye of the light that reaches it.
fn scattered(at: &At, phases: &[f32; 3]) -> Vec3 {
    let orders = ORDERS.iter().zip(phases);
    let direct: f32 =
        orders.map(|((strength, thinner, _), phase)| strength * phase * (-thinner * at.depth).exp()).sum();
    ALBEDO * (at.sun * direct * SUN + at.sky * AMBIENT)
}

/// How much light goes on at an angle to its way, 1 in the mean, after Henyey and Greenstein. `cos` is that
/// between the way to the sun and away from the eye.
fn phase(cos: f32, g: f32) -> f32 {
    (1.0 - g * g) / (1.0 + g * g - 2.0 * g * cos).powf(1.5)
}
