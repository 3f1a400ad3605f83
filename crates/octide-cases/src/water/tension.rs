//! Surface tension without gravity: a drop that oscillates, a drop at rest, a thread that breaks up.

mod oscillation;
mod static_drop;
mod thread;

pub(crate) use oscillation::CASE as DROP_OSCILLATION;
pub(crate) use static_drop::CASE as STATIC_DROP;
pub(crate) use thread::CASE as RAYLEIGH_PLATEAU;

use crate::expectations;
use crate::methods::reads_water_key;
use crate::stage::at_rest;
use glam::DVec3;
use octide_core::contract::Sampler;
use octide_core::geometry::Shape;
use octide_core::scene::{Scene, Seeding};
use octide_verify::Quantity;

/// Returns the quantities of a case for a method; all are not available if the method has no surface tension.
fn declare(case: &str, method: &str, quick: bool, quantities: Vec<Quantity>) -> Vec<Quantity> {
    if reads_water_key(method, "physics.surface_tension") {
        return expectations::apply(case, method, quick, quantities);
    }
    quantities.into_iter().map(|q| q.not_available("surface tension")).collect()
}

/// A drop of radius `R` alone in a box.
struct Drop {
    scene: Scene,
    radius: f64,
    center: DVec3,
}

/// Returns a drop with `cells` finest cells along its diameter, stretched along x by the factor (1 + `stretch`), in a
/// box of about two diameters. σ is such that a capillary time √(ρD³/σ) is 1 s. The center of the drop is
/// neither at the center of a cell nor on a face.
fn drop(method: &str, cells: u32, stretch: f64) -> Drop {
    let n = 8 * (cells / 4).max(2);
    let dx = 1.0 / f64::from(n);
    let radius = 0.5 * f64::from(cells) * dx;
    let center = DVec3::splat(0.5) + dx * DVec3::new(0.12, -0.23, 0.31);
    let mut scene = Scene::empty(method, DVec3::ONE, n, 3);
    scene.physics.gravity = DVec3::ZERO;
    scene.physics.surface_tension = scene.physics.density * (2.0 * radius).powi(3);
    // Frames do not limit the time step, and the whole surface has finest cells.
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

/// Returns the distance of the surface from `from` along `direction`, by bisection up to `far`.
fn reach(state: &dyn Sampler, from: DVec3, direction: DVec3, far: f64) -> f64 {
    let (mut inside, mut outside) = (0.0, far);
    for _ in 0..40 {
        let middle = 0.5 * (inside + outside);
        if state.distance(from + middle * direction) < 0.0 {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    inside
}
