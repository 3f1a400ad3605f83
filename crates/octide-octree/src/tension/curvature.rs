//! Curvature from a quadric: q(r) = a + b·r + ½ r·C r with the least Σ w_i (q(r_i) − φ_i)² over the cells around a face,
//! r the offset from the point on the surface. Then κ = ∇·(∇q/|∇q|) = (tr C − n·C n)/|b|, n = b/|b|.
//!
//! Between equal cells with equal neighbors these are the 3 × 3 × 4 cells about the face. Elsewhere they are all
//! that touch a cell of the face, each weighed with its volume, so that many small cells do not outvote a large one. Walls
//! mirror the samples.

use crate::mesh::Mesh;
use glam::{DVec3, IVec3};
use octide_core::index::{CellId, FaceId, Field, TreeId};

/// Samples count with exp(−r²/(WIDTH h)²).
const WIDTH: f64 = 1.4;

/// More cells than touch those of a face.
const MOST: usize = 256;

/// The sum of the principal curvatures of the surface at `at`, which the surface's crossing of `face` is. Positive where
/// the liquid bulges; zero where no quadric can be found.
pub fn curvature(mesh: &Mesh, phi: &Field<CellId, f64>, face: FaceId, at: DVec3) -> f64 {
    let h = mesh.face_size(face);
    let mut fit = Fit { a: [[0.0; N]; N], b: [0.0; N] };
    for_samples(mesh, face, |x, size, c| {
        let r = (x - at) / h;
        let w = (-r.length_squared() / (WIDTH * WIDTH)).exp() * (size / h).powi(3);
        fit.add(r, w, phi[c] / h);
    });
    let Some(q) = fit.solve() else { return 0.0 };
    let b = DVec3::new(q[1], q[2], q[3]);
    let n = b.normalize_or_zero();
    let [xx, yy, zz, xy, xz, yz] = [q[4], q[5], q[6], q[7], q[8], q[9]];
    let along = xx * n.x * n.x
        + yy * n.y * n.y
        + zz * n.z * n.z
        + 2.0 * (xy * n.x * n.y + xz * n.x * n.z + yz * n.y * n.z);
    let kappa = (xx + yy + zz - along) / b.length().max(0.1);
    // A bend sharper than the cells is not known.
    kappa.clamp(-2.0, 2.0) / h
}

/// Calls `f` with place, size and cell of all samples about a face, mirror images included.
fn for_samples(mesh: &Mesh, face: FaceId, mut f: impl FnMut(DVec3, f64, CellId)) {
    let (tree, faces) = (&mesh.tree, &mesh.faces);
    let [low, high] = faces.sides(face);
    let is_regular =
        |node: TreeId| node.is_some() && tree.is_leaf(node) && mesh.contacts.is_regular(tree.leaf_of(node));
    if is_regular(low) && is_regular(high) {
        let axis = faces.axis(face);
        let (h, x) = (mesh.face_size(face), tree.center(tree.leaf_of(low)));
        let layers = [(-1, step_to(mesh, low, 2 * axis)), (0, low), (1, high), (2, step_to(mesh, high, 2 * axis + 1))];
        for (layer, node) in layers {
            for_square(mesh, node, axis, |offset, c| {
                let mut offset = offset;
                offset[axis] = layer;
                f(x + h * offset.as_dvec3(), h, c);
            });
        }
        return;
    }
    let mut cells = [CellId::NONE; MOST];
    let mut n = 0;
    for (c, _) in faces.stencil(tree, face).iter() {
        for &v in mesh.nodes.of_cell(c) {
            for &other in mesh.nodes.cells(v) {
                if other.is_some() && n < MOST && !cells[..n].contains(&other) {
                    cells[n] = other;
                    n += 1;
                }
            }
        }
    }
    for &c in &cells[..n] {
        let (x, size) = (tree.center(c), tree.size(c));
        f(x, size, c);
        for_images(mesh, x, size, |x| f(x, size, c));
    }
}

/// From a node one step on; at a wall it stays, which mirrors the sample.
fn step_to(mesh: &Mesh, node: TreeId, direction: usize) -> TreeId {
    let next = mesh.tree.neighbor(node, direction);
    if next.is_some() { next } else { node }
}

/// The nine cells across an axis about a cell with neighbors of its own size.
fn for_square(mesh: &Mesh, node: TreeId, axis: usize, mut f: impl FnMut(IVec3, CellId)) {
    let (b, c) = ((axis + 1) % 3, (axis + 2) % 3);
    for (i, row) in [(-1, step_to(mesh, node, 2 * b)), (0, node), (1, step_to(mesh, node, 2 * b + 1))] {
        for (j, at) in [(-1, step_to(mesh, row, 2 * c)), (0, row), (1, step_to(mesh, row, 2 * c + 1))] {
            let mut offset = IVec3::ZERO;
            offset[b] = i;
            offset[c] = j;
            f(offset, mesh.tree.leaf_of(at));
        }
    }
}

/// Mirror images of a cell in the first layer at a wall, also across edges and corners of the domain.
fn for_images(mesh: &Mesh, x: DVec3, size: f64, mut f: impl FnMut(DVec3)) {
    let grid = mesh.tree.grid();
    let mut shift = DVec3::ZERO;
    for a in 0..3 {
        if x[a] - grid.low()[a] < 0.75 * size {
            shift[a] = -size;
        } else if grid.high()[a] - x[a] < 0.75 * size {
            shift[a] = size;
        }
    }
    if shift == DVec3::ZERO {
        return;
    }
    for o in 1..8 {
        let pick = DVec3::new(f64::from(o & 1), f64::from(o >> 1 & 1), f64::from(o >> 2 & 1));
        if (0..3).all(|a| pick[a] == 0.0 || shift[a] != 0.0) {
            f(x + pick * shift);
        }
    }
}

/// Unknowns of a quadric: 1, x, y, z, x²/2, y²/2, z²/2, xy, xz, yz.
const N: usize = 10;

/// The normal equations of a fit; the lower triangle counts.
struct Fit {
    a: [[f64; N]; N],
    b: [f64; N],
}

impl Fit {
    #[inline]
    fn add(&mut self, r: DVec3, w: f64, value: f64) {
        let half = 0.5 * r * r;
        let basis = [1.0, r.x, r.y, r.z, half.x, half.y, half.z, r.x * r.y, r.x * r.z, r.y * r.z];
        for i in 0..N {
            let wi = w * basis[i];
            self.b[i] += wi * value;
            for j in 0..=i {
                self.a[i][j] += wi * basis[j];
            }
        }
    }

    /// By Cholesky; none where the samples do not tell.
    fn solve(mut self) -> Option<[f64; N]> {
        let a = &mut self.a;
        for i in 0..N {
            let full = a[i][i];
            for j in 0..=i {
                let mut sum = a[i][j];
                for k in 0..j {
                    sum -= a[i][k] * a[j][k];
                }
                if i == j {
                    if sum <= 1e-10 * full {
                        return None;
                    }
                    a[i][i] = sum.sqrt();
                } else {
                    a[i][j] = sum / a[j][j];
                }
            }
        }
        let mut x = self.b;
        for i in 0..N {
            for k in 0..i {
                x[i] -= a[i][k] * x[k];
            }
            x[i] /= a[i][i];
        }
        for i in (0..N).rev() {
            for k in i + 1..N {
                x[i] -= a[k][i] * x[k];
            }
            x[i] /= a[i][i];
        }
        Some(x)
    }
}
