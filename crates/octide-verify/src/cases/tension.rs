//! Surface tension without gravity: a drop that oscillates, a drop at rest, a thread that breaks up.

mod drop;
mod still;
mod thread;

pub(super) use drop::CASE as DROP_OSCILLATION;
pub(super) use still::CASE as STATIC_DROP;
pub(super) use thread::CASE as RAYLEIGH_PLATEAU;

use super::stage::at_rest;
use glam::DVec3;
use octide_core::contract::StateView;
use octide_core::geometry::Shape;
use octide_core::scene::{Scene, Seeding};

/// A drop of radius `R` alone in a box.
struct Drop {
    scene: Scene,
    radius: f64,
    center: DVec3,
}

/// A drop with `cells` finest cells across, and (1 + `stretch`) times as long along x, in a box of about two
/// diameters. σ is such that a capillary time √(ρD³/σ) is 1 s. No cell's center or face is a middle of the
/// drop.
fn drop(method: &str, cells: u32, stretch: f64) -> Drop {
    let n = 8 * (cells / 4).max(2);
    let dx = 1.0 / f64::from(n);
    let radius = 0.5 * f64::from(cells) * dx;
    let center = DVec3::splat(0.5) + dx * DVec3::new(0.12, -0.23, 0.31);
    let mut scene = Scene::empty(method, DVec3::ONE, n, 3);
    scene.physics.gravity = DVec3::ZERO;
    scene.physics.surface_tension = scene.physics.density * (2.0 * radius).powi(3);
    // Frames do not limit steps, and all of the surface has finest cells.
    scene.time.fps = 0.01;
    scene.numerics.particles = Seeding::Off;
    scene.adaptivity.along_surface = false;
    let waist = radius / (1.0 + stretch).sqrt();
    let radii = DVec3::new(radius * (1.0 + stretch), waist, waist);
    scene.liquids = vec![at_rest(if stretch > 0.0 {
        Shape::Ellipsoid { center, radii }
    } else {
        Shape::Sphere { center, radius }
    })];
    Drop { scene, radius, center }
}

/// How far the surface is from `from` along `direction`, by halving up to `far`.
fn reach(state: &dyn StateView, from: DVec3, direction: DVec3, far: f64) -> f64 {
    let (mut inside, mut outside) = (0.0, far);
    for _ in 0..40 {
        let middle = 0.5 * (inside + outside);
        if state.liquid_distance(from + middle * direction) < 0.0 {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    inside
}
