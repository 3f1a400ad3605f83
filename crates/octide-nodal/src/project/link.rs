//! The link of a face in the pressure system: the length by which its pressure difference is divided, and the
//! pressure beyond it where that is known.
//!
//! ```text
//! both cells unknown    ∇P = (P_j − P_i) / Δ
//! one, first order      ∇P = (g − P_i) / Δ         g = (dt σ/ρ) κ at the air cell's center
//! one, second order     ∇P = (g − P_i) / (θ Δ)     θ = φ_i/(φ_i − φ_j),  g with κ where φ = 0
//! shut-in air           g is increased by the pressure of the air, times dt/ρ
//! an open side          ∇P = (0 − P_i) / (h/2)     or to the surface, at second order, if that is nearer
//! ```

use super::Medium;
use crate::boundary::Boundary;
use crate::distance::delta;
use crate::faults::{self, Fault};
use crate::mesh::{Mesh, mean_at};
use octide_core::index::{CellId, FaceId, Field, NodeId};
use octide_core::octree::{CornersOfCells, SplitFaces};
use octide_core::scene::{FreeSurface, GradientDistance};

/// The lower bound of θ; φ within this fraction of a cell's edge counts as on the surface. Larger values set
/// water at rest in motion.
pub(super) const THETA: f64 = 1e-6;

/// Marks cells without an unknown.
pub(super) const NONE: u32 = u32::MAX;

/// A face as the pressure system sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Link {
    /// The length by which the difference is divided; infinite where no pressure acts.
    pub length: f64,
    /// P on the side that has no unknown.
    pub beyond: f64,
}

impl Link {
    const OFF: Self = Self { length: f64::INFINITY, beyond: 0.0 };

    /// Returns whether the pressure sets the face's velocity.
    #[inline]
    pub fn acts(self) -> bool {
        self.length.is_finite()
    }
}

/// Returns φ at cell centers; empty without a surface.
pub(super) fn at_centers(n_cells: usize, medium: &Medium<'_>) -> Field<CellId, f64> {
    match medium {
        Medium::Water { centers: Some(centers), .. } => (*centers).clone(),
        Medium::Water { phi, corners, .. } => octide_core::par::map(n_cells, |c| mean_at(*corners, phi, c)),
        Medium::Gas => Field::default(),
    }
}

/// Returns whether a cell is filled.
#[inline]
pub(super) fn is_filled<N>(
    mesh: &Mesh<SplitFaces, N>,
    medium: &Medium<'_>,
    centers: &Field<CellId, f64>,
    cell: CellId,
) -> bool {
    match medium {
        Medium::Water { free_surface: FreeSurface::FirstOrder, .. } => {
            centers[cell] <= THETA * mesh.tree.size(cell)
        }
        // If the sign of a rounding error made the cell an unknown, it and its neighbors could disagree about
        // θ by any factor.
        Medium::Water { .. } => centers[cell] < -THETA * mesh.tree.size(cell),
        Medium::Gas => true,
    }
}

/// The inputs from which links are computed. Links are recomputed on each use, because storing them would
/// take a tenth of a step's memory.
pub(super) struct Links<'a, N> {
    pub mesh: &'a Mesh<SplitFaces, N>,
    pub boundary: &'a Boundary,
    pub medium: &'a Medium<'a>,
    /// The row of each cell, or [`NONE`].
    pub row_of: &'a Field<CellId, u32>,
    /// The pressure dt σκ/ρ at cell centers; empty without surface tension.
    pub curvature: &'a Field<CellId, f64>,
    pub distance: GradientDistance,
}

impl<N> Links<'_, N> {
    /// Returns whether a cell has an unknown.
    #[inline]
    pub fn is_unknown(&self, cell: CellId) -> bool {
        cell.is_some() && self.row_of[cell] != NONE
    }

    /// Returns the link of a face. Friction lets only a part of the pressure gradient act, as if the way were longer.
    #[inline]
    pub fn of(&self, face: FaceId) -> Link {
        let link = self.free(face);
        Link { length: link.length / self.boundary.yields(face), ..link }
    }

    /// Returns the link of a face without friction.
    #[inline]
    fn free(&self, face: FaceId) -> Link {
        let Self { mesh, boundary, medium, curvature, distance, .. } = self;
        let [lo, hi] = mesh.faces.sides(face);
        let (own, other) = match (self.is_unknown(lo), self.is_unknown(hi)) {
            (false, false) => return Link::OFF,
            _ if boundary.open(face) <= 0.0 => return Link::OFF,
            (true, true) => return Link { length: delta(mesh, *distance, face), beyond: 0.0 },
            (true, false) => (lo, hi),
            (false, true) => (hi, lo),
        };
        let full = delta(mesh, *distance, face);
        let Medium::Water { phi, corners, centers, free_surface, air, .. } = medium else {
            return Link { length: full, beyond: 0.0 };
        };
        let is_first = *free_surface == FreeSurface::FirstOrder;
        // Beyond an open side there is no cell: φ on the side itself shows whether the surface is nearer.
        let at_center = |c: CellId| centers.map_or_else(|| mean_at(*corners, phi, c), |phi| phi[c]);
        let outside = if other.is_some() { at_center(other) } else { self.at_face(corners, phi, face) };
        let theta = if is_first { 1.0 } else { theta(at_center(own), outside) };
        let air = air.filter(|_| other.is_some()).map_or(0.0, |air| air.at(other));
        let tension = if curvature.is_empty() || other.is_none() {
            0.0
        } else if is_first {
            curvature[other]
        } else {
            curvature[own] + theta * (curvature[other] - curvature[own])
        };
        Link { length: theta * full, beyond: tension + air }
    }

    /// Returns φ at the center of a face: the mean of its corners.
    fn at_face(&self, corners: &CornersOfCells, phi: &Field<NodeId, f64>, face: FaceId) -> f64 {
        let [a, b, c, d] = self.mesh.face_corners_by(corners, face).map(|v| phi[v]);
        ((a + b) + (c + d)) * 0.25
    }

    /// Returns ∇P on a face, from the pressure of each row, or none where no pressure acts.
    #[inline]
    pub fn gradient(&self, pressure: &[f64], face: FaceId) -> Option<f64> {
        let link = self.of(face);
        let at = |c: CellId| if self.is_unknown(c) { pressure[self.row_of[c] as usize] } else { link.beyond };
        let [lo, hi] = self.mesh.faces.sides(face);
        let mut length = link.length;
        if faults::is(Fault::OtherDistanceInUpdate) && self.is_unknown(lo) && self.is_unknown(hi) {
            length = delta(self.mesh, GradientDistance::Large, face);
        }
        link.acts().then(|| (at(hi) - at(lo)) / length)
    }

    /// Returns A/Δ of a face on which the pressure acts.
    #[inline]
    pub fn coefficient(&self, link: Link, face: FaceId) -> f64 {
        self.boundary.open(face) * self.mesh.face_size(face).powi(2) / link.length
    }
}

/// Returns the distance of the surface from the center with `inside`, as a fraction of the distance to
/// `outside`.
fn theta(inside: f64, outside: f64) -> f64 {
    if outside <= 0.0 {
        // A cell is on the surface; at an open side, there is water up to the side.
        return 1.0;
    }
    (inside / (inside - outside)).clamp(THETA, 1.0)
}
