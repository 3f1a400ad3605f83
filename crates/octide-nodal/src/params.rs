//! The method's choices for water, taken from a scene.
//!
//! The paper gives no volume back. Here `numerics.volume_correction` does: to all water alike; bodies of
//! water are not told apart, so that `"regional"` is refused.

use crate::particles::ParticleParams;
use crate::project::ProjectParams;
use crate::sizing::SizingParams;
use glam::DVec3;
use octide_core::flows::Flows;
use octide_core::scene::{Advection, FreeSurface, Scene, VolumeCorrection};
use octide_core::speeds;

/// The method's choices.
#[derive(Clone, Debug)]
pub struct Params {
    /// Acceleration in m/s².
    pub gravity: DVec3,
    /// Mass of the liquid in kg/m³.
    pub density: f64,
    /// Surface tension σ in N/m.
    pub surface_tension: f64,
    /// A curvature in 1/m that takes the place of the surface's own: for studies of the balance of forces.
    pub imposed_curvature: Option<f64>,
    /// Finest cells that the fastest water may cross in a step.
    pub cfl: f64,
    /// Where the pressure of air acts.
    pub free_surface: FreeSurface,
    /// How the pressure is solved for.
    pub project: ProjectParams,
    /// Whether gravity acts on faces by the same differences as the pressure, so that water at rest stays at
    /// rest where cells of different size meet; see [`step`](crate::step). Without it there is the paper's u
    /// += dt g.
    pub balanced_gravity: bool,
    /// Whether lost or gained volume is given back.
    pub corrects_volume: bool,
    /// Relative volume drift past which a step fails.
    pub max_volume_drift: f64,
    /// Seconds that a fall through the domain takes, or that tension takes to turn the narrowest liquid: lost
    /// volume is given back in about this time, and spray ends after it.
    pub fall_time: f64,
    /// How large cells are.
    pub sizing: SizingParams,
    /// Where water comes in and goes out.
    pub flows: Flows,
    /// How velocity is carried along.
    pub advection: Advection,
    /// How many particles follow the surface.
    pub particles: ParticleParams,
    /// Cells that a tree may have: a step onto one with more is refused.
    pub max_cells: usize,
}

impl Params {
    /// The choices that a scene makes.
    pub fn from_scene(scene: &Scene) -> Self {
        let n = &scene.numerics;
        let fall_time = speeds::fall_time(scene);
        Self {
            gravity: scene.physics.gravity,
            density: scene.physics.density,
            surface_tension: scene.physics.surface_tension,
            imposed_curvature: None,
            cfl: scene.time.cfl,
            free_surface: n.free_surface,
            project: ProjectParams {
                gradient_distance: n.gradient_distance,
                pressure_solver: n.pressure_solver,
                tolerance: n.tolerance,
                max_iterations: n.max_iterations as usize,
            },
            balanced_gravity: true,
            corrects_volume: n.volume_correction != VolumeCorrection::Off,
            max_volume_drift: n.max_volume_drift,
            fall_time,
            sizing: SizingParams::from_scene(scene),
            flows: Flows::of(scene),
            advection: n.advection,
            particles: ParticleParams::new(n.particles, fall_time),
            max_cells: usize::MAX,
        }
    }
}
