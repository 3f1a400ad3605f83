//! How much memory a step takes, known before it is taken.
//!
//! ```text
//! peak = base + ROOT · n_roots + state_cell · n_old + (step_cell + solid_cell) · n_new + particle · n_particles
//! ```
//!
//! n_old and n_new are the leaves of the trees that a step goes from and to, n_roots the root cells;
//! solid_cell counts where there are solids. The constants are measured, for each method its own:
//! `octide bench memory` prints those that fit.

use crate::contract::StepError;
use crate::octree::RootGrid;
use crate::scene::{Domain, Scene};

/// Bytes of the grid for a root cell: its coordinates and its place in the index, in two copies.
const ROOT: f64 = 32.0;

/// Limits are kept by so much more than the forecast, which may be wrong by a tenth.
pub const SAFETY: f64 = 1.1;

/// A method's constants, in bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemoryModel {
    /// The program itself, its threads, and what the allocator keeps.
    pub base: f64,
    /// What is kept between steps, for a cell.
    pub state_cell: f64,
    /// What a step takes besides, for a cell of its tree.
    pub step_cell: f64,
    /// What it takes for a cell where there are solids.
    pub solid_cell: f64,
    /// A particle, before and after.
    pub particle: f64,
}

impl MemoryModel {
    /// Bytes that the process holds whatever the fluid does.
    pub fn grid_bytes(&self, domain: &Domain) -> u64 {
        (self.base + ROOT * n_roots(domain) as f64) as u64
    }

    /// Bytes that the process holds at most during a step from `old` to `new` cells.
    pub fn step_bytes(&self, scene: &Scene, old: usize, new: usize, particles: usize) -> u64 {
        let of_cells = self.state_cell * old as f64 + self.new_cell(scene) * new as f64;
        let more = (of_cells + self.particle * particles as f64) as u64;
        self.grid_bytes(&scene.domain).saturating_add(more)
    }

    /// Cells of the tree that a step may go to within `bytes`.
    pub fn most_cells(&self, scene: &Scene, bytes: u64, old: usize, particles: usize) -> usize {
        let left = bytes as f64 / SAFETY - self.step_bytes(scene, old, 0, particles) as f64;
        (left.max(0.0) / self.new_cell(scene)) as usize
    }

    /// Bytes for a cell of the tree that a step goes to.
    fn new_cell(&self, scene: &Scene) -> f64 {
        self.step_cell + if scene.solids.is_empty() { 0.0 } else { self.solid_cell }
    }

    /// An error where a tree has more cells than it may.
    pub fn allow(&self, cells: usize, most: usize) -> Result<(), StepError> {
        if cells > most { Err(self.refused(cells, most)) } else { Ok(()) }
    }

    /// The error for a tree of at least `cells`. Those who count cells do not know bytes: `needed` is what is
    /// too much.
    pub fn refused(&self, cells: usize, most: usize) -> StepError {
        let beyond = SAFETY * self.step_cell * (cells.saturating_sub(most) as f64);
        StepError::Memory {
            what: format!("a tree of {cells} cells or more"),
            needed: beyond.ceil() as u64,
            limit: 0,
        }
    }

    /// An error where not even the grid fits.
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

/// Cells of a uniform grid as fine as the domain's.
pub fn n_finest(domain: &Domain) -> usize {
    // At most 8192³, far below what a float counts exactly.
    (domain.size / domain.dx()).round().element_product() as usize
}

/// Root cells of a domain.
fn n_roots(domain: &Domain) -> usize {
    n_finest(domain) >> (3 * u32::from(domain.levels))
}

/// Cells of a uniform grid as fine as a tree's.
pub fn finest_cells(grid: &RootGrid) -> usize {
    grid.roots().len() << (3 * u32::from(grid.max_level()))
}

/// The error of [`MemoryModel::refused`] with the limit in bytes.
pub fn with_limit(error: StepError, limit: u64) -> StepError {
    match error {
        StepError::Memory { what, needed, .. } => {
            StepError::Memory { what, needed: limit.saturating_add(needed), limit }
        }
        other => other,
    }
}
