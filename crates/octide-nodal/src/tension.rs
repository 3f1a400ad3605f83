//! §6: surface tension, p = p_air + σκ with κ = ∇·(∇φ/|∇φ|), computed "by averaging nodal values of φ to the
//! cell center, computing derivatives of φ on the cell faces, averaging these back to the cell center, using
//! these cell centered values to obtain the normal, computing derivatives of the normal on the cell faces,
//! averaging these values back to the cell center":
//!
//! ```text
//! φ_c = mean of the eight corners,   (∂φ)_k = (φ_j − φ_i)/Δ_k,   ∂_a φ = Σ A_k (∂φ)_k / Σ A_k over the faces normal to a
//! n = ∇φ/|∇φ|,                       (∂n)_k = (n_j − n_i)/Δ_k,   κ = Σ_a Σ A_k (∂n_a)_k / Σ A_k
//! ```
//!
//! Δ_k is the pressure's. |κ| is limited to 1/h: no sharper bend is known. The paper is silent on walls: φ is
//! mirrored there, so that water meets them at a right angle.
//!
//! φ has a ridge in the middle of a thin sheet, where its normal turns round, and in its mirror image under a
//! thin film. Taken for a bend of the surface this is a pressure of σ/(2h) in all sheets and of σ/h in films
//! on a wall, flat as they are; it drove them apart and gave a milk crown five times its energy. So a
//! neighbor on the other side of a ridge is not asked: it has no normal to speak of, |∇φ| < 1/4, or one that
//! points the other way; then the other side alone counts. And a wall is a mirror only where the surface
//! reaches it within a cell.

use crate::distance::delta;
use crate::mesh::Mesh;
use glam::DVec3;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::octree::SplitFaces;
use octide_core::par;
use octide_core::scene::GradientDistance;

/// Where |∇φ| is less there is a ridge of φ.
const MIN_SLOPE: f64 = 0.25;

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
    pub(crate) fn at_surface<N: Sync>(
        self,
        mesh: &Mesh<SplitFaces, N>,
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
pub fn curvature<N: Sync>(
    mesh: &Mesh<SplitFaces, N>,
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
                Some(if other.is_none() { 0.0 } else { (phi[other] - phi[c]) / delta(mesh, distance, k) })
            });
        }
        if g.length() < MIN_SLOPE { DVec3::ZERO } else { g.normalize() }
    });
    par::map(n, |c: CellId| {
        if !wanted[c] || normal[c] == DVec3::ZERO {
            return 0.0;
        }
        let h = mesh.tree.size(c);
        let along = |axis: usize| {
            mean_over(mesh, c, axis, |k, other| {
                let own = normal[c][axis];
                if other.is_none() {
                    let is_high = mesh.faces.sides(k)[1].is_none();
                    return meets_wall(normal[c], phi[c], h, axis, is_high).then_some(-2.0 * own / h);
                }
                let is_beyond = normal[other] == DVec3::ZERO || normal[other].dot(normal[c]) < 0.0;
                (!is_beyond).then(|| (normal[other][axis] - own) / delta(mesh, distance, k))
            })
        };
        (along(0) + along(1) + along(2)).clamp(-1.0 / h, 1.0 / h)
    })
}

/// Whether the plane through a cell with `phi` at its center crosses its side on a wall, or does so a cell
/// farther on.
fn meets_wall(normal: DVec3, phi: f64, h: f64, axis: usize, is_high: bool) -> bool {
    let at_wall = phi + if is_high { 0.5 } else { -0.5 } * h * normal[axis];
    let across = normal[(axis + 1) % 3].abs() + normal[(axis + 2) % 3].abs();
    at_wall.abs() <= h * across
}

/// The derivative along an axis at a cell's center: the mean of both sides of what `outward` is, by area, on
/// their faces: a derivative away from the cell, from a face and the cell beyond it. Faces for which it is
/// none do not count, nor sides without any other.
fn mean_over<N>(
    mesh: &Mesh<SplitFaces, N>,
    cell: CellId,
    axis: usize,
    outward: impl Fn(FaceId, CellId) -> Option<f64>,
) -> f64 {
    let (mut sum, mut sides) = (0.0, 0.0);
    for side in 0..2 {
        let (mut of_side, mut area) = (0.0, 0.0);
        for &k in mesh.faces.of_cell(cell, 2 * axis + side) {
            if let Some(d) = outward(k, mesh.faces.sides(k)[side]) {
                let a = mesh.face_size(k).powi(2);
                of_side += a * d;
                area += a;
            }
        }
        if area > 0.0 {
            sum += if side == 1 { of_side / area } else { -of_side / area };
            sides += 1.0;
        }
    }
    if sides > 0.0 { sum / sides } else { 0.0 }
}

/// The cells beside a cell.
fn neighbors<N>(mesh: &Mesh<SplitFaces, N>, cell: CellId) -> impl Iterator<Item = CellId> {
    mesh.faces_of(cell).map(|(k, side)| mesh.faces.sides(k)[side]).filter(|other| other.is_some())
}

#[cfg(test)]
mod tests;
