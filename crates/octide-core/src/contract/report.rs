//! The report of a step, and totals over the fluid.

use super::SmokeTotals;
use glam::DVec3;

/// The result of a step and figures of the state after it.
#[derive(Clone, Debug, Default)]
pub struct StepReport {
    /// The step's length in seconds.
    pub dt: f64,
    /// Number of cells in the grid.
    pub cells: usize,
    /// Number of cells with a pressure unknown; before the first step, of those with liquid at their center.
    pub liquid_cells: usize,
    /// Number of cells with a neighbor across the surface.
    pub surface_cells: usize,
    /// Number of particles.
    pub particles: usize,
    /// Liquid volume in m³.
    pub volume: f64,
    /// Relative deviation of the volume from its target.
    pub volume_drift: f64,
    /// Volume in m³ that inflows have added so far.
    pub volume_in: f64,
    /// Volume in m³ that has left through outflows and open sides so far.
    pub volume_out: f64,
    /// Relative volume that the correction has restored so far, summed over the steps.
    pub volume_correction: f64,
    /// Kinetic energy in J.
    pub kinetic_energy: f64,
    /// The largest speed in the fluid in m/s.
    pub max_speed: f64,
    /// The largest remaining divergence of a cell with a pressure, in 1/s.
    pub max_divergence: f64,
    /// Iterations of the pressure solve.
    pub solver_iterations: usize,
    /// The pressure solve's true relative residual.
    pub solver_residual: f64,
    /// The largest piece of shut-in air that collapses; `None` if there is none.
    pub collapsing_air: Option<CollapsingAir>,
    /// Smoke totals; `None` if the method simulates water.
    pub smoke: Option<SmokeTotals>,
    /// Figures that are specific to the method; every step has the same kinds in the same order.
    pub figures: Vec<Figure>,
    /// Seconds spent in each stage, in the order they ran.
    pub stages: Vec<(&'static str, f64)>,
}

impl StepReport {
    /// Returns one of the method-specific counts; 0 if the method does not have it.
    pub fn count(&self, kind: &FigureKind) -> usize {
        self.figures.iter().find(|f| f.kind == kind).map_or(0, |f| f.value as usize)
    }
}

/// Shut-in air that collapses, because its pressure is not what would keep its volume.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CollapsingAir {
    /// Its center.
    pub center: DVec3,
    /// Its volume in m³.
    pub volume: f64,
    /// Why it has no such pressure.
    pub reason: CollapseReason,
}

/// Why shut-in air collapses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CollapseReason {
    /// It touches no solid.
    NoSolid,
    /// There are more pockets at solids than those that keep their volume.
    TooMany {
        /// How many keep it.
        most: usize,
    },
    /// Only water much faster than any other would keep its volume.
    TooFast,
}

/// A kind of figure that is specific to some methods, such as the number of faces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FigureKind {
    /// Its name in files: lowercase words with underscores.
    pub name: &'static str,
    /// Its unit; `1` for counts and ratios.
    pub unit: &'static str,
    /// Its meaning, in a sentence without a period.
    pub meaning: &'static str,
}

impl FigureKind {
    /// Returns a count as a figure of this kind.
    pub fn count(&'static self, n: usize) -> Figure {
        Figure { kind: self, value: n as f64 }
    }
}

/// A figure that is specific to a method.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Figure {
    /// The kind of the figure.
    pub kind: &'static FigureKind,
    /// Its value.
    pub value: f64,
}

/// Totals over all of the fluid. In smoke scenes the fluid is air, which fills everything that is not solid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// Volume in m³.
    pub volume: f64,
    /// Kinetic energy in J.
    pub kinetic_energy: f64,
    /// Potential energy in J, which is 0 for water at the lowest corner of the domain.
    pub potential_energy: f64,
    /// Momentum in kg m/s.
    pub momentum: DVec3,
    /// Center of mass; `None` if there is no fluid.
    pub center: Option<DVec3>,
    /// Smoke totals; `None` if the method simulates water.
    pub smoke: Option<SmokeTotals>,
}
