//! Forecast of the memory that a step takes, and of what a method holds between steps and while it makes a
//! frame.
//!
//! ```text
//! grid    = base + ROOT · n_roots
//! step    = grid + samples + state_cell · n_old + (step_cell + solid_cell) · n_new + particle · n_particles
//! between = grid + kept_cell · n + particle / 2 · n_particles
//! frame   = between + frame_cell · n
//! ```
//!
//! The samples are those of the solids' distances ([`Scene::sample_bytes`]). n_old and n_new are the numbers
//! of leaves before and after the step, n_roots that of root cells; solid_cell is included if there are solids.
//! The surface, the particles and the smoke of a frame come on top; they are the same for all methods. The
//! constants are measured for each method; the command `octide bench memory` prints fitted values.

use crate::contract::StepError;
use crate::octree::RootGrid;
use crate::scene::{Domain, Scene};

/// Bytes of the grid per root cell: its coordinates and its index entry, in two copies.
const ROOT: f64 = 32.0;

/// Safety factor on the forecast, which may be wrong by a tenth.
pub const SAFETY: f64 = 1.1;

/// A method's constants, in bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemoryModel {
    /// The program itself, its threads, and memory retained by the allocator.
    pub base: f64,
    /// State of the old cells during a step, per cell. Tables that a step drops at once are not included.
    pub state_cell: f64,
    /// State and tables between steps, per cell.
    pub kept_cell: f64,
    /// Additional memory of a step, per cell of its tree.
    pub step_cell: f64,
    /// Additional memory per cell if there are solids.
    pub solid_cell: f64,
    /// A particle, before and after the step.
    pub particle: f64,
    /// Additional memory per cell while a frame is made, with its list of cells.
    pub frame_cell: f64,
}

impl MemoryModel {
    /// Returns the number of bytes that the process holds independent of the fluid.
    pub fn grid_bytes(&self, domain: &Domain) -> u64 {
        (self.base + ROOT * n_roots(domain) as f64) as u64
    }

    /// Returns the maximum number of bytes that the process holds during a step from `old` to `new` cells.
    pub fn step_bytes(&self, scene: &Scene, old: usize, new: usize, particles: usize) -> u64 {
        let of_cells = self.state_cell * old as f64 + self.new_cell(scene) * new as f64;
        let more = (of_cells + self.particle * particles as f64) as u64;
        self.grid_bytes(&scene.domain).saturating_add(scene.sample_bytes()).saturating_add(more)
    }

    /// Returns the number of bytes that the process holds between steps.
    pub fn bytes_between_steps(&self, domain: &Domain, cells: usize, particles: usize) -> u64 {
        let more = self.kept_cell * cells as f64 + 0.5 * self.particle * particles as f64;
        self.grid_bytes(domain).saturating_add(more as u64)
    }

    /// Returns the number of cells of the new tree that fit in `bytes`.
    pub fn most_cells(&self, scene: &Scene, bytes: u64, old: usize, particles: usize) -> usize {
        let left = bytes as f64 / SAFETY - self.step_bytes(scene, old, 0, particles) as f64;
        (left.max(0.0) / self.new_cell(scene)) as usize
    }

    /// Returns the number of bytes per cell of the new tree.
    fn new_cell(&self, scene: &Scene) -> f64 {
        self.step_cell + if scene.solids.is_empty() { 0.0 } else { self.solid_cell }
    }

    /// Returns an error if a tree has more cells than allowed.
    pub fn allow(&self, cells: usize, most: usize) -> Result<(), StepError> {
        if cells > most { Err(self.refused(cells, most)) } else { Ok(()) }
    }

    /// Returns the error for a tree of at least `cells` cells. The limit in bytes is not known here, so
    /// `needed` is only the excess; [`with_limit`] adds the limit.
    pub fn refused(&self, cells: usize, most: usize) -> StepError {
        let beyond = SAFETY * self.step_cell * (cells.saturating_sub(most) as f64);
        StepError::Memory {
            what: format!("a tree of {cells} cells or more"),
            needed: beyond.ceil() as u64,
            limit: 0,
        }
    }

    /// Returns an error if not even the grid fits.
    pub fn allow_grid(&self, domain: &Domain, limit: u64) -> Result<(), StepError> {
        let needed = self.grid_bytes(domain);
        if needed <= limit {
            return Ok(());
        }
        let n = (domain.size / domain.dx()).round();
        Err(StepError::Memory {
            what: format!("a grid of {} × {} × {} finest cells", n.x, n.y, n.z),
            needed,
            limit,
        })
    }
}

/// Returns the number of cells of a uniform grid as fine as the domain's.
pub fn n_finest(domain: &Domain) -> usize {
    // At most 8192³, far below the largest integer that a float represents exactly.
    (domain.size / domain.dx()).round().element_product() as usize
}

/// Returns the number of root cells of a domain.
fn n_roots(domain: &Domain) -> usize {
    n_finest(domain) >> (3 * u32::from(domain.levels))
}

/// Returns the number of cells of a uniform grid as fine as a tree's.
pub fn finest_cells(grid: &RootGrid) -> usize {
    grid.roots().len() << (3 * u32::from(grid.max_level()))
}

/// Adds the limit in bytes to the error of [`MemoryModel::refused`].
pub fn with_limit(error: StepError, limit: u64) -> StepError {
    match error {
        StepError::Memory { what, needed, .. } => {
            StepError::Memory { what, needed: limit.saturating_add(needed), limit }
        }
        other => other,
    }
}
