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
    /// What only transport and surfaces need: made when it is asked for.
    corners: OnceLock<Corners>,
}

/// Tables that are large and needed for a part of a step.
#[derive(Clone, Debug)]
struct Corners {
    nodes: Nodes,
    touching: Touching,
}

impl Mesh {
    /// Derives the tables.
    pub fn new(tree: Octree) -> Self {
        let contacts = Contacts::new(&tree);
        let faces = MergedFaces::new(&tree);
        Self { tree, faces, contacts, interpolation: Interpolation::default(), corners: OnceLock::new() }
    }

    /// The same, with another way to find values between samples.
    pub fn with_interpolation(self, interpolation: Interpolation) -> Self {
        Self { interpolation, ..self }
    }

    /// The tree's corners.
    #[inline]
    pub fn nodes(&self) -> &Nodes {
        &self.corners().nodes
    }

    /// Calls `f` with all cells that touch one at a change of level, itself first.
    #[inline]
    pub fn for_touching(&self, cell: CellId, mut f: impl FnMut(CellId)) {
        match self.corners.get() {
            Some(corners) => corners.touching.of_cell(cell).iter().for_each(|&c| f(c)),
            None => for_touching(&self.tree, cell, f),
        }
    }

    #[inline]
    fn corners(&self) -> &Corners {
        self.corners.get_or_init(|| {
            let nodes = Nodes::new(&self.tree);
            let touching = Touching::new(&self.tree, &self.contacts);
            Corners { nodes, touching }
        })
    }

    /// Gives back the memory of what values at corners are made from. They can still be read, but not be
    /// made.
    pub(crate) fn forget_around_corners(&mut self) {
        if let Some(corners) = self.corners.get_mut() {
            corners.nodes.keep_cells_only();
        }
    }

    /// Gives back the memory of all tables: the tree is left, until [`restore`](Self::restore).
    pub(crate) fn forget(&mut self) {
        self.corners = OnceLock::new();
        self.contacts = Contacts::default();
        self.faces = MergedFaces::default();
    }

    /// Makes the tables again.
    pub(crate) fn restore(&mut self) {
        self.corners = OnceLock::new();
        self.contacts = Contacts::new(&self.tree);
        self.faces = MergedFaces::new(&self.tree);
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
        let corners = self.corners.get().map_or(0, |c| c.nodes.bytes() + c.touching.bytes());
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
