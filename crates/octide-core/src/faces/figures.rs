//! Figures that methods with velocity on the faces of a tree report.

use crate::contract::{Figure, FigureKind};
use crate::index::CellId;
use crate::octree::Octree;
use crate::par;

/// Number of faces with a velocity.
pub const FACES: FigureKind = FigureKind { name: "faces", unit: "1", meaning: "faces that have a velocity" };

/// Number of T-junctions at the surface.
pub const CUT_T_FACES: FigureKind = FigureKind {
    name: "cut_t_faces",
    unit: "1",
    meaning: "faces between cells of different size with liquid on one side only",
};

/// Number of surface cells that are coarser than the finest level.
pub const COARSE_SURFACE_CELLS: FigureKind = FigureKind {
    name: "surface_cells_coarse",
    unit: "1",
    meaning: "surface cells that are coarser than the finest level",
};

/// Counts the surface cells of a tree that are coarser than the finest level.
pub fn coarse_surface_cells(tree: &Octree, is_surface: impl Fn(CellId) -> bool + Sync + Send) -> Figure {
    let finest = tree.grid().max_level();
    let is_coarse = |c: CellId| tree.level(c) < finest && is_surface(c);
    let n =
        par::reduce(tree.n_cells(), || 0, |n, i| n + usize::from(is_coarse(CellId(i as u32))), |a, b| a + b);
    COARSE_SURFACE_CELLS.count(n)
}
