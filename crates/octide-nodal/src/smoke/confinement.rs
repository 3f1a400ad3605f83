//! Vorticity confinement (§5): what gives small whirls back that the grid damps,
//!
//! ```text
//! f = ε h (N × ω),   N = ∇|ω| / |∇|ω||.
//! ```
//!
//! ω, ∇|ω| and N × ω live at cell centers ([`super::vorticity`]); a face takes the mean of its two cells,
//! times its diagonal h = √2 Δx and ε. h makes the force vanish under refinement. Where |ω| is nearly even
//! there is no N: |∇|ω|| counts from a share of |ω|/h on, lest rounding choose a direction.
//!
//! ε is a rate, in 1/s; the paper does not say so. A scene gives it as a number, in units of U/L: the speed
//! that its forces can give over its longest side. So it means the same in slow scenes and in fast ones, in
//! small ones and in large ones. (A rate from |ω| itself, f = ε h |ω| (N × ω), runs away: the stronger a
//! whirl, the faster it grows.)
//!
//! Faces at the rim of the domain and those that solids close have no such force.

use super::vorticity::{cell_velocities, derivatives, vorticity};
use crate::mesh::Mesh;
use glam::DVec3;
use octide_core::index::{CellId, FaceId, Field};
use octide_core::octree::SplitFaces;
use octide_core::par;
use std::f64::consts::SQRT_2;

/// |∇|ω|| h / |ω| below which N fades out.
const EVEN: f64 = 1e-6;

/// Adds dt f to the velocity on faces that `open` says yes to.
pub fn confine<N: Sync>(
    mesh: &Mesh<SplitFaces, N>,
    u: &mut Field<FaceId, f64>,
    epsilon: f64,
    dt: f64,
    open: impl Fn(FaceId) -> bool + Sync + Send,
) {
    if epsilon == 0.0 {
        return;
    }
    let velocity = cell_velocities(mesh, u);
    let omega = vorticity(mesh, &velocity, &open);
    drop(velocity);
    let force = unscaled(mesh, &omega, &open);
    par::update(u, |i, u| {
        let k = FaceId(i as u32);
        let [low, high] = mesh.faces.sides(k);
        if low.is_some() && high.is_some() && open(k) {
            let mean = 0.5 * (force[low] + force[high]);
            *u += dt * epsilon * SQRT_2 * mesh.face_size(k) * mean[mesh.faces.axis(k)];
        }
    });
}

/// N × ω at cell centers.
pub fn unscaled<N: Sync>(
    mesh: &Mesh<SplitFaces, N>,
    omega: &Field<CellId, DVec3>,
    open: impl Fn(FaceId) -> bool + Sync + Send,
) -> Field<CellId, DVec3> {
    let strength = par::map(mesh.n_cells(), |c: CellId| omega[c].length());
    par::map(mesh.n_cells(), |c: CellId| {
        let gradient = DVec3::from_array(derivatives(mesh, &strength, c, &open));
        let least = EVEN * strength[c] / mesh.tree.size(c);
        let n = gradient / (gradient.length() + least + f64::MIN_POSITIVE);
        n.cross(omega[c])
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smoke::test_meshes::{on_faces, two_levels, uniform};

    /// A whirl about the middle's z axis, as fast as r exp(−r²/a²).
    fn whirl(p: DVec3) -> DVec3 {
        let r = p - 0.5;
        DVec3::new(-r.y, r.x, 0.0) * (-(r.x * r.x + r.y * r.y) / 0.04).exp()
    }

    /// |ω| of that whirl falls with r near its axis: N points to the axis, ω along z, so N × ω turns with the whirl there.
    /// By hand: ω = 2 (1 − r²/a²) exp(−r²/a²), N = −r̂, N × ω = ω θ̂ for r < a.
    #[test]
    fn it_turns_a_whirl_on() {
        for mesh in [uniform(32), two_levels(64)] {
            let before = on_faces(&mesh, whirl);
            let mut u = before.clone();
            let (epsilon, dt) = (0.5, 0.1);
            confine(&mesh, &mut u, epsilon, dt, |_| true);
            let mut n = 0;
            for k in u.ids() {
                let (x, axis) = (mesh.face_position(k), mesh.faces.axis(k));
                let r = DVec3::new(x.x - 0.5, x.y - 0.5, 0.0);
                let a = r.length();
                // Not where N turns over, and away from walls.
                if !(0.06..0.15).contains(&a) || (x.z - 0.5).abs() > 0.3 {
                    continue;
                }
                let e = (-a * a / 0.04).exp();
                let omega = 2.0 * (1.0 - a * a / 0.04) * e;
                let force = (-r / a).cross(DVec3::Z * omega)[axis];
                let expected = dt * epsilon * SQRT_2 * mesh.face_size(k) * force;
                let scale = dt * epsilon * SQRT_2 * mesh.face_size(k) * 2.0;
                assert!((u[k] - before[k] - expected).abs() < 0.12 * scale, "{x}");
                n += 1;
            }
            assert!(n > 500);
        }
    }

    #[test]
    fn it_vanishes_with_the_cells_and_without_vorticity() {
        let mean = |n: u32| {
            let mesh = uniform(n);
            let before = on_faces(&mesh, whirl);
            let mut u = before.clone();
            confine(&mesh, &mut u, 1.0, 1.0, |_| true);
            u.ids().map(|k| (u[k] - before[k]).abs()).sum::<f64>() / u.len() as f64
        };
        let [coarse, fine] = [16, 32].map(mean);
        assert!(coarse > 1e-3 && (coarse / fine - 2.0).abs() < 0.3, "{coarse} {fine}");

        let mesh = two_levels(16);
        let before = on_faces(&mesh, |_| DVec3::new(1.0, -2.0, 0.5));
        let mut u = before.clone();
        confine(&mesh, &mut u, 1.0, 1.0, |_| true);
        assert!(u.ids().all(|k| (u[k] - before[k]).abs() < 1e-12));
    }

    #[test]
    fn closed_faces_are_left_alone() {
        let mesh = uniform(16);
        let before = on_faces(&mesh, whirl);
        let mut u = before.clone();
        let is_open = |k: FaceId| mesh.face_position(k).x > 0.4;
        confine(&mesh, &mut u, 1.0, 1.0, is_open);
        assert!(u.ids().filter(|&k| !is_open(k)).all(|k| u[k] == before[k]));
        assert!(u.ids().any(|k| u[k] != before[k]));
    }
}
