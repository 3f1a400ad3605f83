//! A tree with the tables that this method reads.

use crate::faults::{self, Fault};
use glam::{DVec3, Vec3};
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::octree::nodal::{self, Linear};
use octide_core::octree::{Grading, Nodes, Octree, SplitFaces, domain_side, side_corners};

/// An unrestricted tree and what is derived from it.
#[derive(Clone, Debug)]
pub struct Mesh {
    /// The tree.
    pub tree: Octree,
    /// Its faces, T-junctions split into the small ones.
    pub faces: SplitFaces,
    /// Its corners.
    pub nodes: Nodes,
    /// While all else is forgotten: number of leaves, and the tree as one bit a node.
    folded: Option<(usize, Vec<u8>)>,
}

impl Mesh {
    /// Derives the tables.
    pub fn new(tree: Octree) -> Self {
        let faces = SplitFaces::new(&tree);
        let nodes = Nodes::new(&tree);
        Self { tree, faces, nodes, folded: None }
    }

    /// Derives what is read by those who carry things to corners: no faces and no leaves around corners,
    /// until they are asked for.
    pub(crate) fn for_arrivals(tree: Octree) -> Self {
        let nodes = Nodes::without_leaves(&tree);
        Self { tree, faces: SplitFaces::default(), nodes, folded: None }
    }

    /// Derives faces, if there are none yet; cells do not know theirs.
    pub(crate) fn find_faces(&mut self) {
        if self.faces.is_empty() {
            self.faces = SplitFaces::without_cells(&self.tree);
        }
    }

    /// The same, and tells cells their faces.
    pub(crate) fn find_faces_of_cells(&mut self) {
        self.find_faces();
        self.faces.find_cells(&self.tree);
    }

    /// Derives all that is missing.
    pub(crate) fn complete(&mut self) {
        self.find_faces_of_cells();
        self.nodes.find_leaves(&self.tree);
    }

    /// Gives back the memory of what is not read by those who carry things away from here: from here on only
    /// cells can be asked for their faces and corners.
    pub(crate) fn keep_cells_only(&mut self) {
        self.faces.keep_cells_only();
        self.nodes.keep_cells_only();
    }

    /// Gives back the memory of all tables.
    pub(crate) fn keep_tree_only(&mut self) {
        self.faces = SplitFaces::default();
        self.nodes = Nodes::default();
    }

    /// Gives back all memory but what [`restore`](Self::restore) makes the same mesh of.
    pub(crate) fn forget(&mut self) {
        self.folded = Some((self.tree.n_cells(), self.tree.refined_bits()));
        self.tree = Octree::without_nodes(self.tree.grid().clone());
        self.keep_tree_only();
    }

    /// Makes again what was given back.
    pub(crate) fn restore(&mut self) {
        let tree = match self.folded.take() {
            Some((n, bits)) => Octree::from_refined_bits(self.tree.grid(), Grading::Unrestricted, &bits, n)
                .unwrap_or_else(|e| unreachable!("the bits are a tree's: {e}")),
            None => self.tree.clone(),
        };
        *self = Self::new(tree);
    }

    /// Number of cells.
    pub fn n_cells(&self) -> usize {
        self.tree.n_cells()
    }

    /// Number of faces.
    pub fn n_faces(&self) -> usize {
        self.faces.len()
    }

    /// Number of corners.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Where a corner is.
    #[inline]
    pub fn node_position(&self, node: NodeId) -> DVec3 {
        self.tree.grid().position(self.nodes.place(node))
    }

    /// Where a face's center is.
    #[inline]
    pub fn face_position(&self, face: FaceId) -> DVec3 {
        self.tree.grid().position(self.faces.place(&self.tree, face))
    }

    /// Edge length of a face.
    #[inline]
    pub fn face_size(&self, face: FaceId) -> f64 {
        self.faces.size(&self.tree, face)
    }

    /// The side of the domain that a face lies on, −x, +x, −y, …; none inside.
    #[inline]
    pub fn side_of(&self, face: FaceId) -> Option<usize> {
        let [low, high] = self.faces.sides(face);
        domain_side(self.faces.axis(face), low.is_none(), high.is_none())
    }

    /// The four corners of a face, in order around it.
    #[inline]
    pub fn face_corners(&self, face: FaceId) -> [NodeId; 4] {
        let small = self.faces.small_side(&self.tree, face);
        let is_high = usize::from(self.faces.sides(face)[0] == small);
        let corners = self.nodes.of_cell(small);
        side_corners(2 * self.faces.axis(face) + is_high).map(|o| corners[o])
    }

    /// A field at corners, at a point.
    #[inline]
    pub fn sample<T: Linear>(&self, values: &Field<NodeId, T>, p: DVec3) -> T {
        nodal::sample(&self.tree, &self.nodes, values, p)
    }

    /// A field at corners, at the center of a cell: the mean of its corners.
    #[inline]
    pub fn at_center<T: Linear>(&self, values: &Field<NodeId, T>, cell: CellId) -> T {
        let v = self.nodes.of_cell(cell);
        (1..8).fold(values[v[0]], |sum, c| sum + values[v[c]]) * 0.125
    }

    /// The same of short vectors.
    #[inline]
    pub fn vector_at_center(&self, values: &Field<NodeId, Vec3>, cell: CellId) -> DVec3 {
        self.nodes.of_cell(cell).iter().map(|&v| values[v].as_dvec3()).sum::<DVec3>() * 0.125
    }

    /// A field at corners, at the center of a face: the mean of its corners.
    #[inline]
    pub fn at_face<T: Linear>(&self, values: &Field<NodeId, T>, face: FaceId) -> T {
        let [a, b, c, d] = self.face_corners(face).map(|v| values[v]);
        ((a + b) + (c + d)) * 0.25
    }

    /// Whether φ changes sign between a cell's corners.
    #[inline]
    pub fn is_surface(&self, phi: &Field<NodeId, f64>, cell: CellId) -> bool {
        let wet = self.nodes.of_cell(cell).iter().filter(|&&v| phi[v] < 0.0).count();
        wet > 0 && wet < 8
    }

    /// Sets hanging corners to what they hang between.
    pub fn constrain<T: Linear>(&self, values: &mut Field<NodeId, T>) {
        if faults::is(Fault::FreeHangingCorners) {
            return;
        }
        self.nodes.constrain(&self.tree, values);
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.tree.bytes() + self.faces.bytes() + self.nodes.bytes()
    }
}

/// All tables follow from the tree.
impl PartialEq for Mesh {
    fn eq(&self, other: &Self) -> bool {
        self.tree == other.tree
    }
}
