//! The method's choices, taken from a scene.

use crate::flows::Flows;
use crate::sizing::SizingParams;
use crate::solids::Solids;
use glam::DVec3;
use octide_core::geometry::Motion;
use octide_core::scene::{Liquid, Scene, VolumeCorrection};
pub use octide_core::scene::{Seeding, Transfer};

pub use octide_core::scene::{Advection, FreeSurface, Interpolation};

/// The method's choices.
#[derive(Clone, Debug)]
pub struct Params {
    /// Acceleration in m/s².
    pub gravity: DVec3,
    /// Mass of the liquid in kg/m³; without surface tension only energies depend on it.
    pub density: f64,
    /// Surface tension σ in N/m.
    pub surface_tension: f64,
    /// A curvature in 1/m that takes the place of the surface's own: for studies of the balance of forces.
    pub imposed_curvature: Option<f64>,
    /// Finest cells that the fastest water may cross in a step.
    pub cfl: f64,
    /// How the pressure meets the surface.
    pub free_surface: FreeSurface,
    /// Relative residual at which the pressure solve stops.
    pub tolerance: f64,
    /// Iterations after which the pressure solve has failed.
    pub max_iterations: usize,
    /// How lost or gained volume is given back.
    pub volume_correction: VolumeCorrection,
    /// Relative volume drift past which a step fails.
    pub max_volume_drift: f64,
    /// Weight of the surface's curvature in the sizing rule.
    pub curvature: f64,
    /// Weight of the flow's strain in the sizing rule.
    pub strain: f64,
    /// The speed that strain is measured by, in m/s.
    pub reference_speed: f64,
    /// Seconds that a fall through the domain takes, or that tension takes to turn the narrowest liquid: lost volume is given back in about this time.
    pub fall_time: f64,
    /// Finest cells everywhere on the surface where false.
    pub along_surface: bool,
    /// How sizing values become cells.
    pub sizing: SizingParams,
    /// Where water comes in and goes out.
    pub flows: Flows,
    /// How velocity is carried along.
    pub advection: Advection,
    /// How values between samples are found where cell sizes change.
    pub interpolation: Interpolation,
    /// Where particles follow the water.
    pub particles: Seeding,
    /// How particles take their velocity from the grid.
    pub transfer: Transfer,
    /// Cells that a tree may have: a step onto one with more is refused.
    pub max_cells: usize,
}

impl Params {
    /// The choices that a scene makes.
    pub fn from_scene(scene: &Scene) -> Self {
        let gravity = scene.physics.gravity;
        // What falls through the domain reaches about √(g H); without gravity the speeds of the scene count.
        let fall = (gravity.abs() * scene.domain.size).max_element().sqrt();
        let (width, tension) = (narrowest(scene), capillary_speed(scene));
        let inflows = scene.inflows.iter().map(|i| i.velocity.length());
        let own = scene.liquids.iter().map(|l| l.velocity.length()).chain(inflows).fold(0.0, f64::max);
        let reference_speed = fall.max(own).max(tension).max(solid_speed(scene)).max(1e-6);
        Self {
            gravity,
            density: scene.physics.density,
            surface_tension: scene.physics.surface_tension,
            imposed_curvature: None,
            cfl: scene.time.cfl,
            free_surface: scene.numerics.free_surface,
            tolerance: scene.numerics.tolerance,
            max_iterations: scene.numerics.max_iterations as usize,
            volume_correction: scene.numerics.volume_correction,
            max_volume_drift: scene.numerics.max_volume_drift,
            curvature: scene.adaptivity.curvature,
            strain: scene.adaptivity.strain,
            reference_speed,
            fall_time: (scene.domain.size.max_element() / reference_speed).min(width / tension),
            along_surface: scene.adaptivity.along_surface,
            sizing: SizingParams::from_scene(scene, reference_speed),
            flows: Flows::of(scene),
            advection: scene.numerics.advection,
            interpolation: scene.numerics.interpolation,
            particles: scene.numerics.particles,
            transfer: scene.numerics.transfer,
            max_cells: usize::MAX,
        }
    }
}

/// √(σ/(ρD)), the speed that tension gives a drop as wide as the narrowest liquid.
fn capillary_speed(scene: &Scene) -> f64 {
    (scene.physics.surface_tension / (scene.physics.density * narrowest(scene))).sqrt()
}

/// The width of the narrowest liquid.
fn narrowest(scene: &Scene) -> f64 {
    let width = |l: &Liquid| l.shape.bounds().map_or(f64::INFINITY, |(low, high)| (high - low).min_element());
    let widest = scene.domain.size.min_element();
    scene.liquids.iter().map(width).fold(widest, f64::min).max(scene.domain.dx())
}

/// The largest speed of a solid in all that it ever does: a run that is made longer must not change what came before.
fn solid_speed(scene: &Scene) -> f64 {
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
    use octide_core::geometry::Shape;
    use octide_core::scene::Solid;

    #[test]
    fn a_longer_run_has_the_same_reference_speed() {
        let mut scene = Scene::empty("octree", DVec3::ONE, 16, 1);
        scene.physics.gravity = DVec3::ZERO;
        let motion = Motion::Oscillation { amplitude: DVec3::new(0.2, 0.0, 0.0), period: 1.7 };
        scene.solids.push(Solid::moving(Shape::Sphere { center: DVec3::splat(0.5), radius: 0.1 }, motion));
        let speed = |frames| {
            scene.time.frames = frames;
            Params::from_scene(&scene).reference_speed
        };
        let speeds = [3, 17, 400].map(speed);
        assert_eq!(speeds, [speeds[0]; 3]);
        let largest = 0.2 * std::f64::consts::TAU / 1.7;
        assert!((speeds[0] / largest - 1.0).abs() < 1e-3, "{speeds:?}");
    }
}
