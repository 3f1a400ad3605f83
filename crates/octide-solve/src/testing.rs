//! Test matrices, lists of all solvers and preconditioners, and a dense reference solver.

use crate::{
    BiCgStab, Coarsening, Csr, Jacobi, Mic0, Mic0Params, Multigrid, MultigridParams, Norm, NullSpace,
    Operator, Pcg, Preconditioner, Report, SolveError, SolveParams, components,
};

/// A function that solves a system with a newly created solver.
pub type Solve = fn(
    SolveParams,
    &dyn Operator,
    &mut dyn Preconditioner,
    &[f64],
    &mut [f64],
    Option<&NullSpace>,
) -> Result<Report, SolveError>;

/// All solvers.
pub const SOLVERS: [(&str, Solve); 2] = [
    ("pcg", |params, op, precond, b, x, null| Pcg::new(params).solve(op, precond, b, x, null)),
    ("bicgstab", |params, op, precond, b, x, null| BiCgStab::new(params).solve(op, precond, b, x, null)),
];

/// A function that builds a preconditioner for a matrix.
pub type Prepare = fn(&Csr) -> Box<dyn Preconditioner>;

/// All preconditioners.
pub const PRECONDITIONERS: [(&str, Prepare); 5] = [
    ("jacobi", |a| Box::new(Jacobi::new(a).unwrap())),
    ("mic0", |a| Box::new(mic0(a))),
    ("mic0 in short blocks", |a| {
        Box::new(Mic0::new(a, &Mic0Params { block_rows: 7, ..Default::default() }).unwrap())
    }),
    ("multigrid", |a| Box::new(multigrid(a))),
    ("multigrid in V-cycles", |a| {
        let params = MultigridParams { twice_from: usize::MAX, coarsest: 4 };
        Box::new(Multigrid::new(a, Coarsening::Matrix, &params).unwrap())
    }),
];

/// The preconditioners that also work with matrices that are not symmetric.
pub const FOR_ANY_MATRIX: &[(&str, Prepare)] = PRECONDITIONERS.split_at(3).0;

/// Builds a hierarchy from the matrix alone, with several levels even for few unknowns.
pub fn multigrid(a: &Csr) -> Multigrid {
    Multigrid::new(a, Coarsening::Matrix, &MultigridParams { coarsest: 4, ..Default::default() }).unwrap()
}

pub fn mic0(a: &Csr) -> Mic0 {
    Mic0::new(a, &Mic0Params::default()).unwrap()
}

pub fn tolerance(tolerance: f64) -> SolveParams {
    SolveParams { tolerance, ..Default::default() }
}

/// Builds a matrix from its entries, in any order.
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

/// Returns the Laplacian of a weighted graph plus `shift[i]` on the diagonal. Repeated edges add up.
pub fn laplacian(n: usize, edges: &[(usize, usize, f64)], shift: &[f64]) -> Csr {
    let mut entries: Vec<(usize, usize, f64)> = (0..n).map(|i| (i, i, shift[i])).collect();
    for &(i, j, w) in edges {
        if i != j {
            entries.extend([(i, j, -w), (j, i, -w), (i, i, w), (j, j, w)]);
        }
    }
    // Stable, so that repeated entries add up in the order of the edges on both sides of the diagonal.
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

/// Returns the matrix of a path of unit weights, its ends coupled to zero by `ends`.
pub fn chain(n: usize, ends: f64) -> Csr {
    let edges: Vec<_> = (1..n).map(|i| (i - 1, i, 1.0)).collect();
    let mut shift = vec![0.0; n];
    shift[0] += ends;
    shift[n - 1] += ends;
    laplacian(n, &edges, &shift)
}

/// Returns the 7-point Poisson matrix on a cube of `m³` cells in Morton order; its walls are held at zero if
/// `dirichlet`, and closed otherwise.
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

/// Returns the matrix of a mesh like that of an octree's T-junctions: groups of four small cells that are
/// coupled with each other, two of the couplings positive, and with one large cell.
pub fn t_junctions(n_groups: usize) -> Csr {
    let mut edges = vec![];
    for g in 0..n_groups {
        let large = 5 * g;
        for s in 1..5 {
            edges.push((large, large + s, 1.0));
            for t in s + 1..5 {
                edges.push((large + s, large + t, if s + t == 5 { -0.08 } else { 0.05 }));
            }
            if g > 0 {
                edges.push((large + s - 5, large + s, 0.7));
            }
        }
    }
    let mut shift = vec![0.0; 5 * n_groups];
    shift[0] = 1.0;
    laplacian(5 * n_groups, &edges, &shift)
}

/// Returns the matrix of closed cubes next to each other, the first of them coupled to zero at one cell; the
/// constants on the others, and each row's cube.
pub fn pockets(n_pockets: usize, m: usize) -> (Csr, NullSpace, Vec<u32>) {
    let cube = poisson(m, false);
    let size = cube.n_rows();
    let mut entries = vec![];
    for pocket in 0..n_pockets {
        for i in 0..size {
            let (columns, values) = cube.row(i);
            let at = pocket * size;
            entries.extend(columns.iter().zip(values).map(|(&j, &v)| (at + i, at + j as usize, v)));
        }
    }
    entries[0].2 += 1.0;
    let a = matrix(n_pockets * size, &entries);
    let (labels, n) = components(&a);
    assert_eq!(n, n_pockets);
    let null_space = NullSpace::from_row_sums(&a, 1e-12).unwrap();
    assert_eq!(null_space.n_pieces(), n_pockets - 1);
    (a, null_space, labels)
}

/// `wind·∇u − Δu` on `m²` cells with zero around them, upwind, without stored entries. Symmetric without
/// wind.
pub struct Stencil {
    pub m: usize,
    pub wind: [f64; 2],
}

impl Stencil {
    /// Returns the weights of the neighbors before and after a cell along each axis.
    fn weights(&self) -> [[f64; 2]; 2] {
        self.wind.map(|w| [1.0 + w.max(0.0), 1.0 + (-w).max(0.0)])
    }
}

impl Operator for Stencil {
    fn size(&self) -> usize {
        self.m * self.m
    }
    fn apply(&self, x: &[f64], y: &mut [f64]) {
        let [[west, east], [south, north]] = self.weights();
        let m = self.m;
        for i in 0..self.size() {
            let mut sum = (west + east + south + north) * x[i];
            sum -= if i % m > 0 { west * x[i - 1] } else { 0.0 };
            sum -= if i % m + 1 < m { east * x[i + 1] } else { 0.0 };
            sum -= if i >= m { south * x[i - m] } else { 0.0 };
            sum -= if i + m < m * m { north * x[i + m] } else { 0.0 };
            y[i] = sum;
        }
    }
    fn diagonal(&self, d: &mut [f64]) {
        d.fill(self.weights().as_flattened().iter().sum());
    }
}

/// Returns the entries of an operator, found by applying it to unit vectors.
pub fn stored(op: &dyn Operator) -> Csr {
    let n = op.size();
    let (mut x, mut y, mut entries) = (vec![0.0; n], vec![0.0; n], vec![]);
    for j in 0..n {
        x[j] = 1.0;
        op.apply(&x, &mut y);
        entries.extend(y.iter().enumerate().filter(|(_, y)| **y != 0.0).map(|(i, &y)| (i, j, y)));
        x[j] = 0.0;
    }
    matrix(n, &entries)
}

/// Returns reproducible pseudorandom numbers in −1 … 1.
pub fn noise(n: usize, seed: u64) -> Vec<f64> {
    let hash = |i: usize| {
        let mut h =
            (i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ seed.wrapping_mul(0xD1B5_4A32_D192_ED03);
        h = (h ^ h >> 31).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        h ^ h >> 29
    };
    (0..n).map(|i| (hash(i) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0).collect()
}

/// Returns all entries, row by row.
pub fn dense(a: &Csr) -> Vec<Vec<f64>> {
    (0..a.n_rows()).map(|i| (0..a.n_rows()).map(|j| a.get(i, j)).collect()).collect()
}

/// Solves a dense system by elimination with the largest pivot of each column.
pub fn solve_dense(a: &[Vec<f64>], b: &[f64]) -> Vec<f64> {
    let n = b.len();
    let mut rows: Vec<Vec<f64>> =
        a.iter().zip(b).map(|(row, &b)| row.iter().copied().chain([b]).collect()).collect();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| rows[i][k].abs().total_cmp(&rows[j][k].abs())).unwrap();
        rows.swap(k, pivot);
        let (done, rest) = rows.split_at_mut(k + 1);
        for row in rest {
            let factor = row[k] / done[k][k];
            row.iter_mut().zip(&done[k]).skip(k).for_each(|(entry, pivot)| *entry -= factor * pivot);
        }
    }
    let mut x = vec![0.0; n];
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|j| rows[i][j] * x[j]).sum();
        x[i] = (rows[i][n] - known) / rows[i][i];
    }
    x
}

/// Computes the relative residual by plain loops.
pub fn residual(a: &Csr, b: &[f64], x: &[f64], norm: Norm) -> f64 {
    let (mut r2, mut b2) = (0.0, 0.0);
    for i in 0..b.len() {
        let (columns, values) = a.row(i);
        let ax: f64 = columns.iter().zip(values).map(|(&j, v)| v * x[j as usize]).sum();
        let w = if norm == Norm::Plain { 1.0 } else { 1.0 / a.get(i, i) };
        r2 += w * (b[i] - ax).powi(2);
        b2 += w * b[i] * b[i];
    }
    (r2 / b2).sqrt()
}

/// Runs `f` in pools of 1, 2, 3 and 7 threads.
pub fn on_each_thread_count<T: Send>(f: impl Fn() -> T + Sync) -> Vec<T> {
    [1, 2, 3, 7]
        .map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(&f)
        })
        .into()
}
