//! What a step did, and the sums over the fluid.

use super::SmokeTotals;
use glam::DVec3;

/// What a step did and what the state is after it.
#[derive(Clone, Debug, Default)]
pub struct StepReport {
    /// The step's length in seconds.
    pub dt: f64,
    /// Cells of the grid.
    pub cells: usize,
    /// Cells with a pressure unknown; before the first step, those with liquid at their center.
    pub liquid_cells: usize,
    /// Cells with a neighbor across the surface.
    pub surface_cells: usize,
    /// Particles.
    pub particles: usize,
    /// Liquid volume in m³.
    pub volume: f64,
    /// Relative deviation of the volume from what it should be.
    pub volume_drift: f64,
    /// Volume in m³ that inflows have brought so far.
    pub volume_in: f64,
    /// Volume in m³ that outflows and open sides have taken so far.
    pub volume_out: f64,
    /// Volume that the correction has given back so far, relative, summed over the steps.
    pub volume_correction: f64,
    /// Kinetic energy in J.
    pub kinetic_energy: f64,
    /// The largest speed in the fluid in m/s.
    pub max_speed: f64,
    /// The largest divergence left in a cell with a pressure in 1/s.
    pub max_divergence: f64,
    /// Iterations of the pressure solve.
    pub solver_iterations: usize,
    /// The pressure solve's true relative residual.
    pub solver_residual: f64,
    /// Smoke; `None` where the method simulates water.
    pub smoke: Option<SmokeTotals>,
    /// Figures that only this method has; the same kinds in the same order in every step.
    pub figures: Vec<Figure>,
    /// Seconds spent in each stage, in the order they ran.
    pub stages: Vec<(&'static str, f64)>,
}

impl StepReport {
    /// Returns one of the method's own counts; 0 if the method does not have it.
    pub fn count(&self, kind: &FigureKind) -> usize {
        self.figures.iter().find(|f| f.kind == kind).map_or(0, |f| f.value as usize)
    }
}

/// A kind of figure that one method has and others need not have, such as the number of its faces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FigureKind {
    /// Its name in files: lowercase words with underscores.
    pub name: &'static str,
    /// Its unit; `1` for counts and ratios.
    pub unit: &'static str,
    /// What it is, in a sentence without a period.
    pub meaning: &'static str,
}

impl FigureKind {
    /// Returns a figure of this kind that counts something.
    pub fn count(&'static self, n: usize) -> Figure {
        Figure { kind: self, value: n as f64 }
    }
}

/// One of a method's own figures.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Figure {
    /// What it measures.
    pub kind: &'static FigureKind,
    /// Its value.
    pub value: f64,
}

/// All of the fluid, summed up. Where there is smoke the fluid is air, which fills all that is not solid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// Volume in m³.
    pub volume: f64,
    /// Kinetic energy in J.
    pub kinetic_energy: f64,
    /// Potential energy in J, 0 for water at the lowest corner of the domain.
    pub potential_energy: f64,
    /// Momentum in kg m/s.
    pub momentum: DVec3,
    /// Center of mass; `None` without fluid.
    pub center: Option<DVec3>,
    /// Smoke; `None` where the method simulates water.
    pub smoke: Option<SmokeTotals>,
}
