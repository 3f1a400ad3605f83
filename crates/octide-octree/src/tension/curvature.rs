//! Curvature from a quadric: q(r) = a + b·r + ½ r·C r with the least Σ w_i (q(r_i) − φ_i)² over a cell and those that
//! touch it, r the offset from the cell's center. Then κ = ∇·(∇q/|∇q|) = (tr C − n·C n)/|b|, n = b/|b|.
//!
//! Each sample is weighed with its volume, so that many small cells do not outvote a large one. Walls mirror the
//! samples.

use crate::mesh::Mesh;
use glam::{DVec3, IVec3};
use octide_core::index::{CellId, Field, TreeId};

/// Samples count with exp(−r²/(WIDTH h)²).
const WIDTH: f64 = 0.9;

/// The sum of the principal curvatures of the contour of φ through a cell's center. Positive where the liquid bulges;
/// zero where no quadric can be found.
pub fn curvature(mesh: &Mesh, phi: &Field<CellId, f64>, cell: CellId) -> f64 {
    let (x, h) = (mesh.tree.center(cell), mesh.tree.size(cell));
    let mut fit = Fit { a: [[0.0; N]; N], b: [0.0; N] };
    let mut add = |r: DVec3, size: f64, c: CellId| {
        let w = (-r.length_squared() / (super::lab(0, WIDTH) * super::lab(0, WIDTH))).exp() * size.powi(3);
        fit.add(r, w, phi[c] / h);
    };
    if mesh.contacts.is_regular(cell) {
        for_cube(mesh, cell, |offset, c| add(offset.as_dvec3(), 1.0, c));
    } else {
        for &c in mesh.contacts.touching(cell) {
            let (y, size) = (mesh.tree.center(c), mesh.tree.size(c));
            add((y - x) / h, size / h, c);
            for_images(mesh, y, size, |y| add((y - x) / h, size / h, c));
        }
    }
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

/// The 27 cells about a cell with neighbors of its own size, by their offsets; at walls their mirror images.
fn for_cube(mesh: &Mesh, cell: CellId, mut f: impl FnMut(IVec3, CellId)) {
    let three = |node: TreeId, axis: usize| {
        let step = |side: usize| {
            let next = mesh.tree.neighbor(node, 2 * axis + side);
            if next.is_some() { next } else { node }
        };
        [(-1, step(0)), (0, node), (1, step(1))]
    };
    for (z, layer) in three(mesh.tree.node_of(cell), 2) {
        for (y, row) in three(layer, 1) {
            for (x, node) in three(row, 0) {
                f(IVec3::new(x, y, z), mesh.tree.leaf_of(node));
            }
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
