//! Markers move with the flow, by the midpoint rule through the velocity at corners:
//!
//! ```text
//! x ← x + dt u(x + ½ dt u(x)).
//! ```
//!
//! They stay inside walls and outside solids, and leave through open sides.

use super::{LevelParticles, Marker, SMALLEST, Surroundings};
use crate::mesh::Mesh;
use glam::DVec3;
use octide_core::bins::Bins;
use octide_core::index::{CellId, Field, NodeId};
use octide_core::octree::nodal::sample_in;
use octide_core::par;

impl LevelParticles {
    /// Moves all for `dt` with the velocity at the corners of `old`, and sorts them into the leaves of `new`. Returns the
    /// volume of spray that left through open sides, in m³.
    pub fn advance(
        &mut self,
        old: &Mesh,
        corners: &Field<NodeId, DVec3>,
        new: &Mesh,
        around: &Surroundings<'_>,
        dt: f64,
    ) -> f64 {
        self.step = self.step.wrapping_add(1);
        let walls = Walls::new(new, around);
        let has_solids = !around.solids.is_empty();
        // Distances to solids change by no more than the way gone.
        let clear = if has_solids { self.clearance(old, around) } else { Field::default() };
        let margin = SMALLEST * old.tree.grid().dx();
        self.for_markers(old, |cell, m| {
            let from = m.position();
            let u = sample_in(&old.tree, &old.nodes, corners, cell, from);
            if u == DVec3::ZERO && !has_solids {
                return;
            }
            let half = walls.clamped(from + 0.5 * dt * u);
            let there = old.tree.locate_from(cell, half);
            let way = dt * sample_in(&old.tree, &old.nodes, corners, there, half);
            let mut x = from + way;
            if has_solids && clear[cell] < way.length() + margin {
                around.solids.push_out(&mut x, margin, margin);
            }
            m.x = walls.inside(x).0.as_vec3();
        });
        self.sort(new);
        self.fly(around, &walls, dt)
    }

    /// Sorts markers into the leaves of a mesh.
    pub(super) fn sort(&mut self, mesh: &Mesh) {
        let grid = mesh.tree.grid();
        let (low, high) = (grid.low(), grid.high());
        let place = par::map_index(self.markers.len(), |i| {
            let x = self.markers[i].position();
            let inside = x.cmpge(low).all() && x.cmple(high).all();
            if inside { mesh.tree.locate(x) } else { CellId::NONE }
        });
        self.bins = Bins::sort(&mut self.markers, place, mesh.n_cells());
    }

    /// How far a cell with markers is from solids, at least.
    fn clearance(&self, mesh: &Mesh, around: &Surroundings<'_>) -> Field<CellId, f64> {
        let reach = 0.5 * 3f64.sqrt();
        par::map(mesh.n_cells(), |c: CellId| {
            let markers: &[Marker] = self.of_cell(c);
            if markers.is_empty() {
                return f64::INFINITY;
            }
            around.solids.distance(mesh.tree.center(c)) - reach * mesh.tree.size(c)
        })
    }
}

/// The domain's box, a little smaller where it is closed.
pub(super) struct Walls {
    low: DVec3,
    high: DVec3,
    open: [bool; 6],
}

impl Walls {
    fn new(mesh: &Mesh, around: &Surroundings<'_>) -> Self {
        let grid = mesh.tree.grid();
        let margin = SMALLEST * grid.dx();
        Self { low: grid.low() + margin, high: grid.high() - margin, open: around.open.sides }
    }

    /// The nearest place inside.
    fn clamped(&self, x: DVec3) -> DVec3 {
        x.clamp(self.low, self.high)
    }

    /// Whether a place is in the domain.
    pub(super) fn holds(&self, x: DVec3) -> bool {
        x.cmpge(self.low).all() && x.cmple(self.high).all()
    }

    /// The nearest place inside of walls; through open sides it may be outside. Says which axes were clamped.
    pub(super) fn inside(&self, x: DVec3) -> (DVec3, [bool; 3]) {
        let mut to = self.clamped(x);
        let mut hit = [false; 3];
        for a in 0..3 {
            if to[a] != x[a] {
                let side = 2 * a + usize::from(x[a] > to[a]);
                if self.open[side] {
                    to[a] = x[a];
                } else {
                    hit[a] = true;
                }
            }
        }
        (to, hit)
    }
}
