//! A tree folded to one bit a node, from which the same tree can be made again.

use super::build::Grading;
use super::grid::RootGrid;
use super::tree::Octree;

/// A tree in the least memory.
#[derive(Clone, Debug, PartialEq)]
pub struct FoldedTree {
    grid: RootGrid,
    n_cells: usize,
    bits: Vec<u8>,
}

impl FoldedTree {
    /// Folds a tree, which can then be dropped.
    pub fn new(tree: &Octree) -> Self {
        Self { grid: tree.grid().clone(), n_cells: tree.n_cells(), bits: tree.refined_bits() }
    }

    /// The tree as it was.
    pub fn unfold(&self) -> Octree {
        Octree::from_refined_bits(&self.grid, Grading::Unrestricted, &self.bits, self.n_cells)
            .unwrap_or_else(|e| unreachable!("the bits are a tree's: {e}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DVec3, IVec3};

    #[test]
    fn unfolding_gives_the_same_tree() {
        let grid = RootGrid::new(DVec3::ZERO, 0.05, 3, IVec3::ZERO, IVec3::new(2, 1, 3), |_| true);
        let tree = Octree::build(&grid, Grading::Graded, |c| c.center.length() < 0.6);
        assert_eq!(FoldedTree::new(&tree).unfold(), tree);
    }
}
