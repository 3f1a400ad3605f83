//! Building a tree: refine from coarse to fine where a predicate says so, then grade.
//!
//! The set of refined cells is one bit mask for each level, whose memory follows the refined cells and not
//! the box around them. Grading goes from fine to coarse: where a cell of level
//! ℓ is refined, all its 26 neighbors of level ℓ must exist, that is, the up to eight cells of level ℓ − 1
//! that the 3³ block around it touches must be refined. What this adds is the least that is needed, so the
//! tree does not depend on the order of the work.

use super::grid::RootGrid;
use super::mask::{Bits, Mask, cells_in};
use super::tree::{CellBox, Link, Octree, Spot, octant};
use crate::index::{Field, TreeId};
use crate::par;
use glam::{DVec3, IVec3};

/// How much neighboring leaves may differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grading {
    /// At will.
    Unrestricted,
    /// By one level across faces, edges and corners.
    Graded,
}

/// A set of cells to refine, gathered before the tree is built.
pub struct Refinement {
    grid: RootGrid,
    /// The refined cells of each level but the finest.
    masks: Vec<Mask>,
    /// How many cells are refined, and how many may be.
    n_refined: usize,
    most: usize,
}

impl Refinement {
    /// Nothing is refined yet.
    pub fn new(grid: &RootGrid) -> Self {
        let masks = (0..grid.max_level()).map(|_| Mask::new()).collect();
        Self { grid: grid.clone(), masks, n_refined: 0, most: usize::MAX }
    }

    /// What is refined in a tree.
    pub fn of(tree: &Octree) -> Self {
        let mut refinement = Self::new(tree.grid());
        for node in (0..tree.n_tree_nodes()).map(|i| TreeId(i as u32)).filter(|&n| !tree.is_leaf(n)) {
            refinement.refine(tree.node_level(node), tree.coord(node));
        }
        refinement
    }

    /// The same, but no more is taken in than a tree of about `most_leaves` needs; see
    /// [`is_over`](Self::is_over).
    pub fn at_most(mut self, most_leaves: usize) -> Self {
        self.most = most_leaves.saturating_sub(self.grid.roots().len()) / 7;
        self
    }

    /// Whether more was asked for than is allowed: what is built of it lacks some of that.
    pub fn is_over(&self) -> bool {
        self.n_refined > self.most
    }

    /// Refines the cell at `coord` of `level`; a cell under an absent root or of the finest level is left out.
    #[inline]
    pub fn refine(&mut self, level: u8, coord: IVec3) {
        let l = usize::from(level);
        let is_there = l < self.masks.len() && self.grid.root_at(coord >> u32::from(level)).is_some();
        if is_there && self.n_refined <= self.most && self.masks[l].insert(coord) {
            self.n_refined += 1;
        }
    }

    /// The coordinates of the cell of `level` that holds a point, inside the box of roots or not.
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

    /// Refines all cells of `level` that the box between two points enters; a box that only touches a cell,
    /// or enters it by less than a millionth of its edge, leaves it alone.
    pub fn refine_box(&mut self, level: u8, low: DVec3, high: DVec3) {
        let scale = f64::from(1u32 << (self.grid.max_level() - level)) * 2.0;
        let first = (self.grid.to_lattice(low) / scale + 1e-6).floor().as_ivec3();
        let last = (self.grid.to_lattice(high) / scale - 1e-6).ceil().as_ivec3() - 1;
        self.refine_range(level, first, last);
    }

    /// Refines the cells that `refine` says yes to, asked from the roots down to the finest level: only
    /// children of cells that it has said yes to are asked for.
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

    /// The tree in which these cells are refined, and those that they and the grading need.
    pub fn build(self, grading: Grading) -> Octree {
        self.build_smoothed(grading, 0)
    }

    /// As [`Refinement::build`]; but from the finest level to the coarsest, the cells of each are first
    /// spread `n` times to their face neighbors, so that no level is passed in fewer cells.
    pub fn build_smoothed(mut self, grading: Grading, n: u32) -> Octree {
        // A tree that is graded in part would be none: whoever sets a limit asks before and after.
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

    /// Refines those cells of the level above that the refined cells of `level` need.
    fn refine_parents(&mut self, level: usize, grading: Grading) {
        let fine = std::mem::replace(&mut self.masks[level], Mask::new());
        for (first, bits) in fine.bricks() {
            // The parents of a brick are 4³ cells; with those around they are told from −1 on.
            for c in cells_in(&needed_parents(bits, grading)) {
                self.refine(level as u8 - 1, (first >> 1) + c - 1);
            }
        }
        self.masks[level] = fine;
    }
}

/// The parents that the cells of a brick need, by bits from one before the first parent on.
fn needed_parents(bits: &Bits, grading: Grading) -> Bits {
    let mut parents = [0; 8];
    for c in cells_in(bits) {
        match grading {
            Grading::Unrestricted => {
                let at: IVec3 = (c >> 1) + 1;
                parents[at.z as usize] |= 1 << (at.x + 8 * at.y);
            }
            Grading::Graded => {
                // The 3³ block around c touches its own parent and those toward its octant.
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
    /// A tree whose cells are refined where `refine` says so, asked from the roots down to the finest level,
    /// and where grading needs it.
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

/// The steps from a cell to others of its size some of whose children are reached from its own by `n` steps
/// through faces: |k| cells away along an axis are 2 |k| − 1 such steps.
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
