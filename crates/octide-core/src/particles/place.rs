//! The position of a leaf, as needed for random numbers.

use crate::index::CellId;
use crate::octree::Octree;
use glam::IVec3;

/// Returns the position of a leaf in the domain, counted from the low side in leaves of its size, and the
/// number of such leaves along each axis. [`Symmetric`](crate::random::Symmetric) is constructed from them.
#[inline]
pub fn place_among_leaves(tree: &Octree, cell: CellId) -> (IVec3, IVec3) {
    let (grid, level) = (tree.grid(), i32::from(tree.level(cell)));
    (tree.coord(tree.node_of(cell)) - (grid.min() << level), grid.dims() << level)
}
