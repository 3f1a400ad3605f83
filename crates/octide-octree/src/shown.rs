//! φ as frames show it: it matches the content of cells better than the φ that is advected.
//!
//! A step moves φ by no more than is good for the flow ([`crate::conserve`]): beside solids, in films and where water
//! lands, what cells hold and what φ shows differ for a while. In frames φ is moved by
//!
//! ```text
//! s = Ē / Ā,      E = M − V(φ) the excess of a cell, A the area of the surface in it,
//! ```
//!
//! with the means over some cells around, so that water is shown where it is. This is not read by the next step.

use crate::regions::OpenFaces;
use crate::solids::Solids;
use crate::state::State;
use crate::volume::cell_volume_with_sheets;
use octide_core::index::{CellId, Field};
use octide_core::par;
use octide_core::surface::shown::ShownWalls;
use octide_core::volume::OpenNeighbors;

/// Number of times that φ is moved.
const PASSES: usize = 2;

/// Number of times that excess and area are shared with neighbors.
const ROUNDS: usize = 8;

/// Cells whose centers are within this many edges of the surface have, hold or show it.
const NEAR_CELLS: f64 = 4.0;

/// A surface passes through cells whose centers are within this many edges of it.
const PASSES_CELLS: f64 = 0.5;

/// The farthest that φ is moved each time, in cells.
const FARTHEST_CELLS: f64 = 0.25;

/// φ is moved where the mean area is more than this fraction of a side of the cell.
const LEAST_AREA: f64 = 0.02;

/// Cells in solids follow those outside, so far.
const FOLLOWING: usize = 2;

/// Returns φ for frames.
pub(crate) fn shown_phi(state: &State, solids: &Solids, walls: &ShownWalls) -> Field<CellId, f64> {
    let State { mesh, apertures, content, .. } = state;
    let mut phi = state.phi.clone();
    if content.is_empty() {
        return phi;
    }
    let size = |c: CellId| mesh.tree.size(c);
    let near = NearCells::of(state);
    for _ in 0..PASSES {
        let excess = near.map(|c| content[c] - cell_volume_with_sheets(mesh, &phi, apertures, solids, c));
        let area = near.map(|c| if phi[c].abs() < PASSES_CELLS * size(c) { size(c).powi(2) } else { 0.0 });
        let (excess, area) = (near.mean(excess), near.mean(area));
        let mut by = Field::filled(mesh.n_cells(), f64::NAN);
        for (k, &c) in near.cells.iter().enumerate() {
            let (h, far) = (size(c), FARTHEST_CELLS * size(c));
            if area[k] > LEAST_AREA * h * h {
                by[c] = (excess[k] / area[k]).clamp(-far, far);
            }
        }
        for _ in 0..FOLLOWING {
            let followed = par::collect(mesh.n_cells(), |i, out: &mut Vec<(CellId, f64)>| {
                let c = CellId(i as u32);
                let is_part = apertures.solid_distance(c) > 0.0 || phi[c].abs() >= NEAR_CELLS * size(c);
                if is_part || !by[c].is_nan() {
                    return;
                }
                let known = mesh.contacts.face_neighbors(c).iter().map(|&j| by[CellId(j)]);
                let known = known.filter(|by| !by.is_nan());
                let (sum, n) = known.fold((0.0, 0.0), |(sum, n), by| (sum + by, n + 1.0));
                if n > 0.0 {
                    out.push((c, sum / n));
                }
            });
            followed.into_iter().for_each(|(c, mean)| by[c] = mean);
        }
        par::update(&mut phi, |i, phi| {
            let c = CellId(i as u32);
            *phi -= if by[c].is_nan() || !walls.lets_move(c) { 0.0 } else { by[c] };
        });
    }
    phi
}

/// The cells outside solids that are near the surface, and those around each that are open to it.
struct NearCells {
    cells: Vec<CellId>,
    /// The first neighbor of each, and the end.
    first: Vec<usize>,
    /// Indices in `cells`.
    neighbors: Vec<u32>,
}

impl NearCells {
    fn of(state: &State) -> Self {
        let State { mesh, apertures, phi, .. } = state;
        let cells = par::collect(mesh.n_cells(), |i, out| {
            let c = CellId(i as u32);
            if phi[c].abs() < NEAR_CELLS * mesh.tree.size(c) && apertures.solid_distance(c) > 0.0 {
                out.push(c);
            }
        });
        let mut slot = Field::filled(mesh.n_cells(), u32::MAX);
        cells.iter().enumerate().for_each(|(k, &c)| slot[c] = k as u32);
        let open = OpenFaces { mesh, apertures };
        let for_neighbors = |k: usize, f: &mut dyn FnMut(u32)| {
            open.for_each_open(cells[k], |j| {
                if slot[j] != u32::MAX {
                    f(slot[j]);
                }
            });
        };
        let neighbors =
            par::collect(cells.len(), |k, out: &mut Vec<u32>| for_neighbors(k, &mut |j| out.push(j)));
        let counts = par::map_index(cells.len(), |k| {
            let mut n = 0;
            for_neighbors(k, &mut |_| n += 1);
            n
        });
        let mut first = Vec::with_capacity(cells.len() + 1);
        first.push(0);
        first.extend(counts.iter().scan(0, |end: &mut usize, n: &usize| {
            *end += n;
            Some(*end)
        }));
        Self { cells, first, neighbors }
    }

    fn map(&self, f: impl Fn(CellId) -> f64 + Sync + Send) -> Vec<f64> {
        par::map_index(self.cells.len(), |k| f(self.cells[k]))
    }

    /// Returns what cells have after they have shared it with their neighbors, each time half of it.
    fn mean(&self, mut values: Vec<f64>) -> Vec<f64> {
        let of = |k: usize| &self.neighbors[self.first[k]..self.first[k + 1]];
        for _ in 0..ROUNDS {
            let gifts = par::map_index(values.len(), |k| 0.5 * values[k] / of(k).len().max(1) as f64);
            values = par::map_index(values.len(), |k| {
                let kept = if of(k).is_empty() { values[k] } else { 0.5 * values[k] };
                kept + of(k).iter().map(|&j| gifts[j as usize]).sum::<f64>()
            });
        }
        values
    }
}
