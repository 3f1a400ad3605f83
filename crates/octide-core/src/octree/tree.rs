//! The tree itself: nodes, leaves and neighbors.

mod locate;

use super::grid::{Lattice, RootGrid};
use crate::index::{CellId, Field, TreeId};
use crate::par;
use glam::{DVec3, I16Vec3, IVec3};

/// A cell as passed to a refinement predicate.
#[derive(Clone, Copy, Debug)]
pub struct CellBox {
    /// Its center.
    pub center: DVec3,
    /// Its edge length.
    pub size: f64,
    /// Its level; roots are 0.
    pub level: u8,
}

/// A tree of roots, internal nodes and leaves. Built by [`Octree::build`].
#[derive(Clone, Debug, PartialEq)]
pub struct Octree {
    pub(super) grid: RootGrid,
    pub(super) link: Field<TreeId, Link>,
    pub(super) spot: Field<TreeId, Spot>,
    /// The parent of each group of eight children; roots come first and have none.
    pub(super) parent: Vec<TreeId>,
    /// The node of the same level in each direction; if there is none, the coarser leaf that covers its
    /// place.
    pub(super) neighbor: Field<TreeId, [TreeId; 6]>,
    /// The node of each leaf, in Morton order.
    pub(super) node: Field<CellId, TreeId>,
}

/// The first of a node's eight children or, if the highest bit is set, the number of the leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Link(u32);

impl Link {
    const LEAF: u32 = 1 << 31;
    /// A leaf that has no number yet.
    pub(super) const UNNUMBERED: Self = Self(u32::MAX);

    #[inline]
    fn leaf(cell: CellId) -> Self {
        Self(cell.0 | Self::LEAF)
    }

    #[inline]
    pub(super) fn first_child(node: TreeId) -> Self {
        Self(node.0)
    }

    #[inline]
    fn is_leaf(self) -> bool {
        self.0 & Self::LEAF != 0
    }
}

/// Position of a node: its coordinates in cells of its own level, and the level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Spot {
    coord: I16Vec3,
    level: u8,
}

impl Spot {
    pub(super) fn new(coord: IVec3, level: u8) -> Self {
        Self { coord: coord.as_i16vec3(), level }
    }

    #[inline]
    fn coord(self) -> IVec3 {
        self.coord.as_ivec3()
    }
}

impl Octree {
    /// Returns level and coordinates of each of these cells, in units of its own size; roots have level 0.
    pub fn places(&self, cells: &[CellId]) -> Vec<[i32; 4]> {
        par::map_index(cells.len(), |i| {
            let node = self.node_of(cells[i]);
            let [x, y, z] = self.coord(node).to_array();
            [i32::from(self.node_level(node)), x, y, z]
        })
    }

    /// Returns the roots and the lattice.
    #[inline]
    pub fn grid(&self) -> &RootGrid {
        &self.grid
    }

    /// Returns the number of leaves.
    #[inline]
    pub fn n_cells(&self) -> usize {
        self.node.len()
    }

    /// Returns the number of nodes, internal ones included.
    pub fn n_tree_nodes(&self) -> usize {
        self.link.len()
    }

    /// Returns all leaves in order.
    pub fn cells(&self) -> impl Iterator<Item = CellId> + use<> {
        (0..self.node.len() as u32).map(CellId)
    }

    /// Returns the node of a leaf.
    #[inline]
    pub fn node_of(&self, cell: CellId) -> TreeId {
        self.node[cell]
    }

    /// Returns the number of a node that is a leaf, otherwise `NONE`.
    #[inline]
    pub fn leaf_of(&self, node: TreeId) -> CellId {
        let link = self.link[node];
        if link.is_leaf() { CellId(link.0 & !Link::LEAF) } else { CellId::NONE }
    }

    /// Returns whether the node has no children.
    #[inline]
    pub fn is_leaf(&self, node: TreeId) -> bool {
        self.link[node].is_leaf()
    }

    /// Returns a child by its corner bits. The node must have children.
    #[inline]
    pub fn child(&self, node: TreeId, octant: usize) -> TreeId {
        TreeId(self.link[node].0 + octant as u32)
    }

    /// Returns the parent of a node, or `NONE` for a root.
    #[inline]
    pub fn parent(&self, node: TreeId) -> TreeId {
        match node.0.checked_sub(self.grid.roots().len() as u32) {
            Some(below) => self.parent[below as usize / 8],
            None => TreeId::NONE,
        }
    }

    /// Returns the level of a node.
    #[inline]
    pub fn node_level(&self, node: TreeId) -> u8 {
        self.spot[node].level
    }

    /// Returns the level of a leaf.
    #[inline]
    pub fn level(&self, cell: CellId) -> u8 {
        self.spot[self.node[cell]].level
    }

    /// Returns the edge length of a leaf.
    #[inline]
    pub fn size(&self, cell: CellId) -> f64 {
        self.grid.cell_size(self.level(cell))
    }

    /// Returns the center of a leaf.
    #[inline]
    pub fn center(&self, cell: CellId) -> DVec3 {
        self.grid.position(self.lattice_center(self.node[cell]))
    }

    /// Returns the position of a point relative to a leaf, in [0, 1]³ if it is inside.
    #[inline]
    pub fn place_in(&self, cell: CellId, p: DVec3) -> DVec3 {
        (p - self.center(cell)) / self.size(cell) + 0.5
    }

    /// Returns half the edge of a node in lattice units, a power of two.
    #[inline]
    pub fn half_extent(&self, node: TreeId) -> i32 {
        1 << (self.grid.max_level() - self.spot[node].level)
    }

    /// Returns the center of a node on the lattice.
    #[inline]
    pub fn lattice_center(&self, node: TreeId) -> Lattice {
        let spot = self.spot[node];
        let half = 1 << (self.grid.max_level() - spot.level);
        spot.coord() * (2 * half) + half
    }

    /// Returns the node next to `node`: of the same level where the tree is that fine, otherwise the coarser
    /// leaf there, `NONE` outside the domain.
    #[inline]
    pub fn neighbor(&self, node: TreeId, direction: usize) -> TreeId {
        self.neighbor[node][direction]
    }

    /// Returns the node at `coord` of `level`, or the leaf above it; `NONE` outside.
    pub fn find(&self, level: u8, coord: IVec3) -> TreeId {
        let Some(root) = self.grid.root_at(coord >> u32::from(level)) else { return TreeId::NONE };
        let mut node = TreeId(root);
        while self.node_level(node) < level && !self.is_leaf(node) {
            let bits = (coord >> u32::from(level - self.node_level(node) - 1)) & 1;
            node = self.child(node, octant(bits));
        }
        node
    }

    /// Returns the coordinates of a node in cells of its own level.
    #[inline]
    pub fn coord(&self, node: TreeId) -> IVec3 {
        self.spot[node].coord()
    }

    /// Calls `f` with every leaf that shares (a part of) the face of `cell` in `direction`.
    #[inline]
    pub fn for_face_neighbors(&self, cell: CellId, direction: usize, f: &mut impl FnMut(CellId)) {
        let n = self.neighbor[self.node[cell]][direction];
        if n.is_none() {
            return;
        }
        // Mostly there is one, and no need for a recursion.
        if self.is_leaf(n) {
            f(self.leaf_of(n));
        } else {
            self.for_leaves_at(n, direction ^ 1, f);
        }
    }

    /// Calls `f` with every leaf under `node` that touches the node's side in `direction`.
    pub fn for_leaves_at(&self, node: TreeId, direction: usize, f: &mut impl FnMut(CellId)) {
        if self.is_leaf(node) {
            f(self.leaf_of(node));
            return;
        }
        for o in side_octants(direction) {
            self.for_leaves_at(self.child(node, o), direction, f);
        }
    }

    /// Returns the number of bytes held.
    pub fn bytes(&self) -> usize {
        self.n_tree_nodes() * (4 + 8 + 24) + 4 * (self.parent.len() + self.n_cells())
    }

    /// Computes the data that follow from nodes, children, levels and coordinates.
    pub(super) fn derive(&mut self, level_start: &[usize]) {
        self.number_leaves(level_start);
        self.link_neighbors(level_start);
    }

    /// Numbers leaves in Morton order: counts the leaves below each node from fine to coarse, then assigns
    /// ranges from coarse to fine.
    fn number_leaves(&mut self, level_start: &[usize]) {
        let n = self.link.len();
        let mut count = vec![1u32; n];
        for node in (0..n).rev() {
            let link = self.link[TreeId(node as u32)];
            if !link.is_leaf() {
                let first = link.0 as usize;
                count[node] = count[first..first + 8].iter().sum();
            }
        }
        let mut start = vec![0u32; n];
        let n_roots = level_start[1];
        let mut next = 0;
        for root in 0..n_roots {
            start[root] = next;
            next += count[root];
        }
        self.node = Field::filled(next as usize, TreeId::NONE);
        for node in 0..n {
            let id = TreeId(node as u32);
            let link = self.link[id];
            if link.is_leaf() {
                self.link[id] = Link::leaf(CellId(start[node]));
                self.node[CellId(start[node])] = id;
            } else {
                let mut at = start[node];
                for child in link.0 as usize..link.0 as usize + 8 {
                    start[child] = at;
                    at += count[child];
                }
            }
        }
    }

    /// Links neighbors level by level: a child's neighbor is a sibling, or a child of its parent's neighbor.
    fn link_neighbors(&mut self, level_start: &[usize]) {
        let mut neighbor: Vec<[TreeId; 6]> = vec![[TreeId::NONE; 6]; self.link.len()];
        for level in 0..level_start.len() - 1 {
            let (done, rest) = neighbor.split_at_mut(level_start[level]);
            let here = &mut rest[..level_start[level + 1] - level_start[level]];
            let base = level_start[level];
            par::update(here, |i, out| {
                let node = TreeId((base + i) as u32);
                for direction in 0..6 {
                    out[direction] = if level == 0 {
                        let step = direction_step(direction);
                        self.grid.root_at(self.coord(node) + step).map_or(TreeId::NONE, TreeId)
                    } else {
                        self.neighbor_of_child(node, direction, done)
                    };
                }
            });
        }
        self.neighbor = Field::from_vec(neighbor);
    }

    fn neighbor_of_child(&self, node: TreeId, direction: usize, done: &[[TreeId; 6]]) -> TreeId {
        let parent = self.parent(node);
        let axis = direction / 2;
        let o = (node.0 - self.link[parent].0) as usize;
        let mirrored = o ^ (1 << axis);
        if (o >> axis) & 1 != direction & 1 {
            return self.child(parent, mirrored);
        }
        let beyond = done[parent.0 as usize][direction];
        if beyond.is_none() || self.is_leaf(beyond) || self.node_level(beyond) < self.node_level(parent) {
            beyond
        } else {
            self.child(beyond, mirrored)
        }
    }
}

/// Returns the four children on the side of `direction`.
#[inline]
pub fn side_octants(direction: usize) -> [usize; 4] {
    let axis = direction / 2;
    let bit = (direction & 1) << axis;
    let (b, c) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
    let (b, c) = if b < c { (b, c) } else { (c, b) };
    [bit, bit | b, bit | c, bit | b | c]
}

/// Returns the unit step along a direction.
#[inline]
pub(super) fn direction_step(direction: usize) -> IVec3 {
    let mut step = IVec3::ZERO;
    step[direction / 2] = if direction & 1 == 1 { 1 } else { -1 };
    step
}

#[inline]
pub(super) fn octant(bits: IVec3) -> usize {
    (bits.x | bits.y << 1 | bits.z << 2) as usize
}
