//! Numerical choices, for methods that have them.

/// How the pressure meets the surface.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FreeSurface {
    /// A symmetric, positive system; where a change of cell size meets the surface of first order.
    #[default]
    Spd,
    /// Of second order there too; the system is not symmetric.
    SecondOrder,
    /// p = 0 at the centers of air cells where a change of cell size meets the surface: for comparisons.
    FirstOrder,
}

/// How velocity is carried along.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Advection {
    /// From where the water was.
    #[default]
    SemiLagrangian,
    /// There and back again, which shows half of what was lost; limited.
    MacCormack,
}

/// How values between samples are found where cell sizes change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Interpolation {
    /// With small jumps.
    #[default]
    Fast,
    /// Without.
    Continuous,
}

/// Where particles follow the water.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Seeding {
    /// Nowhere: the surface is the level set's alone.
    Off,
    /// In the band below the surface, where the flow asks for them.
    #[default]
    WhereNeeded,
    /// Everywhere in the band.
    Band,
}

/// How particles take their velocity from the grid.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Transfer {
    /// The grid's velocity and its gradient.
    #[default]
    Apic,
    /// Their own, with the grid's change, this share of it; the rest is the grid's velocity.
    Flip(f64),
}

/// Between two cells of unequal size, the distance that the pressure's difference is divided by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GradientDistance {
    /// The mean of both edges: the distance of the centers along the face's normal.
    #[default]
    Mean,
    /// The larger edge.
    Large,
    /// The smaller edge.
    Small,
    /// The distance of the centers.
    Euclidean,
}

/// How the pressure's system is solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PressureSolver {
    /// Conjugate gradients with multigrid.
    #[default]
    Multigrid,
    /// Conjugate gradients with an incomplete Cholesky factor.
    Iccg,
}

/// Numerical choices.
#[derive(Clone, PartialEq, Debug)]
pub struct Numerics {
    /// How the pressure meets the surface.
    pub free_surface: FreeSurface,
    /// Relative residual at which the pressure solve stops.
    pub tolerance: f64,
    /// Iterations after which the pressure solve has failed.
    pub max_iterations: u32,
    /// How lost or gained volume is given back.
    pub volume_correction: VolumeCorrection,
    /// Relative volume drift past which the run fails.
    pub max_volume_drift: f64,
    /// How velocity is carried along.
    pub advection: Advection,
    /// How values between samples are found where cell sizes change.
    pub interpolation: Interpolation,
    /// Where particles follow the water.
    pub particles: Seeding,
    /// How particles take their velocity from the grid.
    pub transfer: Transfer,
    /// What differences of pressure between cells of unequal size are divided by.
    pub gradient_distance: GradientDistance,
    /// How the pressure's system is solved.
    pub pressure_solver: PressureSolver,
}

impl Default for Numerics {
    fn default() -> Self {
        Self {
            free_surface: FreeSurface::default(),
            tolerance: 1e-4,
            max_iterations: 1000,
            volume_correction: VolumeCorrection::Global,
            max_volume_drift: 0.2,
            advection: Advection::default(),
            interpolation: Interpolation::default(),
            particles: Seeding::default(),
            transfer: Transfer::default(),
            gradient_distance: GradientDistance::default(),
            pressure_solver: PressureSolver::default(),
        }
    }
}

/// How volume that transport lost or gained is given back.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum VolumeCorrection {
    /// Not at all.
    Off,
    /// To all water alike.
    #[default]
    Global,
    /// To each connected body of water its own.
    Regional,
}

impl VolumeCorrection {
    /// To all water alike, or not at all.
    pub fn global_if(on: bool) -> Self {
        if on { Self::Global } else { Self::Off }
    }
}
