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
//! All positions are integers: a [`Lattice`] point counts half edges of the finest cell, so that cell
//! centers, face centers and corners of every level are exact. [`Octree`] holds the nodes, finds the leaf
//! that contains a point and knows the neighbors of each node. Everything else is a table that is derived
//! from it on request: [`MergedFaces`] (a T-junction is one large face), [`SplitFaces`] (a T-junction is its
//! small faces), [`Nodes`] (corners, hanging ones marked), [`NodeEdges`] (corners along edges), [`Contacts`]
//! and [`Touching`] (which leaves touch each other).
//!
//! Roots may be absent: [`Octree::locate`] then returns `None`, and in tables the neighbor is `NONE`, as at
//! the sides of a box. [`RootGrid::from_roots`] has an example of a tree whose roots lie far apart.
//!
//! Guarantees: leaves are in Morton order; the tree depends only on the set of refined cells, not on the
//! order in which it was built; nothing depends on the number of threads.

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
pub use tree::{CellBox, Octree, side_octants};

/// Returns the side of the domain (−x, +x, −y, …) that a face normal to `axis` lies on, or `None` inside the
/// domain. The arguments say whether the face lacks a cell on its low or its high side. A face at a hole of
/// the tree counts as lying on the domain side with the same outward normal.
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

/// Returns the corner numbers of one side of a cell, in order around that side.
#[inline]
pub fn side_corners(direction: usize) -> [usize; 4] {
    let axis = direction / 2;
    let (b, c) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
    let base = (direction & 1) << axis;
    [base, base | b, base | b | c, base | c]
}

/// Number of directions.
pub const DIRECTIONS: usize = 6;

/// Returns the opposite direction.
#[inline]
pub fn opposite(direction: usize) -> usize {
    direction ^ 1
}
