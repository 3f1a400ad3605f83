//! Faces with T-junctions split: one face for each pair of leaves that share one, as large as the smaller of
//! the two. Works on any tree.

use super::grid::Lattice;
use super::tree::Octree;
use crate::index::{CellId, FaceId, Field};
use crate::par;

/// One face a row: its two leaves and its axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SplitFaces {
    sides: Field<FaceId, [CellId; 2]>,
    axis: Field<FaceId, u8>,
    /// The face of each cell by direction, row `6·cell + direction`; where there are several, with the highest bit
    /// set, where their list starts.
    first: Vec<FaceId>,
    /// Lists of several faces: how many, then which.
    lists: Vec<FaceId>,
}

/// Marks rows with several faces.
const SEVERAL: u32 = 1 << 31;

impl SplitFaces {
    /// All faces of a tree. A face belongs to its smaller leaf, between equals to the lower one.
    pub fn new(tree: &Octree) -> Self {
        let n = tree.n_cells();
        let owned = par::collect(n, |i, out: &mut Vec<(CellId, CellId, u8)>| {
            let cell = CellId(i as u32);
            let node = tree.node_of(cell);
            for direction in 0..6 {
                let beyond = tree.neighbor(node, direction);
                let mine = beyond.is_none()
                    || tree.is_leaf(beyond)
                        && (tree.node_level(beyond) < tree.node_level(node) || direction & 1 == 1);
                if mine {
                    let other = if beyond.is_none() { CellId::NONE } else { tree.leaf_of(beyond) };
                    out.push((cell, other, direction as u8));
                }
            }
        });
        let sides = par::map(owned.len(), |k: FaceId| {
            let (cell, other, direction) = owned[k.0 as usize];
            if direction & 1 == 1 { [cell, other] } else { [other, cell] }
        });
        let axis = par::map(owned.len(), |k: FaceId| owned[k.0 as usize].2 / 2);
        let rows = |k: usize| {
            let (cell, other, direction) = owned[k];
            let d = direction as usize;
            let mine = 6 * cell.0 as usize + d;
            [Some(mine), other.is_some().then(|| 6 * other.0 as usize + (d ^ 1))].into_iter().flatten()
        };
        // How many faces each row has, then where the next one of its list goes.
        let mut first = vec![FaceId(0); 6 * n];
        for row in (0..owned.len()).flat_map(rows) {
            first[row].0 += 1;
        }
        let mut size = 0;
        for slot in first.iter_mut().filter(|slot| slot.0 > 1) {
            let start = size;
            size += 1 + slot.0;
            *slot = FaceId(start | SEVERAL);
        }
        let mut lists = vec![FaceId(0); size as usize];
        for k in 0..owned.len() {
            for row in rows(k) {
                let face = FaceId(k as u32);
                if first[row].0 & SEVERAL == 0 {
                    first[row] = face;
                } else {
                    let start = (first[row].0 & !SEVERAL) as usize;
                    let nth = lists[start].0 + 1;
                    lists[start] = FaceId(nth);
                    lists[start + nth as usize] = face;
                }
            }
        }
        debug_assert!(owned.len() < SEVERAL as usize, "a face's number has 31 bits");
        Self { sides, axis, first, lists }
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
    pub fn sides(&self, face: FaceId) -> [CellId; 2] {
        self.sides[face]
    }

    /// The axis that a face is normal to.
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

    /// The faces of a cell in a direction.
    pub fn of_cell(&self, cell: CellId, direction: usize) -> &[FaceId] {
        let slot = &self.first[6 * cell.0 as usize + direction];
        if slot.0 & SEVERAL == 0 {
            return std::slice::from_ref(slot);
        }
        let start = (slot.0 & !SEVERAL) as usize;
        &self.lists[start + 1..=start + self.lists[start].0 as usize]
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.len() * (8 + 1) + 4 * (self.first.len() + self.lists.len())
    }
}
