//! Builds the table of corners: finds the corners that each leaf owns, and links leaves to their corners.

use super::{Corners, CornersOfCells};
use crate::index::{CellId, Field, NodeId, TreeId};
use crate::octree::grid::Lattice;
use crate::octree::split::{chunk_starts, numbered};
use crate::octree::tree::Octree;
use crate::par;
use glam::{IVec3, U16Vec3};

/// Number of chunks of leaves that are linked at a time.
const TOGETHER: usize = 16;

impl Corners {
    /// Builds all corners of a tree.
    pub fn new(tree: &Octree) -> Self {
        Self::build(tree, |_, _| ())
    }

    /// As [`new`](Self::new); calls `keep` with each corner, in order, and the leaves around it.
    pub(super) fn build(tree: &Octree, keep: impl FnMut(NodeId, [CellId; 8])) -> Self {
        let n = tree.n_cells();
        // A corner belongs to the first leaf, by octant from high to low, that has it as its own corner.
        let owned = par::map(n, |cell: CellId| {
            let node = tree.node_of(cell);
            let upper = equal_leaves(tree, node, 7);
            let is_own = |c: &usize| {
                let v = corner(tree, node, *c);
                upper[*c].is_none()
                    && !upper_has(tree, v, node, *c)
                    && owner(tree, v, &around(tree, v, node, *c)) == Some((cell, *c))
            };
            // The leaf above its lowest corner on all axes is the leaf itself.
            (1..8).filter(is_own).fold(1, |mask, c| mask | 1 << c)
        });
        let first = numbered(&owned);
        let low = tree.grid().first_cell();
        let mut place = vec![U16Vec3::ZERO; first[n] as usize];
        par::map_parts(&mut place, &chunk_starts(&first), |i, place| {
            for ((cell, c), place) in own_corners(&owned, i).zip(place) {
                let finest: IVec3 = (corner(tree, tree.node_of(cell), c) >> 1) - low;
                *place = finest.as_u16vec3();
            }
        });
        let mut corners = Self { place: Field::from_vec(place), low, owned, ..Self::default() };
        corners.link(tree, &first, keep);
        corners
    }

    /// Assigns to cells their corners and marks those that hang, chunk by chunk. Calls `keep` with each corner, in
    /// order, and the leaves around it.
    fn link(&mut self, tree: &Octree, first: &[u32], mut keep: impl FnMut(NodeId, [CellId; 8])) {
        let Self { place, owned, low, .. } = self;
        let at = |v: NodeId| (place[v].as_ivec3() + *low) << 1;
        let has = |cell: CellId, o: usize, v: NodeId| corner(tree, tree.node_of(cell), 7 - o) == at(v);
        let mut of_cell = Field::filled(owned.len(), [NodeId::NONE; 8]);
        let mut hanging = Vec::new();
        let n_chunks = owned.len().div_ceil(par::CHUNK);
        for from in (0..n_chunks).step_by(TOGETHER) {
            let parts = par::map_each(TOGETHER.min(n_chunks - from), |i| {
                let start = first[(from + i) * par::CHUNK];
                let all = own_corners(owned, from + i).zip(start..);
                all.map(|((cell, c), v)| {
                    let v = NodeId(v);
                    (v, around(tree, at(v), tree.node_of(cell), c))
                })
                .collect::<Vec<_>>()
            });
            for (v, around) in parts.into_iter().flatten() {
                keep(v, around);
                let mut on = (u8::MAX, CellId::NONE);
                for (o, &cell) in around.iter().enumerate().filter(|(_, c)| c.is_some()) {
                    if has(cell, o, v) {
                        of_cell[cell][7 - o] = v;
                    } else if tree.level(cell) < on.0 {
                        on = (tree.level(cell), cell);
                    }
                }
                if on.1.is_some() {
                    hanging.push((v, on.1));
                }
            }
        }
        hanging.sort_by_key(|&(v, cell)| (tree.level(cell), v));
        let mut is_hanging = Field::filled(place.len(), false);
        for &(v, _) in &hanging {
            is_hanging[v] = true;
        }
        (self.of_cell, self.hanging, self.is_hanging) = (CornersOfCells(of_cell), hanging, is_hanging);
    }
}

/// Returns the corners that the leaves of a chunk own, in order.
pub(super) fn own_corners(owned: &Field<CellId, u8>, chunk: usize) -> impl Iterator<Item = (CellId, usize)> {
    par::chunk(chunk, owned.len()).map(|c| CellId(c as u32)).flat_map(|cell| {
        let mask = owned[cell];
        (0..8).filter(move |c| mask >> c & 1 == 1).map(move |c| (cell, c))
    })
}

/// Returns the position of a node's corner, which is given by its bits.
#[inline]
pub(super) fn corner(tree: &Octree, node: TreeId, c: usize) -> Lattice {
    let half = tree.half_extent(node);
    let c = c as i32;
    tree.lattice_center(node) + (IVec3::new(c & 1, c >> 1 & 1, c >> 2 & 1) * 2 - 1) * half
}

/// Returns whether the leaf above `v` on all axes has `v` as its own corner; then that leaf owns it. `v` is
/// corner `c` of the leaf `node`.
fn upper_has(tree: &Octree, v: Lattice, node: TreeId, c: usize) -> bool {
    let mut upper = node;
    let mut to = 7 - c;
    for axis in (0..3).filter(|axis| c >> axis & 1 == 1) {
        to |= 1 << axis;
        upper = cross(tree, upper, v, axis, to);
    }
    upper.is_some() && corner(tree, upper, 0) == v
}

fn owner(tree: &Octree, v: Lattice, around: &[CellId; 8]) -> Option<(CellId, usize)> {
    (0..8).rev().find_map(|o| {
        let cell = around[o];
        (cell.is_some() && corner(tree, tree.node_of(cell), 7 - o) == v).then_some((cell, 7 - o))
    })
}

/// Returns the leaves at the offsets from a leaf that a number's bits select, one bit for each axis, on the side that the
/// bit of `sides` selects: only those that leaves of the same size lead to, `NONE` for the others.
#[inline]
fn equal_leaves(tree: &Octree, node: TreeId, sides: usize) -> [TreeId; 8] {
    let level = tree.node_level(node);
    let mut equal = [node; 8];
    for offset in 1usize..8 {
        let axis = offset.trailing_zeros() as usize;
        let from = equal[offset & (offset - 1)];
        let beyond =
            if from.is_some() { tree.neighbor(from, 2 * axis + (sides >> axis & 1)) } else { TreeId::NONE };
        let is_equal = beyond.is_some() && tree.is_leaf(beyond) && tree.node_level(beyond) == level;
        equal[offset] = if is_equal { beyond } else { TreeId::NONE };
    }
    equal
}

/// Returns the leaves in the eight octants around `v`, which is corner `c` of the leaf `node`.
pub(super) fn around(tree: &Octree, v: Lattice, node: TreeId, c: usize) -> [CellId; 8] {
    let equal = equal_leaves(tree, node, c);
    if equal.iter().all(|n| n.is_some()) {
        return std::array::from_fn(|o| tree.leaf_of(equal[o ^ (7 - c)]));
    }
    around_step_by_step(tree, v, node, c)
}

/// As [`around`]: crosses one axis, then the second from both leaves, then the third from all four.
fn around_step_by_step(tree: &Octree, v: Lattice, node: TreeId, c: usize) -> [CellId; 8] {
    let mut out = [TreeId::NONE; 8];
    let home = 7 - c;
    out[home] = node;
    let mut known = [home, 0, 0, 0, 0, 0, 0, 0];
    let mut n = 1;
    for axis in 0..3 {
        for i in 0..n {
            let from = known[i];
            let to = from ^ (1 << axis);
            out[to] = cross(tree, out[from], v, axis, to);
            known[n + i] = to;
        }
        n *= 2;
    }
    // Outside the domain there is none; beside absent roots there may be a leaf that no sequence of faces
    // reaches.
    for (o, node) in out.iter_mut().enumerate().filter(|(_, node)| node.is_none()) {
        let o = o as i32;
        let finest = (v >> 1) - 1 + IVec3::new(o & 1, o >> 1 & 1, o >> 2 & 1);
        *node = tree.find(tree.grid().max_level(), finest);
    }
    out.map(|t| if t.is_some() { tree.leaf_of(t) } else { CellId::NONE })
}

/// Steps from a leaf at `v` across `axis` to the leaf in octant `to` of `v`.
fn cross(tree: &Octree, leaf: TreeId, v: Lattice, axis: usize, to: usize) -> TreeId {
    if leaf.is_none() {
        return leaf;
    }
    let high = to >> axis & 1;
    if (v[axis] - tree.lattice_center(leaf)[axis]).abs() < tree.half_extent(leaf) {
        return leaf; // v hangs within the leaf's extent: it is on both sides
    }
    let mut n = tree.neighbor(leaf, 2 * axis + high);
    while n.is_some() && !tree.is_leaf(n) {
        let center = tree.lattice_center(n);
        let mut o = 0;
        for a in 0..3 {
            let up = if v[a] == center[a] { to >> a & 1 == 1 } else { v[a] > center[a] };
            o |= usize::from(up) << a;
        }
        n = tree.child(n, o);
    }
    n
}
