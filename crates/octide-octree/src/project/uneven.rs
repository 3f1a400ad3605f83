//! T-junctions that a solid cuts: their small faces are open by different fractions A_i.
//!
//! ```text
//! flow into small cell i    ¼ h² A_i u_k                           as much as passes through its own face
//! gradient                  [∇]_k p = (Σ a_i p_i − p_l) / L,       a_i = A_i / Σ A_j
//!                                   = ∂p/∂n + t·∇p,                t L = Σ a_i x_i − x_l along the face
//! ```
//!
//! The gradient is the transpose of the flow, so the matrix is symmetric. But the mean of the small cells is
//! not opposite to the large cell l, and the difference is a slope along a line that is tilted by t, at most a
//! third for each direction along the face. Without correction this is an error of order one in the velocity
//! of the face, and water at rest would move. So t·∇p is taken from an estimate and subtracted: first from the
//! slope that gravity alone gives, which is exact for water at rest, then from the pressure that was solved
//! for, where that differs. The matrix stays the same; later solves start close to their result.
//!
//! Not in the paper, which has one open fraction for the large face and all four cells (§4.4).

use super::link::Link;
use crate::apertures::Apertures;
use crate::faults::{self, Fault};
use crate::mesh::Mesh;
use glam::DVec3;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::octree::FaceStencil;
use octide_core::par;

/// The estimate is accurate enough if no t·∇p changes by more than this fraction of the largest slope.
const ENOUGH: f64 = 0.01;

/// T-junctions whose small faces are open by different fractions.
#[derive(Clone, Debug, Default)]
pub(super) struct Uneven {
    /// The faces in ascending order.
    faces: Vec<FaceId>,
    /// A bit for each face of the mesh: whether it is one of these. Empty if there are none.
    is_one: Vec<u64>,
    stencils: Vec<FaceStencil>,
    /// t of each face.
    tilts: Vec<DVec3>,
}

/// An estimate of t·∇p on each of these faces.
#[derive(Clone, Debug, Default)]
pub(super) struct Estimate(Vec<f64>);

impl Uneven {
    /// Finds these faces.
    pub fn find(mesh: &Mesh, apertures: &Apertures) -> Self {
        let mut all = Self::default();
        if faults::is(Fault::EvenTJunctions) {
            return all;
        }
        for &k in apertures.uneven() {
            let Some(small) = apertures.small(k).filter(|small| small.mean_open() > 0.0) else { continue };
            let full = mesh.faces.stencil(&mesh.tree, k);
            let first_small = usize::from(full.weights[0].abs() > 0.5 / full.length);
            let large = full.cells[if first_small == 1 { 0 } else { 4 }];
            let mut s = FaceStencil { n: 0, ..full };
            let mut mean = DVec3::ZERO;
            for (i, (c, w)) in full.iter().enumerate() {
                let w = if c == large { w } else { 4.0 * w * small.weight(i - first_small) };
                // A cell behind a closed small face has no part in the gradient.
                if w == 0.0 {
                    continue;
                }
                (s.cells[s.n], s.weights[s.n]) = (c, w);
                s.n += 1;
                if c != large {
                    mean += w.abs() * full.length * (mesh.tree.center(c) - mesh.tree.center(large));
                }
            }
            mean[mesh.faces.axis(k)] = 0.0;
            let toward_small = if first_small == 1 { 1.0 } else { -1.0 };
            all.faces.push(k);
            all.stencils.push(s);
            // Friction lets only a part of the gradient act, and this with it.
            all.tilts.push(apertures.yields(k) * toward_small * mean / full.length);
        }
        if !all.faces.is_empty() {
            all.is_one = vec![0; mesh.n_faces().div_ceil(64)];
        }
        for k in &all.faces {
            all.is_one[k.0 as usize / 64] |= 1 << (k.0 % 64);
        }
        all
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.faces.is_empty()
    }

    /// Returns the stencil of a face, if it is one of these.
    #[inline]
    pub fn stencil(&self, face: FaceId) -> Option<&FaceStencil> {
        if self.is_one.is_empty() || self.is_one[face.0 as usize / 64] >> (face.0 % 64) & 1 == 0 {
            return None;
        }
        self.faces.binary_search(&face).ok().map(|i| &self.stencils[i])
    }

    /// Returns whether an open face couples a cell beside it to others. A small cell may be behind its closed
    /// part.
    #[inline]
    pub fn ties(&self, face: FaceId, cell: CellId) -> bool {
        self.stencil(face).is_none_or(|s| s.iter().any(|(c, _)| c == cell))
    }

    /// Returns t·∇p for a pressure with the same slope everywhere.
    pub fn estimate(&self, slope: DVec3) -> Estimate {
        Estimate(self.tilts.iter().map(|t| t.dot(slope)).collect())
    }

    /// Adds an estimate to a velocity or gradient, times `sign`.
    pub fn add(&self, estimate: &Estimate, sign: f64, u: &mut Field<FaceId, f64>) {
        for (&k, e) in self.faces.iter().zip(&estimate.0) {
            u[k] += sign * e;
        }
    }

    /// Sets these faces of `u` to `u_star` plus an estimate.
    pub fn set_sum(&self, u_star: &Field<FaceId, f64>, estimate: &Estimate, u: &mut Field<FaceId, f64>) {
        for (&k, e) in self.faces.iter().zip(&estimate.0) {
            u[k] = u_star[k] + e;
        }
    }

    /// Returns the cells beside these faces, in order.
    pub fn cells_beside(&self, mesh: &Mesh) -> Vec<CellId> {
        let mut cells = Vec::new();
        for &k in &self.faces {
            cells.extend(mesh.faces.stencil(&mesh.tree, k).iter().map(|(c, _)| c));
        }
        cells.sort_unstable();
        cells.dedup();
        cells
    }

    /// Returns the faces whose gradients [`Self::improved`] reads, in order.
    pub fn faces_read(&self, mesh: &Mesh) -> Vec<FaceId> {
        let mut faces = self.faces.clone();
        for (k, s) in self.faces.iter().zip(&self.stencils) {
            let axis = mesh.faces.axis(*k);
            for (c, _) in s.iter() {
                let of_cell = mesh.faces.of_cell(c).iter().enumerate();
                faces.extend(of_cell.filter(|(d, _)| d / 2 != axis).map(|(_, &m)| m));
            }
        }
        faces.sort_unstable();
        faces.dedup();
        faces
    }

    /// Returns t·∇p with the slopes of the pressure around each face; `None` if the estimate is already as
    /// good. `gradient` is the corrected gradient.
    pub fn improved(
        &self,
        mesh: &Mesh,
        apertures: &Apertures,
        links: &Field<FaceId, Link>,
        gradient: &Field<FaceId, f64>,
        estimate: &Estimate,
    ) -> Option<Estimate> {
        let found = par::map_index(self.faces.len(), |i| {
            let (k, axis) = (self.faces[i], mesh.faces.axis(self.faces[i]));
            if !links[k].acts() {
                return (estimate.0[i], 0.0);
            }
            let (mut sum, mut largest) = (0.0, 0.0f64);
            for along in (0..3).filter(|&a| a != axis) {
                let t = self.tilts[i][along];
                if t == 0.0 {
                    continue;
                }
                // A cell that the free surface or a solid closes in along this axis says nothing: keep the estimate.
                let Some(slope) = slope(mesh, apertures, links, gradient, &self.stencils[i], along) else {
                    return (estimate.0[i], 0.0);
                };
                sum += t * slope;
                largest = largest.max(slope.abs());
            }
            (sum, largest.max(gradient[k].abs() / apertures.yields(k)))
        });
        let largest = found.iter().fold(0.0f64, |most, f| most.max(f.1));
        let change = found.iter().zip(&estimate.0).fold(0.0f64, |most, (f, e)| most.max((f.0 - e).abs()));
        (change > ENOUGH * largest).then(|| Estimate(found.into_iter().map(|f| f.0).collect()))
    }
}

/// Returns the mean slope of the pressure along an axis over the open faces of a stencil's cells.
fn slope(
    mesh: &Mesh,
    apertures: &Apertures,
    links: &Field<FaceId, Link>,
    gradient: &Field<FaceId, f64>,
    stencil: &FaceStencil,
    along: usize,
) -> Option<f64> {
    let (mut sum, mut weights) = (0.0, 0.0);
    for (c, _) in stencil.iter() {
        for &m in &mesh.faces.of_cell(c)[2 * along..2 * along + 2] {
            if links[m].acts() {
                let weight = apertures.open(m) * mesh.tree.size(c).powi(2);
                sum += weight * gradient[m] / apertures.yields(m);
                weights += weight;
            }
        }
    }
    (weights > 0.0).then(|| sum / weights)
}

/// Returns the mean velocity through the part of a face that belongs to a cell.
#[inline]
pub(super) fn through(mesh: &Mesh, apertures: &Apertures, face: FaceId, cell: CellId, u: f64) -> f64 {
    match apertures.small(face) {
        None => apertures.through(face, u),
        Some(_) if faults::is(Fault::EvenTJunctions) => apertures.through(face, u),
        Some(small) => match small_index(mesh, face, cell) {
            Some(i) => small.through(i, u),
            None => small.mean_open() * u + (1.0 - small.mean_open()) * small.mean_velocity(),
        },
    }
}

/// Returns which of the small faces of a T-junction a cell has, `None` for the large cell.
fn small_index(mesh: &Mesh, face: FaceId, cell: CellId) -> Option<usize> {
    let s = mesh.faces.stencil(&mesh.tree, face);
    let first_small = usize::from(s.weights[0].abs() > 0.5 / s.length);
    s.cells[first_small..first_small + 4].iter().position(|&c| c == cell)
}

/// Returns the open fraction of a face.
#[inline]
pub(super) fn open(apertures: &Apertures, face: FaceId) -> f64 {
    // The mean of the small faces is not exactly a 32-bit number, and flows must balance.
    apertures.small(face).map_or_else(|| apertures.open(face), |small| small.mean_open())
}

#[cfg(test)]
mod tests;
