//! Point location: the leaf that contains a point, from the root or from a nearby leaf, and the nearest leaf of a
//! point that no leaf contains.

use super::{Link, Octree, octant};
use crate::index::{CellId, TreeId};
use glam::{DVec3, IVec3};

impl Octree {
    /// Returns the leaf that holds a point, or `None` where there is no cell: outside of the box of roots and
    /// where a root is absent. A point on a boundary belongs to the higher side.
    ///
    /// ```
    /// # use octide_core::octree::{Grading, Octree, RootGrid};
    /// # use octide_core::{DVec3, IVec3};
    /// let grid = RootGrid::new(DVec3::ZERO, 0.5, 1, IVec3::ZERO, IVec3::splat(2), |root| root != IVec3::ONE);
    /// let tree = Octree::build(&grid, Grading::Graded, |_| false);
    /// assert!(tree.locate(DVec3::splat(0.5)).is_some());
    /// assert!(tree.locate(DVec3::splat(1.5)).is_none());
    /// assert!(tree.locate(DVec3::splat(9.0)).is_none());
    /// ```
    #[inline]
    pub fn locate(&self, p: DVec3) -> Option<CellId> {
        let fine = self.finest_coord(p)?;
        let root = self.grid.root_at(fine >> u32::from(self.grid.max_level()))?;
        Some(self.descend(TreeId(root), fine))
    }

    /// Locates a point like [`Octree::locate`], but starts from a nearby leaf: beside it, or up until the point is
    /// inside, then down.
    #[inline]
    pub fn locate_from(&self, hint: CellId, p: DVec3) -> Option<CellId> {
        let fine = self.finest_coord(p)?;
        if let Some(above) = self.node_around(hint, fine) {
            return Some(self.descend(above, fine));
        }
        let root = self.grid.root_at(fine >> u32::from(self.grid.max_level()))?;
        Some(self.descend(TreeId(root), fine))
    }

    /// Returns the leaf nearest to a point, which is the leaf that contains it if there is one. This is for
    /// particles at walls and for values that are extended beyond the domain. `NONE` only if the tree has no
    /// cells.
    #[inline]
    pub fn nearest_leaf(&self, p: DVec3) -> CellId {
        self.leaf_at_or_near(self.nearest_finest_coord(p), p)
    }

    /// Finds a leaf like [`Octree::nearest_leaf`], but starts from a nearby leaf: beside it, or up until
    /// the point is inside, then down.
    #[inline]
    pub fn nearest_leaf_from(&self, hint: CellId, p: DVec3) -> CellId {
        let fine = self.nearest_finest_coord(p);
        match self.node_around(hint, fine) {
            Some(above) => self.descend(above, fine),
            None => self.leaf_at_or_near(fine, p),
        }
    }

    /// Returns the leaf that contains the finest cell of the box that is nearest to `p`; if its root is
    /// absent, the leaf nearest to `p` in other roots.
    #[inline]
    fn leaf_at_or_near(&self, fine: IVec3, p: DVec3) -> CellId {
        match self.grid.root_at(fine >> u32::from(self.grid.max_level())) {
            Some(root) => self.descend(TreeId(root), fine),
            None => self.leaf_beside_hole(p),
        }
    }

    #[cold]
    fn leaf_beside_hole(&self, p: DVec3) -> CellId {
        // Farther away than any cell, but small enough that squares do not overflow.
        let fine = (self.grid.to_lattice(p) * 0.5).floor().clamp(DVec3::splat(-1e6), DVec3::splat(1e6));
        match self.grid.nearest_root(fine.as_ivec3()) {
            Some((root, moved)) => self.descend(TreeId(root), moved),
            None => CellId::NONE,
        }
    }

    /// Returns a node that contains a finest cell: a leaf, a neighbor of it, or the lowest of its ancestors.
    #[inline]
    fn node_around(&self, leaf: CellId, fine: IVec3) -> Option<TreeId> {
        let node = self.node[leaf];
        let level = self.spot[node].level;
        let offset = (fine >> u32::from(self.grid.max_level() - level)) - self.spot[node].coord();
        if offset == IVec3::ZERO {
            return Some(node);
        }
        self.node_beside(node, level, offset).or_else(|| self.ancestor_around(node, fine))
    }

    /// Returns the node at an offset of at most one node along each axis, if neighbors of the node's own level lead there.
    #[inline]
    fn node_beside(&self, mut node: TreeId, level: u8, offset: IVec3) -> Option<TreeId> {
        if offset.abs().max_element() > 1 {
            return None;
        }
        for axis in (0..3).filter(|&a| offset[a] != 0) {
            if node.is_none() || self.spot[node].level != level {
                return None;
            }
            node = self.neighbor[node][2 * axis + usize::from(offset[axis] > 0)];
        }
        node.is_some().then_some(node)
    }

    /// Returns the lowest node that contains a finest cell, among a node and its ancestors.
    fn ancestor_around(&self, mut node: TreeId, fine: IVec3) -> Option<TreeId> {
        loop {
            let spot = self.spot[node];
            let shift = u32::from(self.grid.max_level() - spot.level);
            if fine >> shift == spot.coord() {
                return Some(node);
            }
            node = self.parent(node);
            if node.is_none() {
                return None;
            }
        }
    }

    /// Returns the finest cell that would contain `p`; `None` outside the box of roots.
    #[inline]
    fn finest_coord(&self, p: DVec3) -> Option<IVec3> {
        let low = self.grid.first_cell();
        let extent = self.grid.dims() << u32::from(self.grid.max_level());
        let above = self.grid.to_lattice(p) * 0.5 - low.as_dvec3();
        // Not negative, so that truncation rounds down; NaN fails the comparison.
        let is_in = above.cmpge(DVec3::ZERO).all() && above.cmplt(extent.as_dvec3()).all();
        is_in.then(|| low + above.as_ivec3())
    }

    /// Returns the finest cell of the box of roots that is nearest to `p`.
    #[inline]
    fn nearest_finest_coord(&self, p: DVec3) -> IVec3 {
        let low = self.grid.first_cell();
        let high = (self.grid.min() + self.grid.dims()) << u32::from(self.grid.max_level());
        // Not negative, so that truncation rounds down.
        let above = (self.grid.to_lattice(p) * 0.5 - low.as_dvec3()).max(DVec3::ZERO);
        (low + above.as_ivec3()).min(high - 1)
    }

    #[inline]
    fn descend(&self, mut node: TreeId, fine: IVec3) -> CellId {
        let mut shift = u32::from(self.grid.max_level() - self.spot[node].level);
        loop {
            let link = self.link[node];
            if link.is_leaf() {
                return CellId(link.0 & !Link::LEAF);
            }
            shift -= 1;
            node = TreeId(link.0 + octant((fine >> shift) & 1) as u32);
        }
    }
}
