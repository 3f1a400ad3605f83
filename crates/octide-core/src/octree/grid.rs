//! The root cells, and the integer lattice on which all positions of a tree lie.

mod error;
mod root_index;
#[cfg(test)]
mod tests;

pub use error::GridError;

use glam::{DVec3, IVec3};
use root_index::RootIndex;

/// A point of the tree in half edges of the finest cell, from the grid's origin.
pub type Lattice = IVec3;

/// A point in or near the roots' bounding box in 12 bytes. Its coordinates are integer multiples of a
/// fraction of the finest cell, small enough that the box's longest side has at least 2²⁹ of them. Corners
/// and centers of cells are exact, and so are mirror images.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place(pub [i32; 3]);

/// Bits for the longest side of the box in a [`Place`]; the remaining bits are for points outside.
const PLACE_BITS: u32 = 30;

/// The root cells of a tree: a set of equal cubes with signed coordinates, and their bounding box.
///
/// The set may be a full box ([`RootGrid::new`], the usual domain), a box with holes, or any scattered set
/// ([`RootGrid::from_roots`], for trees without a fixed domain). Memory is proportional to the number of
/// roots, not to the size of their bounding box. Absent roots have no cells: a face or a corner next to one
/// looks the same as one at the side of a box.
#[derive(Clone, Debug, PartialEq)]
pub struct RootGrid {
    origin: DVec3,
    dx: f64,
    /// Lattice units per meter.
    per_meter: f64,
    levels: u8,
    min: IVec3,
    dims: IVec3,
    /// Length of one step of a [`Place`].
    unit: f64,
    /// Whether all roots of the box are present.
    is_full: bool,
    /// Roots in Morton order.
    roots: Vec<IVec3>,
    index: RootIndex,
}

impl RootGrid {
    /// Creates a grid of those roots from `min` to below `min + dims` for which `present` returns true. The
    /// point `origin` is the low corner of root (0, 0, 0), `dx` is the edge length of the finest cells, and a
    /// root spans `2^levels` of them.
    ///
    /// The box must pass [`RootGrid::check_box`].
    pub fn new(
        origin: DVec3,
        dx: f64,
        levels: u8,
        min: IVec3,
        dims: IVec3,
        present: impl Fn(IVec3) -> bool,
    ) -> Self {
        debug_assert!(dx > 0.0 && dims.min_element() > 0);
        debug_assert_eq!(Self::check_box(levels, min, dims), Ok(()));
        let mut roots = Vec::new();
        for z in 0..dims.z {
            for y in 0..dims.y {
                for x in 0..dims.x {
                    let coord = min + IVec3::new(x, y, z);
                    if present(coord) {
                        roots.push(coord);
                    }
                }
            }
        }
        Self::with_box(origin, dx, levels, (min, dims), roots)
    }

    /// Creates a grid of the given roots, which may lie anywhere, negative coordinates included; duplicates
    /// count once. The box of the grid is the smallest that holds them all.
    ///
    /// ```
    /// use octide_core::octree::{Grading, Octree, RootGrid};
    /// use octide_core::{DVec3, IVec3};
    ///
    /// // Two pools far apart; a root spans 2³ finest cells of 0.125 m, so that it is a cube of 1 m.
    /// let roots = [[0, 0, 0], [1, 0, 0], [-900, 2, 700]].map(IVec3::from);
    /// let grid = RootGrid::from_roots(DVec3::ZERO, 0.125, 3, roots)?;
    /// let tree = Octree::build(&grid, Grading::Graded, |cell| cell.center.x < 0.0);
    ///
    /// assert_eq!(tree.n_cells(), 1 + 1 + 8 * 8 * 8);
    /// let pool = tree.locate(DVec3::new(-899.5, 2.5, 700.5)).unwrap();
    /// assert_eq!(tree.size(pool), 0.125);
    /// // Nothing lies between the pools.
    /// assert_eq!(tree.locate(DVec3::new(-400.0, 2.5, 300.0)), None);
    /// # Ok::<(), octide_core::octree::GridError>(())
    /// ```
    pub fn from_roots(
        origin: DVec3,
        dx: f64,
        levels: u8,
        roots: impl IntoIterator<Item = IVec3>,
    ) -> Result<Self, GridError> {
        let roots: Vec<IVec3> = roots.into_iter().collect();
        let Some(&first) = roots.first() else {
            return Ok(Self::with_box(origin, dx, levels, (IVec3::ZERO, IVec3::ZERO), roots));
        };
        let (low, high) = roots.iter().fold((first, first), |(low, high), &c| (low.min(c), high.max(c)));
        error::check_range(levels, low, high)?;
        error::check_count(roots.len())?;
        Ok(Self::with_box(origin, dx, levels, (low, high + 1 - low), roots))
    }

    /// Returns an error if a full box of roots cannot be addressed.
    pub fn check_box(levels: u8, min: IVec3, dims: IVec3) -> Result<(), GridError> {
        error::check_range(levels, min, min.saturating_add(dims) - 1)?;
        error::check_count(dims.to_array().iter().map(|&n| n as usize).product())
    }

    fn with_box(
        origin: DVec3,
        dx: f64,
        levels: u8,
        (min, dims): (IVec3, IVec3),
        mut roots: Vec<IVec3>,
    ) -> Self {
        roots.sort_by_cached_key(|&c| root_index::morton(c));
        roots.dedup();
        let cells = (dims.max_element() as u32) << levels;
        let unit = dx / f64::from(1u32 << (PLACE_BITS - cells.next_power_of_two().ilog2()));
        let n_places: usize = dims.to_array().iter().map(|&n| n as usize).product();
        let index = RootIndex::new(min, dims, &roots);
        let per_meter = 2.0 / dx;
        Self {
            origin,
            dx,
            per_meter,
            levels,
            min,
            dims,
            unit,
            is_full: roots.len() == n_places,
            roots,
            index,
        }
    }

    /// Returns the number of a root in Morton order, if it is present.
    #[inline]
    pub fn root_at(&self, root: IVec3) -> Option<u32> {
        // Below the box the difference is negative, and as an unsigned number larger than any box.
        let offset = (root - self.min).as_uvec3();
        let dims = self.dims.as_uvec3();
        if offset.x >= dims.x || offset.y >= dims.y || offset.z >= dims.z {
            return None;
        }
        self.index.find(root, offset, dims)
    }

    /// Returns whether all roots of the box are present.
    #[inline]
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// Returns the roots in Morton order.
    #[inline]
    pub fn roots(&self) -> &[IVec3] {
        &self.roots
    }

    /// Returns the lowest root coordinates of the box.
    #[inline]
    pub fn min(&self) -> IVec3 {
        self.min
    }

    /// Returns how many roots the box holds along each axis.
    #[inline]
    pub fn dims(&self) -> IVec3 {
        self.dims
    }

    /// Returns the finest level: a root is level 0.
    #[inline]
    pub fn max_level(&self) -> u8 {
        self.levels
    }

    /// Returns the edge length of a cell of `level`.
    #[inline]
    pub fn cell_size(&self, level: u8) -> f64 {
        self.dx * f64::from(1u32 << (self.levels - level))
    }

    /// Returns the edge length of the finest cells.
    #[inline]
    pub fn dx(&self) -> f64 {
        self.dx
    }

    /// Returns the corner of the box with the smallest coordinates.
    #[inline]
    pub fn low(&self) -> DVec3 {
        self.origin + self.min.as_dvec3() * self.cell_size(0)
    }

    /// Returns the corner of the box with the largest coordinates.
    #[inline]
    pub fn high(&self) -> DVec3 {
        self.origin + (self.min + self.dims).as_dvec3() * self.cell_size(0)
    }

    /// Returns the finest cell of the box with the smallest coordinates.
    #[inline]
    pub fn first_cell(&self) -> IVec3 {
        self.min << u32::from(self.levels)
    }

    /// Returns whether a point is in the box of roots, its sides included. The box may have holes; see
    /// [`Octree::locate`](super::Octree::locate).
    #[inline]
    pub fn holds(&self, p: DVec3) -> bool {
        p.cmpge(self.low()).all() && p.cmple(self.high()).all()
    }

    /// Returns the position of a lattice point.
    #[inline]
    pub fn position(&self, p: Lattice) -> DVec3 {
        self.origin + p.as_dvec3() * (0.5 * self.dx)
    }

    /// Returns the place nearest to a point. A point too far outside is moved to the last place that can be
    /// represented; a coordinate that is NaN becomes zero.
    #[inline]
    pub fn place(&self, p: DVec3) -> Place {
        // The conversion saturates, and converts NaN to zero.
        Place(((p - self.low()) / self.unit).round().to_array().map(|v| v as i32))
    }

    /// Returns the point at a place.
    #[inline]
    pub fn point(&self, place: Place) -> DVec3 {
        self.low() + self.unit * IVec3::from_array(place.0).as_dvec3()
    }

    /// Returns the numbers that identify a box: low corner, finest edge, levels and number of roots along
    /// each axis.
    pub fn to_numbers(&self) -> [f64; 8] {
        let low = self.low();
        let [x, y, z] = self.dims.to_array().map(f64::from);
        [low.x, low.y, low.z, self.dx, f64::from(self.levels), x, y, z]
    }

    /// Returns lattice coordinates without rounding: half edges of the finest cell from the origin.
    #[inline]
    pub fn to_lattice(&self, p: DVec3) -> DVec3 {
        (p - self.origin) * self.per_meter
    }

    /// Returns the present root nearest to a finest cell, and the nearest finest cell inside that root. Among
    /// equally near roots, the first in Morton order is chosen. `None` if there are no roots.
    #[cold]
    pub(super) fn nearest_root(&self, fine: IVec3) -> Option<(u32, IVec3)> {
        let span = (1 << self.levels) - 1;
        let moved =
            |root: IVec3| fine.clamp(root << u32::from(self.levels), (root << u32::from(self.levels)) + span);
        let distance = |i: &u32| (moved(self.roots[*i as usize]) - fine).as_i64vec3().length_squared();
        let nearest = (0..self.roots.len() as u32).min_by_key(distance)?;
        Some((nearest, moved(self.roots[nearest as usize])))
    }
}
