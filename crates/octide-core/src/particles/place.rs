//! Where a leaf is, as random numbers want to know it.

use crate::index::CellId;
use crate::octree::Octree;
use glam::IVec3;

/// The place of a leaf in the domain, counted from the low side in leaves of its size, and how many of them the
/// domain has along each axis. It is what [`Symmetric`](crate::random::Symmetric) is made from.
#[inline]
pub fn place_among_leaves(tree: &Octree, cell: CellId) -> (IVec3, IVec3) {
    let (grid, level) = (tree.grid(), i32::from(tree.level(cell)));
    (tree.coord(tree.node_of(cell)) - (grid.min() << level), grid.dims() << level)
}
