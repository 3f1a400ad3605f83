//! A limit on the number of cells, given by the memory that a step may use. A tree with more cells is refused
//! before it is built.

use crate::contract::StepError;
use crate::memory::{MemoryModel, finest_cells};
use crate::octree::{Grading, Octree, Refinement, RootGrid};

/// The maximum number of cells of a tree.
#[derive(Clone, Copy, Debug)]
pub struct CellLimit {
    /// Gives the number of bytes for the error message.
    pub model: MemoryModel,
    /// The largest number of cells.
    pub max_cells: usize,
}

impl CellLimit {
    /// Returns an empty refinement that detects when it exceeds the limit.
    pub fn refinement(&self, grid: &RootGrid) -> Refinement {
        Refinement::new(grid).at_most(self.max_cells)
    }

    /// Returns an error if a tree with finest cells everywhere exceeds the limit.
    pub fn allow_finest(&self, grid: &RootGrid) -> Result<(), StepError> {
        self.model.allow(finest_cells(grid), self.max_cells)
    }

    /// Builds the tree with finest cells everywhere.
    pub fn uniform(&self, grid: &RootGrid, grading: Grading) -> Result<Octree, StepError> {
        self.allow_finest(grid)?;
        Ok(Octree::build(grid, grading, |_| true))
    }

    /// Builds the tree of a refinement, after spreading the cells of each level `dilation` times to their
    /// face neighbors.
    pub fn build(
        &self,
        refinement: Refinement,
        grading: Grading,
        dilation: u32,
    ) -> Result<Octree, StepError> {
        if refinement.is_over() {
            return Err(self.model.refused(self.max_cells.saturating_add(1), self.max_cells));
        }
        let tree = refinement.build_smoothed(grading, dilation);
        self.model.allow(tree.n_cells(), self.max_cells)?;
        Ok(tree)
    }
}
