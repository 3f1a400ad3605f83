//! Trees that have no more cells than a step may take memory for. What has more is refused before it is built.

use crate::contract::StepError;
use crate::memory::{MemoryModel, finest_cells};
use crate::octree::{Grading, Octree, Refinement, RootGrid};

/// How many cells a tree may have.
#[derive(Clone, Copy, Debug)]
pub struct CellLimit {
    /// Tells the memory that is refused.
    pub model: MemoryModel,
    /// The largest number of cells.
    pub max_cells: usize,
}

impl CellLimit {
    /// A refinement that notices when it has more cells.
    pub fn refinement(&self, grid: &RootGrid) -> Refinement {
        Refinement::new(grid).at_most(self.max_cells)
    }

    /// An error if a tree of finest cells everywhere has too many.
    pub fn allow_finest(&self, grid: &RootGrid) -> Result<(), StepError> {
        self.model.allow(finest_cells(grid), self.max_cells)
    }

    /// The tree of finest cells everywhere.
    pub fn uniform(&self, grid: &RootGrid, grading: Grading) -> Result<Octree, StepError> {
        self.allow_finest(grid)?;
        Ok(Octree::build(grid, grading, |_| true))
    }

    /// The tree of a refinement whose cells of each level are first spread `dilation` times to their face
    /// neighbors.
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
