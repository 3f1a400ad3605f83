//! The cells of a grid beside the surface of solids: those inside, and their fronts outside.

use super::super::{Apertures, FaceGeometry, FaceTable};
use crate::detach::SOLID_DEPTH_CELLS;
use crate::index::{CellId, FaceId, Field};
use crate::octree::Octree;
use crate::solids::Solids;
use glam::DVec3;

/// Water whose surface is nearer to the center of its cell than this fraction of an edge is a film.
const FILM: f64 = 0.1;

/// The most cells beside a face: a large one, and four small ones where a T-junction is merged.
pub(super) const MOST_BESIDE: usize = 5;

/// The grid and the solids on it.
pub struct Walled<'a, M> {
    /// The grid.
    pub mesh: &'a M,
    /// How solids close its faces.
    pub apertures: &'a Apertures,
    /// The solids.
    pub solids: &'a Solids,
}

/// A cell outside a solid next to one inside.
pub struct Front {
    /// The cell.
    pub cell: CellId,
    /// The face between the two.
    pub face: FaceId,
    /// The direction from the cell inside to the cell outside, 0 to 5.
    pub direction: usize,
    /// The same as a unit vector.
    pub normal: DVec3,
}

impl<M> Clone for Walled<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Walled<'_, M> {}

impl<'a, M: FaceGeometry> Walled<'a, M> {
    pub(super) fn tree(self) -> &'a Octree {
        self.mesh.tree()
    }

    /// Returns whether a cell is inside a solid, not deeper than φ is extended.
    pub(super) fn is_in_wall(self, cell: CellId) -> bool {
        let depth = -self.apertures.solid_distance(cell);
        depth > 0.0 && depth <= SOLID_DEPTH_CELLS * self.tree().size(cell)
    }

    /// Returns the neighbor of a cell in one of six directions, the face toward it, and the direction.
    pub(super) fn neighbor(self, cell: CellId, direction: usize) -> Front {
        let tree = self.tree();
        let mut normal = DVec3::ZERO;
        normal[direction / 2] = if direction & 1 == 1 { 1.0 } else { -1.0 };
        let beyond = tree.neighbor(tree.node_of(cell), direction);
        let near = if beyond.is_some() && tree.is_leaf(beyond) {
            tree.leaf_of(beyond)
        } else {
            tree.nearest_leaf_from(cell, tree.center(cell) + tree.size(cell) * normal)
        };
        let faces = self.mesh.faces().of_cell_toward(cell, direction);
        let touches = |k: FaceId| {
            let mut touches = false;
            self.mesh.faces().for_cells_beside(tree, k, |c, _| touches |= c == near);
            touches
        };
        let face = if faces.len() == 1 { None } else { faces.iter().copied().find(|&k| touches(k)) };
        Front { cell: near, face: face.unwrap_or(faces[0]), direction, normal }
    }

    /// Returns the cells outside solids next to a cell inside.
    pub fn fronts(self, cell: CellId) -> impl Iterator<Item = Front> + use<'a, M> {
        (0..6)
            .map(move |d| self.neighbor(cell, d))
            .filter(move |f| self.apertures.solid_distance(f.cell) >= 0.0)
    }

    /// Returns the width of the gap between the wall and the water in a front.
    pub(super) fn gap(self, phi: &Field<CellId, f64>, front: CellId) -> f64 {
        (phi[front] + self.apertures.solid_distance(front)).max(0.0)
    }

    /// Returns whether the water in a cell is more than a film: only then its pressure says something.
    pub(super) fn is_deep(self, phi: &Field<CellId, f64>, cell: CellId) -> bool {
        phi[cell] < -FILM * self.tree().size(cell)
    }

    /// Writes the cells beside a face to `all`, and whether they are on its high side; returns how many they are.
    pub(super) fn beside(self, face: FaceId, all: &mut [(CellId, bool); MOST_BESIDE]) -> usize {
        let mut n = 0;
        self.mesh.faces().for_cells_beside(self.tree(), face, |c, is_high| {
            all[n] = (c, is_high);
            n += 1;
        });
        n
    }
}
