//! Building a tree: refine from coarse to fine where a predicate holds, then grade.
//!
//! The set of refined cells is stored as one bit mask per level, whose memory is proportional to the number
//! of refined cells and not to their bounding box. Grading proceeds from fine to coarse: where a cell of
//! level ℓ is refined, all its 26 neighbors of level ℓ must exist, that is, the up to eight cells of level
//! ℓ − 1 that the 3³ block around it touches must be refined. Grading adds the smallest set of cells that
//! satisfies this, so the tree does not depend on the order of operations.

use super::grid::RootGrid;
use super::mask::{Bits, Mask, cells_in};
use super::tree::{CellBox, Link, Octree, Spot, octant};
use crate::index::{Field, TreeId};
use crate::par;
use glam::{DVec3, IVec3};

/// How much the levels of neighboring leaves may differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grading {
    /// Arbitrarily.
    Unrestricted,
    /// By one level across faces, edges and corners.
    Graded,
}

/// A set of cells to refine, gathered before the tree is built.
pub struct Refinement {
    grid: RootGrid,
    /// The refined cells of each level but the finest.
    masks: Vec<Mask>,
    /// Number of refined cells, and its maximum.
    n_refined: usize,
    most: usize,
}

impl Refinement {
    /// Creates a set without refined cells.
    pub fn new(grid: &RootGrid) -> Self {
        let masks = (0..grid.max_level()).map(|_| Mask::new()).collect();
        Self { grid: grid.clone(), masks, n_refined: 0, most: usize::MAX }
    }

    /// Returns the set of cells that are refined in a tree.
    pub fn of(tree: &Octree) -> Self {
        let mut refinement = Self::new(tree.grid());
        for node in (0..tree.n_tree_nodes()).map(|i| TreeId(i as u32)).filter(|&n| !tree.is_leaf(n)) {
            refinement.refine(tree.node_level(node), tree.coord(node));
        }
        refinement
    }

    /// Limits the set to about as many cells as a tree of `most_leaves` leaves needs; see
    /// [`is_over`](Self::is_over).
    pub fn at_most(mut self, most_leaves: usize) -> Self {
        self.most = most_leaves.saturating_sub(self.grid.roots().len()) / 7;
        self
    }

    /// Returns whether more cells were requested than the limit allows. A tree built from such a set lacks
    /// some of the requested cells.
    pub fn is_over(&self) -> bool {
        self.n_refined > self.most
    }

    /// Refines the cell at `coord` of `level`; a cell under an absent root or of the finest level is ignored.
    #[inline]
    pub fn refine(&mut self, level: u8, coord: IVec3) {
        let l = usize::from(level);
        let is_there = l < self.masks.len() && self.grid.root_at(coord >> u32::from(level)).is_some();
        if is_there && self.n_refined <= self.most && self.masks[l].insert(coord) {
            self.n_refined += 1;
        }
    }

    /// Returns the coordinates of the cell of `level` that contains a point, which may lie outside the box of
    /// roots.
    pub fn coord_at(&self, level: u8, p: DVec3) -> IVec3 {
        let scale = f64::from(1u32 << (self.grid.max_level() - level)) * 2.0;
        (self.grid.to_lattice(p) / scale).floor().as_ivec3()
    }

    /// Refines all cells of `level` with coordinates from `first` to `last`.
    pub fn refine_range(&mut self, level: u8, first: IVec3, last: IVec3) {
        let l = usize::from(level);
        if l >= self.masks.len() || self.n_refined > self.most {
            return;
        }
        let shift = u32::from(level);
        let first = first.max(self.grid.min() << shift);
        let last = last.min(((self.grid.min() + self.grid.dims()) << shift) - 1);
        if first.cmpgt(last).any() {
            return;
        }
        let roots = (first >> shift, last >> shift);
        if self.grid.is_full() {
            self.n_refined += self.masks[l].insert_range(first, last);
            return;
        }
        for z in roots.0.z..=roots.1.z {
            for y in roots.0.y..=roots.1.y {
                for x in roots.0.x..=roots.1.x {
                    let root = IVec3::new(x, y, z);
                    if self.grid.root_at(root).is_some() {
                        let (low, high) = (root << shift, ((root + 1) << shift) - 1);
                        self.n_refined += self.masks[l].insert_range(first.max(low), last.min(high));
                    }
                }
            }
        }
    }

    /// Refines all cells of `level` that overlap the box between two points. Cells that the box only touches,
    /// or overlaps by less than a millionth of their edge, are not refined.
    pub fn refine_box(&mut self, level: u8, low: DVec3, high: DVec3) {
        let scale = f64::from(1u32 << (self.grid.max_level() - level)) * 2.0;
        let first = (self.grid.to_lattice(low) / scale + 1e-6).floor().as_ivec3();
        let last = (self.grid.to_lattice(high) / scale - 1e-6).ceil().as_ivec3() - 1;
        self.refine_range(level, first, last);
    }

    /// Refines the cells for which `refine` returns true, from the roots down to the finest level. Only the
    /// children of cells that are refined this way are tested.
    pub fn refine_where(&mut self, refine: impl Fn(&CellBox) -> bool + Sync) {
        let max = self.grid.max_level();
        let mut candidates = self.grid.roots().to_vec();
        for level in 0..max {
            let size = self.grid.cell_size(level);
            let half = 1 << (max - level);
            let grid = &self.grid;
            let wanted = par::collect(candidates.len(), |i, out: &mut Vec<IVec3>| {
                let center = grid.position(candidates[i] * (2 * half) + half);
                if refine(&CellBox { center, size, level }) {
                    out.push(candidates[i]);
                }
            });
            candidates = wanted.iter().flat_map(|&c| (0..8).map(move |o| child_coord(c, o))).collect();
            for c in wanted {
                self.refine(level, c);
            }
            if self.is_over() {
                return;
            }
        }
    }

    /// Builds the tree in which these cells are refined, together with those that they and the grading
    /// require.
    pub fn build(self, grading: Grading) -> Octree {
        self.build_smoothed(grading, 0)
    }

    /// Builds a tree like [`Refinement::build`], but first, from the finest level to the coarsest, spreads
    /// the refined cells of each level `n` times to their face neighbors, so that no level is crossed in
    /// fewer cells.
    pub fn build_smoothed(mut self, grading: Grading, n: u32) -> Octree {
        // A partly graded tree would be invalid, so the limit is lifted here: callers check it before and
        // after.
        self.most = usize::MAX;
        let spread = reached(n as i32);
        for level in (0..self.masks.len()).rev() {
            if !spread.is_empty() {
                let before = self.masks[level].clone();
                for c in before.bricks().flat_map(|(first, bits)| cells_in(bits).map(move |c| first + c)) {
                    for &step in &spread {
                        self.refine(level as u8, c + step);
                    }
                }
            }
            if level > 0 {
                self.refine_parents(level, grading);
            }
        }
        Octree::from_masks(self.grid, &self.masks)
    }

    /// Refines those cells of the next coarser level that the refined cells of `level` require.
    fn refine_parents(&mut self, level: usize, grading: Grading) {
        let fine = std::mem::replace(&mut self.masks[level], Mask::new());
        for (first, bits) in fine.bricks() {
            // The parents of a brick are 4³ cells; bits also cover the layer around them, so they start at
            // −1.
            for c in cells_in(&needed_parents(bits, grading)) {
                self.refine(level as u8 - 1, (first >> 1) + c - 1);
            }
        }
        self.masks[level] = fine;
    }
}

/// Returns the parents that the cells of a brick require, as bits that start one cell before the first
/// parent.
fn needed_parents(bits: &Bits, grading: Grading) -> Bits {
    let mut parents = [0; 8];
    for c in cells_in(bits) {
        match grading {
            Grading::Unrestricted => {
                let at: IVec3 = (c >> 1) + 1;
                parents[at.z as usize] |= 1 << (at.x + 8 * at.y);
            }
            Grading::Graded => {
                // The 3³ block around c touches c's own parent and the parents next to c's octant.
                let low: IVec3 = (c + 1) >> 1;
                let square = 0x0303 << (low.x + 8 * low.y);
                parents[low.z as usize] |= square;
                parents[low.z as usize + 1] |= square;
            }
        }
    }
    parents
}

impl Octree {
    /// Builds a tree whose cells are refined where `refine` returns true, tested from the roots down to the
    /// finest level, and where grading requires it.
    pub fn build(grid: &RootGrid, grading: Grading, refine: impl Fn(&CellBox) -> bool + Sync) -> Self {
        let mut refinement = Refinement::new(grid);
        refinement.refine_where(refine);
        refinement.build(grading)
    }

    fn from_masks(grid: RootGrid, masks: &[Mask]) -> Self {
        let mut spot: Vec<Spot> = grid.roots().iter().map(|&c| Spot::new(c, 0)).collect();
        let mut coord = grid.roots().to_vec();
        let mut parent = Vec::new();
        let mut link = vec![Link::UNNUMBERED; coord.len()];
        let mut level_start = vec![0, coord.len()];
        for (l, mask) in masks.iter().enumerate() {
            let mut below = Vec::new();
            let mut refined = mask.reader();
            for (i, &c) in coord.iter().enumerate().filter(|&(_, &c)| refined.has(c)) {
                let node = level_start[l] + i;
                link[node] = Link::first_child(TreeId(link.len() as u32));
                parent.push(TreeId(node as u32));
                for o in 0..8 {
                    below.push(child_coord(c, o));
                    spot.push(Spot::new(child_coord(c, o), l as u8 + 1));
                    link.push(Link::UNNUMBERED);
                }
            }
            level_start.push(link.len());
            coord = below;
        }
        let mut tree = Self {
            grid,
            link: Field::from_vec(link),
            spot: Field::from_vec(spot),
            parent,
            neighbor: Field::default(),
            node: Field::default(),
        };
        tree.derive(&level_start);
        tree
    }
}

/// Returns the offsets from a cell to all cells of its size that have a child within `n` face steps of one of
/// its own children: a distance of |k| cells along an axis takes 2 |k| − 1 such steps.
fn reached(n: i32) -> Vec<IVec3> {
    let far = (n + 1) / 2;
    let steps = |k: i32| (2 * k.abs() - 1).max(0);
    let mut all = Vec::new();
    for z in -far..=far {
        for y in -far..=far {
            for x in -far..=far {
                let way = steps(x) + steps(y) + steps(z);
                if way > 0 && way <= n {
                    all.push(IVec3::new(x, y, z));
                }
            }
        }
    }
    all
}

#[inline]
pub(super) fn child_coord(c: IVec3, o: i32) -> IVec3 {
    let bits = IVec3::new(o & 1, o >> 1 & 1, o >> 2 & 1);
    debug_assert_eq!(octant(bits), o as usize);
    c * 2 + bits
}
