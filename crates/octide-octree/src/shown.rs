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
pub(crate) fn shown_phi(state: &State, solids: &Solids) -> Field<CellId, f64> {
    let State { mesh, apertures, content, .. } = state;
    let mut phi = state.phi.clone();
    if content.is_empty() {
        return phi;
    }
    let tree = &mesh.tree;
    let size = |c: CellId| tree.size(c);
    let is_near = par::map(mesh.n_cells(), |c: CellId| {
        phi[c].abs() < NEAR_CELLS * size(c) && apertures.solid_distance(c) > 0.0
    });
    let around = Around::new(OpenFaces { mesh, apertures }, &is_near);
    for _ in 0..PASSES {
        let excess = par::map(mesh.n_cells(), |c: CellId| {
            if !is_near[c] {
                return 0.0;
            }
            content[c] - cell_volume_with_sheets(mesh, &phi, apertures, solids, c)
        });
        let area = par::map(mesh.n_cells(), |c: CellId| {
            let has_surface = is_near[c] && phi[c].abs() < PASSES_CELLS * size(c);
            if has_surface { size(c).powi(2) } else { 0.0 }
        });
        let (excess, area) = (around.mean(excess), around.mean(area));
        let mut by = par::map(mesh.n_cells(), |c: CellId| {
            let h = size(c);
            let far = FARTHEST_CELLS * h;
            let is_moved = is_near[c] && area[c] > LEAST_AREA * h * h;
            if is_moved { (excess[c] / area[c]).clamp(-far, far) } else { f64::NAN }
        });
        for _ in 0..FOLLOWING {
            let followed = par::collect(mesh.n_cells(), |i, out: &mut Vec<(CellId, f64)>| {
                let c = CellId(i as u32);
                if !by[c].is_nan() || is_near[c] || phi[c].abs() >= NEAR_CELLS * size(c) {
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
            let by = by[CellId(i as u32)];
            *phi -= if by.is_nan() { 0.0 } else { by };
        });
    }
    phi
}

/// Cells and those around that are open to them.
struct Around<'a> {
    open: OpenFaces<'a>,
    is_part: &'a Field<CellId, bool>,
    n_neighbors: Field<CellId, f64>,
}

impl<'a> Around<'a> {
    fn new(open: OpenFaces<'a>, is_part: &'a Field<CellId, bool>) -> Self {
        let n_neighbors = par::map(is_part.len(), |c: CellId| {
            let mut n = 0.0;
            if is_part[c] {
                open.for_each_open(c, |j| n += f64::from(u8::from(is_part[j])));
            }
            n
        });
        Self { open, is_part, n_neighbors }
    }

    /// Returns what cells have after they have shared it with their neighbors, each time half of it.
    fn mean(&self, mut values: Field<CellId, f64>) -> Field<CellId, f64> {
        for _ in 0..ROUNDS {
            values = par::map(values.len(), |c: CellId| {
                if !self.is_part[c] || self.n_neighbors[c] == 0.0 {
                    return values[c];
                }
                let mut sum = 0.5 * values[c];
                self.open.for_each_open(c, |j| {
                    if self.is_part[j] {
                        sum += 0.5 * values[j] / self.n_neighbors[j].max(1.0);
                    }
                });
                sum
            });
        }
        values
    }
}
