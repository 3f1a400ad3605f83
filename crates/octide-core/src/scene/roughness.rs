//! The roughness of a liquid's surface at the start: a sum of plane waves with random directions,
//!
//! ```text
//! d(x) = d_shape(x) + r n(x),      n(x) = √(2/N) Σ_j cos(k_j·x + α_j),      |k_j| = 2π/λ_j,
//! ```
//!
//! where r is `liquid.roughness` in meters and n has the root mean square 1. The directions are uniform on the
//! sphere, so that no axis is preferred, and the phases α_j are uniform. The wavelengths λ_j are between a sixth
//! and half of the liquid's narrowest extent, uniform in their logarithm: they belong to the scene, not to the
//! grid, and the same fingers grow at every resolution that resolves them. All numbers are hashes of the scene's
//! seed and the number of the liquid.
//!
//! Without roughness d is d_shape to the bit. The waves are not mirrored with the scene.

use super::{Domain, Scene};
use crate::geometry::Shape;
use crate::random::unit;
use glam::DVec3;
use std::f64::consts::TAU;

/// N, the number of waves.
const WAVES: u64 = 48;

/// The shortest and the longest wavelength, as fractions of the liquid's narrowest extent.
const WAVELENGTHS: [f64; 2] = [1.0 / 6.0, 0.5];

/// Tells these random numbers from others that are made of the same seed.
const KEY: u64 = 0x726f_7567_686e_6573;

/// r n(x) of one liquid.
pub struct Roughness {
    /// r √(2/N).
    amplitude: f64,
    /// k_j and α_j; none if the surface is smooth.
    waves: Vec<(DVec3, f64)>,
}

impl Roughness {
    /// Prepares the roughness of liquid `i` of a scene.
    pub fn of(scene: &Scene, i: usize) -> Self {
        let liquid = &scene.liquids[i];
        if liquid.roughness <= 0.0 {
            return Self { amplitude: 0.0, waves: Vec::new() };
        }
        let extent = narrowest(&liquid.shape, &scene.domain);
        let number = |wave: u64, part: u64| unit([KEY, scene.seed, i as u64, wave, part]);
        let waves = (0..WAVES).map(|j| {
            let (up, around) = (2.0 * number(j, 0) - 1.0, TAU * number(j, 1));
            let across = (1.0 - up * up).max(0.0).sqrt();
            let direction = DVec3::new(across * around.cos(), up, across * around.sin());
            let [least, most] = WAVELENGTHS;
            let wavelength = extent * least * (most / least).powf(number(j, 2));
            (TAU / wavelength * direction, TAU * number(j, 3))
        });
        Self { amplitude: liquid.roughness * (2.0 / WAVES as f64).sqrt(), waves: waves.collect() }
    }

    /// Returns by how much the distance to the liquid is larger at `x` than that to its shape.
    pub fn at(&self, x: DVec3) -> f64 {
        self.amplitude * self.waves.iter().map(|(k, phase)| (k.dot(x) + phase).cos()).sum::<f64>()
    }

    /// Returns a distance that [`at`](Self::at) practically never exceeds: five root mean squares.
    pub fn reach(&self) -> f64 {
        5.0 * self.amplitude * (0.5 * self.waves.len() as f64).sqrt()
    }
}

/// Returns the narrowest extent of the part of a shape that lies in the domain.
fn narrowest(shape: &Shape, domain: &Domain) -> f64 {
    let (low, high) = (domain.origin, domain.origin + domain.size);
    let inside = shape.bounds().map_or(domain.size, |(a, b)| b.min(high) - a.max(low));
    inside.min_element().max(domain.dx())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Liquid;
    use crate::scene::start::InitialWater;

    fn scene(seed: u64, roughness: f64) -> Scene {
        let shape = Shape::Sphere { center: DVec3::splat(0.5), radius: 0.3 };
        let mut scene = Scene::empty("octree", DVec3::ONE, 32, 2);
        scene.liquids = vec![Liquid { shape, velocity: DVec3::ZERO, roughness }];
        scene.seed = seed;
        scene
    }

    /// Points on the sphere, spread evenly.
    fn points() -> impl Iterator<Item = DVec3> {
        (0..2000).map(|i| {
            let (up, around) = (1.0 - (2 * i + 1) as f64 / 2000.0, 2.399_963_23 * f64::from(i));
            let across = (1.0 - up * up).sqrt();
            DVec3::splat(0.5) + 0.3 * DVec3::new(across * around.cos(), up, across * around.sin())
        })
    }

    #[test]
    fn the_root_mean_square_is_what_the_scene_says_and_the_seed_decides_where() {
        let [smooth, first, again, other] =
            [(1, 0.0), (1, 0.004), (1, 0.004), (2, 0.004)].map(|(seed, roughness)| {
                let scene = scene(seed, roughness);
                points().map(|x| InitialWater::new(&scene).distance(x)).collect::<Vec<f64>>()
            });
        let shape = scene(1, 0.0);
        assert!(points().zip(&smooth).all(|(x, &d)| d == shape.liquids[0].shape.distance(x)));
        assert_eq!(first, again);
        for rough in [&first, &other] {
            let rms = (rough.iter().map(|d| d * d).sum::<f64>() / rough.len() as f64).sqrt();
            assert!((rms / 0.004 - 1.0).abs() < 0.25, "{rms}");
            assert!(rough.iter().all(|d| d.abs() < Roughness::of(&scene(1, 0.004), 0).reach()));
        }
        let product: f64 = first.iter().zip(&other).map(|(a, b)| a * b).sum::<f64>() / 2000.0;
        assert!(product.abs() < 0.3 * 0.004 * 0.004, "seeds are alike: {product}");
    }

    /// A wave moves by a small part of its length where the position changes by one.
    #[test]
    fn it_is_smooth() {
        let rough = Roughness::of(&scene(3, 0.004), 0);
        // The shortest waves are 0.1 m long.
        let steepest = 5.0 * 0.004 * TAU / 0.1;
        for x in points() {
            let step = rough.at(x + DVec3::new(1e-4, 0.0, 0.0)) - rough.at(x);
            assert!(step.abs() < 1e-4 * steepest, "{step} at {x}");
        }
    }
}
