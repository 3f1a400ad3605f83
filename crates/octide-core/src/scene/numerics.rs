//! Numerical options, for methods that support them.

/// Free-surface boundary condition of the pressure.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FreeSurface {
    /// Symmetric positive definite system; first order where the cell size changes at the surface.
    #[default]
    Spd,
    /// Second order there as well; the system is not symmetric.
    SecondOrder,
    /// p = 0 at the centers of air cells where the cell size changes at the surface; for comparisons.
    FirstOrder,
}

/// Advection scheme of the velocity.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Advection {
    /// Semi-Lagrangian advection.
    #[default]
    SemiLagrangian,
    /// MacCormack: advect forward and backward, subtract half the round-trip error, and clamp.
    MacCormack,
}

/// Interpolation between samples where cell sizes change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Interpolation {
    /// With small discontinuities.
    #[default]
    Fast,
    /// Continuous.
    Continuous,
}

/// Where particles are seeded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Seeding {
    /// Nowhere: the level set alone defines the surface.
    Off,
    /// In the parts of the band below the surface where the flow needs them.
    #[default]
    WhereNeeded,
    /// Everywhere in the band.
    Band,
}

/// Transfer of velocity from the grid to particles.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Transfer {
    /// Particles take the grid's velocity and its gradient (APIC).
    #[default]
    Apic,
    /// Particles add the grid's change to their own velocity, with this weight; the rest of the weight goes
    /// to the grid's velocity (FLIP).
    Flip(f64),
}

/// The distance in the pressure gradient between two cells of different size.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GradientDistance {
    /// The mean of both edges, which is the distance of the centers along the face normal.
    #[default]
    Mean,
    /// The larger edge.
    Large,
    /// The smaller edge.
    Small,
    /// The Euclidean distance of the centers.
    Euclidean,
}

/// Solver of the pressure system.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PressureSolver {
    /// Conjugate gradients preconditioned by multigrid.
    #[default]
    Multigrid,
    /// Conjugate gradients preconditioned by an incomplete Cholesky factorization.
    Iccg,
}

/// Numerical options of a method.
#[derive(Clone, PartialEq, Debug)]
pub struct Numerics {
    /// Free-surface boundary condition of the pressure.
    pub free_surface: FreeSurface,
    /// Relative residual at which the pressure solve stops.
    pub tolerance: f64,
    /// Number of iterations after which the pressure solve fails.
    pub max_iterations: u32,
    /// How lost or gained volume is corrected.
    pub volume_correction: VolumeCorrection,
    /// Relative volume drift past which the run fails.
    pub max_volume_drift: f64,
    /// Advection scheme of the velocity.
    pub advection: Advection,
    /// Interpolation between samples where cell sizes change.
    pub interpolation: Interpolation,
    /// Where particles are seeded.
    pub particles: Seeding,
    /// Transfer of velocity from the grid to particles.
    pub transfer: Transfer,
    /// The distance in the pressure gradient between two cells of different size.
    pub gradient_distance: GradientDistance,
    /// Solver of the pressure system.
    pub pressure_solver: PressureSolver,
}

impl Default for Numerics {
    fn default() -> Self {
        Self {
            free_surface: FreeSurface::default(),
            tolerance: 1e-4,
            max_iterations: 1000,
            volume_correction: VolumeCorrection::default(),
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

/// How volume that was lost or gained by advection is corrected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum VolumeCorrection {
    /// The most local one that the method has.
    #[default]
    Auto,
    /// No correction.
    Off,
    /// Evenly over all water.
    Global,
    /// Separately for each connected body of water.
    Regional,
    /// Where it was lost or gained: every cell has a volume of water that only fluxes change.
    Local,
}

impl VolumeCorrection {
    /// Returns this choice, or that of the method if it is `Auto`.
    pub fn or(self, of_method: Self) -> Self {
        if self == Self::Auto { of_method } else { self }
    }

    /// Returns `Global` if `on`, else `Off`.
    pub fn global_if(on: bool) -> Self {
        if on { Self::Global } else { Self::Off }
    }
}
