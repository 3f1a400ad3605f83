//! Markers move with the flow, by the midpoint rule through the velocity at corners:
//!
//! ```text
//! x ← x + dt u(x + ½ dt u(x)).
//! ```
//!
//! They stay inside walls and outside solids, and leave through open sides. Air that a solid pushes out ends:
//! water that comes to a solid drives air before it, which would else lie in the water on it and keep holes
//! open there (of the 20 % of mesh-in-mesh at 64 that went without volume correction, a third).

use super::packed::rounded;
use super::{LevelParticles, SMALLEST, Surroundings, place_among};
use crate::mesh::Mesh;
use glam::DVec3;
use octide_core::bins::Bins;
use octide_core::index::{CellId, Field, NodeId};
use octide_core::octree::nodal::{Vector, trilinear, vector_in};
use octide_core::octree::{CellCorners, Octree};
use octide_core::par;

impl LevelParticles {
    /// All moved for `dt` with the velocity at the corners of `old`, and sorted into the leaves of `tree`.
    /// Also the volume of spray that left through open sides, in m³.
    pub fn advanced<V: Vector, F: Sync>(
        &self,
        old: &Mesh<F, impl CellCorners>,
        corners: &Field<NodeId, V>,
        tree: &Octree,
        around: &Surroundings<'_>,
        dt: f64,
    ) -> (Self, f64) {
        let step = self.step.wrapping_add(1);
        let walls = Walls::new(tree, around);
        let has_solids = !around.solids.is_empty();
        // Distances to solids change by no more than the way gone.
        let clear = if has_solids { self.clearance(&old.tree, around) } else { Field::default() };
        let margin = SMALLEST * tree.grid().dx();
        let (mut markers, mut place) = (self.markers.clone(), vec![CellId::NONE; self.markers.len()]);
        let starts = self.bins.chunk_starts();
        par::map_both_parts(&mut markers, &mut place, &starts, |i, markers, place| {
            // Most go to where the last one went.
            let mut near = CellId(0);
            for cell in par::chunk(i, old.n_cells()).map(|c| CellId(c as u32)) {
                let own = self.bins.of_cell(cell);
                if own.is_empty() {
                    continue;
                }
                let v = old.nodes.of_cell(cell).map(|v| corners[v].long());
                let u = |t: DVec3| trilinear(|c| v[c], t);
                let (center, size) = (old.tree.center(cell), old.tree.size(cell));
                let (coord, across) = place_among(&old.tree, cell);
                for k in own.start - starts[i]..own.end - starts[i] {
                    let m = markers[k];
                    let t = m.place();
                    let from = center + (t - 0.5) * size;
                    let half = walls.clamped(from + 0.5 * dt * u(t));
                    let there = old.tree.nearest_leaf_from(cell, half);
                    let way = dt
                        * if there == cell {
                            u((half - center) / size + 0.5)
                        } else {
                            vector_in(&old.tree, &old.nodes, corners, there, half)
                        };
                    let mut x = from + way;
                    if has_solids && clear[cell] < way.length() + margin {
                        let pushed = around.solids.push_out(&mut x, margin, margin);
                        if pushed.is_some() && m.is_air() {
                            continue;
                        }
                    }
                    let x = walls.inside(x).0;
                    if !tree.grid().holds(x) {
                        continue;
                    }
                    let leaf = tree.nearest_leaf_from(near, x);
                    if leaf.is_none() {
                        continue;
                    }
                    near = leaf;
                    let up = m.random(coord, across).vector(u64::from(step));
                    let mut t = rounded(tree.place_in(near, x), up);
                    // What is rounded past a face belongs to the next leaf, else slow flows would not carry
                    // it there.
                    if t.min_element() < 0.0 || t.max_element() > 1.0 {
                        let x = tree.center(near) + (t - 0.5) * tree.size(near);
                        if walls.holds(x) {
                            near = tree.nearest_leaf_from(near, x);
                            t = tree.place_in(near, x);
                        }
                    }
                    (markers[k], place[k]) = (m.moved(t), near);
                }
            }
        });
        let bins = Bins::sort(&mut markers, place, tree.n_cells());
        let mut all = Self { markers, bins, drops: self.drops.clone(), step, next_id: self.next_id };
        let lost = all.fly(around, &walls, dt);
        (all, lost)
    }

    /// How far a cell with markers is from solids, at least.
    fn clearance(&self, tree: &Octree, around: &Surroundings<'_>) -> Field<CellId, f64> {
        let reach = 0.5 * 3f64.sqrt();
        par::map(tree.n_cells(), |c: CellId| {
            if self.packed(c).is_empty() {
                return f64::INFINITY;
            }
            around.solids.distance(tree.center(c)) - reach * tree.size(c)
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
    fn new(tree: &Octree, around: &Surroundings<'_>) -> Self {
        let grid = tree.grid();
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
