//! Refinement requests of the cells of the old tree.

use super::{IN, OUT};
use crate::mesh::Mesh;
use glam::{DVec3, IVec3};
use octide_core::index::{CellId, Field, NodeId};
use octide_core::octree::nodal::trilinear_gradient;
use octide_core::octree::{Refinement, RootGrid};
use octide_core::sizing::RefinementRequest;

/// A cell's refinement request.
#[derive(Clone, Copy, PartialEq)]
pub enum Request {
    /// The required cell size, at the position to which the cell is advected.
    Cells(RefinementRequest),
    /// The band around a piece of the surface.
    Band(Band),
}

/// The plane of the surface in a cell, at its future position.
#[derive(Clone, Copy, PartialEq)]
pub struct Band {
    /// The level of the cells that are refined for it.
    level: u8,
    at: DVec3,
    /// φ at `at`, and the unit normal.
    phi: f64,
    normal: DVec3,
}

impl Band {
    /// Creates the request of `cell`, whose center moves to `at`, for cells of the level `finest`.
    pub fn new(
        mesh: &Mesh,
        phi: &Field<NodeId, f64>,
        cell: CellId,
        here: f64,
        at: DVec3,
        finest: u8,
    ) -> Self {
        let v = mesh.nodes.of_cell(cell);
        let g = trilinear_gradient(|c| phi[v[c]], DVec3::splat(0.5), mesh.tree.size(cell));
        Self { level: finest - 1, at, phi: here, normal: g.normalize_or_zero() }
    }

    /// Refines the cells that the band around the plane enters, up to the band's width away from `at`.
    fn refine(&self, grid: &RootGrid, refinement: &mut Refinement) {
        let size = grid.cell_size(self.level);
        let width = 0.5 * size;
        let reach = IN * width;
        let low = refinement.coord_at(self.level, self.at - reach);
        let high = refinement.coord_at(self.level, self.at + reach);
        let half = 1 << (grid.max_level() - self.level);
        for z in low.z..=high.z {
            for y in low.y..=high.y {
                for x in low.x..=high.x {
                    let c = IVec3::new(x, y, z);
                    let way = grid.position(c * (2 * half) + half) - self.at;
                    let phi = self.phi + self.normal.dot(way);
                    // Half an edge more, so that cells that the band only touches are refined too.
                    let is_in = phi > -IN * width - 0.5 * size && phi < OUT * width + 0.5 * size;
                    if is_in && way.length() < reach + 0.5 * size {
                        refinement.refine(self.level, c);
                    }
                }
            }
        }
    }
}

impl From<RefinementRequest> for Request {
    #[inline]
    fn from(cells: RefinementRequest) -> Self {
        Self::Cells(cells)
    }
}

impl Request {
    /// Refines the requested cells.
    pub fn refine(&self, grid: &RootGrid, refinement: &mut Refinement) {
        match *self {
            Self::Band(ref band) => band.refine(grid, refinement),
            Self::Cells(cells) => cells.refine(refinement),
        }
    }
}
