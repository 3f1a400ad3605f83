//! Advection of markers by the midpoint rule, in a velocity that is trilinear in each leaf.
//!
//! Markers stay inside walls and outside solids, and leave through open sides. Air markers that a solid
//! pushes out are removed: liquid that approaches a solid drives air ahead of it, which would otherwise
//! remain in the liquid at the solid and keep holes open there. (In mesh-in-mesh at 64 without volume
//! correction, this caused a third of the 20 % volume loss.)

use super::packed::rounded;
use super::{LevelParticles, SMALLEST};
use crate::bins::Bins;
use crate::index::{CellId, Field};
use crate::octree::Octree;
use crate::octree::nodal::trilinear;
use crate::par;
use crate::particles::{Surroundings, Walls, midpoint_displacement, place_among_leaves};
use crate::random::Seed;
use glam::DVec3;

impl LevelParticles {
    /// Returns all particles moved by `dt` and sorted into the leaves of `tree`, together with the volume of
    /// spray that left through open sides, in m³. `velocity` returns the velocity at the corners of a leaf of
    /// `old`, x fastest.
    pub fn advanced(
        &self,
        old: &Octree,
        velocity: impl Fn(CellId) -> [DVec3; 8] + Sync + Send,
        tree: &Octree,
        around: &Surroundings<'_>,
        dt: f64,
        seed: Seed,
    ) -> (Self, f64) {
        let step = self.step.wrapping_add(1);
        let margin = SMALLEST * tree.grid().dx();
        let walls = Walls::new(tree.grid(), margin, around.open);
        let has_solids = !around.solids.is_empty();
        // The distance to solids changes by no more than the distance moved.
        let clear = if has_solids { self.clearance(old, around) } else { Field::default() };
        let (mut markers, mut place) = (self.markers.clone(), vec![CellId::NONE; self.markers.len()]);
        let starts = self.bins.chunk_starts();
        par::map_both_parts(&mut markers, &mut place, &starts, |i, markers, place| {
            // Most markers go to the same leaf as the previous one.
            let mut near = CellId(0);
            for cell in par::chunk(i, old.n_cells()).map(|c| CellId(c as u32)) {
                let own = self.bins.of_cell(cell);
                if own.is_empty() {
                    continue;
                }
                let v = velocity(cell);
                let u = |t: DVec3| trilinear(|c| v[c], t);
                let (center, size) = (old.center(cell), old.size(cell));
                let (coord, across) = place_among_leaves(old, cell);
                for k in own.start - starts[i]..own.end - starts[i] {
                    let m = markers[k];
                    let t = m.place();
                    let from = center + (t - 0.5) * size;
                    let u_at = |x: DVec3| {
                        let there = old.nearest_leaf_from(cell, x);
                        if there == cell {
                            u((x - center) / size + 0.5)
                        } else {
                            let v = velocity(there);
                            trilinear(|c| v[c], old.place_in(there, x))
                        }
                    };
                    let way = midpoint_displacement(from, u(t), dt, |x| walls.clamped(x), u_at);
                    let mut x = around.stopped(old, from, from + way, false);
                    if has_solids && clear[cell] < way.length() + margin {
                        let pushed = around.solids.push_out(&mut x, margin, margin);
                        if pushed.is_some() && m.is_air() {
                            continue;
                        }
                        x = around.stopped(old, from, x, false);
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
                    let up = m.random(coord, across, seed).vector(u64::from(step));
                    let mut t = rounded(tree.place_in(near, x), up);
                    // A marker that is rounded past a face belongs to the next leaf; otherwise slow flows
                    // would never move it across.
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
        let lost = all.fly(old, around, &walls, dt);
        (all, lost)
    }

    /// Returns a lower bound of the distance between each cell with markers and solids.
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
