//! A tree with the tables that this method reads.

use glam::DVec3;
use octide_core::index::{CellId, FaceId};
use octide_core::octree::{Contacts, MergedFaces, Nodes, Octree, Touching, domain_side, for_touching};
use octide_core::scene::Interpolation;
use octide_core::surface::graph::Graph;
use std::sync::OnceLock;

/// A graded tree and what is derived from it.
#[derive(Clone, Debug)]
pub struct Mesh {
    /// The tree.
    pub tree: Octree,
    /// Its faces, T-junctions merged to the large face (§4.2).
    pub faces: MergedFaces,
    /// Its neighbor lists.
    pub contacts: Contacts,
    /// How values between samples are found where levels change.
    pub interpolation: Interpolation,
    /// What only transport and surfaces need: made when it is first asked for.
    nodes: OnceLock<Nodes>,
    /// Made with the corners, for least squares while things are carried away from here.
    touching: OnceLock<Touching>,
}

impl Mesh {
    /// Derives the tables.
    pub fn new(tree: Octree) -> Self {
        let contacts = Contacts::new(&tree);
        let faces = MergedFaces::new(&tree);
        let interpolation = Interpolation::default();
        Self { tree, faces, contacts, interpolation, nodes: OnceLock::new(), touching: OnceLock::new() }
    }

    /// The same, with another way to find values between samples.
    pub fn with_interpolation(self, interpolation: Interpolation) -> Self {
        Self { interpolation, ..self }
    }

    /// The tree's corners.
    #[inline]
    pub fn nodes(&self) -> &Nodes {
        self.nodes.get_or_init(|| {
            self.touching.get_or_init(|| Touching::new(&self.tree, &self.contacts));
            Nodes::new(&self.tree)
        })
    }

    /// The tree's corners, which the mesh then no longer holds; asked again it makes them anew.
    pub(crate) fn take_nodes(&mut self) -> Nodes {
        self.nodes();
        self.nodes.take().unwrap_or_else(|| Nodes::new(&self.tree))
    }

    /// Calls `f` with all cells that touch one at a change of level, itself first.
    #[inline]
    pub fn for_touching(&self, cell: CellId, mut f: impl FnMut(CellId)) {
        match self.touching.get() {
            Some(touching) => touching.of_cell(cell).iter().for_each(|&c| f(c)),
            None => for_touching(&self.tree, cell, f),
        }
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
        self.tree.grid().position(self.faces.place(&self.tree, face))
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
        domain_side(self.faces.axis(face), low.is_none(), high.is_none())
    }

    /// Whether φ changes sign to a face neighbor.
    #[inline]
    pub fn is_surface(&self, phi: &[f64], cell: CellId) -> bool {
        let inside = phi[cell.0 as usize] < 0.0;
        self.contacts.face_neighbors(cell).iter().any(|&j| (phi[j as usize] < 0.0) != inside)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let corners =
            self.nodes.get().map_or(0, Nodes::bytes) + self.touching.get().map_or(0, Touching::bytes);
        self.tree.bytes() + self.faces.bytes() + self.contacts.bytes() + corners
    }
}

/// All tables follow from the tree.
impl PartialEq for Mesh {
    fn eq(&self, other: &Self) -> bool {
        self.tree == other.tree && self.interpolation == other.interpolation
    }
}

/// Cells as points, neighbors through faces.
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
