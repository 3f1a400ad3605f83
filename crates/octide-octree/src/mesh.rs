//! A tree with the tables that this method reads.

use glam::DVec3;
use octide_core::index::{CellId, FaceId};
use octide_core::octree::{Contacts, MergedFaces, Nodes, Octree};
use octide_core::scene::Interpolation;
use octide_core::surface::graph::Graph;

/// A graded tree and what is derived from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// The tree.
    pub tree: Octree,
    /// Its faces, T-junctions merged to the large face (§4.2).
    pub faces: MergedFaces,
    /// Its corners.
    pub nodes: Nodes,
    /// Its neighbour lists.
    pub contacts: Contacts,
    /// How values between samples are found where levels change.
    pub interpolation: Interpolation,
}

impl Mesh {
    /// Derives the tables.
    pub fn new(tree: Octree) -> Self {
        let nodes = Nodes::new(&tree);
        let contacts = Contacts::new(&tree, &nodes);
        let faces = MergedFaces::new(&tree);
        Self { tree, faces, nodes, contacts, interpolation: Interpolation::default() }
    }

    /// The same, with another way to find values between samples.
    pub fn with_interpolation(self, interpolation: Interpolation) -> Self {
        Self { interpolation, ..self }
    }

    /// Number of cells.
    pub fn n_cells(&self) -> usize {
        self.tree.n_cells()
    }

    /// Number of faces.
    pub fn n_faces(&self) -> usize {
        self.faces.len()
    }

    /// Where a face's center is.
    #[inline]
    pub fn face_position(&self, face: FaceId) -> DVec3 {
        self.tree.grid().position(self.faces.place(face))
    }

    /// Edge length of a face.
    #[inline]
    pub fn face_size(&self, face: FaceId) -> f64 {
        self.tree.grid().cell_size(self.faces.level(face))
    }

    /// The side of the domain that a face lies on, −x, +x, −y, …; none inside.
    #[inline]
    pub fn side_of(&self, face: FaceId) -> Option<usize> {
        let [low, high] = self.faces.sides(face);
        let axis = self.faces.axis(face);
        if low.is_none() {
            Some(2 * axis)
        } else if high.is_none() {
            Some(2 * axis + 1)
        } else {
            None
        }
    }

    /// Whether φ changes sign to a face neighbour.
    #[inline]
    pub fn is_surface(&self, phi: &[f64], cell: CellId) -> bool {
        let inside = phi[cell.0 as usize] < 0.0;
        self.contacts.face_neighbors(cell).iter().any(|&j| (phi[j as usize] < 0.0) != inside)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.tree.bytes() + self.faces.bytes() + self.nodes.bytes() + self.contacts.bytes()
    }
}

/// Cells as points, neighbours through faces.
impl Graph for Mesh {
    fn len(&self) -> usize {
        self.tree.n_cells()
    }

    #[inline]
    fn position(&self, i: usize) -> DVec3 {
        self.tree.center(CellId(i as u32))
    }

    #[inline]
    fn size(&self, i: usize) -> f64 {
        self.tree.size(CellId(i as u32))
    }

    #[inline]
    fn for_neighbors(&self, i: usize, mut f: impl FnMut(usize)) {
        for &j in self.contacts.face_neighbors(CellId(i as u32)) {
            f(j as usize);
        }
    }
}
