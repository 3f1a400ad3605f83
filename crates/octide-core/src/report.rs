//! A step's figures as methods for water report them, whatever the shape of their cells and wherever velocity
//! lives.

use crate::contract::{Figure, FigureKind, StepReport};
use crate::index::CellId;
use crate::par;
use crate::totals::FluidCells;
use crate::volume::VolumeControl;
use glam::DVec3;

/// Figures of a projection.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProjectReport {
    /// Pressure unknowns.
    pub n_unknowns: usize,
    /// Iterations of the solve.
    pub iterations: usize,
    /// Its true relative residual.
    pub residual: f64,
    /// The largest divergence left, in 1/s, beside what was wanted.
    pub max_divergence: f64,
    /// The largest divergence that a closed piece has because no pressure can undo it, in 1/s.
    pub unsolvable: f64,
    /// Figures that only this method has.
    pub figures: Vec<Figure>,
}

impl ProjectReport {
    /// Returns one of the method's own figures; 0 where nothing was projected yet.
    pub fn figure(&self, kind: &'static FigureKind) -> Figure {
        self.figures.iter().find(|f| f.kind == kind).copied().unwrap_or(Figure { kind, value: 0.0 })
    }
}

/// What a step found on its way.
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

/// Cells counted, and sums over them.
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

/// Returns the figures of a state with `volume` of liquid; the number of particles and the method's own figures
/// are left to the method.
pub fn of_water(
    cells: &impl LiquidCells,
    density: f64,
    volume: f64,
    control: &VolumeControl,
    findings: &StepFindings,
) -> StepReport {
    let of_cell = |c: CellId| {
        let (is_liquid, volume) = (cells.is_liquid(c), cells.volume(c));
        // Only where there is liquid is the velocity needed.
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
        volume_in: control.came,
        volume_out: control.went,
        volume_correction: control.given_back,
        kinetic_energy: 0.5 * density * counts.square,
        max_speed: counts.max_speed,
        max_divergence: p.max_divergence,
        solver_iterations: p.iterations,
        solver_residual: p.residual,
        stages: findings.stages.clone(),
        ..StepReport::default()
    }
}
