//! Propagation of sizing values from the cells that have one to all others. One round is
//!
//! ```text
//! S_i ← Σ_m v_m max(S_i, S_m) / Σ_m v_m,      v_m the volume of cell m,
//! ```
//!
//! over the face neighbors m that have a value. Cells get their first value ring by ring, outward from those
//! that have one at the start. This counts as the first of five changes; the others follow in the next four
//! rounds. Values only grow, and each round reads the values of the previous one.

use crate::index::{CellId, Field};
use crate::octree::{Contacts, Octree};
use crate::par;

/// Number of rounds in which a cell may change.
const CHANGES: usize = 5;

/// Assigns a value to every cell that can be reached from a cell with a value greater than zero.
pub fn propagate(tree: &Octree, contacts: &Contacts, s: &mut Field<CellId, f64>) {
    // With the volume stored beside the value, a neighbor costs one memory access.
    let mut at = par::map(tree.n_cells(), |c: CellId| {
        let size = tree.size(c);
        Weighted { s: s[c], volume: size * size * size }
    });
    // Rings of cells, one after the other; ring 0 already has its values.
    let mut cells = par::collect(tree.n_cells(), |i, out: &mut Vec<u32>| {
        if s[CellId(i as u32)] > 0.0 {
            out.push(i as u32);
        }
    });
    let mut reached = vec![false; tree.n_cells()];
    for &c in &cells {
        reached[c as usize] = true;
    }
    let mut rings = vec![0, cells.len()];
    let mut values = Vec::new();
    for round in 1.. {
        for i in rings[round - 1]..rings[round] {
            for &j in contacts.face_neighbors(CellId(cells[i])) {
                if !std::mem::replace(&mut reached[j as usize], true) {
                    cells.push(j);
                }
            }
        }
        rings.push(cells.len());
        // Ring r changes in the rounds r to r + 4.
        let first = rings[(round + 1).saturating_sub(CHANGES)];
        let changing = &cells[first..];
        if changing.is_empty() {
            break;
        }
        values.clear();
        values.extend(par::map_index(changing.len(), |i| averaged(contacts, &at, CellId(changing[i]))));
        for (&c, &value) in changing.iter().zip(&values) {
            at[CellId(c)].s = value;
        }
    }
    par::update(s, |i, s| *s = at[CellId(i as u32)].s);
}

/// A sizing value and the volume of its cell.
#[derive(Clone, Copy)]
pub(super) struct Weighted {
    pub(super) s: f64,
    pub(super) volume: f64,
}

/// Returns the value of a cell after a round.
pub(super) fn averaged(contacts: &Contacts, at: &Field<CellId, Weighted>, cell: CellId) -> f64 {
    let own = at[cell].s;
    let (mut sum, mut weights) = (0.0, 0.0);
    for &j in contacts.face_neighbors(cell) {
        let Weighted { s, volume } = at[CellId(j)];
        if s > 0.0 {
            sum += volume * own.max(s);
            weights += volume;
        }
    }
    if weights > 0.0 { sum / weights } else { own }
}
