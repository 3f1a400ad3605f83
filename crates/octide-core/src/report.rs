//! A step's figures, as methods for water tell them.

use crate::contract::StepReport;
use crate::index::CellId;
use crate::octree::Octree;
use crate::par;
use crate::volume::VolumeControl;
use glam::DVec3;

/// Figures of a projection.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ProjectReport {
    /// Pressure unknowns.
    pub n_unknowns: usize,
    /// T-junction faces that the surface cuts, where they have a form of their own.
    pub cut_t_faces: usize,
    /// Those of them that must be treated apart.
    pub degenerate_t_faces: usize,
    /// Iterations of the solve.
    pub iterations: usize,
    /// Its true relative residual.
    pub residual: f64,
    /// The largest divergence left, in 1/s, beside what was wanted.
    pub max_divergence: f64,
    /// The largest divergence that a closed piece has because no pressure can undo it, in 1/s.
    pub unsolvable: f64,
}

/// What a step found on its way.
#[derive(Clone, Debug, Default)]
pub struct StepFindings {
    /// Figures of the projection.
    pub projection: ProjectReport,
    /// Seconds spent in each stage.
    pub stages: Vec<(&'static str, f64)>,
}

/// What a cell has.
#[derive(Clone, Copy, Debug)]
pub struct Seen {
    /// Whether the surface passes between it and a neighbor.
    pub is_surface: bool,
    /// Whether its center is in liquid.
    pub is_liquid: bool,
    /// Whether its center is outside solids.
    pub is_open: bool,
    /// Its liquid in m³.
    pub volume: f64,
}

/// Cells counted, and sums over them.
#[derive(Default)]
struct Counts {
    surface: usize,
    coarse: usize,
    liquid: usize,
    /// Σ V |u|².
    square: f64,
    max_speed: f64,
}

impl Counts {
    fn plus(self, o: Self) -> Self {
        Self {
            surface: self.surface + o.surface,
            coarse: self.coarse + o.coarse,
            liquid: self.liquid + o.liquid,
            square: self.square + o.square,
            max_speed: self.max_speed.max(o.max_speed),
        }
    }
}

/// The figures of a state on `tree` with so much liquid; those that only a method knows are left at zero. The
/// velocity is asked for where there is liquid.
pub fn of_water(
    tree: &Octree,
    density: f64,
    volume: f64,
    control: &VolumeControl,
    findings: &StepFindings,
    seen: impl Fn(CellId) -> Seen + Sync + Send,
    velocity: impl Fn(CellId) -> DVec3 + Sync + Send,
) -> StepReport {
    let finest = tree.grid().max_level();
    let of_cell = |c: CellId| {
        let Seen { is_surface, is_liquid, is_open, volume } = seen(c);
        let v = if volume > 0.0 || is_liquid { velocity(c) } else { DVec3::ZERO };
        Counts {
            surface: usize::from(is_surface),
            coarse: usize::from(is_surface && tree.level(c) < finest),
            liquid: usize::from(is_liquid),
            square: volume * v.length_squared(),
            max_speed: if is_liquid && is_open { v.length() } else { 0.0 },
        }
    };
    let counts = par::reduce(
        tree.n_cells(),
        Counts::default,
        |sums, i| sums.plus(of_cell(CellId(i as u32))),
        Counts::plus,
    );
    let p = &findings.projection;
    StepReport {
        cells: tree.n_cells(),
        liquid_cells: if p.n_unknowns > 0 { p.n_unknowns } else { counts.liquid },
        surface_cells: counts.surface,
        surface_cells_coarse: counts.coarse,
        cut_t_faces: p.cut_t_faces,
        degenerate_t_faces: p.degenerate_t_faces,
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
