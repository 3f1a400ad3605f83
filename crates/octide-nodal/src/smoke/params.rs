//! The parameters of a simulation of smoke.

mod detail;

use super::sources::Sources;
use crate::project::ProjectParams;
use glam::DVec3;
use octide_core::octree::Grading;
use octide_core::scene::{Advection, Buoyancy, GradientDistance, HalfLife, OpenSides, PressureSolver, Scene};
use octide_core::speeds;

pub use detail::Detail;
pub(crate) use detail::HALF_DIAGONAL;

/// The parameters of a step.
#[derive(Clone, Debug)]
pub struct SmokeParams {
    /// Gravitational acceleration in m/s².
    pub gravity: DVec3,
    /// The direction against gravity; zero without gravity.
    pub up: DVec3,
    /// How density and temperature accelerate the air.
    pub buoyancy: Buoyancy,
    /// Whether buoyancy is a difference of its potential where cells of different size meet; the paper makes
    /// no such distinction.
    pub balanced_buoyancy: bool,
    /// ε of vorticity confinement, in 1/s.
    pub confinement: f64,
    /// The half-lives of density and temperature.
    pub half_life: HalfLife,
    /// Density of the air, in kg/m³.
    pub air: f64,
    /// How many finest cells the fastest air may cross in a step.
    pub cfl: f64,
    /// The advection scheme.
    pub advection: Advection,
    /// Choice of Δ in pressure differences.
    pub gradient_distance: GradientDistance,
    /// How the pressure system is solved.
    pub pressure_solver: PressureSolver,
    /// Relative residual at which the pressure solve stops.
    pub tolerance: f64,
    /// The largest number of iterations; a solve that needs more has failed.
    pub max_iterations: usize,
    /// Sides of the domain through which smoke can leave.
    pub open: OpenSides,
    /// The sources of smoke.
    pub sources: Sources,
    /// Parameters of the cell size.
    pub detail: Detail,
    /// How many levels neighbors in the tree may differ by.
    pub grading: Grading,
    /// The reference speed of the flow in the scene, in m/s.
    pub reference_speed: f64,
    /// The largest acceleration of air that sources or solids heat, in m/s².
    pub max_lift: f64,
    /// The largest number of cells that a tree may have: a step onto a larger tree is rejected.
    pub max_cells: usize,
}

impl SmokeParams {
    /// Reads the parameters from a scene.
    pub fn from_scene(scene: &Scene) -> Self {
        let (physics, numerics) = (&scene.physics, &scene.numerics);
        let reference_speed = reference_speed(scene);
        Self {
            gravity: physics.gravity,
            up: physics.against_gravity(),
            buoyancy: physics.buoyancy,
            balanced_buoyancy: true,
            confinement: physics.confinement * reference_speed / scene.domain.size.max_element(),
            half_life: physics.half_life,
            air: physics.density,
            cfl: scene.time.cfl,
            advection: numerics.advection,
            gradient_distance: numerics.gradient_distance,
            pressure_solver: numerics.pressure_solver,
            tolerance: numerics.tolerance,
            max_iterations: numerics.max_iterations as usize,
            open: scene.open,
            sources: Sources::of(scene),
            detail: Detail::of(scene, reference_speed),
            grading: Grading::Graded,
            reference_speed,
            max_lift: physics.against_gravity().length() * max_lift(scene),
            max_cells: usize::MAX,
        }
    }

    /// Returns whether steps are of second order: see `smoke/acceleration.rs`.
    pub fn is_second_order(&self) -> bool {
        self.advection == Advection::MacCormack
    }

    /// Returns the numerical parameters of the projection.
    pub fn project(&self) -> ProjectParams {
        ProjectParams {
            gradient_distance: self.gradient_distance,
            pressure_solver: self.pressure_solver,
            tolerance: self.tolerance,
            max_iterations: self.max_iterations,
        }
    }
}

/// Returns the reference speed: air that rises or falls through the domain reaches about √(b H); the speeds
/// of sources and solids count too.
fn reference_speed(scene: &Scene) -> f64 {
    let height = (scene.physics.against_gravity().abs() * scene.domain.size).max_element();
    let sources = Sources::of(scene);
    (max_lift(scene) * height).sqrt().max(sources.fastest()).max(speeds::solid_speed(scene)).max(1e-6)
}

/// Returns the largest buoyancy of air from a source or at the temperature of a solid.
fn max_lift(scene: &Scene) -> f64 {
    let buoyancy = scene.physics.buoyancy;
    let hottest = scene.solids.iter().map(|s| buoyancy.along_up(0.0, s.temperature).abs());
    hottest.fold(Sources::of(scene).max_lift(buoyancy), f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use octide_core::geometry::{Motion, Shape};
    use octide_core::scene::{Buoyancy, Release, SmokeSource};

    /// The rate is proportional to U/L = √(b/L): four times the lift doubles it, and four times the size
    /// halves it.
    #[test]
    fn confinement_is_measured_by_how_fast_the_scene_is() {
        let rate = |lift: f64, size: f64| {
            let mut scene = Scene::empty("nodal-octree", DVec3::splat(size), 16, 2);
            scene.physics.buoyancy = Buoyancy { weight: 0.0, lift };
            scene.physics.confinement = 2.0;
            let shape = Shape::Sphere { center: DVec3::splat(0.5), radius: 0.1 };
            let when = Release::default();
            scene.smoke.push(SmokeSource {
                shape,
                density: 1.0,
                temperature: 10.0,
                velocity: None,
                motion: Motion::Still,
                when,
            });
            SmokeParams::from_scene(&scene).confinement
        };
        assert!((rate(0.1, 1.0) - 2.0).abs() < 1e-12, "2 √(1 · 1) / 1");
        assert!((rate(0.4, 1.0) - 4.0).abs() < 1e-12);
        assert!((rate(0.1, 4.0) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn hot_bodies_lift_air_too() {
        let mut scene = Scene::empty("nodal-octree", DVec3::ONE, 16, 2);
        scene.physics.buoyancy = Buoyancy { weight: 0.0, lift: 0.5 };
        let shape = Shape::Sphere { center: DVec3::splat(0.5), radius: 0.1 };
        scene.solids.push(octide_core::scene::Solid {
            temperature: -40.0,
            ..octide_core::scene::Solid::still(shape)
        });
        let params = SmokeParams::from_scene(&scene);
        assert_eq!(params.max_lift, 20.0 * params.up.length());
    }
}
