//! The octree: cells of halving size under a set of root cells, usually a box of them.
//!
//! ```text
//!        6───────7        A cell's corners and children are numbered by bits:
//!       /│      /│        bit 0 is x, bit 1 is y, bit 2 is z; a set bit is the high side.
//!      2───────3 │
//!      │ │     │ │        Directions are numbered 2·axis + side:
//!      │ 4─────│─5        −x +x −y +y −z +z are 0 … 5.
//!      │/      │/
//!      0───────1          Level 0 are the roots; each level halves the edge.
//! ```
//!
//! All places are whole numbers: a [`Lattice`] point counts half edges of the finest cell, so that cell
//! centers, face centers and corners of every level are exact. [`Octree`] holds the nodes and answers where a
//! point lies and who is next to whom. Everything else is a table derived from it when asked for:
//! [`MergedFaces`] (a T-junction is one large face), [`SplitFaces`] (a T-junction is its small faces),
//! [`Nodes`] (corners, hanging ones marked), [`NodeEdges`] (corners along edges), [`Contacts`] and
//! [`Touching`] (who touches whom).
//!
//! Roots may be absent: [`Octree::locate`] then returns `None`, and in tables the neighbor is none, as at the
//! sides of a box. [`RootGrid::from_roots`] has an example of a tree whose roots lie far apart.
//!
//! Promises: leaves are in Morton order; the tree depends on the set of refined cells only, not on the order
//! in which it was built; nothing depends on the number of threads.

mod build;
mod contacts;
mod folded;
mod grid;
mod mask;
mod merged;
pub mod nodal;
mod node_edges;
mod nodes;
mod saved;
mod split;
#[cfg(test)]
mod tests;
mod tree;

pub use build::{Grading, Refinement};
pub use contacts::{Contacts, Touching, around, for_touching};
pub use folded::FoldedTree;
pub use grid::{GridError, Lattice, Place, RootGrid};
pub use merged::{FaceStencil, MergedFaces};
pub use node_edges::NodeEdges;
pub use nodes::{CellCorners, CornerTable, Corners, CornersOfCells, Nodes};
pub use saved::TreeError;
pub use split::{CellFaces, FaceCells, FaceSides, FacesOfCells, SplitFaces};
pub use tree::{CellBox, Octree};

/// The side of the domain that a face across `axis` lies on, −x, +x, −y, …, by which of its own sides has no
/// cell; none inside. A face at a hole of the tree counts as one on the side of the domain that faces the
/// same way.
#[inline]
pub fn domain_side(axis: usize, low_is_none: bool, high_is_none: bool) -> Option<usize> {
    if low_is_none {
        Some(2 * axis)
    } else if high_is_none {
        Some(2 * axis + 1)
    } else {
        None
    }
}

/// The places of the corners of a cell's side among those of the cell, in order around it.
#[inline]
pub fn side_corners(direction: usize) -> [usize; 4] {
    let axis = direction / 2;
    let (b, c) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
    let base = (direction & 1) << axis;
    [base, base | b, base | b | c, base | c]
}

/// Number of directions.
pub const DIRECTIONS: usize = 6;

/// The direction that leads back.
#[inline]
pub fn opposite(direction: usize) -> usize {
    direction ^ 1
}
