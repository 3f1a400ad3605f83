//! Figures of a step as methods for water report them, for cells of any shape and velocity stored anywhere.

use crate::contract::{CollapsingAir, Figure, FigureKind, StepReport};
use crate::index::CellId;
use crate::par;
use crate::totals::FluidCells;
use crate::volume::VolumeControl;
use glam::DVec3;

/// Figures of a projection.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProjectReport {
    /// Number of pressure unknowns.
    pub n_unknowns: usize,
    /// Number of iterations of the solver.
    pub iterations: usize,
    /// True relative residual of the solution.
    pub residual: f64,
    /// The largest remaining deviation from the target divergence, in 1/s.
    pub max_divergence: f64,
    /// The largest divergence in a closed region that no pressure can remove, in 1/s.
    pub unsolvable: f64,
    /// The largest piece of shut-in air that collapses.
    pub collapsing_air: Option<CollapsingAir>,
    /// Figures specific to the method.
    pub figures: Vec<Figure>,
}

impl ProjectReport {
    /// Returns one of the method-specific figures; 0 if nothing has been projected yet.
    pub fn figure(&self, kind: &'static FigureKind) -> Figure {
        self.figures.iter().find(|f| f.kind == kind).copied().unwrap_or(Figure { kind, value: 0.0 })
    }
}

/// Figures collected during a step.
#[derive(Clone, Debug, Default)]
pub struct StepFindings {
    /// Figures of the projection.
    pub projection: ProjectReport,
    /// Seconds spent in each stage.
    pub stages: Vec<(&'static str, f64)>,
}

/// The liquid in the cells of a grid.
pub trait LiquidCells: FluidCells {
    /// Returns whether the surface passes between a cell and a neighbor.
    fn is_surface(&self, cell: CellId) -> bool;
    /// Returns whether a cell's center is in liquid.
    fn is_liquid(&self, cell: CellId) -> bool;
    /// Returns whether a cell's center is outside solids.
    fn is_outside_solids(&self, cell: CellId) -> bool;
}

/// Counts of cells, and sums over them.
#[derive(Default)]
struct Counts {
    surface: usize,
    liquid: usize,
    /// Σ V |u|².
    square: f64,
    max_speed: f64,
}

impl Counts {
    fn plus(self, o: Self) -> Self {
        Self {
            surface: self.surface + o.surface,
            liquid: self.liquid + o.liquid,
            square: self.square + o.square,
            max_speed: self.max_speed.max(o.max_speed),
        }
    }
}

/// Returns the figures of a state with `volume` of liquid; the method adds the number of particles and its
/// own figures.
pub fn of_water(
    cells: &impl LiquidCells,
    density: f64,
    volume: f64,
    control: &VolumeControl,
    findings: &StepFindings,
) -> StepReport {
    let of_cell = |c: CellId| {
        let (is_liquid, volume) = (cells.is_liquid(c), cells.volume(c));
        // The velocity is needed only where there is liquid.
        let v = if volume > 0.0 || is_liquid { cells.velocity(c) } else { DVec3::ZERO };
        Counts {
            surface: usize::from(cells.is_surface(c)),
            liquid: usize::from(is_liquid),
            square: volume * v.length_squared(),
            max_speed: if is_liquid && cells.is_outside_solids(c) { v.length() } else { 0.0 },
        }
    };
    let counts = par::reduce(
        cells.n_cells(),
        Counts::default,
        |sums, i| sums.plus(of_cell(CellId(i as u32))),
        Counts::plus,
    );
    let p = &findings.projection;
    StepReport {
        cells: cells.n_cells(),
        liquid_cells: if p.n_unknowns > 0 { p.n_unknowns } else { counts.liquid },
        surface_cells: counts.surface,
        volume,
        volume_drift: control.drift(volume),
        volume_in: control.volume_in,
        volume_out: control.volume_out,
        volume_correction: control.restored,
        kinetic_energy: 0.5 * density * counts.square,
        max_speed: counts.max_speed,
        max_divergence: p.max_divergence,
        solver_iterations: p.iterations,
        solver_residual: p.residual,
        collapsing_air: p.collapsing_air,
        stages: findings.stages.clone(),
        ..StepReport::default()
    }
}
