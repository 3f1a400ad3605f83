//! The corners of the leaves, each stored once, with the eight leaves around it; hanging corners are marked.
//!
//! A corner hangs if a leaf touches it without having it as one of its own corners: it lies on that leaf's
//! edge or face, in a graded tree at its midpoint. To keep fields continuous, its value is interpolated from
//! the coarsest such leaf: linearly along an edge, bilinearly on a face. The corners of that leaf may in turn
//! hang on coarser leaves, so coarse leaves are processed first.
//!
//! Works on any tree.
//!
//! The table has three parts. Because they are large, there is a type for each combination that callers
//! store: [`CornersOfCells`] (the corners of each leaf), [`Corners`] (also the positions of corners and which
//! of them hang) and [`Nodes`] (also the leaves around each corner). [`CellCorners`] and [`CornerTable`] are
//! for functions that work with any of them.

mod build;

use self::build::{around, corner, own_corners};
use super::grid::Lattice;
use super::nodal::Linear;
use super::split::{chunk_starts, numbered};
use super::tree::Octree;
use crate::index::{CellId, Field, NodeId};
use crate::par;
use glam::{IVec3, U16Vec3};

/// A table that knows the corners of each leaf.
pub trait CellCorners: Sync {
    /// Returns the eight corners of a leaf.
    fn of_cell(&self, cell: CellId) -> &[NodeId; 8];
}

/// A table that knows everything about corners except, possibly, the leaves around them.
pub trait CornerTable: CellCorners {
    /// Returns positions, hanging corners and the corners of leaves.
    fn corners(&self) -> &Corners;

    /// Builds a column by applying `f` to each corner and the leaves around it. If the table does not store
    /// these leaves, they are found for one corner at a time. `blank` is overwritten.
    fn map_leaves<T: Clone + Send>(
        &self,
        tree: &Octree,
        blank: T,
        f: impl Fn(NodeId, &[CellId; 8]) -> T + Sync + Send,
    ) -> Field<NodeId, T>;
}

/// The eight corners of each leaf.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CornersOfCells(Field<CellId, [NodeId; 8]>);

/// Table of corners without the leaves around them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Corners {
    /// Position in finest cells from `low`: corners lie on integer multiples.
    place: Field<NodeId, U16Vec3>,
    low: IVec3,
    of_cell: CornersOfCells,
    /// Hanging corners and the leaf that each one hangs on, coarse leaves first.
    hanging: Vec<(NodeId, CellId)>,
    is_hanging: Field<NodeId, bool>,
    /// Which corners each leaf owns, one bit per corner: the leaves around corners follow from it.
    owned: Field<CellId, u8>,
}

/// Table of corners with the leaves around them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Nodes {
    corners: Corners,
    /// The leaf in each octant around the corner; `NONE` outside the domain.
    cells: Field<NodeId, [CellId; 8]>,
}

impl CornersOfCells {
    /// Returns the eight corners of a leaf.
    #[inline]
    pub fn of_cell(&self, cell: CellId) -> &[NodeId; 8] {
        &self.0[cell]
    }
}

impl CellCorners for CornersOfCells {
    #[inline]
    fn of_cell(&self, cell: CellId) -> &[NodeId; 8] {
        &self.0[cell]
    }
}

impl CellCorners for Corners {
    #[inline]
    fn of_cell(&self, cell: CellId) -> &[NodeId; 8] {
        &self.of_cell.0[cell]
    }
}

impl CellCorners for Nodes {
    #[inline]
    fn of_cell(&self, cell: CellId) -> &[NodeId; 8] {
        &self.corners.of_cell.0[cell]
    }
}

impl CornerTable for Corners {
    fn corners(&self) -> &Corners {
        self
    }

    fn map_leaves<T: Clone + Send>(
        &self,
        tree: &Octree,
        blank: T,
        f: impl Fn(NodeId, &[CellId; 8]) -> T + Sync + Send,
    ) -> Field<NodeId, T> {
        let mut out = vec![blank; self.len()];
        let starts = chunk_starts(&numbered(&self.owned));
        par::map_parts(&mut out, &starts, |i, out| {
            for (((cell, c), v), out) in own_corners(&self.owned, i).zip(starts[i]..).zip(out) {
                let node = tree.node_of(cell);
                *out = f(NodeId(v as u32), &around(tree, corner(tree, node, c), node, c));
            }
        });
        Field::from_vec(out)
    }
}

impl CornerTable for Nodes {
    fn corners(&self) -> &Corners {
        &self.corners
    }

    fn map_leaves<T: Clone + Send>(
        &self,
        _: &Octree,
        _: T,
        f: impl Fn(NodeId, &[CellId; 8]) -> T + Sync + Send,
    ) -> Field<NodeId, T> {
        par::map(self.len(), |v: NodeId| f(v, &self.cells[v]))
    }
}

impl Corners {
    /// Adds the leaves around each corner, which take a third of the whole table's memory.
    pub fn with_leaves(self, tree: &Octree) -> Nodes {
        let cells = self.map_leaves(tree, [CellId::NONE; 8], |_, cells| *cells);
        Nodes { corners: self, cells }
    }

    /// Returns the corners of each leaf and drops everything else.
    pub fn into_cells(self) -> CornersOfCells {
        self.of_cell
    }

    /// Returns the corners of each leaf.
    pub fn cells(&self) -> &CornersOfCells {
        &self.of_cell
    }

    /// Returns the number of corners.
    pub fn len(&self) -> usize {
        self.is_hanging.len()
    }

    /// Returns whether there are no corners.
    pub fn is_empty(&self) -> bool {
        self.is_hanging.is_empty()
    }

    /// Returns the position of a corner.
    #[inline]
    pub fn place(&self, node: NodeId) -> Lattice {
        (self.place[node].as_ivec3() + self.low) << 1
    }

    /// Returns the eight corners of a leaf.
    #[inline]
    pub fn of_cell(&self, cell: CellId) -> &[NodeId; 8] {
        &self.of_cell.0[cell]
    }

    /// Returns whether a corner hangs.
    #[inline]
    pub fn is_hanging(&self, node: NodeId) -> bool {
        self.is_hanging[node]
    }

    /// Sets the values of hanging corners by interpolation.
    pub fn constrain<T: Linear>(&self, tree: &Octree, values: &mut Field<NodeId, T>) {
        self.constrain_as(tree, values, |q| q, |q| q);
    }

    /// Constrains hanging corners like [`constrain`](Self::constrain), for values that are stored in another
    /// form than they are summed in.
    pub fn constrain_as<K: Copy, T: Linear>(
        &self,
        tree: &Octree,
        values: &mut Field<NodeId, K>,
        read: impl Fn(K) -> T,
        keep: impl Fn(T) -> K,
    ) {
        for &(v, cell) in &self.hanging {
            let node = tree.node_of(cell);
            let offset = self.place(v) - tree.lattice_center(node);
            let t = 0.5 + offset.as_dvec3() / f64::from(2 * tree.half_extent(node));
            let mut sum: Option<T> = None;
            for (c, &corner) in self.of_cell.0[cell].iter().enumerate() {
                let side = |a: usize| if c >> a & 1 == 1 { t[a] } else { 1.0 - t[a] };
                let weight = side(0) * side(1) * side(2);
                // A corner of weight zero is not part of the edge or face, and may itself hang on a finer
                // leaf.
                if weight > 0.0 {
                    let part = read(values[corner]) * weight;
                    sum = Some(sum.map_or(part, |s| s + part));
                }
            }
            if let Some(sum) = sum {
                values[v] = keep(sum);
            }
        }
    }

    /// Returns hanging corners and the leaf that each one hangs on, coarse leaves first.
    pub fn hanging(&self) -> &[(NodeId, CellId)] {
        &self.hanging
    }

    /// Returns the number of bytes held.
    pub fn bytes(&self) -> usize {
        self.len() * 7 + self.of_cell.0.len() * 32 + self.hanging.len() * 8 + self.owned.len()
    }
}

impl Nodes {
    /// Builds all corners of a tree.
    pub fn new(tree: &Octree) -> Self {
        let mut cells = Vec::new();
        let corners = Corners::build(tree, |_, around| cells.push(around));
        cells.shrink_to_fit();
        Self { corners, cells: Field::from_vec(cells) }
    }

    /// Drops the leaves around corners.
    pub fn without_leaves(self) -> Corners {
        self.corners
    }

    /// Returns the leaf in each octant around a corner; a leaf that the corner hangs on appears several
    /// times.
    #[inline]
    pub fn cells(&self, node: NodeId) -> &[CellId; 8] {
        &self.cells[node]
    }

    /// Returns the number of corners.
    pub fn len(&self) -> usize {
        self.corners.len()
    }

    /// Returns whether there are no corners.
    pub fn is_empty(&self) -> bool {
        self.corners.is_empty()
    }

    /// Returns the position of a corner.
    #[inline]
    pub fn place(&self, node: NodeId) -> Lattice {
        self.corners.place(node)
    }

    /// Returns the eight corners of a leaf.
    #[inline]
    pub fn of_cell(&self, cell: CellId) -> &[NodeId; 8] {
        self.corners.of_cell(cell)
    }

    /// Returns whether a corner hangs.
    #[inline]
    pub fn is_hanging(&self, node: NodeId) -> bool {
        self.corners.is_hanging(node)
    }

    /// Sets the values of hanging corners by interpolation.
    pub fn constrain<T: Linear>(&self, tree: &Octree, values: &mut Field<NodeId, T>) {
        self.corners.constrain(tree, values);
    }

    /// Returns hanging corners and the leaf that each one hangs on, coarse leaves first.
    pub fn hanging(&self) -> &[(NodeId, CellId)] {
        self.corners.hanging()
    }

    /// Returns the number of bytes held.
    pub fn bytes(&self) -> usize {
        self.corners.bytes() + self.cells.len() * 32
    }
}
