//! The method's parameters for water, read from a scene.
//!
//! The paper does not correct volume. Here `numerics.volume_correction` restores it, equally in all water:
//! separate bodies of water are not distinguished, so `"regional"` is rejected.

mod sizing;

use crate::particles::ParticleParams;
use crate::project::ProjectParams;
use glam::DVec3;
use octide_core::detach::least_suction;
use octide_core::faces::friction::Friction;
use octide_core::flows::Flows;
use octide_core::random::Seed;
use octide_core::scene::{Advection, FreeSurface, Scene, VolumeCorrection};
use octide_core::speeds;

pub use sizing::SizingParams;

/// The method's parameters.
#[derive(Clone, Debug)]
pub struct Params {
    /// Gravitational acceleration in m/s².
    pub gravity: DVec3,
    /// Density of the liquid in kg/m³.
    pub density: f64,
    /// Surface tension σ in N/m.
    pub surface_tension: f64,
    /// The suction in m²/s² that solids exert on water before it detaches from them.
    pub suction: f64,
    /// A curvature in 1/m that replaces the surface's own, for studies of the balance of forces.
    pub imposed_curvature: Option<f64>,
    /// How walls slow water.
    pub friction: Friction,
    /// How many finest cells the fastest water may cross in a step.
    pub cfl: f64,
    /// Where the air pressure is imposed.
    pub free_surface: FreeSurface,
    /// Parameters of the projection.
    pub project: ProjectParams,
    /// Whether gravity acts on faces by the same differences as the pressure, so that water at rest stays at
    /// rest where cells of different size meet; see `gravity.rs`. If false, gravity is the paper's u
    /// += dt g.
    pub balanced_gravity: bool,
    /// Whether lost or gained volume is restored.
    pub corrects_volume: bool,
    /// Relative volume drift above which a step fails.
    pub max_volume_drift: f64,
    /// The time in s that a fall through the domain takes, or that surface tension takes to turn the
    /// narrowest liquid. Lost volume is restored in about this time, and spray is removed after it.
    pub fall_time: f64,
    /// Parameters of the cell size.
    pub sizing: SizingParams,
    /// Inflows and outflows.
    pub flows: Flows,
    /// The advection scheme of the velocity.
    pub advection: Advection,
    /// Parameters of the markers and the spray.
    pub particles: ParticleParams,
    /// The largest number of cells that a tree may have: a step onto a larger tree is rejected.
    pub max_cells: usize,
}

impl Params {
    /// Reads the parameters from a scene.
    pub fn from_scene(scene: &Scene) -> Self {
        let n = &scene.numerics;
        let fall_time = speeds::fall_time(scene);
        Self {
            gravity: scene.physics.gravity,
            density: scene.physics.density,
            surface_tension: scene.physics.surface_tension,
            suction: least_suction(&scene.physics, scene.domain.dx()),
            imposed_curvature: None,
            friction: Friction::of(&scene.physics),
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
            particles: ParticleParams::new(n.particles, fall_time, Seed::new(scene.seed)),
            max_cells: usize::MAX,
        }
    }
}
