//! How much memory a step takes, known before it is taken.
//!
//! ```text
//! peak = BASE + MASKS · n_finest + STATE_CELL · n_old + (STEP_CELL + SOLID_CELL) · n_new + PARTICLE · n_particles
//! ```
//!
//! n_old and n_new are the leaves of the trees that a step goes from and to, n_finest the cells of a uniform grid; SOLID_CELL
//! counts where there are solids. The
//! constants are measured: `octide bench memory` prints those that fit, and a test of the command compares.

use crate::params::Params;
use octide_core::contract::StepError;
use octide_core::octree::RootGrid;
use octide_core::scene::{Domain, Scene};

/// The program itself, its threads, and what the allocator keeps.
pub const BASE: f64 = 12.8e6;

/// Bit masks over each level above the finest, for a finest cell: (1/8 + 1/64 + …)/8 = 1/56, and two sets of them.
pub const MASKS: f64 = 2.0 / 56.0;

/// What is kept between steps, for a cell.
pub const STATE_CELL: f64 = 310.0;

/// What a step takes besides, for a cell of its tree.
pub const STEP_CELL: f64 = 663.0;

/// What it takes for a cell where there are solids: corners of the new tree, distances, velocities.
pub const SOLID_CELL: f64 = 169.0;

/// A particle, before and after.
pub const PARTICLE: f64 = 253.0;

/// Limits are kept by so much more than the forecast, which may be wrong by a tenth.
pub const SAFETY: f64 = 1.1;

/// Cells of a uniform grid as fine as the domain's.
pub fn n_finest(domain: &Domain) -> usize {
    // At most 8192³, far below what a float counts exactly.
    (domain.size / domain.dx()).round().element_product() as usize
}

/// Cells of a uniform grid as fine as a tree's.
pub fn finest_cells(grid: &RootGrid) -> usize {
    grid.roots().len() << (3 * u32::from(grid.max_level()))
}

/// Bytes that the process holds whatever the water does.
pub fn grid_bytes(domain: &Domain) -> u64 {
    (BASE + MASKS * n_finest(domain) as f64) as u64
}

/// Bytes that the process holds at most during a step from `old` to `new` cells.
pub fn step_bytes(scene: &Scene, old: usize, new: usize, particles: usize) -> u64 {
    let of_cells = STATE_CELL * old as f64 + new_cell(scene) * new as f64;
    grid_bytes(&scene.domain).saturating_add((of_cells + PARTICLE * particles as f64) as u64)
}

/// Cells of the tree that a step may go to within `bytes`.
pub fn most_cells(scene: &Scene, bytes: u64, old: usize, particles: usize) -> usize {
    let left = bytes as f64 / SAFETY - step_bytes(scene, old, 0, particles) as f64;
    (left.max(0.0) / new_cell(scene)) as usize
}

/// Bytes for a cell of the tree that a step goes to.
fn new_cell(scene: &Scene) -> f64 {
    STEP_CELL + if scene.solids.is_empty() { 0.0 } else { SOLID_CELL }
}

/// An error where a tree has more cells than it may.
pub(crate) fn allow(cells: usize, params: &Params) -> Result<(), StepError> {
    if cells > params.max_cells { Err(refused(cells, params)) } else { Ok(()) }
}

/// The error for a tree of at least `cells`. Those who count cells do not know bytes: `needed` is what is too much.
pub(crate) fn refused(cells: usize, params: &Params) -> StepError {
    let beyond = SAFETY * STEP_CELL * (cells.saturating_sub(params.max_cells) as f64);
    StepError::Memory {
        what: format!("a tree of {cells} cells or more"),
        needed: beyond.ceil() as u64,
        limit: 0,
    }
}

/// The same with the limit in bytes.
pub(crate) fn with_limit(error: StepError, limit: u64) -> StepError {
    match error {
        StepError::Memory { what, needed, .. } => {
            StepError::Memory { what, needed: limit.saturating_add(needed), limit }
        }
        other => other,
    }
}

/// An error where not even the grid fits.
pub(crate) fn allow_grid(domain: &Domain, limit: u64) -> Result<(), StepError> {
    let needed = grid_bytes(domain);
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
