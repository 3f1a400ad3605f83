//! Speeds and step lengths that follow from a scene's data before anything is simulated.

use crate::geometry::Motion;
use crate::octree::RootGrid;
use crate::scene::{Liquid, Scene};
use crate::solids::Solids;
use std::f64::consts::PI;

/// The speed that a scene's flow is measured by, in m/s: what falls through the domain reaches about √(g H);
/// tension, what is given at the start, inflows and solids count too.
pub fn reference_speed(scene: &Scene) -> f64 {
    let fall = (scene.physics.gravity.abs() * scene.domain.size).max_element().sqrt();
    let inflows = scene.inflows.iter().map(|i| i.velocity.length());
    let own = scene.liquids.iter().map(|l| l.velocity.length()).chain(inflows).fold(0.0, f64::max);
    fall.max(own).max(capillary_speed(scene)).max(solid_speed(scene)).max(1e-6)
}

/// √(σ/(ρD)), the speed that tension gives a drop as wide as the narrowest liquid.
pub fn capillary_speed(scene: &Scene) -> f64 {
    (scene.physics.surface_tension / (scene.physics.density * narrowest(scene))).sqrt()
}

/// Seconds that a fall through the domain takes, or that tension takes to turn the narrowest liquid where
/// this is less.
pub fn fall_time(scene: &Scene) -> f64 {
    let fall = scene.domain.size.max_element() / reference_speed(scene);
    fall.min(narrowest(scene) / capillary_speed(scene))
}

/// √(ρ dx³/(4πσ)), the longest step in which waves of a cell's length do not outrun it; infinite without
/// tension.
pub fn capillary_step(dx: f64, density: f64, tension: f64) -> f64 {
    if tension > 0.0 { (density * dx.powi(3) / (4.0 * PI * tension)).sqrt() } else { f64::INFINITY }
}

/// The longest step from `time` on in which neither the fluid, as fast as `speed` and falling, nor a solid
/// crosses more than the scene's number of finest cells; at most `limit` and a frame.
pub fn longest_step(scene: &Scene, grid: &RootGrid, time: f64, speed: f64, limit: f64) -> f64 {
    let (dx, cfl) = (grid.dx(), scene.time.cfl);
    // What is at rest will fall: within a step it may reach √(g dx).
    let speed = speed + (scene.physics.gravity.length() * dx).sqrt();
    let frame = 1.0 / scene.time.fps;
    let dt = if speed > 0.0 { (cfl * dx / speed).min(frame) } else { frame };
    Solids::limit(&scene.solids, time, dt.min(limit), cfl * dx, grid)
}

/// The width of the narrowest liquid.
pub fn narrowest(scene: &Scene) -> f64 {
    let width = |l: &Liquid| l.shape.bounds().map_or(f64::INFINITY, |(low, high)| (high - low).min_element());
    let widest = scene.domain.size.min_element();
    scene.liquids.iter().map(width).fold(widest, f64::min).max(scene.domain.dx())
}

/// The largest speed of a solid in all that it ever does: a run that is made longer must not change what came
/// before.
pub fn solid_speed(scene: &Scene) -> f64 {
    let (low, high) = (scene.domain.origin, scene.domain.origin + scene.domain.size);
    let moving = scene.solids.iter().filter(|s| !s.motion.is_still());
    moving
        .map(|solid| {
            let keys = if let Motion::Keyframes(keys) = &solid.motion { keys.len() } else { 0 };
            let (n, span) = (LOOKS.max(8 * keys), solid.motion.span());
            let speed = |i: usize| {
                let t = span * i as f64 / n as f64;
                Solids::at(std::slice::from_ref(solid), t).max_speed(low, high)
            };
            (0..=n).map(speed).fold(0.0, f64::max)
        })
        .fold(0.0, f64::max)
}

/// How often a solid's motion is looked at.
const LOOKS: usize = 240;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Shape;
    use crate::scene::Solid;
    use glam::DVec3;

    #[test]
    fn a_longer_run_has_the_same_reference_speed() {
        let mut scene = Scene::empty("octree", DVec3::ONE, 16, 1);
        scene.physics.gravity = DVec3::ZERO;
        let motion = Motion::Oscillation { amplitude: DVec3::new(0.2, 0.0, 0.0), period: 1.7 };
        scene.solids.push(Solid::moving(Shape::Sphere { center: DVec3::splat(0.5), radius: 0.1 }, motion));
        let speed = |frames| {
            scene.time.frames = frames;
            reference_speed(&scene)
        };
        let speeds = [3, 17, 400].map(speed);
        assert_eq!(speeds, [speeds[0]; 3]);
        let largest = 0.2 * std::f64::consts::TAU / 1.7;
        assert!((speeds[0] / largest - 1.0).abs() < 1e-3, "{speeds:?}");
    }
}
