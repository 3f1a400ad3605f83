//! No face passes more water than there is behind it, nor more than there is room for in the air ahead of it.
//!
//! ```text
//! ΔM_k ← r_up s_down ΔM_k,   r_i = min(1, (M_i + Σ_in ΔM) / Σ_out ΔM),   s_i = min(1, (R_i − M_i + Σ_out ΔM) / Σ_in ΔM)
//! ```
//!
//! R_i is what solids leave of cell i. Swept boxes take water where planes show it. In thin water and beside solids, planes
//! differ from one cell to the next, and boxes of several faces overlap: without limits, cells would be left
//! with less than nothing or more than they hold. s is 1 in cells with a pressure, whose surplus flows off, and
//! r is 1 in inflows, which are filled again. Factors only fall from round to round, so that they converge.

use super::flow::Passed;
use crate::mesh::Mesh;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::par;

/// Number of rounds: water that a cell does not get is missing in the next one.
const ROUNDS: usize = 6;

/// What cells have before a step, and what they can hold.
pub(super) struct Limits<'a> {
    pub mesh: &'a Mesh,
    pub content: &'a Field<CellId, f64>,
    /// What cells can hold, in m³; ∞ if they may have more than that.
    pub room: Field<CellId, f64>,
    /// Whether inflows, which fill cells again, or outflows are beside a cell.
    pub is_source: Field<CellId, bool>,
}

/// The limits of what leaves a cell and of what enters it.
#[derive(Clone, Copy)]
struct Factors {
    leaves: f64,
    enters: f64,
}

impl Limits<'_> {
    /// Limits what passes faces.
    pub fn apply(&self, passed: &mut Passed) {
        let n = self.mesh.n_cells();
        let mut factors = Field::filled(n, Factors { leaves: 1.0, enters: 1.0 });
        let mut in_question: Vec<CellId> = par::collect(n, |i, out: &mut Vec<CellId>| {
            let c = CellId(i as u32);
            let after = self.content[c] + passed.gain(self.mesh, c);
            if (after < 0.0 && !self.is_source[c]) || after > self.room[c] {
                out.push(c);
            }
        });
        let mut limited: Vec<CellId> = Vec::new();
        for _ in 0..ROUNDS {
            let changed = par::collect(in_question.len(), |i, out: &mut Vec<(CellId, Factors)>| {
                let c = in_question[i];
                let now = self.factors(passed, &factors, c);
                if now.leaves < factors[c].leaves || now.enters < factors[c].enters {
                    out.push((c, now));
                }
            });
            // What a cell neither gives nor takes is missing, or too much, in those beside it.
            in_question.clear();
            for (c, now) in changed {
                factors[c] = now;
                limited.push(c);
                in_question.push(c);
                passed.for_each(self.mesh, c, |_, beyond| in_question.extend(beyond));
            }
            in_question.sort_unstable();
            in_question.dedup();
        }
        let mut faces: Vec<FaceId> = limited.iter().flat_map(|&c| *self.mesh.faces.of_cell(c)).collect();
        faces.sort_unstable();
        faces.dedup();
        for k in faces {
            passed.scale(self.mesh, k, |up, down| {
                up.map_or(1.0, |c| factors[c].leaves) * down.map_or(1.0, |c| factors[c].enters)
            });
        }
    }

    fn factors(&self, passed: &Passed, factors: &Field<CellId, Factors>, c: CellId) -> Factors {
        let Factors { leaves, enters } = factors[c];
        let (mut offered, mut wanted) = (0.0, 0.0);
        passed.for_each(self.mesh, c, |by, other| {
            if by > 0.0 {
                offered += by * other.map_or(1.0, |o| factors[o].leaves);
            } else {
                wanted -= by * other.map_or(1.0, |o| factors[o].enters);
            }
        });
        let part = |able: f64, asked: f64| if asked > able { (able / asked).max(0.0) } else { 1.0 };
        let content = self.content[c];
        let least = if self.is_source[c] { 1.0 } else { part(content + enters * offered, wanted) };
        let most = part(self.room[c] - content + leaves * wanted, offered);
        Factors { leaves: leaves.min(least), enters: enters.min(most) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DVec3, IVec3};
    use octide_core::octree::{Grading, Octree, RootGrid};

    /// Faces take more out of a cell than it has, and bring more into another one than it holds; what is not brought stays
    /// behind.
    #[test]
    fn cells_are_neither_overdrawn_nor_overfilled() {
        let grid = RootGrid::new(DVec3::ZERO, 1.0, 0, IVec3::ZERO, IVec3::new(4, 1, 1), |_| true);
        let mesh = Mesh::new(Octree::build(&grid, Grading::Graded, |_| false));
        let at = |x: f64| mesh.tree.nearest_leaf(DVec3::new(x, 0.5, 0.5));
        let cells = [at(0.5), at(1.5), at(2.5), at(3.5)];
        let after = |content: [f64; 4], passing: [f64; 3], room: f64| {
            let by_cell = |values: [f64; 4]| {
                let of = |c: CellId| cells.iter().position(|&d| d == c).map_or(0.0, |i| values[i]);
                par::map(mesh.n_cells(), of)
            };
            let mut faces = Field::filled(mesh.n_faces(), 0.0);
            for (i, by) in passing.into_iter().enumerate() {
                faces[mesh.faces.of_cell(cells[i])[1]] = by;
            }
            let content = by_cell(content);
            let room = by_cell([f64::INFINITY, f64::INFINITY, room, f64::INFINITY]);
            let is_source = Field::filled(mesh.n_cells(), false);
            let mut passed = Passed::through_faces(faces);
            Limits { mesh: &mesh, content: &content, room, is_source }.apply(&mut passed);
            cells.map(|c| content[c] + passed.gain(&mesh, c))
        };
        let is = |a: [f64; 4], b: [f64; 4]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
        // Within limits nothing changes.
        let free = after([1.0, 0.5, 0.2, 0.0], [0.4, 0.6, 0.1], 1.0);
        assert!(is(free, [0.6, 0.3, 0.7, 0.1]), "{free:?}");
        // The second cell loses water to both sides.
        let overdrawn = after([0.0, 0.3, 0.0, 0.0], [-0.2, 0.4, 0.0], 1.0);
        assert!(is(overdrawn, [0.1, 0.0, 0.2, 0.0]), "{overdrawn:?}");
        // What the second cell does not get it cannot pass on.
        let chain = after([0.1, 0.1, 0.0, 0.0], [0.4, 0.5, 0.0], 1.0);
        assert!(is(chain, [0.0, 0.0, 0.2, 0.0]), "{chain:?}");
        let overfilled = after([0.0, 1.0, 0.9, 0.0], [0.0, 0.5, 0.2], 1.0);
        assert!(is(overfilled, [0.0, 0.7, 1.0, 0.2]), "{overfilled:?}");
    }
}
