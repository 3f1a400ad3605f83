//! Quadrics through φ: q(r) = a + b·r + ½ r·C r that minimizes Σ w_i (q(r_i) − φ_i)² over a cell and those
//! that touch it, where r is the offset from the cell's center.
//!
//! w = exp(−r²/(0.9 h)²) times the sample's volume, so that many small cells do not outweigh a large one. A
//! wider Gaussian would reverse the sign of the shortest ripples: along each axis the side cells must have
//! less than half of the weight of the middle one. Walls mirror the samples.

use crate::mesh::Mesh;
use glam::{DVec3, IVec3};
use octide_core::index::{CellId, Field, TreeId};
use std::sync::LazyLock;

/// Width of the weights exp(−r²/(WIDTH h)²).
const WIDTH: f64 = 0.9;

/// Unknowns of a quadric: 1, x, y, z, x²/2, y²/2, z²/2, xy, xz, yz.
const N: usize = 10;

/// φ around a cell's center, in units of the cell's size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quadric([f64; N]);

impl Quadric {
    /// Fits a quadric around a cell; `None` where the cells around it do not determine one.
    pub fn about(mesh: &Mesh, phi: &Field<CellId, f64>, cell: CellId) -> Option<Self> {
        let h = mesh.tree.size(cell);
        if mesh.contacts.is_regular(cell) {
            let mut q = [0.0; N];
            let mut i = 0;
            for_cube(mesh, cell, |_, c| {
                let value = phi[c] / h;
                for (q, p) in q.iter_mut().zip(&CUBE[i]) {
                    *q += p * value;
                }
                i += 1;
            });
            return Some(Self(q));
        }
        let x = mesh.tree.center(cell);
        let mut fit = Fit::default();
        mesh.for_touching(cell, |c| {
            let (y, size) = (mesh.tree.center(c), mesh.tree.size(c));
            fit.add((y - x) / h, weight((y - x) / h, size / h), phi[c] / h);
            for_images(mesh, y, size, |y| fit.add((y - x) / h, weight((y - x) / h, size / h), phi[c] / h));
        });
        fit.solve().map(Self)
    }

    /// Returns q at the center.
    pub fn value(&self) -> f64 {
        self.0[0]
    }

    /// Returns |∇q| at the center.
    pub fn slope(&self) -> f64 {
        self.gradient().length()
    }

    /// Returns the change of q from the center to `r` cells away, in cells.
    pub fn change(&self, r: DVec3) -> f64 {
        let basis = basis(r);
        (1..N).map(|i| self.0[i] * basis[i]).sum()
    }

    /// Returns ∇·(∇q/|∇q|) = (tr C − n·C n)/|b|, n = b/|b|, at the center, in 1/cells.
    pub fn curvature(&self) -> f64 {
        let b = self.gradient();
        let n = b.normalize_or_zero();
        let [xx, yy, zz, xy, xz, yz] = std::array::from_fn(|i| self.0[4 + i]);
        let along = xx * n.x * n.x
            + yy * n.y * n.y
            + zz * n.z * n.z
            + 2.0 * (xy * n.x * n.y + xz * n.x * n.z + yz * n.y * n.z);
        (xx + yy + zz - along) / b.length().max(0.1)
    }

    fn gradient(&self) -> DVec3 {
        DVec3::new(self.0[1], self.0[2], self.0[3])
    }
}

fn weight(r: DVec3, size: f64) -> f64 {
    (-r.length_squared() / (WIDTH * WIDTH)).exp() * size.powi(3)
}

fn basis(r: DVec3) -> [f64; N] {
    let half = 0.5 * r * r;
    [1.0, r.x, r.y, r.z, half.x, half.y, half.z, r.x * r.y, r.x * r.z, r.y * r.z]
}

/// The contribution of each of the 27 equal cells around a cell to its quadric.
static CUBE: LazyLock<[[f64; N]; 27]> = LazyLock::new(|| {
    let offset = |i: usize| DVec3::new((i % 3) as f64, (i / 3 % 3) as f64, (i / 9) as f64) - 1.0;
    std::array::from_fn(|of| {
        let mut fit = Fit::default();
        for i in 0..27 {
            fit.add(offset(i), weight(offset(i), 1.0), if i == of { 1.0 } else { 0.0 });
        }
        fit.solve().unwrap_or_default() // 27 cells do tell
    })
});

/// Calls `f` with the 27 cells around a cell with neighbors of its own size, x fastest; at walls their mirror
/// images.
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

/// Calls `f` with the mirror images of a cell in the first layer at a wall, also across edges and corners of
/// the domain.
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

/// The normal equations of a fit; only the lower triangle is used.
#[derive(Default)]
struct Fit {
    a: [[f64; N]; N],
    b: [f64; N],
}

impl Fit {
    #[inline]
    fn add(&mut self, r: DVec3, w: f64, value: f64) {
        let basis = basis(r);
        for i in 0..N {
            let wi = w * basis[i];
            self.b[i] += wi * value;
            for j in 0..=i {
                self.a[i][j] += wi * basis[j];
            }
        }
    }

    /// Solves by Cholesky factorization; `None` where the samples do not determine the fit.
    fn solve(mut self) -> Option<[f64; N]> {
        let a = &mut self.a;
        for i in 0..N {
            let full = a[i][i];
            for j in 0..=i {
                let mut sum = a[i][j];
                for k in 0..j {
                    sum -= a[i][k] * a[j][k];
                }
                if i != j {
                    a[i][j] = sum / a[j][j];
                } else if sum > 1e-10 * full {
                    a[i][i] = sum.sqrt();
                } else {
                    return None;
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
