//! Faces with T-junctions split: one face for each pair of leaves that share one, as large as the smaller of
//! the two. Works on any tree.
//!
//! The table has two parts, each a type of its own, because they are large and seldom needed together:
//! [`FaceSides`] (what faces know: their leaves and axis) and [`FacesOfCells`] (what leaves know: their
//! faces). [`SplitFaces`] has both. [`FaceCells`] and [`CellFaces`] are for functions that read one part of
//! any of them.

use super::grid::Lattice;
use super::tree::Octree;
use crate::index::{CellId, FaceId, Field};
use crate::par;

/// Marks a row of `of_cell` that is the number of a list.
const LIST: u32 = 1 << 31;

/// A table that knows the leaves of each face.
pub trait FaceCells: Sync {
    /// The leaves and the axis of each face.
    fn face_sides(&self) -> &FaceSides;
}

/// A table that knows the faces of each leaf.
pub trait CellFaces: Sync {
    /// The faces of each leaf.
    fn faces_of_cells(&self) -> &FacesOfCells;
}

/// One face a row: its two leaves and its axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FaceSides {
    sides: Field<FaceId, [CellId; 2]>,
    axis: Field<FaceId, u8>,
}

/// The faces of each leaf.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FacesOfCells {
    /// The face of each cell in each direction, or, with the highest bit set, the number of a list of them.
    of_cell: Field<CellId, [FaceId; 6]>,
    /// Lists of the small faces on sides of large cells, one after the other, and where each begins.
    lists: Vec<FaceId>,
    starts: Vec<u32>,
}

/// What faces know and what leaves know of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SplitFaces {
    faces: FaceSides,
    cells: FacesOfCells,
}

impl FaceCells for FaceSides {
    #[inline]
    fn face_sides(&self) -> &FaceSides {
        self
    }
}

impl FaceCells for SplitFaces {
    #[inline]
    fn face_sides(&self) -> &FaceSides {
        &self.faces
    }
}

impl CellFaces for FacesOfCells {
    #[inline]
    fn faces_of_cells(&self) -> &FacesOfCells {
        self
    }
}

impl CellFaces for SplitFaces {
    #[inline]
    fn faces_of_cells(&self) -> &FacesOfCells {
        &self.cells
    }
}

impl SplitFaces {
    /// All faces of a tree. A face belongs to its smaller leaf, between equals to the lower one.
    pub fn new(tree: &Octree) -> Self {
        let own = Owned::new(tree);
        Self { faces: FaceSides::owned(tree, &own), cells: FacesOfCells::owned(tree, &own) }
    }

    /// What leaves know; the rest is dropped.
    pub fn into_cells(self) -> FacesOfCells {
        self.cells
    }

    /// Number of faces.
    pub fn len(&self) -> usize {
        self.faces.len()
    }

    /// Whether there are no faces.
    pub fn is_empty(&self) -> bool {
        self.faces.is_empty()
    }

    /// The leaves on the low and the high side; one is none at a wall.
    #[inline]
    pub fn sides(&self, face: FaceId) -> [CellId; 2] {
        self.faces.sides(face)
    }

    /// The axis that a face is normal to.
    #[inline]
    pub fn axis(&self, face: FaceId) -> usize {
        self.faces.axis(face)
    }

    /// The smaller of the two leaves, the lower one between equals.
    #[inline]
    pub fn small_side(&self, tree: &Octree, face: FaceId) -> CellId {
        self.faces.small_side(tree, face)
    }

    /// Edge length of a face.
    pub fn size(&self, tree: &Octree, face: FaceId) -> f64 {
        self.faces.size(tree, face)
    }

    /// The face's center.
    pub fn place(&self, tree: &Octree, face: FaceId) -> Lattice {
        self.faces.place(tree, face)
    }

    /// The faces of a cell in a direction.
    #[inline]
    pub fn of_cell(&self, cell: CellId, direction: usize) -> &[FaceId] {
        self.cells.of_cell(cell, direction)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.faces.bytes() + self.cells.bytes()
    }
}

impl FaceSides {
    /// All faces of a tree.
    pub fn new(tree: &Octree) -> Self {
        Self::owned(tree, &Owned::new(tree))
    }

    /// The same, and the faces of each leaf: that is half of the whole table's memory.
    pub fn with_cells(self, tree: &Octree) -> SplitFaces {
        SplitFaces { faces: self, cells: FacesOfCells::owned(tree, &Owned::new(tree)) }
    }

    fn owned(tree: &Octree, own: &Owned) -> Self {
        let n = tree.n_cells();
        let mut sides = vec![[CellId::NONE; 2]; own.len()];
        let mut axis = vec![0; own.len()];
        par::map_both_parts(&mut sides, &mut axis, &own.chunk_starts(), |i, sides, axis| {
            let cells = par::chunk(i, n).map(|c| CellId(c as u32));
            let directions = cells.flat_map(|c| (0..6).filter(move |&d| own.has(c, d)).map(move |d| (c, d)));
            for ((cell, d), (sides, axis)) in directions.zip(sides.iter_mut().zip(axis)) {
                let beyond = tree.neighbor(tree.node_of(cell), d);
                let other = if beyond.is_none() { CellId::NONE } else { tree.leaf_of(beyond) };
                *sides = if d & 1 == 1 { [cell, other] } else { [other, cell] };
                *axis = (d / 2) as u8;
            }
        });
        Self { sides: Field::from_vec(sides), axis: Field::from_vec(axis) }
    }

    /// Number of faces.
    pub fn len(&self) -> usize {
        self.axis.len()
    }

    /// Whether there are no faces.
    pub fn is_empty(&self) -> bool {
        self.axis.is_empty()
    }

    /// The leaves on the low and the high side; one is none at a wall.
    #[inline]
    pub fn sides(&self, face: FaceId) -> [CellId; 2] {
        self.sides[face]
    }

    /// The axis that a face is normal to.
    #[inline]
    pub fn axis(&self, face: FaceId) -> usize {
        self.axis[face] as usize
    }

    /// The smaller of the two leaves, the lower one between equals.
    pub fn small_side(&self, tree: &Octree, face: FaceId) -> CellId {
        let [lo, hi] = self.sides[face];
        if lo.is_none() || hi.is_some() && tree.level(hi) > tree.level(lo) { hi } else { lo }
    }

    /// Edge length of a face.
    pub fn size(&self, tree: &Octree, face: FaceId) -> f64 {
        tree.size(self.small_side(tree, face))
    }

    /// The face's center.
    pub fn place(&self, tree: &Octree, face: FaceId) -> Lattice {
        let small = self.small_side(tree, face);
        let node = tree.node_of(small);
        let half = tree.half_extent(node);
        let mut p = tree.lattice_center(node);
        p[self.axis(face)] += if self.sides[face][0] == small { half } else { -half };
        p
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.len() * (8 + 1)
    }
}

impl FacesOfCells {
    fn owned(tree: &Octree, own: &Owned) -> Self {
        let n = tree.n_cells();
        // Where the other side is finer there are many.
        let many = |c: CellId, d: usize| {
            let beyond = tree.neighbor(tree.node_of(c), d);
            (beyond.is_some() && !tree.is_leaf(beyond)).then_some(beyond)
        };
        let parts = par::map_chunks(n, |range| {
            let (mut faces, mut ends) = (Vec::new(), Vec::new());
            for c in range.map(|c| CellId(c as u32)) {
                for (d, beyond) in (0..6).filter_map(|d| many(c, d).map(|beyond| (d, beyond))) {
                    tree.for_leaves_at(beyond, d ^ 1, &mut |leaf| faces.push(own.id(leaf, d ^ 1)));
                    ends.push(faces.len() as u32);
                }
            }
            (faces, ends)
        });
        let (mut lists, mut starts, mut first) = (Vec::new(), vec![0], Vec::with_capacity(parts.len()));
        for (faces, ends) in parts {
            first.push(starts.len() as u32 - 1);
            starts.extend(ends.iter().map(|e| e + lists.len() as u32));
            lists.extend(faces);
        }
        let mut of_cell = vec![[FaceId::NONE; 6]; n];
        let chunks: Vec<usize> = (0..=n.div_ceil(par::CHUNK)).map(|i| (i * par::CHUNK).min(n)).collect();
        par::map_parts(&mut of_cell, &chunks, |i, part| {
            let mut list = first[i];
            for (row, c) in part.iter_mut().zip(par::chunk(i, n)) {
                let cell = CellId(c as u32);
                *row = std::array::from_fn(|d| {
                    if own.has(cell, d) {
                        return own.id(cell, d);
                    }
                    let beyond = tree.neighbor(tree.node_of(cell), d);
                    if tree.is_leaf(beyond) {
                        return own.id(tree.leaf_of(beyond), d ^ 1);
                    }
                    list += 1;
                    FaceId((list - 1) | LIST)
                });
            }
        });
        Self { of_cell: Field::from_vec(of_cell), lists, starts }
    }

    /// The faces of a cell in a direction.
    #[inline]
    pub fn of_cell(&self, cell: CellId, direction: usize) -> &[FaceId] {
        let face = &self.of_cell[cell][direction];
        if face.0 & LIST == 0 {
            return std::slice::from_ref(face);
        }
        let list = (face.0 & !LIST) as usize;
        &self.lists[self.starts[list] as usize..self.starts[list + 1] as usize]
    }

    /// Calls `f` with each face of a cell in a direction and its edge length; without asking faces for their
    /// leaves.
    pub fn for_sized(&self, tree: &Octree, cell: CellId, direction: usize, f: &mut impl FnMut(FaceId, f64)) {
        let faces = self.of_cell(cell, direction);
        if let &[face] = faces {
            return f(face, tree.size(cell)); // a single one has its own leaf's size: what is beyond is no smaller
        }
        let mut faces = faces.iter();
        tree.for_leaves_at(tree.neighbor(tree.node_of(cell), direction), direction ^ 1, &mut |leaf| {
            if let Some(&face) = faces.next() {
                f(face, tree.size(leaf));
            }
        });
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        24 * self.of_cell.len() + 4 * (self.lists.len() + self.starts.len())
    }
}

/// Which faces each leaf owns: they are numbered in the order of leaves, those of a leaf by direction.
struct Owned {
    /// A bit for each direction.
    mask: Field<CellId, u8>,
    /// The number of each leaf's first face, and how many there are.
    first: Vec<u32>,
}

impl Owned {
    fn new(tree: &Octree) -> Self {
        let mask = par::map(tree.n_cells(), |cell: CellId| {
            let node = tree.node_of(cell);
            (0..6)
                .filter(|&d| {
                    let beyond = tree.neighbor(node, d);
                    let is_coarser = |other| tree.node_level(other) < tree.node_level(node);
                    beyond.is_none() || tree.is_leaf(beyond) && (is_coarser(beyond) || d & 1 == 1)
                })
                .fold(0, |mask, d| mask | 1 << d)
        });
        Self { first: numbered(&mask), mask }
    }

    fn len(&self) -> usize {
        self.first[self.mask.len()] as usize
    }

    #[inline]
    fn has(&self, cell: CellId, direction: usize) -> bool {
        self.mask[cell] >> direction & 1 == 1
    }

    /// The number of a face that the leaf owns.
    #[inline]
    fn id(&self, cell: CellId, direction: usize) -> FaceId {
        let before = self.mask[cell] & ((1 << direction) - 1);
        FaceId(self.first[cell.0 as usize] + before.count_ones())
    }

    /// Where the faces of each chunk of leaves begin, and the end of all.
    fn chunk_starts(&self) -> Vec<usize> {
        chunk_starts(&self.first)
    }
}

/// For each row how many bits all rows before it have, and at the end the sum.
pub(super) fn numbered(mask: &[u8]) -> Vec<u32> {
    let mut first = Vec::with_capacity(mask.len() + 1);
    let mut next = 0;
    for m in mask {
        first.push(next);
        next += m.count_ones();
    }
    first.push(next);
    first
}

/// The numbers at which chunks of [`par::CHUNK`] rows begin, and the end of all.
pub(super) fn chunk_starts(first: &[u32]) -> Vec<usize> {
    let n = first.len() - 1;
    (0..=n.div_ceil(par::CHUNK)).map(|i| first[(i * par::CHUNK).min(n)] as usize).collect()
}
