//! Vorticity at cell centers (§5): ω = ∇ × u.
//!
//! ```text
//! u_c = Σ A u / Σ A                 over the faces of cell c, axis by axis,
//! (∂q/∂x)_k = (q_high − q_low)/Δ    across face k, Δ = (h_low + h_high)/2 as the pressure's differences have it,
//! (∂q/∂x)_c = Σ A (∂q/∂x)_k / Σ A   over the faces of c along x that are open.
//! ```
//!
//! A face at the rim of the domain, or one that a solid closes, has nothing beyond it and takes no part:
//! differences beside it are one-sided.

use crate::frame::cell_velocity;
use crate::mesh::Mesh;
use glam::DVec3;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::octree::SplitFaces;
use octide_core::octree::nodal::Linear;
use octide_core::par;

/// The velocity at all cell centers.
pub fn cell_velocities<N: Sync>(mesh: &Mesh<SplitFaces, N>, u: &Field<FaceId, f64>) -> Field<CellId, DVec3> {
    par::map(mesh.n_cells(), |c| cell_velocity(mesh, u, c))
}

/// The derivatives of a field at cell centers along the three axes; faces that are not `open` take no part.
#[inline]
pub fn derivatives<T: Linear + Default, N>(
    mesh: &Mesh<SplitFaces, N>,
    q: &Field<CellId, T>,
    cell: CellId,
    open: impl Fn(FaceId) -> bool,
) -> [T; 3] {
    let h = mesh.tree.size(cell);
    std::array::from_fn(|axis| {
        let (mut sum, mut area) = (T::default(), 0.0);
        for (direction, sign) in [(2 * axis, -1.0), (2 * axis + 1, 1.0)] {
            for &k in mesh.faces.of_cell(cell, direction) {
                let other = mesh.faces.sides(k)[direction & 1];
                if other.is_none() || !open(k) {
                    continue;
                }
                let beyond = mesh.tree.size(other);
                let a = h.min(beyond).powi(2);
                sum = sum + (q[other] - q[cell]) * (sign * a / (0.5 * (h + beyond)));
                area += a;
            }
        }
        if area > 0.0 { sum * (1.0 / area) } else { sum }
    })
}

/// ω at all cell centers from the velocities there.
pub fn vorticity<N: Sync>(
    mesh: &Mesh<SplitFaces, N>,
    velocity: &Field<CellId, DVec3>,
    open: impl Fn(FaceId) -> bool + Sync + Send,
) -> Field<CellId, DVec3> {
    par::map(mesh.n_cells(), |c| {
        let [dx, dy, dz] = derivatives(mesh, velocity, c, &open);
        DVec3::new(dy.z - dz.y, dz.x - dx.z, dx.y - dy.x)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smoke::test_meshes::{on_faces, two_levels, uniform};

    /// What rotates like a solid body has the same vorticity everywhere, at walls too, where differences are
    /// one-sided.
    #[test]
    fn a_turning_body_has_twice_its_angular_velocity() {
        let omega = DVec3::new(0.4, -1.1, 0.7);
        let mesh = uniform(8);
        let u = on_faces(&mesh, |p| omega.cross(p - 0.3));
        let w = vorticity(&mesh, &cell_velocities(&mesh, &u), |_| true);
        for c in mesh.tree.cells() {
            assert!((w[c] - 2.0 * omega).length() < 1e-12, "{}", w[c]);
        }
    }

    /// Across T-junctions differences are off to the side, and the error does not vanish; it stays a small
    /// share.
    #[test]
    fn at_changes_of_level_a_turning_body_is_nearly_right() {
        let omega = DVec3::new(0.4, -1.1, 0.7);
        let mesh = two_levels(16);
        let u = on_faces(&mesh, |p| omega.cross(p - 0.3));
        let w = vorticity(&mesh, &cell_velocities(&mesh, &u), |_| true);
        let error = |c: CellId| (w[c] - 2.0 * omega).length() / (2.0 * omega.length());
        let worst = mesh.tree.cells().map(error).fold(0.0, f64::max);
        let mean = mesh.tree.cells().map(error).sum::<f64>() / mesh.n_cells() as f64;
        assert!(worst < 0.35 && mean < 0.05 && worst > 1e-3, "worst {worst}, mean {mean}");
    }

    /// Centers of unequal cells lie (h_low + h_high)/2 apart along the axis: what changes along it alone is
    /// exact.
    #[test]
    fn along_an_axis_a_slope_is_exact_at_changes_of_level() {
        let mesh = two_levels(16);
        for axis in 0..3 {
            let q = par::map(mesh.n_cells(), |c: CellId| mesh.tree.center(c)[axis]);
            let worst = |c: CellId| (derivatives(&mesh, &q, c, |_| true)[axis] - 1.0).abs();
            assert!(mesh.tree.cells().map(worst).fold(0.0, f64::max) < 1e-12);
        }
    }

    #[test]
    fn closed_faces_take_no_part() {
        let mesh = uniform(8);
        // The flow jumps at x = 1/2; where that plane is closed nobody sees it.
        let u = on_faces(&mesh, |p| DVec3::new(0.0, if p.x < 0.5 { -1.0 } else { 1.0 }, 0.0));
        let velocity = cell_velocities(&mesh, &u);
        let is_plane = |k: FaceId| mesh.faces.axis(k) == 0 && (mesh.face_position(k).x - 0.5).abs() < 1e-9;
        let seen = vorticity(&mesh, &velocity, |_| true);
        assert!(seen.iter().any(|w| w.z > 1.0));
        let hidden = vorticity(&mesh, &velocity, |k| !is_plane(k));
        assert!(hidden.iter().all(|w| w.length() < 1e-12));
    }
}
