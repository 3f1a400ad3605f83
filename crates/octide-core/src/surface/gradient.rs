//! Gradients and mean curvature by least squares over neighbors.
//!
//! ∇φ_i minimizes Σ w_j (∇φ·r_j − (φ_j − φ_i))² with r_j = x_j − x_i and w_j = 1/|r_j|², so it solves A ∇φ =
//! Σ w_j r_j (φ_j − φ_i), A = Σ w_j r_j r_jᵀ. If the neighbors do not span space (a flat graph, a corner of
//! the domain), it is the shortest of all solutions. It is exact for linear φ.

use super::graph::Graph;
use glam::{DMat3, DVec3};

/// A direction counts as not spanned if its eigenvalue is below this fraction of A's mean eigenvalue.
const FLAT: f64 = 1e-6;

/// Returns the gradient of `phi` at point `i`.
pub fn gradient(graph: &impl Graph, phi: &[f64], i: usize) -> DVec3 {
    let x = graph.position(i);
    let (mut a, mut b) = (Moments::default(), DVec3::ZERO);
    graph.for_neighbors(i, |j| {
        let r = graph.position(j) - x;
        let w = 1.0 / r.length_squared().max(f64::MIN_POSITIVE);
        a.add(r, w);
        b += r * (w * (phi[j] - phi[i]));
    });
    a.pseudo_inverse() * b
}

/// Returns the sum of the principal curvatures, ∇·(∇φ/|∇φ|), of the contour of `phi` through point `i`: 2/R
/// on a sphere, positive where the liquid (φ < 0) is convex.
pub fn curvature(graph: &impl Graph, phi: &[f64], i: usize) -> f64 {
    let x = graph.position(i);
    let normal = |i| gradient(graph, phi, i).normalize_or_zero();
    let n = normal(i);
    let mut a = Moments::default();
    let mut b = DMat3::ZERO;
    graph.for_neighbors(i, |j| {
        let r = graph.position(j) - x;
        let w = 1.0 / r.length_squared().max(f64::MIN_POSITIVE);
        a.add(r, w);
        let dn = (normal(j) - n) * w;
        b += DMat3::from_cols(r * dn.x, r * dn.y, r * dn.z);
    });
    let jacobian = a.pseudo_inverse() * b;
    jacobian.x_axis.x + jacobian.y_axis.y + jacobian.z_axis.z
}

/// The upper triangle of A = Σ w r rᵀ: xx, yy, zz, xy, xz, yz.
#[derive(Default)]
struct Moments([f64; 6]);

impl Moments {
    #[inline]
    fn add(&mut self, r: DVec3, w: f64) {
        let s = r * w;
        let products = [r.x * s.x, r.y * s.y, r.z * s.z, r.x * s.y, r.x * s.z, r.y * s.z];
        for (sum, product) in self.0.iter_mut().zip(products) {
            *sum += product;
        }
    }

    fn pseudo_inverse(&self) -> DMat3 {
        let [xx, yy, zz, xy, xz, yz] = self.0;
        let a = DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz));
        let mean = (xx + yy + zz) / 3.0;
        let smallest_at_least = a.determinant() / (9.0 * mean * mean).max(f64::MIN_POSITIVE);
        if smallest_at_least > FLAT * mean { a.inverse() } else { pseudo_inverse(a, FLAT * mean) }
    }
}

/// Inverts a symmetric matrix on the eigenvectors whose eigenvalues exceed `floor`, by Jacobi rotations.
fn pseudo_inverse(mut a: DMat3, floor: f64) -> DMat3 {
    let mut v = DMat3::IDENTITY;
    for sweep in 0..24 {
        let (p, q) = [(0, 1), (0, 2), (1, 2)][sweep % 3];
        let off = a.col(q)[p];
        if off == 0.0 {
            continue;
        }
        let (s, c) = (0.5 * (2.0 * off).atan2(a.col(q)[q] - a.col(p)[p])).sin_cos();
        let mut rotation = DMat3::IDENTITY;
        rotation.col_mut(p)[p] = c;
        rotation.col_mut(q)[q] = c;
        rotation.col_mut(q)[p] = s;
        rotation.col_mut(p)[q] = -s;
        a = rotation.transpose() * a * rotation;
        v *= rotation;
    }
    let mut inverse = DMat3::ZERO;
    for k in 0..3 {
        let (lambda, e) = (a.col(k)[k], v.col(k));
        if lambda > floor {
            let s = e / lambda;
            inverse += DMat3::from_cols(e * s.x, e * s.y, e * s.z);
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::graph::CsrGraph;
    use crate::surface::test_graphs::{two_level, uniform};

    #[test]
    fn linear_fields_have_exact_gradients_up_to_the_walls() {
        let g = DVec3::new(0.3, -2.0, 0.7);
        for graph in [uniform(5), two_level(5, 1)] {
            let phi: Vec<f64> = graph.positions.iter().map(|x| x.dot(g) - 0.2).collect();
            for i in 0..graph.len() {
                assert!((gradient(&graph, &phi, i) - g).length() < 1e-13);
                assert!(curvature(&graph, &phi, i).abs() < 1e-11);
            }
        }
    }

    #[test]
    fn neighbors_that_do_not_span_space_give_the_shortest_gradient() {
        let g = DVec3::new(3.0, 1.0, -2.0);
        let tilt = [DVec3::new(1.0, 1.0, 0.0), DVec3::new(1.0, -0.5, 2.0)];
        for n in 0..=2 {
            let mut positions = vec![DVec3::ZERO];
            positions.extend(tilt[..n].iter().flat_map(|&t| [t, -0.5 * t]));
            let edges: Vec<(u32, u32)> = (1..positions.len() as u32).map(|j| (0, j)).collect();
            let phi: Vec<f64> = positions.iter().map(|x| x.dot(g)).collect();
            let graph = CsrGraph::from_edges(positions, vec![1.0; phi.len()], &edges);
            let expected = match n {
                0 => DVec3::ZERO,
                1 => g.project_onto(tilt[0]),
                _ => g.reject_from(tilt[0].cross(tilt[1])),
            };
            assert!((gradient(&graph, &phi, 0) - expected).length() < 1e-13);
        }
    }

    /// Returns the (mean, worst) error relative to 2/R near the surface of a sphere of radius R = 0.3.
    fn curvature_error(graph: &CsrGraph) -> (f64, f64) {
        let phi: Vec<f64> = graph.positions.iter().map(|x| x.distance(DVec3::splat(0.49)) - 0.3).collect();
        let near: Vec<usize> = (0..graph.len()).filter(|&i| phi[i].abs() < graph.sizes[i]).collect();
        let error = |i: usize| (curvature(graph, &phi, i) * (0.3 + phi[i]) / 2.0 - 1.0).abs();
        let errors: Vec<f64> = near.into_iter().map(error).collect();
        (errors.iter().sum::<f64>() / errors.len() as f64, errors.into_iter().fold(0.0, f64::max))
    }

    #[test]
    fn a_sphere_has_curvature_two_over_r() {
        let [coarse, fine] = [16, 32].map(|n| curvature_error(&uniform(n)));
        let [coarse2, fine2] = [8, 16].map(|n| curvature_error(&two_level(n, 2)));
        println!("uniform {coarse:.4?} {fine:.4?}, two-level {coarse2:.4?} {fine2:.4?}");
        assert!(fine.0 < 0.01 && fine.1 < 0.03, "{fine:?}");
        assert!(coarse.0 / fine.0 > 3.0, "second order on uniform grids: {coarse:?} {fine:?}");
        assert!(fine2.0 < 0.1 && fine2.1 < 0.5, "{fine2:?}");
    }
}
