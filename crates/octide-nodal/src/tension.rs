//! §6: surface tension, p = p_air + σκ with κ = ∇·(∇φ/|∇φ|), computed "by averaging nodal values of φ to the cell
//! center, computing derivatives of φ on the cell faces, averaging these back to the cell center, using these cell
//! centered values to obtain the normal, computing derivatives of the normal on the cell faces, averaging these values
//! back to the cell center":
//!
//! ```text
//! φ_c = mean of the eight corners,   (∂φ)_k = (φ_j − φ_i)/Δ_k,   ∂_a φ = Σ A_k (∂φ)_k / Σ A_k over the faces normal to a
//! n = ∇φ/|∇φ|,                       (∂n)_k = (n_j − n_i)/Δ_k,   κ = Σ_a Σ A_k (∂n_a)_k / Σ A_k
//! ```
//!
//! Δ_k is the pressure's. |κ| is limited to 1/h: no sharper bend is known. The paper is silent on walls: φ is mirrored
//! there, so that water meets them at a right angle.

use crate::mesh::Mesh;
use crate::project::{delta, faces_of};
use glam::DVec3;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::par;
use octide_core::scene::GradientDistance;

/// Surface tension in one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tension {
    /// dt σ/ρ in m³/s.
    pub strength: f64,
    /// In place of the surface's own curvature.
    pub imposed_curvature: Option<f64>,
}

impl Tension {
    /// Of a step of length `dt`; none without tension.
    pub fn of(sigma: f64, density: f64, imposed_curvature: Option<f64>, dt: f64) -> Option<Self> {
        let strength = dt * sigma / density;
        (strength > 0.0).then_some(Self { strength, imposed_curvature })
    }

    /// dt σκ/ρ at the cells on both sides of the surface, zero elsewhere. `phi` is at cell centers.
    pub(crate) fn at_surface(
        self,
        mesh: &Mesh,
        phi: &Field<CellId, f64>,
        is_water: &Field<CellId, bool>,
        distance: GradientDistance,
    ) -> Field<CellId, f64> {
        let is_edge = |c: CellId| neighbors(mesh, c).any(|other| is_water[other] != is_water[c]);
        let wanted = par::map(mesh.n_cells(), is_edge);
        match self.imposed_curvature {
            Some(kappa) => Field::filled(mesh.n_cells(), self.strength * kappa),
            None => {
                let mut kappa = curvature(mesh, phi, &wanted, distance);
                kappa.iter_mut().for_each(|k| *k *= self.strength);
                kappa
            }
        }
    }
}

/// κ in the wanted cells, zero elsewhere: 2/R on a ball of water. `phi` is at cell centers.
pub fn curvature(
    mesh: &Mesh,
    phi: &Field<CellId, f64>,
    wanted: &Field<CellId, bool>,
    distance: GradientDistance,
) -> Field<CellId, f64> {
    let n = mesh.n_cells();
    let near = par::map(n, |c: CellId| wanted[c] || neighbors(mesh, c).any(|other| wanted[other]));
    let normal = par::map(n, |c: CellId| {
        if !near[c] {
            return DVec3::ZERO;
        }
        let mut g = DVec3::ZERO;
        for axis in 0..3 {
            // A mirror image makes no difference across a wall.
            g[axis] = mean_over(mesh, c, axis, |k, other| {
                if other.is_none() { 0.0 } else { (phi[other] - phi[c]) / delta(mesh, distance, k) }
            });
        }
        g.normalize_or_zero()
    });
    par::map(n, |c: CellId| {
        if !wanted[c] {
            return 0.0;
        }
        let h = mesh.tree.size(c);
        let along = |axis: usize| {
            mean_over(mesh, c, axis, |k, other| {
                let own = normal[c][axis];
                if other.is_none() {
                    -2.0 * own / h
                } else {
                    (normal[other][axis] - own) / delta(mesh, distance, k)
                }
            })
        };
        (along(0) + along(1) + along(2)).clamp(-1.0 / h, 1.0 / h)
    })
}

/// The mean, by area, over a cell's faces normal to an axis of what `outward` is on each of them: a derivative away from
/// the cell, from a face and the cell beyond it.
fn mean_over(mesh: &Mesh, cell: CellId, axis: usize, outward: impl Fn(FaceId, CellId) -> f64) -> f64 {
    let mut sum = 0.0;
    for side in 0..2 {
        for &k in mesh.faces.of_cell(cell, 2 * axis + side) {
            let d = mesh.face_size(k).powi(2) * outward(k, mesh.faces.sides(k)[side]);
            sum += if side == 1 { d } else { -d };
        }
    }
    sum / (2.0 * mesh.tree.size(cell).powi(2))
}

/// The cells beside a cell.
fn neighbors(mesh: &Mesh, cell: CellId) -> impl Iterator<Item = CellId> {
    faces_of(mesh, cell).map(|(k, side)| mesh.faces.sides(k)[side]).filter(|other| other.is_some())
}

#[cfg(test)]
mod tests;
