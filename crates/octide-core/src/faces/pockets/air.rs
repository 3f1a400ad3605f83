//! Connected pieces of air that have no way to the open.

use crate::faces::{Apertures, FaceGeometry, FaceTable};
use crate::index::{CellId, FaceId};
use crate::octree::Octree;
use crate::par;
use crate::solids::Solids;
use glam::DVec3;

/// Less air than this many finest cells is part of spray or a fold of the surface, not a piece.
const LEAST_CELLS: f64 = 64.0;

/// Marks cells that were not reached, air that reaches the open, and pieces that are too small.
const NONE: u32 = u32::MAX;
const VENTED: u32 = u32::MAX - 1;
const SMALL: u32 = u32::MAX - 2;

/// A connected piece of air.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// Its cell with the smallest number.
    pub first: CellId,
    /// Whether it touches a solid.
    pub has_solid: bool,
    /// Area in m² between it and water.
    pub surface: f64,
    /// Volume in m³.
    pub volume: f64,
    /// ∫ x dV.
    moment: DVec3,
}

impl Piece {
    /// Returns its center.
    pub fn center(&self) -> DVec3 {
        self.moment / self.volume
    }
}

/// The pieces of air that touch water and have no way to the open.
pub(super) struct ShutInAir {
    /// The piece of each cell, or one of the marks.
    label: Vec<u32>,
    pub pieces: Vec<Piece>,
}

impl ShutInAir {
    /// Finds the pieces of the cells that are air.
    pub fn find(
        mesh: &impl FaceGeometry,
        apertures: &Apertures,
        solids: &Solids,
        is_air: &[bool],
        gravity: DVec3,
    ) -> Self {
        let n = mesh.tree().n_cells();
        let up = -gravity.normalize_or_zero();
        let vents = |k: FaceId| {
            mesh.side_of(k).is_some_and(|side| {
                let out = if side & 1 == 1 { up[side / 2] } else { -up[side / 2] };
                up == DVec3::ZERO || out > 0.5 || apertures.open(k) > 0.0
            })
        };
        let mut flood = Flood { mesh, apertures, solids, is_air, label: vec![NONE; n], reached: Vec::new() };
        flood.reached = par::collect(n, |i, out: &mut Vec<CellId>| {
            let c = CellId(i as u32);
            if is_air[i] && (0..6).any(|d| mesh.faces().of_cell_toward(c, d).iter().any(|&k| vents(k))) {
                out.push(c);
            }
        });
        flood.spread(VENTED);
        let least = LEAST_CELLS * mesh.tree().grid().dx().powi(3);
        let mut pieces = Vec::new();
        for c in (0..n as u32).map(CellId) {
            if !is_air[c.0 as usize] || flood.label[c.0 as usize] != NONE {
                continue;
            }
            flood.reached.push(c);
            flood.spread(pieces.len() as u32);
            let piece = flood.measure();
            if piece.volume >= least && piece.surface > 0.0 {
                pieces.push(piece);
            } else {
                flood.reached.iter().for_each(|c| flood.label[c.0 as usize] = SMALL);
            }
            flood.reached.clear();
        }
        Self { label: flood.label, pieces }
    }

    /// Returns the piece that a cell is part of.
    pub fn piece(&self, cell: CellId) -> Option<usize> {
        let label = self.label[cell.0 as usize];
        (label < SMALL).then_some(label as usize)
    }
}

/// Spreads from cell to cell of air.
struct Flood<'a, M> {
    mesh: &'a M,
    apertures: &'a Apertures,
    solids: &'a Solids,
    is_air: &'a [bool],
    label: Vec<u32>,
    /// The cells reached so far.
    reached: Vec<CellId>,
}

impl<M: FaceGeometry> Flood<'_, M> {
    /// Labels all cells that can be reached from those in the list, and adds them to it.
    fn spread(&mut self, label: u32) {
        let Self { mesh, apertures, solids, is_air, .. } = *self;
        for &c in &self.reached {
            self.label[c.0 as usize] = label;
        }
        let mut next = 0;
        while let Some(&from) = self.reached.get(next) {
            next += 1;
            for &k in (0..6).flat_map(|d| mesh.faces().of_cell_toward(from, d)) {
                if apertures.open(k) <= 0.0 {
                    continue;
                }
                mesh.faces().for_cells_beside(mesh.tree(), k, |to, _| {
                    let i = to.0 as usize;
                    if self.label[i] == NONE
                        && is_air[i]
                        && is_clear(mesh.tree(), apertures, solids, from, to)
                    {
                        self.label[i] = label;
                        self.reached.push(to);
                    }
                });
            }
        }
        if label == VENTED {
            self.reached.clear();
        }
    }

    /// Measures the piece of all cells in the list.
    fn measure(&self) -> Piece {
        let &Self { mesh, apertures, is_air, .. } = self;
        let mut piece = Piece {
            first: self.reached[0],
            has_solid: false,
            surface: 0.0,
            volume: 0.0,
            moment: DVec3::ZERO,
        };
        let is_outside = |c: CellId| apertures.solid_distance(c) >= 0.0;
        for &c in &self.reached {
            let h = mesh.tree().size(c);
            // Cells inside solids are pieces of their own.
            if is_outside(c) {
                piece.volume += h.powi(3);
                piece.moment += h.powi(3) * mesh.tree().center(c);
            }
            for &k in (0..6).flat_map(|d| mesh.faces().of_cell_toward(c, d)) {
                let open = apertures.open(k);
                piece.has_solid |= mesh.side_of(k).is_none() && open < 1.0;
                let mut is_wet = false;
                mesh.faces().for_cells_beside(mesh.tree(), k, |other, _| {
                    is_wet |= !is_air[other.0 as usize] && is_outside(other);
                });
                if is_wet {
                    piece.surface += open * h.powi(2);
                }
            }
        }
        piece
    }
}

/// Returns whether no solid is between the centers of two cells. The faces of finest cells show that, but in air
/// there are cells larger than walls are thick, with faces that are partly open.
pub(super) fn is_clear(tree: &Octree, apertures: &Apertures, solids: &Solids, a: CellId, b: CellId) -> bool {
    let dx = tree.grid().dx();
    if !apertures.has_solids() || tree.size(a).max(tree.size(b)) < 1.5 * dx {
        return true;
    }
    let [x, y] = [a, b].map(|c| tree.center(c));
    let (length, room) = (x.distance(y), apertures.solid_distance(a) + apertures.solid_distance(b));
    let n = (length / dx).ceil() as u32;
    room > length || (0..=n).all(|i| solids.distance(x.lerp(y, f64::from(i) / f64::from(n))) >= 0.0)
}
