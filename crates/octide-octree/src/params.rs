//! The parameters of the method, taken from a scene.

mod sizing;

use crate::flows::Flows;
use glam::DVec3;
use octide_core::detach::least_suction;
use octide_core::faces::friction::Friction;
use octide_core::random::Seed;
use octide_core::scene::{Scene, VolumeCorrection};
pub use octide_core::scene::{Seeding, Transfer};
use octide_core::solids::thin_walls_move;
use octide_core::speeds;

pub use sizing::SizingParams;

pub use octide_core::scene::{Advection, FreeSurface, Interpolation};

/// The parameters of the method.
#[derive(Clone, Debug)]
pub struct Params {
    /// Acceleration in m/s².
    pub gravity: DVec3,
    /// Density of the liquid in kg/m³; without surface tension only energies depend on it.
    pub density: f64,
    /// Surface tension σ in N/m.
    pub surface_tension: f64,
    /// The suction in m²/s² that solids exert on water before it detaches from them.
    pub suction: f64,
    /// A curvature in 1/m that replaces the curvature of the surface, for studies of the balance of forces.
    pub imposed_curvature: Option<f64>,
    /// How walls slow water.
    pub friction: Friction,
    /// Largest number of finest cells that the fastest water may cross in a step.
    pub cfl: f64,
    /// Free-surface pressure boundary condition.
    pub free_surface: FreeSurface,
    /// Relative residual at which the pressure solve stops.
    pub tolerance: f64,
    /// Number of iterations after which the pressure solve fails.
    pub max_iterations: usize,
    /// How lost or gained volume is corrected.
    pub volume_correction: VolumeCorrection,
    /// Relative volume drift beyond which a step fails.
    pub max_volume_drift: f64,
    /// Weight of the surface's curvature in the sizing rule.
    pub curvature: f64,
    /// Weight of the flow's strain in the sizing rule.
    pub strain: f64,
    /// The reference speed for strain, in m/s.
    pub reference_speed: f64,
    /// Time in seconds of a fall through the domain, or the capillary time √(ρD³/σ) of the narrowest liquid
    /// if that is less: lost volume is restored in about this time.
    pub fall_time: f64,
    /// Whether cell sizes may vary along the surface; if false, all surface cells are finest cells.
    pub along_surface: bool,
    /// How sizing values determine cells.
    pub sizing: SizingParams,
    /// Inflows, outflows and open sides.
    pub flows: Flows,
    /// How velocity is advected.
    pub advection: Advection,
    /// How values are interpolated where cell sizes change.
    pub interpolation: Interpolation,
    /// Where particles are seeded.
    pub particles: Seeding,
    /// How particles take their velocity from the grid.
    pub transfer: Transfer,
    /// Seed of all random numbers.
    pub seed: Seed,
    /// Largest number of cells that a tree may have; a step that needs more is refused.
    pub max_cells: usize,
}

impl Params {
    /// Returns the parameters of a scene.
    pub fn from_scene(scene: &Scene) -> Self {
        let gravity = scene.physics.gravity;
        let reference_speed = speeds::reference_speed(scene);
        Self {
            gravity,
            density: scene.physics.density,
            surface_tension: scene.physics.surface_tension,
            suction: least_suction(&scene.physics, scene.domain.dx()),
            imposed_curvature: None,
            friction: Friction::of(&scene.physics),
            cfl: scene.time.cfl,
            free_surface: scene.numerics.free_surface,
            tolerance: scene.numerics.tolerance,
            max_iterations: scene.numerics.max_iterations as usize,
            volume_correction: scene.numerics.volume_correction.or(best_volume_correction(scene)),
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
            seed: Seed::new(scene.seed),
            max_cells: usize::MAX,
        }
    }
}

/// Returns the volume correction of scenes that choose none. Keeping volume cell by cell is not yet good enough beside
/// thin walls that move, in full tanks with open sides, and for curvature.
fn best_volume_correction(scene: &Scene) -> VolumeCorrection {
    if thin_walls_move(scene) || scene.open.any() || scene.physics.surface_tension > 0.0 {
        VolumeCorrection::Global
    } else {
        VolumeCorrection::Local
    }
}
