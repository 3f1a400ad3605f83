//! Faces with T-junctions merged: where four small cells meet a large one there is one face, the large one.
//!
//! ```text
//!   ┌───────┬───┐
//!   │       │ s │     One face between the large cell l and its four small neighbors s
//!   │   l   ├───┤     (two are seen). Every cell has exactly six faces; small cells at a
//!   │       │ s │     T-junction share theirs.
//!   └───────┴───┘
//! ```
//!
//! Requires a graded tree. Faces on the domain's boundary are included: one of their sides is `NONE`.

use super::grid::Lattice;
use super::tree::{Octree, side_octants};
use crate::index::{CellId, FaceId, Field, TreeId};
use crate::par;

/// Table of faces: the sides, the axis and the level of each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MergedFaces {
    /// The nodes on the low and the high side: both have the face's level, at most one of them has children
    /// (a T-junction), and at most one of them is `NONE` (a wall).
    sides: Field<FaceId, [TreeId; 2]>,
    /// The axis in the two lowest bits, the level of the large side above them.
    kind: Field<FaceId, u8>,
    of_cell: Field<CellId, [FaceId; 6]>,
    /// The first face of each chunk of cells, followed by the number of faces.
    starts: Vec<usize>,
}

/// The cells on both sides of a face and the weights of the gradient across it.
#[derive(Clone, Copy, Debug)]
pub struct FaceStencil {
    /// The cells; only the first `n` are used.
    pub cells: [CellId; 5],
    /// Weights of the cells' values: the weighted sum is the gradient along the face's axis.
    pub weights: [f64; 5],
    /// Number of cells in use: 2 between equal cells, 5 at a T-junction, 1 at a wall.
    pub n: usize,
    /// Distance between the mean centers of the two sides.
    pub length: f64,
}

impl FaceStencil {
    /// Returns the cells with their weights.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (CellId, f64)> + '_ {
        self.cells[..self.n].iter().copied().zip(self.weights[..self.n].iter().copied())
    }
}

impl MergedFaces {
    /// Builds all faces of a graded tree; the faces of a cell are adjacent in memory.
    pub fn new(tree: &Octree) -> Self {
        let n = tree.n_cells();
        // Faces are first numbered within chunks of cells; then the chunks are concatenated.
        let parts = par::map_chunks(n, |cells| {
            let mut owners: Vec<(CellId, u8)> = Vec::new();
            let mut of_cell = Vec::with_capacity(cells.len());
            for cell in cells.map(|i| CellId(i as u32)) {
                let mut own = [FaceId::NONE; 6];
                for direction in 0..6 {
                    if owns(tree, cell, direction) {
                        own[direction] = FaceId(owners.len() as u32);
                        owners.push((cell, direction as u8));
                    }
                }
                of_cell.push(own);
            }
            (owners, of_cell)
        });
        let mut owners = Vec::with_capacity(parts.iter().map(|p| p.0.len()).sum());
        let mut own = Vec::with_capacity(n);
        let mut starts = Vec::with_capacity(parts.len() + 1);
        for (part, faces) in parts {
            starts.push(owners.len());
            let base = owners.len() as u32;
            let shift = |k: FaceId| if k.is_some() { FaceId(k.0 + base) } else { k };
            own.extend(faces.into_iter().map(|faces| faces.map(shift)));
            owners.extend(part);
        }
        starts.push(owners.len());
        let own: Field<CellId, [FaceId; 6]> = Field::from_vec(own);
        let sides = par::map(owners.len(), |k: FaceId| {
            let (cell, direction) = owners[k.0 as usize];
            let node = tree.node_of(cell);
            let beyond = tree.neighbor(node, direction as usize);
            if direction & 1 == 1 { [node, beyond] } else { [beyond, node] }
        });
        let kind = par::map(owners.len(), |k: FaceId| {
            let (cell, direction) = owners[k.0 as usize];
            (direction / 2) | (tree.level(cell) << 2)
        });
        let of_cell = par::map(n, |cell: CellId| {
            let mut faces = own[cell];
            for direction in 0..6 {
                if faces[direction].is_none() {
                    let beyond = tree.leaf_of(tree.neighbor(tree.node_of(cell), direction));
                    debug_assert!(beyond.is_some(), "merged faces need a graded tree");
                    faces[direction] = own[beyond][direction ^ 1];
                }
            }
            faces
        });
        Self { sides, kind, of_cell, starts }
    }

    /// Returns the number of faces.
    pub fn len(&self) -> usize {
        self.kind.len()
    }

    /// Returns whether there are no faces.
    pub fn is_empty(&self) -> bool {
        self.kind.is_empty()
    }

    /// Returns the six faces of a cell by direction.
    #[inline]
    pub fn of_cell(&self, cell: CellId) -> &[FaceId; 6] {
        &self.of_cell[cell]
    }

    /// Returns the first face of each chunk of [`par::CHUNK`] cells, followed by the number of faces.
    pub fn chunk_starts(&self) -> &[usize] {
        &self.starts
    }

    /// Returns the axis that a face is normal to.
    #[inline]
    pub fn axis(&self, face: FaceId) -> usize {
        usize::from(self.kind[face] & 3)
    }

    /// Returns the level of the face's large side.
    #[inline]
    pub fn level(&self, face: FaceId) -> u8 {
        self.kind[face] >> 2
    }

    /// Returns the face's center.
    #[inline]
    pub fn place(&self, tree: &Octree, face: FaceId) -> Lattice {
        let [low, high] = self.sides[face];
        let (node, out) = if low.is_some() { (low, 1) } else { (high, -1) };
        let mut p = tree.lattice_center(node);
        p[self.axis(face)] += out * tree.half_extent(node);
        p
    }

    /// Returns the nodes on the low and the high side.
    #[inline]
    pub fn sides(&self, face: FaceId) -> [TreeId; 2] {
        self.sides[face]
    }

    /// Returns whether the face lies on the domain's boundary.
    #[inline]
    pub fn is_wall(&self, face: FaceId) -> bool {
        let [lo, hi] = self.sides[face];
        lo.is_none() || hi.is_none()
    }

    /// Returns whether four small cells lie on one side.
    #[inline]
    pub fn is_t_junction(&self, tree: &Octree, face: FaceId) -> bool {
        self.sides[face].iter().any(|&s| s.is_some() && !tree.is_leaf(s))
    }

    /// Returns the cells on the low and the high side of a face between two cells of equal size; `None` at a wall and at a
    /// T-junction.
    #[inline]
    pub fn equal_cells(&self, tree: &Octree, face: FaceId) -> Option<[CellId; 2]> {
        let sides = self.sides[face];
        let is_equal = sides.iter().all(|&s| s.is_some() && tree.is_leaf(s));
        is_equal.then(|| sides.map(|s| tree.leaf_of(s)))
    }

    /// Returns the cells around a face with the weights of the gradient across it: ∓1/Δx between equal cells;
    /// at a T-junction 1/L for the large cell and 1/(4L) for each small one, where L is ¾ of the large edge.
    #[inline]
    pub fn stencil(&self, tree: &Octree, face: FaceId) -> FaceStencil {
        let size = tree.grid().cell_size(self.level(face));
        let sides = self.sides[face];
        let is_t = self.is_t_junction(tree, face);
        let length = if is_t { 0.75 * size } else { size };
        let weight = 1.0 / length;
        let mut s = FaceStencil { cells: [CellId::NONE; 5], weights: [0.0; 5], n: 0, length };
        for (side, &node) in sides.iter().enumerate() {
            if node.is_none() {
                continue;
            }
            let w = if side == 1 { weight } else { -weight };
            if tree.is_leaf(node) {
                s.cells[s.n] = tree.leaf_of(node);
                s.weights[s.n] = w;
                s.n += 1;
            } else {
                for o in side_octants(2 * self.axis(face) + 1 - side) {
                    s.cells[s.n] = tree.leaf_of(tree.child(node, o));
                    s.weights[s.n] = 0.25 * w;
                    s.n += 1;
                }
            }
        }
        s
    }

    /// Returns the number of bytes held.
    pub fn bytes(&self) -> usize {
        self.len() * (8 + 1) + self.of_cell.len() * 24
    }
}

/// Returns whether a cell owns its face in a direction. A face belongs to its larger cell; between equal
/// cells, to the lower one.
#[inline]
fn owns(tree: &Octree, cell: CellId, direction: usize) -> bool {
    let node = tree.node_of(cell);
    let beyond = tree.neighbor(node, direction);
    if beyond.is_none() {
        return true;
    }
    if tree.node_level(beyond) < tree.node_level(node) {
        return false;
    }
    !tree.is_leaf(beyond) || direction & 1 == 1
}
