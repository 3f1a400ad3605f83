//! A tree with the tables that this method reads.
//!
//! The tables are half of a step's memory, so each is there only while somebody reads it. Which ones a mesh
//! holds is its type, `Mesh<faces, corners>`: what reads a table that is gone does not compile.
//!
//! ```text
//! old  Mesh ─ into_departure ─→ DepartureMesh ─ without_faces ─→ Mesh<(), CornersOfCells> ─→ its tree
//!                            (leaves know their faces and corners: all that transport looks up)
//! new  ArrivalMesh ─ with_faces ─→ Mesh<FaceSides, Corners> ─ with_faces_of_cells ─→ MeshWithoutLeaves
//!      (corners, for φ)            (faces, for velocity)
//!      MeshWithoutLeaves ─ with_leaves ─→ Mesh ─ without_leaves ─→ MeshWithoutLeaves ─ with_leaves ─→ Mesh
//!                                         (φ)                      (pressure, extrapolation)
//! ```
//!
//! ```
//! use octide_nodal::mesh::Mesh;
//! fn n_faces(mesh: &Mesh) -> usize {
//!     mesh.n_faces()
//! }
//! ```
//!
//! ```compile_fail,E0599
//! use octide_nodal::mesh::DepartureMesh;
//! fn n_faces(mesh: &DepartureMesh) -> usize {
//!     mesh.n_faces() // only leaves know faces there
//! }
//! ```
//!
//! A failed step makes the old mesh again from its [folded](octide_core::octree::FoldedTree) tree.

use crate::faults::{self, Fault};
use glam::{DVec3, Vec3};
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::octree::nodal::{self, Linear};
use octide_core::octree::{
    CellCorners, CellFaces, CornerTable, Corners, CornersOfCells, FaceCells, FaceSides, FacesOfCells,
    Lattice, Nodes, Octree, SplitFaces, domain_side, side_corners,
};

/// An unrestricted tree and what is derived from it: all tables, unless its parameters say otherwise.
#[derive(Clone, Debug)]
pub struct Mesh<F = SplitFaces, N = Nodes> {
    /// The tree.
    pub tree: Octree,
    /// Its faces, T-junctions split into the small ones.
    pub faces: F,
    /// Its corners.
    pub nodes: N,
}

/// The old mesh while things are carried away from it: leaves know their faces and corners, and no more.
pub type DepartureMesh = Mesh<FacesOfCells, CornersOfCells>;

/// The new mesh while φ is carried to it: there are no faces yet, and corners do not know their leaves.
pub type ArrivalMesh = Mesh<(), Corners>;

/// A mesh whose corners do not know the leaves around them: the pressure does not read them.
pub type MeshWithoutLeaves = Mesh<SplitFaces, Corners>;

impl Mesh {
    /// Derives all tables.
    pub fn new(tree: Octree) -> Self {
        let faces = SplitFaces::new(&tree);
        let nodes = Nodes::new(&tree);
        Self { tree, faces, nodes }
    }

    /// Drops what is not read by those who carry things away from here.
    pub fn into_departure(self) -> DepartureMesh {
        let Self { tree, faces, nodes } = self;
        Mesh { tree, faces: faces.into_cells(), nodes: nodes.without_leaves().into_cells() }
    }

    /// Drops the leaves around corners.
    pub fn without_leaves(self) -> MeshWithoutLeaves {
        let Self { tree, faces, nodes } = self;
        Mesh { tree, faces, nodes: nodes.without_leaves() }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.tree.bytes() + self.faces.bytes() + self.nodes.bytes()
    }
}

impl ArrivalMesh {
    /// Derives what is read by those who carry things to corners.
    pub fn arrival(tree: Octree) -> Self {
        let nodes = Corners::new(&tree);
        Self { tree, faces: (), nodes }
    }

    /// Finds the faces; leaves do not know theirs.
    pub fn with_faces(self) -> Mesh<FaceSides, Corners> {
        let faces = FaceSides::new(&self.tree);
        Mesh { tree: self.tree, faces, nodes: self.nodes }
    }
}

impl<N> Mesh<FaceSides, N> {
    /// Finds the faces of each leaf.
    pub fn with_faces_of_cells(self) -> Mesh<SplitFaces, N> {
        let faces = self.faces.with_cells(&self.tree);
        Mesh { tree: self.tree, faces, nodes: self.nodes }
    }
}

impl<F> Mesh<F, Corners> {
    /// Finds the leaves around each corner.
    pub fn with_leaves(self) -> Mesh<F, Nodes> {
        let nodes = self.nodes.with_leaves(&self.tree);
        Mesh { tree: self.tree, faces: self.faces, nodes }
    }
}

impl<F> Mesh<F, ()> {
    /// Finds the corners and the leaves around each.
    pub fn with_corners(self) -> Mesh<F, Nodes> {
        let nodes = Nodes::new(&self.tree);
        Mesh { tree: self.tree, faces: self.faces, nodes }
    }
}

impl<F, N> Mesh<F, N> {
    /// Drops the faces.
    pub fn without_faces(self) -> Mesh<(), N> {
        Mesh { tree: self.tree, faces: (), nodes: self.nodes }
    }

    /// Drops the corners.
    pub fn without_corners(self) -> Mesh<F, ()> {
        Mesh { tree: self.tree, faces: self.faces, nodes: () }
    }

    /// Number of cells.
    pub fn n_cells(&self) -> usize {
        self.tree.n_cells()
    }
}

impl<F: FaceCells, N> Mesh<F, N> {
    /// Number of faces.
    pub fn n_faces(&self) -> usize {
        self.faces.face_sides().len()
    }

    /// The leaves on the low and the high side of a face; one is none at a wall.
    #[inline]
    pub fn sides(&self, face: FaceId) -> [CellId; 2] {
        self.faces.face_sides().sides(face)
    }

    /// The axis that a face is normal to.
    #[inline]
    pub fn axis(&self, face: FaceId) -> usize {
        self.faces.face_sides().axis(face)
    }

    /// The smaller of a face's two leaves, the lower one between equals.
    #[inline]
    pub fn small_side(&self, face: FaceId) -> CellId {
        self.faces.face_sides().small_side(&self.tree, face)
    }

    /// Where a face's center is.
    #[inline]
    pub fn face_position(&self, face: FaceId) -> DVec3 {
        self.tree.grid().position(self.faces.face_sides().place(&self.tree, face))
    }

    /// Edge length of a face.
    #[inline]
    pub fn face_size(&self, face: FaceId) -> f64 {
        self.faces.face_sides().size(&self.tree, face)
    }

    /// The side of the domain that a face lies on, −x, +x, −y, …; none inside.
    #[inline]
    pub fn side_of(&self, face: FaceId) -> Option<usize> {
        let [low, high] = self.sides(face);
        domain_side(self.axis(face), low.is_none(), high.is_none())
    }

    /// The four corners of a face, in order around it, by a table of corners that the mesh may not hold.
    #[inline]
    pub fn face_corners_by(&self, corners: &impl CellCorners, face: FaceId) -> [NodeId; 4] {
        let small = self.small_side(face);
        let is_high = usize::from(self.sides(face)[0] == small);
        let corners = corners.of_cell(small);
        side_corners(2 * self.axis(face) + is_high).map(|o| corners[o])
    }
}

impl<F: FaceCells, N: CellCorners> Mesh<F, N> {
    /// The four corners of a face, in order around it.
    #[inline]
    pub fn face_corners(&self, face: FaceId) -> [NodeId; 4] {
        self.face_corners_by(&self.nodes, face)
    }

    /// A field at corners, at the center of a face: the mean of its corners.
    #[inline]
    pub fn at_face<T: Linear>(&self, values: &Field<NodeId, T>, face: FaceId) -> T {
        let [a, b, c, d] = self.face_corners(face).map(|v| values[v]);
        ((a + b) + (c + d)) * 0.25
    }
}

impl<F: CellFaces, N> Mesh<F, N> {
    /// The faces of a cell in a direction.
    #[inline]
    pub fn faces_toward(&self, cell: CellId, direction: usize) -> &[FaceId] {
        self.faces.faces_of_cells().of_cell(cell, direction)
    }

    /// The faces of a cell, and on which side of each the other cell is.
    pub fn faces_of(&self, cell: CellId) -> impl Iterator<Item = (FaceId, usize)> {
        (0..6).flat_map(move |d| self.faces_toward(cell, d).iter().map(move |&k| (k, d & 1)))
    }
}

impl<F, N: CellCorners> Mesh<F, N> {
    /// A field at corners, at a point.
    #[inline]
    pub fn sample<T: Linear>(&self, values: &Field<NodeId, T>, p: DVec3) -> T {
        nodal::sample(&self.tree, &self.nodes, values, p)
    }

    /// A field at corners, at the center of a cell: the mean of its corners.
    #[inline]
    pub fn at_center<T: Linear>(&self, values: &Field<NodeId, T>, cell: CellId) -> T {
        mean_at(&self.nodes, values, cell)
    }

    /// The same of short vectors.
    #[inline]
    pub fn vector_at_center(&self, values: &Field<NodeId, Vec3>, cell: CellId) -> DVec3 {
        self.nodes.of_cell(cell).iter().map(|&v| values[v].as_dvec3()).sum::<DVec3>() * 0.125
    }

    /// Whether φ changes sign between a cell's corners.
    #[inline]
    pub fn is_surface(&self, phi: &Field<NodeId, f64>, cell: CellId) -> bool {
        let wet = self.nodes.of_cell(cell).iter().filter(|&&v| phi[v] < 0.0).count();
        wet > 0 && wet < 8
    }
}

impl<F, N: CornerTable> Mesh<F, N> {
    /// Number of corners.
    pub fn n_nodes(&self) -> usize {
        self.nodes.corners().len()
    }

    /// Whether a corner hangs.
    #[inline]
    pub fn is_hanging(&self, node: NodeId) -> bool {
        self.nodes.corners().is_hanging(node)
    }

    /// Where a corner is on the lattice.
    #[inline]
    pub fn node_place(&self, node: NodeId) -> Lattice {
        self.nodes.corners().place(node)
    }

    /// Where a corner is.
    #[inline]
    pub fn node_position(&self, node: NodeId) -> DVec3 {
        self.tree.grid().position(self.node_place(node))
    }

    /// Sets hanging corners to what they hang between.
    pub fn constrain<T: Linear>(&self, values: &mut Field<NodeId, T>) {
        if faults::is(Fault::FreeHangingCorners) {
            return;
        }
        self.nodes.corners().constrain(&self.tree, values);
    }
}

/// A field at corners, at the center of a cell: the mean of its corners.
#[inline]
pub fn mean_at<T: Linear>(corners: &impl CellCorners, values: &Field<NodeId, T>, cell: CellId) -> T {
    let v = corners.of_cell(cell);
    (1..8).fold(values[v[0]], |sum, c| sum + values[v[c]]) * 0.125
}

/// All tables follow from the tree.
impl<F, N> PartialEq for Mesh<F, N> {
    fn eq(&self, other: &Self) -> bool {
        self.tree == other.tree
    }
}
