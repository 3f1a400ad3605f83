//! The method's choices, taken from a scene.

use crate::flows::Flows;
use crate::sizing::SizingParams;
use glam::DVec3;
use octide_core::scene::{Scene, VolumeCorrection};
pub use octide_core::scene::{Seeding, Transfer};
use octide_core::speeds;

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
    /// Seconds that a fall through the domain takes, or that tension takes to turn the narrowest liquid: lost
    /// volume is given back in about this time.
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
        let reference_speed = speeds::reference_speed(scene);
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
            fall_time: speeds::fall_time(scene),
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
