//! Matrices to test with, and a dense solver to test against.

use crate::csr::Csr;

/// A matrix from its entries, sorted by row and column here.
pub fn matrix(n: usize, entries: &[(usize, usize, f64)]) -> Csr {
    let mut entries = entries.to_vec();
    entries.sort_by_key(|&(i, j, _)| (i, j));
    let mut offsets = vec![0; n + 1];
    for &(i, ..) in &entries {
        offsets[i + 1] += 1;
    }
    for i in 0..n {
        offsets[i + 1] += offsets[i];
    }
    let columns = entries.iter().map(|e| e.1 as u32).collect();
    let values = entries.iter().map(|e| e.2).collect();
    Csr::from_parts(n, offsets, columns, values).unwrap()
}

/// The Laplacian of a weighted graph plus `shift[i]` on the diagonal. Edges that occur twice add up.
pub fn laplacian(n: usize, edges: &[(usize, usize, f64)], shift: &[f64]) -> Csr {
    let mut entries: Vec<(usize, usize, f64)> = (0..n).map(|i| (i, i, shift[i])).collect();
    for &(i, j, w) in edges {
        if i != j {
            entries.extend([(i, j, -w), (j, i, -w), (i, i, w), (j, j, w)]);
        }
    }
    // Stable, so that equal places add up in the order of the edges on both sides of the diagonal.
    entries.sort_by_key(|&(i, j, _)| (i, j));
    entries.dedup_by(|next, kept| {
        let same = (next.0, next.1) == (kept.0, kept.1);
        if same {
            kept.2 += next.2;
        }
        same
    });
    matrix(n, &entries)
}

/// A path of unit weights, its ends tied to zero by `ends`.
pub fn chain(n: usize, ends: f64) -> Csr {
    let edges: Vec<_> = (1..n).map(|i| (i - 1, i, 1.0)).collect();
    let mut shift = vec![0.0; n];
    shift[0] += ends;
    shift[n - 1] += ends;
    laplacian(n, &edges, &shift)
}

/// The 7-point Poisson matrix on a cube of `m³` cells in Morton order; its walls hold zero where `dirichlet`,
/// and are closed otherwise.
pub fn poisson(m: usize, dirichlet: bool) -> Csr {
    let spread = |v: usize| (0..10).fold(0_u64, |code, bit| code | ((v as u64 >> bit & 1) << (3 * bit)));
    let cell = |k: usize| [k % m, k / m % m, k / (m * m)];
    let index = |c: [usize; 3]| c[0] + m * (c[1] + m * c[2]);
    let mut order: Vec<usize> = (0..m * m * m).collect();
    order.sort_by_key(|&k| (0..3).fold(0, |code, axis| code | spread(cell(k)[axis]) << axis));
    let mut row_of = vec![0; order.len()];
    for (row, &k) in order.iter().enumerate() {
        row_of[k] = row;
    }
    let (mut offsets, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
    for (row, &k) in order.iter().enumerate() {
        let mut entries = vec![];
        let mut diagonal = 0.0;
        for axis in 0..3 {
            for step in [usize::MAX, 1] {
                let mut c = cell(k);
                c[axis] = c[axis].wrapping_add(step);
                if c[axis] < m {
                    entries.push((row_of[index(c)], -1.0));
                    diagonal += 1.0;
                } else if dirichlet {
                    diagonal += 1.0;
                }
            }
        }
        entries.push((row, diagonal));
        entries.sort_by_key(|e| e.0);
        columns.extend(entries.iter().map(|e| e.0 as u32));
        values.extend(entries.iter().map(|e| e.1));
        offsets.push(columns.len() as u32);
    }
    Csr::from_parts(order.len(), offsets, columns, values).unwrap()
}

/// Numbers in −1 … 1 that look random and are always the same.
pub fn noise(n: usize, seed: u64) -> Vec<f64> {
    let hash = |i: usize| {
        let mut h =
            (i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ seed.wrapping_mul(0xD1B5_4A32_D192_ED03);
        h = (h ^ h >> 31).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        h ^ h >> 29
    };
    (0..n).map(|i| (hash(i) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0).collect()
}

/// All entries, row by row.
pub fn dense(a: &Csr) -> Vec<Vec<f64>> {
    (0..a.n_rows()).map(|i| (0..a.n_rows()).map(|j| a.get(i, j)).collect()).collect()
}

/// Solves a dense positive definite system by Cholesky.
pub fn solve_dense(a: &[Vec<f64>], b: &[f64]) -> Vec<f64> {
    let n = b.len();
    let mut l = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let sum: f64 = a[i][j] - (0..j).map(|k| l[i][k] * l[j][k]).sum::<f64>();
            l[i][j] = if i == j { sum.sqrt() } else { sum / l[j][j] };
        }
    }
    let mut x = b.to_vec();
    for i in 0..n {
        x[i] = (x[i] - (0..i).map(|k| l[i][k] * x[k]).sum::<f64>()) / l[i][i];
    }
    for i in (0..n).rev() {
        x[i] = (x[i] - (i + 1..n).map(|k| l[k][i] * x[k]).sum::<f64>()) / l[i][i];
    }
    x
}

/// `f` in pools of 1, 2, 3 and 7 threads.
pub fn on_each_thread_count<T: Send>(f: impl Fn() -> T + Sync) -> Vec<T> {
    [1, 2, 3, 7]
        .map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(&f)
        })
        .into()
}
