//! The tree itself: nodes, leaves, who is next to whom, and where a point lies.

use super::grid::{Lattice, RootGrid};
use crate::index::{CellId, Field, TreeId};
use crate::par;
use glam::{DVec3, IVec3};

/// A cell as a predicate sees it.
#[derive(Clone, Copy, Debug)]
pub struct CellBox {
    /// Its center.
    pub center: DVec3,
    /// Its edge length.
    pub size: f64,
    /// Its level; roots are 0.
    pub level: u8,
}

/// Roots, internal nodes and leaves. Made by [`Octree::build`].
#[derive(Clone, Debug, PartialEq)]
pub struct Octree {
    pub(super) grid: RootGrid,
    /// The first of eight children, or none.
    pub(super) first_child: Field<TreeId, TreeId>,
    pub(super) parent: Field<TreeId, TreeId>,
    /// Coordinates in cells of the node's own level.
    pub(super) coord: Field<TreeId, IVec3>,
    pub(super) level: Field<TreeId, u8>,
    /// The node of the same level in each direction; where there is none, the coarser leaf that lies there.
    pub(super) neighbor: Field<TreeId, [TreeId; 6]>,
    /// The leaf a node is, or none.
    pub(super) leaf: Field<TreeId, CellId>,
    /// The node of each leaf, in Morton order.
    pub(super) node: Field<CellId, TreeId>,
    pub(super) center: Field<CellId, DVec3>,
}

impl Octree {
    /// The roots and the lattice.
    pub fn grid(&self) -> &RootGrid {
        &self.grid
    }

    /// Number of leaves.
    pub fn n_cells(&self) -> usize {
        self.node.len()
    }

    /// Number of nodes, internal ones included.
    pub fn n_tree_nodes(&self) -> usize {
        self.first_child.len()
    }

    /// All leaves in order.
    pub fn cells(&self) -> impl Iterator<Item = CellId> + use<> {
        (0..self.node.len() as u32).map(CellId)
    }

    /// The node of a leaf.
    #[inline]
    pub fn node_of(&self, cell: CellId) -> TreeId {
        self.node[cell]
    }

    /// The leaf that a node is, or none.
    #[inline]
    pub fn leaf_of(&self, node: TreeId) -> CellId {
        self.leaf[node]
    }

    /// Whether the node has no children.
    #[inline]
    pub fn is_leaf(&self, node: TreeId) -> bool {
        self.first_child[node].is_none()
    }

    /// A child by its corner bits. The node must have children.
    #[inline]
    pub fn child(&self, node: TreeId, octant: usize) -> TreeId {
        TreeId(self.first_child[node].0 + octant as u32)
    }

    /// The node above, or none for a root.
    #[inline]
    pub fn parent(&self, node: TreeId) -> TreeId {
        self.parent[node]
    }

    /// Level of a node.
    #[inline]
    pub fn node_level(&self, node: TreeId) -> u8 {
        self.level[node]
    }

    /// Level of a leaf.
    #[inline]
    pub fn level(&self, cell: CellId) -> u8 {
        self.level[self.node[cell]]
    }

    /// Edge length of a leaf.
    #[inline]
    pub fn size(&self, cell: CellId) -> f64 {
        self.grid.cell_size(self.level(cell))
    }

    /// Center of a leaf.
    #[inline]
    pub fn center(&self, cell: CellId) -> DVec3 {
        self.center[cell]
    }

    /// Centers of all leaves.
    pub fn centers(&self) -> &Field<CellId, DVec3> {
        &self.center
    }

    /// Half the edge of a node in lattice units; a power of two.
    #[inline]
    pub fn half_extent(&self, node: TreeId) -> i32 {
        1 << (self.grid.max_level() - self.level[node])
    }

    /// The center of a node on the lattice.
    #[inline]
    pub fn lattice_center(&self, node: TreeId) -> Lattice {
        let half = self.half_extent(node);
        self.coord[node] * (2 * half) + half
    }

    /// The node next to `node`: of the same level where the tree is that fine, else the coarser leaf there,
    /// none outside the domain.
    #[inline]
    pub fn neighbor(&self, node: TreeId, direction: usize) -> TreeId {
        self.neighbor[node][direction]
    }

    /// The leaf that holds a point; a point outside is moved to the nearest place inside the box of roots.
    /// None only where that place's root is absent. A point on a boundary belongs to the higher side.
    #[inline]
    pub fn locate(&self, p: DVec3) -> CellId {
        let fine = self.finest_coord(p);
        match self.grid.root_at(fine >> u32::from(self.grid.max_level())) {
            Some(root) => self.descend(TreeId(root), fine),
            None => CellId::NONE,
        }
    }

    /// As [`Octree::locate`], walking from a leaf nearby: up until the point is inside, then down.
    #[inline]
    pub fn locate_from(&self, hint: CellId, p: DVec3) -> CellId {
        let fine = self.finest_coord(p);
        let mut node = self.node[hint];
        loop {
            let shift = u32::from(self.grid.max_level() - self.level[node]);
            if fine >> shift == self.coord[node] {
                return self.descend(node, fine);
            }
            let up = self.parent[node];
            if up.is_none() {
                return match self.grid.root_at(fine >> u32::from(self.grid.max_level())) {
                    Some(root) => self.descend(TreeId(root), fine),
                    None => CellId::NONE,
                };
            }
            node = up;
        }
    }

    /// The node at `coord` of `level`, or the leaf above it; none outside.
    pub fn find(&self, level: u8, coord: IVec3) -> TreeId {
        let Some(root) = self.grid.root_at(coord >> u32::from(level)) else { return TreeId::NONE };
        let mut node = TreeId(root);
        while self.level[node] < level && self.first_child[node].is_some() {
            let bits = (coord >> u32::from(level - self.level[node] - 1)) & 1;
            node = self.child(node, octant(bits));
        }
        node
    }

    /// Coordinates of a node in cells of its own level.
    pub fn coord(&self, node: TreeId) -> IVec3 {
        self.coord[node]
    }

    /// The finest cell that would hold `p`, clamped into the box.
    #[inline]
    fn finest_coord(&self, p: DVec3) -> IVec3 {
        let low = self.grid.min() << u32::from(self.grid.max_level());
        let high = (self.grid.min() + self.grid.dims()) << u32::from(self.grid.max_level());
        (self.grid.to_lattice(p) * 0.5).floor().as_ivec3().clamp(low, high - 1)
    }

    #[inline]
    fn descend(&self, mut node: TreeId, fine: IVec3) -> CellId {
        let max = self.grid.max_level();
        loop {
            let first = self.first_child[node];
            if first.is_none() {
                return self.leaf[node];
            }
            let bits = (fine >> u32::from(max - self.level[node] - 1)) & 1;
            node = TreeId(first.0 + octant(bits) as u32);
        }
    }

    /// Calls `f` with every leaf that shares (a part of) the face of `cell` in `direction`.
    #[inline]
    pub fn for_face_neighbors(&self, cell: CellId, direction: usize, f: &mut impl FnMut(CellId)) {
        let n = self.neighbor[self.node[cell]][direction];
        if n.is_some() {
            self.for_leaves_at(n, direction ^ 1, f);
        }
    }

    /// Calls `f` with every leaf under `node` that touches the node's side in `direction`.
    pub fn for_leaves_at(&self, node: TreeId, direction: usize, f: &mut impl FnMut(CellId)) {
        if self.first_child[node].is_none() {
            f(self.leaf[node]);
            return;
        }
        for o in side_octants(direction) {
            self.for_leaves_at(self.child(node, o), direction, f);
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.n_tree_nodes() * (4 + 4 + 12 + 1 + 24 + 4) + self.n_cells() * (4 + 24)
    }

    /// Fills in what follows from nodes, children, levels and coordinates.
    pub(super) fn derive(&mut self, level_start: &[usize]) {
        self.number_leaves(level_start);
        self.link_neighbors(level_start);
        let center =
            par::map(self.node.len(), |c: CellId| self.grid.position(self.lattice_center(self.node[c])));
        self.center = center;
    }

    /// Leaves in Morton order: count below each node from fine to coarse, then hand out ranges downwards.
    fn number_leaves(&mut self, level_start: &[usize]) {
        let n = self.first_child.len();
        let mut count = vec![1u32; n];
        for node in (0..n).rev() {
            let first = self.first_child[TreeId(node as u32)];
            if first.is_some() {
                let first = first.0 as usize;
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
        self.leaf = Field::filled(n, CellId::NONE);
        self.node = Field::filled(next as usize, TreeId::NONE);
        for node in 0..n {
            let id = TreeId(node as u32);
            let first = self.first_child[id];
            if first.is_none() {
                self.leaf[id] = CellId(start[node]);
                self.node[CellId(start[node])] = id;
            } else {
                let mut at = start[node];
                for child in first.0 as usize..first.0 as usize + 8 {
                    start[child] = at;
                    at += count[child];
                }
            }
        }
    }

    /// Neighbours level by level: a child's is a sibling, or a child of its parent's neighbour.
    fn link_neighbors(&mut self, level_start: &[usize]) {
        let mut neighbor: Vec<[TreeId; 6]> = vec![[TreeId::NONE; 6]; self.first_child.len()];
        for level in 0..level_start.len() - 1 {
            let (done, rest) = neighbor.split_at_mut(level_start[level]);
            let here = &mut rest[..level_start[level + 1] - level_start[level]];
            let base = level_start[level];
            par::update(here, |i, out| {
                let node = TreeId((base + i) as u32);
                for direction in 0..6 {
                    out[direction] = if level == 0 {
                        let step = direction_step(direction);
                        self.grid.root_at(self.coord[node] + step).map_or(TreeId::NONE, TreeId)
                    } else {
                        self.neighbor_of_child(node, direction, done)
                    };
                }
            });
        }
        self.neighbor = Field::from_vec(neighbor);
    }

    fn neighbor_of_child(&self, node: TreeId, direction: usize, done: &[[TreeId; 6]]) -> TreeId {
        let parent = self.parent[node];
        let axis = direction / 2;
        let o = (node.0 - self.first_child[parent].0) as usize;
        let mirrored = o ^ (1 << axis);
        if (o >> axis) & 1 != direction & 1 {
            return self.child(parent, mirrored);
        }
        let beyond = done[parent.0 as usize][direction];
        if beyond.is_none() || self.first_child[beyond].is_none() || self.level[beyond] < self.level[parent] {
            beyond
        } else {
            self.child(beyond, mirrored)
        }
    }
}

/// The four children on the side of `direction`.
#[inline]
pub(super) fn side_octants(direction: usize) -> [usize; 4] {
    let axis = direction / 2;
    let bit = (direction & 1) << axis;
    let (b, c) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
    let (b, c) = if b < c { (b, c) } else { (c, b) };
    [bit, bit | b, bit | c, bit | b | c]
}

/// One step along a direction.
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
