//! The corners of the leaves, each once, with the eight leaves around it; hanging ones are marked.
//!
//! A corner hangs where a leaf touches it without having it as its own corner: it lies on that leaf's edge or
//! face, in a graded tree in the middle of it. To keep fields continuous its value is what the coarsest such
//! leaf has there: linear along an edge, bilinear on a face. The corners of that leaf may hang on coarser
//! leaves in turn, so coarse leaves come first.
//!
//! Works on any tree.
//!
//! The table has three parts, and a type for each set of parts that somebody holds, because they are large:
//! [`CornersOfCells`] (which corners a leaf has), [`Corners`] (that, where corners are and which hang) and
//! [`Nodes`] (that, and the leaves around each corner). [`CellCorners`] and [`CornerTable`] are for functions
//! that work with any of them.

use super::grid::Lattice;
use super::nodal::Linear;
use super::split::{chunk_starts, numbered};
use super::tree::Octree;
use crate::index::{CellId, Field, NodeId, TreeId};
use crate::par;
use glam::{IVec3, U16Vec3};

/// Chunks of leaves that are linked at a time.
const TOGETHER: usize = 16;

/// A table that knows the corners of each leaf.
pub trait CellCorners: Sync {
    /// The eight corners of a leaf.
    fn of_cell(&self, cell: CellId) -> &[NodeId; 8];
}

/// A table that knows all about corners but, perhaps, the leaves around them.
pub trait CornerTable: CellCorners {
    /// Places, hanging corners, corners of leaves.
    fn corners(&self) -> &Corners;

    /// A column of what `f` makes of each corner and the leaves around it. Where the table does not know the
    /// leaves they are found for one corner at a time. `blank` is overwritten.
    fn map_leaves<T: Clone + Send>(
        &self,
        tree: &Octree,
        blank: T,
        f: impl Fn(NodeId, &[CellId; 8]) -> T + Sync + Send,
    ) -> Field<NodeId, T>;
}

/// The eight corners of each leaf.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CornersOfCells(Field<CellId, [NodeId; 8]>);

/// Corners without the leaves around them, one corner a row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Corners {
    /// In finest cells from `low`: corners lie on whole ones.
    place: Field<NodeId, U16Vec3>,
    low: IVec3,
    of_cell: CornersOfCells,
    /// Hanging corners and the leaf each one hangs on, coarse leaves first.
    hanging: Vec<(NodeId, CellId)>,
    is_hanging: Field<NodeId, bool>,
    /// Which corners each leaf owns, a bit for each: the leaves around corners follow from it.
    owned: Field<CellId, u8>,
}

/// Corners with the leaves around them, one corner a row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Nodes {
    corners: Corners,
    /// The leaf in each octant around the corner; none outside the domain.
    cells: Field<NodeId, [CellId; 8]>,
}

impl CornersOfCells {
    /// The eight corners of a leaf.
    #[inline]
    pub fn of_cell(&self, cell: CellId) -> &[NodeId; 8] {
        &self.0[cell]
    }
}

impl CellCorners for CornersOfCells {
    #[inline]
    fn of_cell(&self, cell: CellId) -> &[NodeId; 8] {
        &self.0[cell]
    }
}

impl CellCorners for Corners {
    #[inline]
    fn of_cell(&self, cell: CellId) -> &[NodeId; 8] {
        &self.of_cell.0[cell]
    }
}

impl CellCorners for Nodes {
    #[inline]
    fn of_cell(&self, cell: CellId) -> &[NodeId; 8] {
        &self.corners.of_cell.0[cell]
    }
}

impl CornerTable for Corners {
    fn corners(&self) -> &Corners {
        self
    }

    fn map_leaves<T: Clone + Send>(
        &self,
        tree: &Octree,
        blank: T,
        f: impl Fn(NodeId, &[CellId; 8]) -> T + Sync + Send,
    ) -> Field<NodeId, T> {
        let mut out = vec![blank; self.len()];
        let starts = chunk_starts(&numbered(&self.owned));
        par::map_parts(&mut out, &starts, |i, out| {
            for (((cell, c), v), out) in own_corners(&self.owned, i).zip(starts[i]..).zip(out) {
                let node = tree.node_of(cell);
                *out = f(NodeId(v as u32), &around(tree, corner(tree, node, c), node, c));
            }
        });
        Field::from_vec(out)
    }
}

impl CornerTable for Nodes {
    fn corners(&self) -> &Corners {
        &self.corners
    }

    fn map_leaves<T: Clone + Send>(
        &self,
        _: &Octree,
        _: T,
        f: impl Fn(NodeId, &[CellId; 8]) -> T + Sync + Send,
    ) -> Field<NodeId, T> {
        par::map(self.len(), |v: NodeId| f(v, &self.cells[v]))
    }
}

impl Corners {
    /// All corners of a tree.
    pub fn new(tree: &Octree) -> Self {
        let n = tree.n_cells();
        // A corner belongs to the first leaf, by octant from high to low, that has it as its own corner.
        let owned = par::map(n, |cell: CellId| {
            let node = tree.node_of(cell);
            let is_own = |c: &usize| {
                let v = corner(tree, node, *c);
                (*c == 0 || !upper_has(tree, v, node, *c))
                    && owner(tree, v, &around(tree, v, node, *c)) == Some((cell, *c))
            };
            (0..8).filter(is_own).fold(0, |mask, c| mask | 1 << c)
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
        corners.link(tree, &first);
        corners
    }

    /// The same with the leaves around each corner, which are a third of the whole table's memory.
    pub fn with_leaves(self, tree: &Octree) -> Nodes {
        let cells = self.map_leaves(tree, [CellId::NONE; 8], |_, cells| *cells);
        Nodes { corners: self, cells }
    }

    /// Which corners leaves have; all else is dropped.
    pub fn into_cells(self) -> CornersOfCells {
        self.of_cell
    }

    /// Which corners leaves have.
    pub fn cells(&self) -> &CornersOfCells {
        &self.of_cell
    }

    /// Tells cells their corners, and which of those hang, chunk by chunk.
    fn link(&mut self, tree: &Octree, first: &[u32]) {
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

    /// Number of corners.
    pub fn len(&self) -> usize {
        self.is_hanging.len()
    }

    /// Whether there are no corners.
    pub fn is_empty(&self) -> bool {
        self.is_hanging.is_empty()
    }

    /// Where a corner is.
    #[inline]
    pub fn place(&self, node: NodeId) -> Lattice {
        (self.place[node].as_ivec3() + self.low) << 1
    }

    /// The eight corners of a leaf.
    #[inline]
    pub fn of_cell(&self, cell: CellId) -> &[NodeId; 8] {
        &self.of_cell.0[cell]
    }

    /// Whether a corner hangs.
    #[inline]
    pub fn is_hanging(&self, node: NodeId) -> bool {
        self.is_hanging[node]
    }

    /// Sets the values of hanging corners to what they hang between.
    pub fn constrain<T: Linear>(&self, tree: &Octree, values: &mut Field<NodeId, T>) {
        self.constrain_as(tree, values, |q| q, |q| q);
    }

    /// The same with values that are kept in another form than they are summed in.
    pub fn constrain_as<K: Copy, T: Linear>(
        &self,
        tree: &Octree,
        values: &mut Field<NodeId, K>,
        read: impl Fn(K) -> T,
        keep: impl Fn(T) -> K,
    ) {
        for &(v, cell) in &self.hanging {
            let node = tree.node_of(cell);
            let offset = self.place(v) - tree.lattice_center(node);
            let t = 0.5 + offset.as_dvec3() / f64::from(2 * tree.half_extent(node));
            let mut sum: Option<T> = None;
            for (c, &corner) in self.of_cell.0[cell].iter().enumerate() {
                let side = |a: usize| if c >> a & 1 == 1 { t[a] } else { 1.0 - t[a] };
                let weight = side(0) * side(1) * side(2);
                // A weight of zero is not a corner of the edge or face, and may hang on something finer.
                if weight > 0.0 {
                    let part = read(values[corner]) * weight;
                    sum = Some(sum.map_or(part, |s| s + part));
                }
            }
            if let Some(sum) = sum {
                values[v] = keep(sum);
            }
        }
    }

    /// Hanging corners and the leaf that each one hangs on, coarse leaves first.
    pub fn hanging(&self) -> &[(NodeId, CellId)] {
        &self.hanging
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.len() * 7 + self.of_cell.0.len() * 32 + self.hanging.len() * 8 + self.owned.len()
    }
}

impl Nodes {
    /// All corners of a tree.
    pub fn new(tree: &Octree) -> Self {
        Corners::new(tree).with_leaves(tree)
    }

    /// Drops the leaves around corners.
    pub fn without_leaves(self) -> Corners {
        self.corners
    }

    /// The leaf in each octant around a corner; the same leaf stands in several where the corner hangs on it.
    #[inline]
    pub fn cells(&self, node: NodeId) -> &[CellId; 8] {
        &self.cells[node]
    }

    /// Number of corners.
    pub fn len(&self) -> usize {
        self.corners.len()
    }

    /// Whether there are no corners.
    pub fn is_empty(&self) -> bool {
        self.corners.is_empty()
    }

    /// Where a corner is.
    #[inline]
    pub fn place(&self, node: NodeId) -> Lattice {
        self.corners.place(node)
    }

    /// The eight corners of a leaf.
    #[inline]
    pub fn of_cell(&self, cell: CellId) -> &[NodeId; 8] {
        self.corners.of_cell(cell)
    }

    /// Whether a corner hangs.
    #[inline]
    pub fn is_hanging(&self, node: NodeId) -> bool {
        self.corners.is_hanging(node)
    }

    /// Sets the values of hanging corners to what they hang between.
    pub fn constrain<T: Linear>(&self, tree: &Octree, values: &mut Field<NodeId, T>) {
        self.corners.constrain(tree, values);
    }

    /// Hanging corners and the leaf that each one hangs on, coarse leaves first.
    pub fn hanging(&self) -> &[(NodeId, CellId)] {
        self.corners.hanging()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.corners.bytes() + self.cells.len() * 32
    }
}

/// The corners that the leaves of a chunk own, in order.
fn own_corners(owned: &Field<CellId, u8>, chunk: usize) -> impl Iterator<Item = (CellId, usize)> {
    par::chunk(chunk, owned.len()).map(|c| CellId(c as u32)).flat_map(|cell| {
        let mask = owned[cell];
        (0..8).filter(move |c| mask >> c & 1 == 1).map(move |c| (cell, c))
    })
}

/// A node's corner by its bits.
#[inline]
fn corner(tree: &Octree, node: TreeId, c: usize) -> Lattice {
    let half = tree.half_extent(node);
    let c = c as i32;
    tree.lattice_center(node) + (IVec3::new(c & 1, c >> 1 & 1, c >> 2 & 1) * 2 - 1) * half
}

/// Whether the leaf above `v` on all axes has it as its own corner: then that leaf owns it. `v` is corner `c`
/// of the leaf `node`.
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

/// The leaves in the eight octants around `v`, which is corner `c` of the leaf `node`: across one axis, then
/// across the second from both, then across the third from all four.
fn around(tree: &Octree, v: Lattice, node: TreeId, c: usize) -> [CellId; 8] {
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
    // Outside the domain there is none; beside absent roots there may be one that no way leads to.
    for (o, node) in out.iter_mut().enumerate().filter(|(_, node)| node.is_none()) {
        let o = o as i32;
        let finest = (v >> 1) - 1 + IVec3::new(o & 1, o >> 1 & 1, o >> 2 & 1);
        *node = tree.find(tree.grid().max_level(), finest);
    }
    out.map(|t| if t.is_some() { tree.leaf_of(t) } else { CellId::NONE })
}

/// From a leaf at `v` to the one on the other side along `axis`, the octant `to` of `v`.
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
