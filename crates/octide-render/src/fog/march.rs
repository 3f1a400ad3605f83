//! Marches a ray through smoke, cell by cell.
//!
//! The part of the ray in a cell is divided into segments. Each is sampled once, near its middle, at a point
//! that varies from pixel to pixel, which avoids rings. A segment of optical depth δ = σ dt emits `S (1 −
//! e^(−δ))` and transmits `e^(−δ)` of what is behind it, which is exact for constant σ and S.

use super::field::Field;
use super::light::{At, Light};
use crate::bvh::Ray;
use crate::noise::unit;
use crate::sky::{AMBIENT, SUN, sun};
use glam::Vec3;

/// A segment is at most this fraction of its cell ...
const SHARE: f32 = 0.6;
/// ... but need not be shorter than the first length, and is never longer than the second, over which the
/// light changes.
const SHORTEST: f32 = 1.0 / 512.0;
const LONGEST: f32 = 1.0 / 48.0;
/// Marching stops when less than this is transmitted.
const HIDDEN: f32 = 0.004;
/// Maximum offset of samples from the middle of a segment, as a fraction of its length.
const STRAY: f32 = 0.8;

/// Color of the light that smoke scatters.
const ALBEDO: Vec3 = Vec3::new(0.93, 0.93, 0.94);
/// Light scattered once, twice and many times: its strength, the factor on the extinction, and the asymmetry
/// of the phase function.
const ORDERS: [(f32, f32, f32); 3] = [(0.36, 1.0, 0.4), (0.18, 0.35, 0.2), (0.07, 0.10, 0.0)];

/// The result of marching a ray.
pub struct Seen {
    /// Light that the smoke scatters along the ray.
    pub light: Vec3,
    /// Fraction of the light from behind that is transmitted.
    pub left: f32,
    /// Distance at which half of it is absorbed; infinite if more is left.
    pub half: f32,
}

/// Marches a ray up to a distance.
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
    // Slightly past a border, so that the ray enters the next cell.
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

/// Returns the light that smoke scatters toward the camera.
fn scattered(at: &At, phases: &[f32; 3]) -> Vec3 {
    let orders = ORDERS.iter().zip(phases);
    let direct: f32 =
        orders.map(|((strength, thinner, _), phase)| strength * phase * (-thinner * at.depth).exp()).sum();
    ALBEDO * (at.sun * direct * SUN + at.sky * AMBIENT)
}

/// Returns the Henyey–Greenstein phase function with mean 1. `cos` is that of the angle between the direction
/// to the sun and the direction away from the camera.
fn phase(cos: f32, g: f32) -> f32 {
    (1.0 - g * g) / (1.0 + g * g - 2.0 * g * cos).powf(1.5)
}
