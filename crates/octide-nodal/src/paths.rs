//! Paths of fluid through the old velocity: back in time by the midpoint rule, on one side of thin walls.

use crate::mesh::Mesh;
use glam::DVec3;
use octide_core::index::{CellId, Field, NodeId};
use octide_core::octree::CellCorners;
use octide_core::octree::nodal::{self, Vector, vector_in};
use octide_core::solids::Barriers;

/// Paths that end outside the domain by less than this fraction of a finest cell slide along its side.
const SLIDE_TOLERANCE: f64 = 1e-6;

/// A velocity at the corners of the old mesh, and the walls that nothing crosses.
#[derive(Debug)]
pub struct Paths<'a, V> {
    /// The velocity.
    pub velocity: &'a Field<NodeId, V>,
    /// Thin walls; `None` if there are none.
    pub barriers: Option<&'a Barriers>,
}

impl<V> Clone for Paths<'_, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V> Copy for Paths<'_, V> {}

/// The end of a path.
pub struct End {
    /// The leaf that contains it.
    pub cell: CellId,
    /// The position, inside the domain.
    pub place: DVec3,
    /// Whether the path leaves the domain; `place` is then clamped to the boundary.
    pub is_outside: bool,
}

impl<'a, V: Vector> Paths<'a, V> {
    /// Creates paths without thin walls.
    pub fn free(velocity: &'a Field<NodeId, V>) -> Self {
        Self { velocity, barriers: None }
    }

    /// Returns where the fluid at `x` was `dt` ago.
    #[inline]
    pub fn end<F>(&self, mesh: &Mesh<F, impl CellCorners>, x: DVec3, dt: f64) -> End {
        let (tree, grid) = (&mesh.tree, mesh.tree.grid());
        let velocity = |cell: CellId, p: DVec3| vector_in(tree, &mesh.nodes, self.velocity, cell, p);
        let inside = |p: DVec3| p.clamp(grid.low(), grid.high());
        let cell = tree.nearest_leaf(x);
        let half = inside(x - 0.5 * dt * velocity(cell, x));
        let cell = tree.nearest_leaf_from(cell, half);
        let end = self.stopped(mesh, x, x - dt * velocity(cell, half), dt);
        let place = inside(end);
        let is_outside = (end - place).abs().max_element() > SLIDE_TOLERANCE * grid.dx();
        End { cell: tree.nearest_leaf_from(cell, place), place, is_outside }
    }

    /// Returns where the fluid at `x` was `dt` ago, which may be outside the domain.
    #[inline]
    pub fn foot<F>(&self, mesh: &Mesh<F, impl CellCorners>, x: DVec3, dt: f64) -> DVec3 {
        self.stopped(mesh, x, nodal::trace_back(&mesh.tree, &mesh.nodes, self.velocity, x, dt), dt)
    }

    #[inline]
    fn stopped<F, N>(&self, mesh: &Mesh<F, N>, x: DVec3, foot: DVec3, dt: f64) -> DVec3 {
        match self.barriers {
            Some(barriers) if dt < 0.0 => barriers.stop_after(&mesh.tree, x, foot),
            Some(barriers) => barriers.stop_back(&mesh.tree, x, foot),
            None => foot,
        }
    }
}
