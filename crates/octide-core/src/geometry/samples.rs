//! Samples of a body's distance in its own frame, taken where queries need them and kept for the whole run.
//!
//! The distance to a mesh or to blended ellipsoids takes up to a microsecond, and a step asks for it many times
//! per cell. Samples on a lattice answer most queries by interpolation, for bodies at rest as well as for
//! moving ones, since a body does not change in its own frame.
//!
//! Space around the body is divided into blocks of 4 × 4 × 4 finest cells; the blocks double their size with
//! every doubling of the distance from the body's bounding box. A block is filled by the first query in it. Its
//! samples are a function of its place alone, so that the values do not depend on the order of queries or on
//! the number of threads.
//!
//! Far from the surface, a block has samples at every second cell; near it, at every cell or at every half cell.
//! The interpolation is cubic along each axis. It is compared with every second sample left out; where it misses
//! one of those near the surface, or where the gradient changes too quickly there, samples are taken more
//! densely, and in the end queries get the exact distance: at creases, in thin walls and between walls that are
//! close ([`block`]).
//!
//! Up to two finest cells from the surface, the error is below a tenth of a cell; farther away it is below a
//! tenth of the distance. The samples of a body at rest include the centers and corners of all cells near its
//! surface, where the distance is exact but for its rounding to 32 bits.

mod block;
mod shortfall;
#[cfg(test)]
mod tests;
mod thick;

use super::Shape;
use block::Block;
use glam::{DVec3, UVec3};
use shortfall::ShortfallBlocks;
use std::sync::OnceLock;
pub use thick::Build;
use thick::ThickBlocks;

/// Edge of a block of the finest level, in finest cells.
const BLOCK_CELLS: f64 = 4.0;
/// Width of the layer of blocks of each level around the bounding box, in blocks.
const MARGIN: f64 = 4.0;
/// Number of levels: the largest blocks are 2⁷ times as long as the finest.
const LEVELS: usize = 8;
/// Blocks along an edge of a page.
const PAGE: u32 = 4;
/// Maximum number of pages of a level. Bodies that need more are not sampled.
const MAX_PAGES: usize = 1 << 18;
/// Meshes with fewer triangles are not sampled: their exact distance takes no longer.
const MIN_TRIANGLES: usize = 32;
/// Smaller bodies, in finest cells, are not sampled: there may be many, and each would hold some blocks.
const MIN_EXTENT_CELLS: f64 = 8.0;

/// Distances are asked for up to this many finest cells beyond the grid.
const BEYOND_WALLS: f64 = 4.0;

/// Bytes of samples per finest cell on the bounding box of a mesh. Measured 310 to 420 for figures.
const BYTES_PER_CELL_MESH: f64 = 400.0;
/// The same for smooth shapes, whose samples are less dense.
const BYTES_PER_CELL_SMOOTH: f64 = 100.0;

/// How far interpolation between every second sample may miss the ones between, in edges of the finest blocks. The
/// interpolation between all samples has at most half that error at a kink, and a sixteenth where the distance is
/// smooth.
const MAX_MISS: f64 = 0.02;

/// Relative tolerance of bounds, far above rounding errors.
const BOUND_SLACK: f64 = 1e-12;

/// The grid that samples are taken for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SampleGrid {
    /// Edge of the finest cells.
    pub dx: f64,
    /// The box of the grid, if the body's frame does not move.
    pub bounds: Option<(DVec3, DVec3)>,
}

/// Samples around a body.
pub struct Samples {
    /// The bounding box of the body, or the part of it that is asked for.
    low: DVec3,
    high: DVec3,
    /// A box that is nowhere farther than the body.
    bounds: Option<(DVec3, DVec3)>,
    /// A corner of blocks of all levels.
    anchor: DVec3,
    /// Edge of the finest blocks.
    edge: f64,
    levels: Levels,
    /// How thick the body is, for cells of each level.
    thick: [OnceLock<ThickBlocks>; LEVELS],
    /// How much it must be thickened for finest cells.
    shortfall: OnceLock<ShortfallBlocks>,
}

/// Levels, each made by the first query in it; `None` if it would be too large.
type Levels = [OnceLock<Option<Box<Level>>>; LEVELS];

/// Blocks of one size.
struct Level {
    low: DVec3,
    edge: f64,
    n_blocks: UVec3,
    n_pages: UVec3,
    pages: Box<[OnceLock<Page>]>,
}

type Page = Box<[OnceLock<Block>]>;

impl Samples {
    /// Prepares samples of a shape for a grid with finest cells of edge `dx`; none are taken yet. If the shape
    /// does not move, `grid` is the box of the grid. Returns `None` for shapes whose exact distance is cheap, and
    /// for those that are unbounded or small.
    pub fn new(shape: &Shape, dx: f64, grid: Option<(DVec3, DVec3)>) -> Option<Self> {
        if !is_worthwhile(shape) {
            return None;
        }
        let (mut low, mut high) = shape.bounds()?;
        let mut anchor = low;
        if let Some((min, max)) = grid {
            let margin = BEYOND_WALLS * dx;
            (low, high) = (low.clamp(min - margin, max + margin), high.clamp(min - margin, max + margin));
            anchor = min;
        }
        let is_large = (high - low).max_element() >= MIN_EXTENT_CELLS * dx;
        let levels = std::array::from_fn(|_| OnceLock::new());
        let thick = std::array::from_fn(|_| OnceLock::new());
        let (bounds, edge) = (shape.distance_box(), BLOCK_CELLS * dx);
        let shortfall = OnceLock::new();
        is_large.then_some(Self { low, high, bounds, anchor, edge, levels, thick, shortfall })
    }

    /// Returns the signed distance from `p` to the shape that the samples were made for.
    pub fn distance(&self, shape: &Shape, p: DVec3) -> f64 {
        self.interpolate(shape, p).unwrap_or_else(|| shape.distance(p))
    }

    /// Returns the gradient of this distance; it is not a unit vector.
    pub fn gradient(&self, shape: &Shape, p: DVec3) -> DVec3 {
        self.smooth_gradient(shape, p).unwrap_or_else(|| shape.distance_and_gradient(p).1)
    }

    /// Returns the same where the distance is interpolated, away from creases.
    pub fn smooth_gradient(&self, shape: &Shape, p: DVec3) -> Option<DVec3> {
        self.with_block(shape, p, |block, q, edge| Some(block.gradient(q)? / edge))
    }

    /// Returns how thick the body is near `p`, on cells of edge `h`: `measure` is asked at points of the block around
    /// `p` once, and the least answer is kept. Where nothing is known, it is thin.
    pub fn build(&self, p: DVec3, h: f64, measure: impl Fn(DVec3) -> Build) -> Build {
        let ratio = BLOCK_CELLS * h / self.edge;
        let level = if ratio == 1.0 { 0.0 } else { ratio.log2().round() };
        let Some(blocks) = (level >= 0.0).then(|| self.thick.get(level as usize)).flatten() else {
            return Build::Thin;
        };
        let new = || ThickBlocks::new(self.low, self.high, self.edge * level.exp2());
        blocks.get_or_init(new).build(p, measure)
    }

    /// Returns how much the body must be thickened at `p` for cells of edge `dx`: interpolated between what `measure`
    /// finds at their corners, or `None` where it must be measured. Samples are kept for finest cells only.
    pub fn shortfall(&self, p: DVec3, dx: f64, measure: impl Fn(DVec3) -> f64) -> Option<f64> {
        if BLOCK_CELLS * dx != self.edge {
            return None;
        }
        let new = || ShortfallBlocks::new(self.low, self.high, self.edge);
        self.shortfall.get_or_init(new).value(p, measure)
    }

    /// Returns whether all of the body is farther from `p` than `limit`, as its bounding box shows.
    pub fn is_beyond(&self, p: DVec3, limit: f64) -> bool {
        let Some((low, high)) = self.bounds else { return false };
        let d2 = (low - p).max(p - high).max(DVec3::ZERO).length_squared();
        limit >= 0.0 && d2 > limit * limit * (1.0 + BOUND_SLACK) + BOUND_SLACK * p.length_squared()
    }

    /// Returns the interpolated distance, unless it must be computed exactly.
    #[inline]
    fn interpolate(&self, shape: &Shape, p: DVec3) -> Option<f64> {
        self.with_block(shape, p, |block, q, _| block.interpolate(q))
    }

    /// Returns what `f` finds at a place in a block with a given edge, unless it must be computed exactly.
    #[inline]
    fn with_block<T>(
        &self,
        shape: &Shape,
        p: DVec3,
        f: impl Fn(&Block, DVec3, f64) -> Option<T>,
    ) -> Option<T> {
        let exact = &|x| shape.distance(x);
        let beside = (self.low - p).max(p - self.high).max_element();
        let mut edge = self.edge;
        for level in &self.levels {
            if beside < MARGIN * edge {
                let level = level.get_or_init(|| self.new_level(edge).map(Box::new));
                let (block, q) = level.as_ref()?.block(p, exact)?;
                return f(block, q, edge);
            }
            edge *= 2.0;
        }
        None
    }

    fn new_level(&self, edge: f64) -> Option<Level> {
        // One more block on each side, so that rounding does not lead out of the table.
        let low = ((self.low - self.anchor) / edge).floor() - (MARGIN + 1.0);
        let n_blocks = ((self.high - self.anchor) / edge).ceil() + (MARGIN + 1.0) - low;
        let n_pages = (n_blocks / f64::from(PAGE)).ceil();
        if n_pages.element_product() > MAX_PAGES as f64 {
            return None;
        }
        let (n_blocks, n_pages) = (n_blocks.as_uvec3(), n_pages.as_uvec3());
        let pages = (0..n_pages.element_product()).map(|_| OnceLock::new()).collect();
        Some(Level { low: self.anchor + edge * low, edge, n_blocks, n_pages, pages })
    }

    /// Returns the number of bytes that will be held once all samples near the surface are taken, by the area of
    /// the bounding box.
    pub fn forecast_bytes(&self, shape: &Shape) -> u64 {
        let d = self.high - self.low;
        let cells = 2.0 * (d.x * d.y + d.y * d.z + d.z * d.x) / (self.edge / BLOCK_CELLS).powi(2);
        let each = if shape.has_mesh() { BYTES_PER_CELL_MESH } else { BYTES_PER_CELL_SMOOTH };
        (each * cells) as u64
    }

    /// Returns the number of bytes held.
    pub fn bytes(&self) -> usize {
        let of_level = |l: &Level| {
            let pages = l.pages.iter().filter_map(OnceLock::get);
            let of_page = |p: &Page| {
                size_of_val::<[_]>(p) + p.iter().filter_map(OnceLock::get).map(Block::bytes).sum::<usize>()
            };
            size_of_val::<[_]>(&l.pages) + pages.map(of_page).sum::<usize>()
        };
        let thick = self.thick.iter().filter_map(OnceLock::get).map(ThickBlocks::bytes).sum::<usize>();
        let shortfall = self.shortfall.get().map_or(0, ShortfallBlocks::bytes);
        shortfall
            + thick
            + self.levels.iter().filter_map(|l| l.get()?.as_deref()).map(of_level).sum::<usize>()
    }
}

impl std::fmt::Debug for Samples {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Samples").field("bytes", &self.bytes()).finish_non_exhaustive()
    }
}

impl Level {
    /// Returns the block around a point, filled by the function `exact`, and the position in it; `None` outside.
    #[inline]
    fn block(&self, p: DVec3, exact: &impl Fn(DVec3) -> f64) -> Option<(&Block, DVec3)> {
        let q = (p - self.low) / self.edge;
        let whole = q.floor();
        // Points that are no numbers are in no block.
        if !(whole.cmpge(DVec3::ZERO).all() && whole.cmplt(self.n_blocks.as_dvec3()).all()) {
            return None;
        }
        let at = whole.as_uvec3();
        let page = self.pages[index(at / PAGE, self.n_pages)]
            .get_or_init(|| (0..PAGE * PAGE * PAGE).map(|_| OnceLock::new()).collect());
        let block = page[index(at % PAGE, UVec3::splat(PAGE))].get_or_init(|| {
            let low = self.low + self.edge * whole;
            Block::new(|x| exact(low + self.edge * x), self.edge, MAX_MISS)
        });
        Some((block, q - whole))
    }
}

fn index(at: UVec3, n: UVec3) -> usize {
    ((at.z * n.y + at.y) * n.x + at.x) as usize
}

/// Returns whether interpolation is faster than the distance of a shape.
fn is_worthwhile(shape: &Shape) -> bool {
    match shape {
        Shape::Ellipsoid { .. } | Shape::SmoothUnion { .. } => true,
        Shape::Mesh(mesh) => mesh.sdf.mesh().triangles.len() >= MIN_TRIANGLES,
        Shape::Blend(_) => true,
        Shape::Union(shapes) | Shape::Intersection(shapes) => shapes.iter().any(is_worthwhile),
        Shape::Difference { of, minus } => is_worthwhile(of) || minus.iter().any(is_worthwhile),
        Shape::Transformed { shape, .. } => is_worthwhile(shape),
        Shape::Box { .. }
        | Shape::RoundedBox { .. }
        | Shape::Sphere { .. }
        | Shape::Cylinder { .. }
        | Shape::Capsule { .. }
        | Shape::Torus { .. }
        | Shape::Plane { .. } => false,
    }
}
