//! The liquid's volume on the mesh: φ is taken as linear in a cell near the surface, see
//! [`octide_core::volume`]. A flat surface has the same volume on every tree, so that changing the tree does
//! not set resting water in motion.

use crate::apertures::Apertures;
use crate::faults::{self, Fault};
use crate::mesh::Mesh;
use crate::solids::Solids;
use glam::DVec3;
use octide_core::index::{CellId, Field};
use octide_core::par;
use octide_core::volume::{self, CutCell};
pub use octide_core::volume::{VolumeControl, fraction_behind_plane};
use rayon::prelude::*;

/// Returns the gradient of φ at a cell's center: along each axis the mean over its two faces, exact for
/// linear φ.
pub fn cell_gradient(mesh: &Mesh, phi: &Field<CellId, f64>, cell: CellId) -> DVec3 {
    let [low, high] = slopes(mesh, phi, cell);
    0.5 * (low + high)
}

/// Returns the slopes of φ on the low and the high side of a cell along each axis. A side without a neighbor has the
/// slope of the other one.
#[inline]
fn slopes(mesh: &Mesh, phi: &Field<CellId, f64>, cell: CellId) -> [DVec3; 2] {
    let faces = mesh.faces.of_cell(cell);
    let mut g = [DVec3::ZERO; 2];
    for axis in 0..3 {
        let slope = |side: usize| {
            let k = faces[2 * axis + side];
            if let Some([low, high]) = mesh.faces.equal_cells(&mesh.tree, k) {
                let w = 1.0 / mesh.face_size(k);
                return Some(-w * phi[low] + w * phi[high]);
            }
            (!mesh.faces.is_wall(k))
                .then(|| mesh.faces.stencil(&mesh.tree, k).iter().map(|(c, w)| w * phi[c]).sum::<f64>())
        };
        let (low, high) = (slope(0), slope(1));
        g[0][axis] = low.or(high).unwrap_or(0.0);
        g[1][axis] = high.or(low).unwrap_or(0.0);
    }
    g
}

/// Returns the gradient of φ at a cell's center, along each axis from the side that faces away from a point.
pub fn slope_away_from(mesh: &Mesh, phi: &Field<CellId, f64>, cell: CellId, from: DVec3) -> DVec3 {
    let [low, high] = slopes(mesh, phi, cell);
    let away = (mesh.tree.center(cell) - from) / mesh.tree.size(cell);
    DVec3::from_array([0, 1, 2].map(|a| match away[a] {
        by if by > ASIDE => high[a],
        by if by < -ASIDE => low[a],
        _ => 0.5 * (low[a] + high[a]),
    }))
}

/// A point lies to one side of a cell if it is more than this many of its edges from the center.
const ASIDE: f64 = 0.25;

/// Returns the liquid's volume in m³.
pub fn liquid_volume(mesh: &Mesh, phi: &Field<CellId, f64>, apertures: &Apertures, solids: &Solids) -> f64 {
    sum_over_cells(mesh, |c| cell_volume(mesh, phi, apertures, solids, c))
}

/// Returns the sum of a figure over all cells, in their order.
pub fn sum_over_cells(mesh: &Mesh, of_cell: impl Fn(CellId) -> f64 + Sync + Send) -> f64 {
    let of_index = |i: usize| of_cell(CellId(i as u32));
    if faults::is(Fault::UnorderedSum) {
        return (0..mesh.n_cells()).into_par_iter().map(of_index).sum();
    }
    par::sum(mesh.n_cells(), of_index)
}

/// Returns the liquid's volume in one cell.
pub fn cell_volume(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    apertures: &Apertures,
    solids: &Solids,
    cell: CellId,
) -> f64 {
    cell_volume_by(mesh, phi, apertures, solids, cell, || cell_gradient(mesh, phi, cell))
}

/// As [`cell_volume`], with the gradient of φ.
fn cell_volume_by(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    apertures: &Apertures,
    solids: &Solids,
    cell: CellId,
    gradient: impl FnOnce() -> DVec3,
) -> f64 {
    let cube = (mesh.tree.center(cell), mesh.tree.size(cell), mesh.tree.grid().dx());
    volume::cell_volume(cube, phi[cell], apertures.solid_distance(cell), gradient, solids)
}

/// Returns the volume that solids leave of a cell: that of the liquid if it fills the cell.
pub fn cell_room(mesh: &Mesh, apertures: &Apertures, solids: &Solids, cell: CellId) -> f64 {
    let (h, dx) = (mesh.tree.size(cell), mesh.tree.grid().dx());
    let cube = (mesh.tree.center(cell), h, dx);
    volume::cell_volume(cube, -FULL_CELLS * h, apertures.solid_distance(cell), || DVec3::ZERO, solids)
}

/// Returns the liquid's volume in one cell, with that of sheets thinner than the cell, in which φ is not linear. Nor is it
/// beside solids, but there its kinks mean nothing.
pub fn cell_volume_with_sheets(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    apertures: &Apertures,
    solids: &Solids,
    cell: CellId,
) -> f64 {
    let (h, here) = (mesh.tree.size(cell), phi[cell]);
    if here.abs() < h && apertures.solid_distance(cell) > SHEET_CELLS * h {
        let [low, high] = slopes(mesh, phi, cell);
        if (high - low).abs().max_element() > KINK {
            return h.powi(3) * kinked_fraction(here, [low * h, high * h]);
        }
        return cell_volume_by(mesh, phi, apertures, solids, cell, || 0.5 * (low + high));
    }
    cell_volume(mesh, phi, apertures, solids, cell)
}

/// The water that φ shows in a cell, with its slopes there.
pub struct ShownWater<'a> {
    cube: (DVec3, f64, f64),
    solid: f64,
    solids: &'a Solids,
    slopes: [DVec3; 2],
    is_kinked: bool,
}

impl<'a> ShownWater<'a> {
    /// Finds the slopes of φ in a cell.
    pub fn new(
        mesh: &Mesh,
        phi: &Field<CellId, f64>,
        apertures: &Apertures,
        solids: &'a Solids,
        cell: CellId,
    ) -> Self {
        let (h, here, solid) = (mesh.tree.size(cell), phi[cell], apertures.solid_distance(cell));
        let cube = (mesh.tree.center(cell), h, mesh.tree.grid().dx());
        let is_flat = solid <= -0.87 * h || here.abs() > 2.0 * h;
        let slopes = if is_flat { [DVec3::ZERO; 2] } else { slopes(mesh, phi, cell) };
        let kink = (slopes[1] - slopes[0]).abs().max_element();
        let is_kinked = here.abs() < h && solid > SHEET_CELLS * h && kink > KINK;
        Self { cube, solid, solids, slopes, is_kinked }
    }

    /// Returns whether φ has two slopes in the cell, as in a sheet of water or of air.
    pub fn is_kinked(&self) -> bool {
        self.is_kinked
    }

    /// Returns the volume of the water if φ at the cell's center is this, with the same slopes.
    pub fn volume(&self, phi: f64) -> f64 {
        let h = self.cube.1;
        let [low, high] = self.slopes;
        if self.is_kinked {
            return h.powi(3) * kinked_fraction(phi, [low * h, high * h]);
        }
        volume::cell_volume(self.cube, phi, self.solid, || 0.5 * (low + high), self.solids)
    }

    /// Returns by how much φ must fall for the volume to grow by `more`, but at most by `most` (more than 0) either way.
    pub fn fall(&self, phi: f64, more: f64, most: f64) -> f64 {
        let sign = more.signum();
        let target = self.volume(phi) + more;
        let missing = |by: f64| sign * (target - self.volume(phi - sign * by));
        let (mut low, mut high) = ((0.0, more.abs()), (most, missing(most)));
        if high.1 >= 0.0 {
            return sign * most;
        }
        let mut by = most;
        for _ in 0..FALSE_POSITIONS {
            by = low.0 + (high.0 - low.0) * low.1 / (low.1 - high.1);
            let rest = missing(by);
            if rest.abs() <= CLOSE * more.abs() {
                break;
            }
            // The value at the end that stays is halved (Illinois), so that both ends move.
            if rest > 0.0 {
                (low, high.1) = ((by, rest), 0.5 * high.1);
            } else {
                (high, low.1) = ((by, rest), 0.5 * low.1);
            }
        }
        sign * by
    }
}

/// Most steps of false position for φ that shows a volume ...
const FALSE_POSITIONS: usize = 12;
/// ... up to this part of the change.
const CLOSE: f64 = 1e-3;

/// Cells whose centers are this many of their edges below the surface are full.
const FULL_CELLS: f64 = 2.5;

/// Sheets are looked for in cells farther from solids than this, in their edges.
const SHEET_CELLS: f64 = 1.5;

/// φ counts as linear in a cell if its slopes on opposite sides differ by no more than this.
const KINK: f64 = 0.5;

/// Returns the liquid fraction of a unit cube with φ at its center and slopes on the low and the high side along each
/// axis: that of its eight octants, in each of which φ is linear.
fn kinked_fraction(phi: f64, slopes: [DVec3; 2]) -> f64 {
    let octant = |o: usize| {
        let g = DVec3::from_array([0, 1, 2].map(|a| 0.5 * slopes[o >> a & 1][a]));
        let to = DVec3::from_array([0, 1, 2].map(|a| if o >> a & 1 == 1 { 0.5 } else { -0.5 }));
        fraction_behind_plane(g, phi + g.dot(to))
    };
    (0..8).map(octant).sum::<f64>() / 8.0
}

/// Returns the centroid of the liquid in a cell that is not full.
pub fn cell_middle(mesh: &Mesh, phi: &Field<CellId, f64>, solids: &Solids, cell: CellId) -> DVec3 {
    let (x, g) = (mesh.tree.center(cell), cell_gradient(mesh, phi, cell));
    CutCell { x, phi: phi[cell], g, solids, dx: mesh.tree.grid().dx() }.middle(mesh.tree.size(cell))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_thinner_than_a_cell_has_its_own_volume() {
        let sheet = |phi: f64| kinked_fraction(phi, [DVec3::NEG_Y, DVec3::Y]);
        assert!((sheet(-0.3) - 0.6).abs() < 1e-12);
        assert!((sheet(-0.05) - 0.1).abs() < 1e-12);
        assert!(sheet(0.1) == 0.0 && sheet(-0.6) == 1.0);
        // Without a kink it is the volume behind a plane.
        let g = DVec3::new(0.3, -0.8, 0.5);
        assert!((kinked_fraction(0.1, [g, g]) - fraction_behind_plane(g, 0.1)).abs() < 1e-12);
    }

    /// Half of a sheet's volume is on each side of its middle: a surface that moves as if it were one plane goes twice too
    /// far.
    #[test]
    fn the_surface_falls_as_far_as_the_volume_needs() {
        let solids = Solids::default();
        let h = 0.5;
        let water = |slopes: [DVec3; 2], is_kinked| ShownWater {
            cube: (DVec3::ZERO, h, h),
            solid: f64::MAX,
            solids: &solids,
            slopes,
            is_kinked,
        };
        let sheet = water([DVec3::NEG_Y, DVec3::Y], true);
        assert!((sheet.fall(-0.05, 0.2 * h.powi(3), 0.2 * h) - 0.1 * h).abs() < 1e-4);
        assert!((sheet.fall(-0.15, -0.2 * h.powi(3), 0.2 * h) + 0.1 * h).abs() < 1e-4);
        let g = DVec3::new(0.3, -0.8, 0.5);
        let plane = water([g, g], false);
        for (phi, more) in [(0.1, 0.02), (0.0, -0.04), (0.25, 0.01), (-0.2, -0.01)] {
            let by = plane.fall(phi, more, h);
            let grown = plane.volume(phi - by) - plane.volume(phi);
            assert!((grown / more - 1.0).abs() < 2e-3, "{phi} {more}: {by} {grown}");
        }
        // No farther than allowed.
        assert_eq!(plane.fall(0.0, 0.1, 0.01), 0.01);
    }
}
