//! The box of root cells, and the whole-number lattice that all places of a tree lie on.

use crate::scene::Domain;
use glam::{DVec3, IVec3};

/// A point of the tree in half edges of the finest cell, from the grid's origin.
pub type Lattice = IVec3;

/// A point in or near the box in 12 bytes: whole numbers of an equal share of the finest cell, small enough
/// that the box's longest side has 2²⁹ of them or more. Corners and centers of cells are exact, and so are
/// mirror images.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place(pub [i32; 3]);

/// Bits for the longest side of the box in a [`Place`]; those left are for points outside.
const PLACE_BITS: u32 = 30;

/// A box of root cells with signed coordinates; some of them may be absent.
#[derive(Clone, Debug, PartialEq)]
pub struct RootGrid {
    origin: DVec3,
    dx: f64,
    levels: u8,
    min: IVec3,
    dims: IVec3,
    /// What a [`Place`] counts.
    unit: f64,
    /// Roots in Morton order.
    roots: Vec<IVec3>,
    /// The place of each root in `roots`, or `u32::MAX`; x runs fastest.
    slot: Vec<u32>,
}

impl RootGrid {
    /// The roots `present` says yes to among those from `min` to below `min + dims`. The point `origin` is
    /// the low corner of root (0, 0, 0), `dx` the edge of the finest cells, and a root spans `2^levels` of
    /// them.
    pub fn new(
        origin: DVec3,
        dx: f64,
        levels: u8,
        min: IVec3,
        dims: IVec3,
        present: impl Fn(IVec3) -> bool,
    ) -> Self {
        debug_assert!(dx > 0.0 && dims.min_element() > 0 && levels < 15);
        let fits = |c: IVec3| (c << u32::from(levels)).abs().max_element() <= i32::from(i16::MAX) + 1;
        debug_assert!(fits(min) && fits(min + dims), "coordinates of finest cells have 16 bits");
        debug_assert!(
            (dims << u32::from(levels)).max_element() <= i32::from(u16::MAX),
            "and so have corners"
        );
        let n = dims.x as usize * dims.y as usize * dims.z as usize;
        let mut roots = Vec::with_capacity(n);
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
        roots.sort_by_cached_key(|&c| morton((c - min).to_array()));
        let cells = (dims.max_element() as u32) << levels;
        let unit = dx / f64::from(1u32 << (PLACE_BITS - cells.next_power_of_two().ilog2()));
        let mut grid = Self { origin, dx, levels, min, dims, unit, roots, slot: vec![u32::MAX; n] };
        for i in 0..grid.roots.len() {
            let at = grid.slot_index(grid.roots[i]);
            grid.slot[at] = i as u32;
        }
        grid
    }

    /// All roots of a scene's domain.
    pub fn from_domain(domain: &Domain) -> Self {
        let dx = domain.dx();
        let root = dx * f64::from(1u32 << domain.levels);
        let dims = (domain.size / root).round().as_ivec3().max(IVec3::ONE);
        Self::new(domain.origin, dx, domain.levels, IVec3::ZERO, dims, |_| true)
    }

    fn slot_index(&self, root: IVec3) -> usize {
        let o = root - self.min;
        (o.x + self.dims.x * (o.y + self.dims.y * o.z)) as usize
    }

    /// The number of a root in Morton order, if it is there.
    #[inline]
    pub fn root_at(&self, root: IVec3) -> Option<u32> {
        let o = root - self.min;
        if o.cmplt(IVec3::ZERO).any() || o.cmpge(self.dims).any() {
            return None;
        }
        let s = self.slot[self.slot_index(root)];
        (s != u32::MAX).then_some(s)
    }

    /// The roots in Morton order.
    #[inline]
    pub fn roots(&self) -> &[IVec3] {
        &self.roots
    }

    /// The lowest root coordinates of the box.
    #[inline]
    pub fn min(&self) -> IVec3 {
        self.min
    }

    /// How many roots the box holds along each axis.
    #[inline]
    pub fn dims(&self) -> IVec3 {
        self.dims
    }

    /// The finest level: a root is level 0.
    #[inline]
    pub fn max_level(&self) -> u8 {
        self.levels
    }

    /// Edge length of a cell of `level`.
    #[inline]
    pub fn cell_size(&self, level: u8) -> f64 {
        self.dx * f64::from(1u32 << (self.levels - level))
    }

    /// Edge length of the finest cells.
    #[inline]
    pub fn dx(&self) -> f64 {
        self.dx
    }

    /// The corner of the box with the smallest coordinates.
    #[inline]
    pub fn low(&self) -> DVec3 {
        self.origin + self.min.as_dvec3() * self.cell_size(0)
    }

    /// The corner of the box with the largest coordinates.
    #[inline]
    pub fn high(&self) -> DVec3 {
        self.origin + (self.min + self.dims).as_dvec3() * self.cell_size(0)
    }

    /// The finest cell with the smallest coordinates.
    #[inline]
    pub fn first_cell(&self) -> IVec3 {
        self.min << u32::from(self.levels)
    }

    /// Whether a point is in the box of roots.
    #[inline]
    pub fn holds(&self, p: DVec3) -> bool {
        p.cmpge(self.low()).all() && p.cmple(self.high()).all()
    }

    /// The place of a lattice point.
    #[inline]
    pub fn position(&self, p: Lattice) -> DVec3 {
        self.origin + p.as_dvec3() * (0.5 * self.dx)
    }

    /// The nearest place to a point; one that is far outside, or none, is moved to the last.
    #[inline]
    pub fn place(&self, p: DVec3) -> Place {
        // The conversion limits what is too large, and makes zero of what is not a number.
        Place(((p - self.low()) / self.unit).round().to_array().map(|v| v as i32))
    }

    /// The point at a place.
    #[inline]
    pub fn point(&self, place: Place) -> DVec3 {
        self.low() + self.unit * IVec3::from_array(place.0).as_dvec3()
    }

    /// What tells grids apart: origin, finest edge, levels and size.
    pub fn to_numbers(&self) -> [f64; 8] {
        let low = self.low();
        let [x, y, z] = self.dims.to_array().map(f64::from);
        [low.x, low.y, low.z, self.dx, f64::from(self.levels), x, y, z]
    }

    /// Half edges of the finest cell from the origin, not rounded.
    #[inline]
    pub fn to_lattice(&self, p: DVec3) -> DVec3 {
        (p - self.origin) * (2.0 / self.dx)
    }
}

/// Interleaves the bits of three coordinates, x lowest. Coordinates are below 2^21.
fn morton(c: [i32; 3]) -> u64 {
    let spread = |v: i32| {
        let mut v = v as u64 & 0x1f_ffff;
        v = (v | v << 32) & 0x1f_0000_0000_ffff;
        v = (v | v << 16) & 0x1f_0000_ff00_00ff;
        v = (v | v << 8) & 0x100f_00f0_0f00_f00f;
        v = (v | v << 4) & 0x10c3_0c30_c30c_30c3;
        (v | v << 2) & 0x1249_2492_4924_9249
    };
    spread(c[0]) | spread(c[1]) << 1 | spread(c[2]) << 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_near_exact_on_the_lattice_and_mirror() {
        let grid =
            RootGrid::new(DVec3::new(-3.0, 0.5, 1.0), 0.1, 4, IVec3::ZERO, IVec3::new(20, 3, 7), |_| true);
        let (low, high) = (grid.low(), grid.high());
        // 320 cells have 9 bits, so a cell has 2²¹ places.
        let near = 0.1 / f64::from(1 << 21);
        for p in [low, high, low - 7.0, high + 9.0, low.lerp(high, 0.1234567)] {
            let back = grid.point(grid.place(p));
            assert!((back - p).abs().max_element() < 0.51 * near, "{p} {back}");
            let mirrored = grid.point(grid.place(low + high - p));
            assert!((low + high - mirrored - back).abs().max_element() < 1e-12);
        }
        let center = grid.position(Lattice::new(3, 5, 7));
        assert_eq!(grid.point(grid.place(center)), center);
        // Far outside is outside, and nothing wraps around.
        let far = grid.point(grid.place(DVec3::new(1e30, f64::NEG_INFINITY, f64::NAN)));
        assert!(far.x > high.x && far.y < low.y && far.is_finite());
    }
}
