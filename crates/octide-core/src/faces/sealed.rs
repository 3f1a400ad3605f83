//! Sealed water: connected pieces of liquid cells that touch neither air nor an open side of the domain.
//!
//! The pressure of such a piece is known up to a constant only, and nothing can enter it. The constant
//! matters where suction does (see [`crate::ceiling`]): water that open sides have sealed, because they let
//! nothing in, has at most the pressure of the air at these sides, zero; other sealed water presses against
//! all of its boundary.

use super::{Apertures, FaceGeometry, FaceTable};
use crate::index::{CellId, FaceId, Field};

/// Marks cells that are not liquid.
const NONE: u32 = u32::MAX;

/// The connected pieces of liquid, and which of them are sealed.
#[derive(Clone, Debug)]
pub struct Pieces {
    /// The first cell of each cell's piece, or [`NONE`].
    root: Vec<u32>,
    /// Whether the piece of this first cell is sealed.
    is_sealed: Vec<bool>,
    /// The number of cells in the piece of this first cell.
    n_cells: Vec<u32>,
}

impl Pieces {
    /// Finds the pieces of the cells that are liquid.
    pub fn find(mesh: &impl FaceGeometry, apertures: &Apertures, is_liquid: impl Fn(CellId) -> bool) -> Self {
        Self::find_joined(mesh, apertures, is_liquid, |_, _| true)
    }

    /// Finds the pieces of the cells that are liquid. Two cells beside an open face are in contact only if they are
    /// `joined`.
    pub fn find_joined(
        mesh: &impl FaceGeometry,
        apertures: &Apertures,
        is_liquid: impl Fn(CellId) -> bool,
        joined: impl Fn(CellId, CellId) -> bool,
    ) -> Self {
        let n = mesh.tree().n_cells();
        let mut root: Vec<u32> = (0..n as u32).map(|c| if is_liquid(CellId(c)) { c } else { NONE }).collect();
        let mut touches_air = vec![false; n];
        let mut beside: Vec<CellId> = Vec::new();
        for k in (0..mesh.n_faces() as u32).map(FaceId).filter(|&k| apertures.open(k) > 0.0) {
            beside.clear();
            mesh.faces().for_cells_beside(mesh.tree(), k, |c, _| beside.push(c));
            for (i, &a) in beside.iter().enumerate() {
                touches_air[a.0 as usize] |= mesh.side_of(k).is_some();
                for &b in &beside[i + 1..] {
                    let are_liquid = [a, b].map(|c| root[c.0 as usize] != NONE);
                    if are_liquid == [false; 2] || !joined(a, b) {
                        continue;
                    }
                    if are_liquid == [true; 2] {
                        join(&mut root, a.0, b.0);
                    } else {
                        touches_air[if are_liquid[0] { a } else { b }.0 as usize] = true;
                    }
                }
            }
        }
        let (mut is_sealed, mut n_cells) = (vec![true; n], vec![0; n]);
        for c in 0..n as u32 {
            if root[c as usize] != NONE {
                let r = find(&mut root, c);
                root[c as usize] = r;
                is_sealed[r as usize] &= !touches_air[c as usize];
                n_cells[r as usize] += 1;
            }
        }
        Self { root, is_sealed, n_cells }
    }

    /// Returns whether a cell is part of a sealed piece.
    pub fn is_sealed(&self, cell: CellId) -> bool {
        let root = self.root[cell.0 as usize];
        root != NONE && self.is_sealed[root as usize]
    }

    /// Returns the index of the first cell of a cell's piece; `None` if the cell is not liquid.
    pub(super) fn root(&self, cell: CellId) -> Option<usize> {
        let root = self.root[cell.0 as usize];
        (root != NONE).then_some(root as usize)
    }

    /// Returns the number of cells in the piece of a cell; zero if the cell is not liquid.
    pub fn n_cells(&self, cell: CellId) -> usize {
        self.root(cell).map_or(0, |root| self.n_cells[root] as usize)
    }

    /// Returns whether two cells are liquid and part of the same piece.
    pub fn are_joined(&self, a: CellId, b: CellId) -> bool {
        let (a, b) = (self.root[a.0 as usize], self.root[b.0 as usize]);
        a != NONE && a == b
    }

    /// Sets the constant of the pressure in sealed pieces: zero is the largest value beside `flaps`, the
    /// faces of open sides that are closed because water would enter, or the smallest value in pieces without
    /// them.
    pub fn settle_pressure(
        &self,
        mesh: &impl FaceGeometry,
        flaps: &[FaceId],
        pressure: &mut Field<CellId, f64>,
    ) {
        let n = self.root.len();
        let (mut least, mut most_at_flap) = (vec![f64::INFINITY; n], vec![f64::NEG_INFINITY; n]);
        let cells = || (0..n).map(|c| CellId(c as u32)).filter(|&c| self.is_sealed(c));
        for c in cells() {
            let r = self.root[c.0 as usize] as usize;
            least[r] = least[r].min(pressure[c]);
        }
        for &k in flaps {
            mesh.faces().for_cells_beside(mesh.tree(), k, |c, _| {
                if self.is_sealed(c) {
                    let r = self.root[c.0 as usize] as usize;
                    most_at_flap[r] = most_at_flap[r].max(pressure[c]);
                }
            });
        }
        for c in cells() {
            let r = self.root[c.0 as usize] as usize;
            pressure[c] -= if most_at_flap[r].is_finite() { most_at_flap[r] } else { least[r] };
        }
    }
}

/// Returns the first cell of a cell's piece, and shortens the way to it.
fn find(root: &mut [u32], mut c: u32) -> u32 {
    while root[c as usize] != c {
        root[c as usize] = root[root[c as usize] as usize];
        c = root[c as usize];
    }
    c
}

/// Joins two pieces; the first cell of both becomes that of the result.
fn join(root: &mut [u32], a: u32, b: u32) {
    let (a, b) = (find(root, a), find(root, b));
    root[a.max(b) as usize] = a.min(b);
}

#[cfg(test)]
mod tests;
