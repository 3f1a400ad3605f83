//! A tree as one bit a node, in the order of nodes: whether it has children. All else follows from the roots.

use super::build::{Grading, child_coord};
use super::grid::{GridError, RootGrid};
use super::tree::{Link, Octree, Spot};
use crate::index::{Field, TreeId};
use crate::par;
use crate::snapshot::{Snapshot, SnapshotError, Store, Values};
use glam::{DVec3, IVec3};
use thiserror::Error;

/// Why bits are no tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum TreeError {
    /// There are not as many leaves as there should be.
    #[error("the tree has {found} leaves, not {expected}")]
    Leaves {
        /// How many there should be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// Nodes are missing, or there are too many.
    #[error("the tree's bits do not end where its nodes do")]
    Nodes,
    /// A finest cell has children.
    #[error("the tree is finer than its grid")]
    TooFine,
    /// Neighbors differ by more than a level.
    #[error("neighbors in the tree differ by more than a level")]
    NotGraded,
}

impl Octree {
    /// Whether each node has children, eight nodes a byte, the first in the lowest bit.
    pub fn refined_bits(&self) -> Vec<u8> {
        let n = self.n_tree_nodes();
        par::map_index(n.div_ceil(8), |byte| {
            (8 * byte..(8 * byte + 8).min(n))
                .filter(|&i| !self.is_leaf(TreeId(i as u32)))
                .fold(0, |bits, i| bits | 1 << (i - 8 * byte))
        })
    }

    /// Writes the grid and the tree to `store`: the grid as numbers of its box and, where some roots of the
    /// box are absent, the list of those present; the tree as one bit for each node.
    pub fn save(&self, store: &mut dyn Store) {
        store.put("grid", Values::F64(&self.grid().to_numbers()));
        if !self.grid().is_full() {
            let roots: Vec<u32> =
                self.grid().roots().iter().flat_map(|c| c.to_array().map(|v| v as u32)).collect();
            store.put("roots", Values::U32(&roots));
        }
        store.put("tree", Values::U8(&self.refined_bits()));
    }

    /// Reads the tree with `n_cells` leaves that was saved, if its grid is `grid`.
    pub fn load(
        grid: &RootGrid,
        grading: Grading,
        n_cells: usize,
        snapshot: &mut Snapshot,
    ) -> Result<Self, SnapshotError> {
        let differs = || SnapshotError::value("grid", "the state is of another domain or resolution");
        if snapshot.numbers::<8>("grid")? != grid.to_numbers() || snapshot.has("roots") == grid.is_full() {
            return Err(differs());
        }
        if !grid.is_full() && read_roots(snapshot)? != grid.roots() {
            return Err(differs());
        }
        Self::from_refined_bits(grid, grading, &snapshot.u8s("tree")?, n_cells)
            .map_err(|e| SnapshotError::value("tree", e.to_string()))
    }

    /// Reads the tree with `n_cells` leaves that was saved together with its roots: for trees whose roots
    /// come and go, so that only the saved state knows them. `origin`, `dx` and `levels` are those of
    /// [`RootGrid::from_roots`].
    pub fn load_with_roots(
        origin: DVec3,
        dx: f64,
        levels: u8,
        grading: Grading,
        n_cells: usize,
        snapshot: &mut Snapshot,
    ) -> Result<Self, SnapshotError> {
        let numbers = snapshot.numbers::<8>("grid")?;
        let grid = if snapshot.has("roots") {
            RootGrid::from_roots(origin, dx, levels, read_roots(snapshot)?)
                .map_err(|e| SnapshotError::value("roots", e.to_string()))?
        } else {
            full_box(origin, dx, levels, &numbers)?
        };
        if numbers != grid.to_numbers() {
            return Err(SnapshotError::value("grid", "the state is of another domain or resolution"));
        }
        Self::from_refined_bits(&grid, grading, &snapshot.u8s("tree")?, n_cells)
            .map_err(|e| SnapshotError::value("tree", e.to_string()))
    }

    /// The tree with `n_cells` leaves that [`Octree::refined_bits`] told of. Nothing is believed: what is no
    /// such tree is an error, and found out before memory is taken for it.
    pub fn from_refined_bits(
        grid: &RootGrid,
        grading: Grading,
        bits: &[u8],
        n_cells: usize,
    ) -> Result<Self, TreeError> {
        let n_refined: usize = bits.iter().map(|b| b.count_ones() as usize).sum();
        let n_roots = grid.roots().len();
        let (n_leaves, n_nodes) = (n_roots + 7 * n_refined, n_roots + 8 * n_refined);
        if n_leaves != n_cells || n_nodes >= 1 << 31 {
            return Err(TreeError::Leaves { expected: n_cells, found: n_leaves });
        }
        if bits.len() != n_nodes.div_ceil(8) {
            return Err(TreeError::Nodes);
        }
        let tree = from_bits(grid, bits, n_nodes)?;
        if grading == Grading::Unrestricted || tree.is_graded() {
            Ok(tree)
        } else {
            Err(TreeError::NotGraded)
        }
    }

    /// Whether leaves differ by at most a level across faces, edges and corners: around a cell with children
    /// all cells of its size are there.
    pub fn is_graded(&self) -> bool {
        let around = |node: TreeId| {
            let (level, c) = (self.node_level(node), self.coord(node));
            (0..27).all(|o| {
                let next = self.find(level, c + IVec3::new(o % 3 - 1, o / 3 % 3 - 1, o / 9 - 1));
                next.is_none() || self.node_level(next) == level
            })
        };
        let is_well = |i: usize| self.is_leaf(TreeId(i as u32)) || around(TreeId(i as u32));
        par::reduce(self.n_tree_nodes(), || true, |all, i| all && is_well(i), |a, b| a && b)
    }
}

/// The roots that were saved.
fn read_roots(snapshot: &mut Snapshot) -> Result<Vec<IVec3>, SnapshotError> {
    let numbers = snapshot.u32s("roots")?;
    if numbers.len() % 3 != 0 {
        return Err(SnapshotError::value("roots", "coordinates do not come in threes"));
    }
    Ok(numbers.chunks_exact(3).map(|c| IVec3::new(c[0] as i32, c[1] as i32, c[2] as i32)).collect())
}

/// The full box of roots with these numbers.
fn full_box(origin: DVec3, dx: f64, levels: u8, numbers: &[f64; 8]) -> Result<RootGrid, SnapshotError> {
    let root = dx * f64::from(1u32 << levels);
    let min = ((DVec3::from_slice(numbers) - origin) / root).round().as_ivec3();
    let dims = DVec3::from_slice(&numbers[5..]).as_ivec3();
    let refused = |e: GridError| SnapshotError::value("grid", e.to_string());
    if dims.min_element() <= 0 {
        return Err(SnapshotError::value("grid", "the box of roots is empty"));
    }
    RootGrid::check_box(levels, min, dims).map_err(refused)?;
    Ok(RootGrid::new(origin, dx, levels, min, dims, |_| true))
}

fn from_bits(grid: &RootGrid, bits: &[u8], n_nodes: usize) -> Result<Octree, TreeError> {
    let bit = |i: usize| bits[i / 8] >> (i % 8) & 1 == 1;
    let mut coord = grid.roots().to_vec();
    let mut spot: Vec<Spot> = Vec::with_capacity(n_nodes);
    spot.extend(coord.iter().map(|&c| Spot::new(c, 0)));
    let mut parent = Vec::with_capacity((n_nodes - coord.len()) / 8);
    let mut link = vec![Link::UNNUMBERED; n_nodes];
    let mut level_start = vec![0, coord.len()];
    for l in 0..grid.max_level() {
        let mut below = Vec::new();
        for (i, &c) in coord.iter().enumerate() {
            let node = level_start[usize::from(l)] + i;
            if !bit(node) {
                continue;
            }
            if spot.len() + 8 > n_nodes {
                return Err(TreeError::Nodes);
            }
            link[node] = Link::first_child(TreeId(spot.len() as u32));
            parent.push(TreeId(node as u32));
            for o in 0..8 {
                below.push(child_coord(c, o));
                spot.push(Spot::new(child_coord(c, o), l + 1));
            }
        }
        level_start.push(spot.len());
        coord = below;
    }
    // Finest cells have no children, and behind the last node there is nothing.
    let finest = level_start[usize::from(grid.max_level())];
    if (finest..8 * bits.len()).any(bit) {
        return Err(TreeError::TooFine);
    }
    if spot.len() != n_nodes {
        return Err(TreeError::Nodes);
    }
    let mut tree = Octree {
        grid: grid.clone(),
        link: Field::from_vec(link),
        spot: Field::from_vec(spot),
        parent,
        neighbor: Field::default(),
        node: Field::default(),
    };
    tree.derive(&level_start);
    Ok(tree)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> RootGrid {
        RootGrid::new(DVec3::ZERO, 1.0 / 64.0, 4, IVec3::ZERO, IVec3::new(4, 2, 3), |_| true)
    }

    fn ball(grading: Grading) -> Octree {
        let center = DVec3::new(0.4, 0.2, 0.3);
        Octree::build(&grid(), grading, |c| ((c.center - center).length() - 0.15).abs() < c.size)
    }

    #[test]
    fn a_tree_comes_back_bit_by_bit() {
        for grading in [Grading::Graded, Grading::Unrestricted] {
            let tree = ball(grading);
            let back = Octree::from_refined_bits(&grid(), grading, &tree.refined_bits(), tree.n_cells());
            assert!(back == Ok(tree.clone()) && tree.n_cells() > 1000);
        }
    }

    #[test]
    fn what_is_no_tree_is_told() {
        let tree = ball(Grading::Graded);
        let (bits, n) = (tree.refined_bits(), tree.n_cells());
        let read = |bits: &[u8], n| Octree::from_refined_bits(&grid(), Grading::Graded, bits, n).map(|_| ());
        assert_eq!(read(&bits, n + 1), Err(TreeError::Leaves { expected: n + 1, found: n }));
        assert_eq!(read(&[&bits[..], &[0]].concat(), n), Err(TreeError::Nodes));
        assert_eq!(read(&[], 24), Err(TreeError::Nodes));
        assert_eq!(read(&[0; 3], 24), Ok(()));
        // The same number of bits elsewhere: behind the last node, or on the finest level.
        let mut late = bits.clone();
        let first = late.iter().position(|b| *b != 0).unwrap();
        late[first] &= late[first] - 1;
        *late.last_mut().unwrap() |= 0x80;
        assert!(matches!(read(&late, n), Err(TreeError::TooFine | TreeError::Nodes)));
        let steep = ball(Grading::Unrestricted);
        assert_eq!(read(&steep.refined_bits(), steep.n_cells()), Err(TreeError::NotGraded));
    }

    #[test]
    fn no_bytes_break_it() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize
        };
        let tree = ball(Grading::Graded);
        for _ in 0..200 {
            let mut bits = tree.refined_bits();
            // A bit moves: the count stays.
            let (from, to) = (next() % (8 * bits.len()), next() % (8 * bits.len()));
            if bits[from / 8] >> (from % 8) & 1 == 1 && bits[to / 8] >> (to % 8) & 1 == 0 {
                bits[from / 8] ^= 1 << (from % 8);
                bits[to / 8] ^= 1 << (to % 8);
            }
            if let Ok(back) = Octree::from_refined_bits(&grid(), Grading::Graded, &bits, tree.n_cells()) {
                assert_eq!(back.n_cells(), tree.n_cells());
            }
        }
    }
}
