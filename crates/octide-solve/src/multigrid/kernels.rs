//! The loops over a tile's couplings.
//!
//! Each runs over the rows in their sorted order, or backward. A coupling is stored with the earlier of its
//! two rows, so its effect on the later one is a scatter. Blocks and masks keep every index in range without
//! a check.

use super::tile::{Block, MASK, Tile};

/// Calls a kernel specialized for the number of couplings per row, where that is small.
macro_rules! unrolled {
    ($m:expr, $kernel:ident($($argument:expr),*)) => {
        match $m {
            1 => $kernel::<1>(1, $($argument),*),
            2 => $kernel::<2>(2, $($argument),*),
            3 => $kernel::<3>(3, $($argument),*),
            4 => $kernel::<4>(4, $($argument),*),
            5 => $kernel::<5>(5, $($argument),*),
            6 => $kernel::<6>(6, $($argument),*),
            m => $kernel::<0>(m, $($argument),*),
        }
    };
}

impl Tile {
    /// Calls `visit` with each run's first row, its couplings and their number.
    #[inline(always)]
    fn forward(&self, mut visit: impl FnMut(usize, usize, &[u16], &[f32], usize)) {
        let (mut columns, mut values) = (&self.columns[..], &self.values[..]);
        let mut first = 0;
        for run in &self.runs {
            let (n, m) = (usize::from(run.n_rows), usize::from(run.n_couplings));
            let (own_columns, own_values);
            (own_columns, columns) = columns.split_at(n * m);
            (own_values, values) = values.split_at(n * m);
            visit(first, n, own_columns, own_values, m);
            first += n;
        }
    }

    /// Calls `visit` as `forward` does, from the last run to the first.
    #[inline(always)]
    fn backward(&self, mut visit: impl FnMut(usize, usize, &[u16], &[f32], usize)) {
        let (mut columns, mut values) = (&self.columns[..], &self.values[..]);
        let mut end = self.len();
        for run in self.runs.iter().rev() {
            let (n, m) = (usize::from(run.n_rows), usize::from(run.n_couplings));
            let (own_columns, own_values);
            (columns, own_columns) = columns.split_at(columns.len() - n * m);
            (values, own_values) = values.split_at(values.len() - n * m);
            end -= n;
            visit(end, n, own_columns, own_values, m);
        }
    }

    /// Computes `x = M⁻¹ b` and `residual = −Lᵀ x`, which is `b − A x` except for `Λ x − O x`. Overwrites
    /// `b`.
    pub fn sweep_from_zero(&self, b: &mut Block, x: &mut Block, residual: &mut Block) {
        let inverse = &self.inverse_diagonal[..];
        self.forward(|first, n, columns, values, m| {
            let inverse = &inverse[first..first + n];
            unrolled!(m, scatter_solved(first, inverse, columns, values, b, x));
        });
        self.forward(|first, n, columns, values, m| {
            let residual = &mut residual[first..first + n];
            unrolled!(m, gather_later(columns, values, x, residual));
        });
    }

    /// Sweeps backward from `x`, which becomes the result; `b` already includes the couplings that leave the
    /// tile, and is overwritten.
    pub fn sweep_back(&self, b: &mut Block, x: &mut Block) {
        self.forward(|first, _, columns, values, m| {
            unrolled!(m, scatter(first, columns, values, b, x));
        });
        let inverse = &self.inverse_diagonal[..];
        self.backward(|first, n, columns, values, m| {
            let inverse = &inverse[first..first + n];
            unrolled!(m, gather_solve(first, inverse, columns, values, b, x));
        });
    }

    /// Computes `y = (L + D + Lᵀ) x` within the tile, as `y_i = s_i x_i − Σ_j a_ij (x_i − x_j)` with the
    /// excess `s`: where `x` is smooth, 32 bits lose nothing.
    pub fn multiply_inner(&self, x: &Block, y: &mut Block) {
        for ((y, x), excess) in y.iter_mut().zip(x).zip(&self.excess) {
            *y = x * excess;
        }
        self.forward(|first, _, columns, values, m| {
            unrolled!(m, add_fluxes(first, columns, values, x, y));
        });
    }

    /// Adds the terms that [`Self::multiply_inner`] leaves out: `y −= Σ_j a_ij (x_i − x_j)` over columns
    /// outside the tile.
    pub fn multiply_outer(&self, x: &[f32], own: &Block, y: &mut Block) {
        for (row, column, value) in self.outer() {
            y[row] -= value * (own[row] - x[column]);
        }
    }
}

/// Returns the couplings of each row: `M` of them, or `m` if the number is not known at compile time.
#[inline(always)]
fn by_row<'a, const M: usize>(
    m: usize,
    columns: &'a [u16],
    values: &'a [f32],
) -> impl DoubleEndedIterator<Item = (&'a [u16], &'a [f32])> + ExactSizeIterator {
    let m = if M == 0 { m } else { M };
    columns.chunks_exact(m).zip(values.chunks_exact(m))
}

fn scatter_solved<const M: usize>(
    m: usize,
    first: usize,
    inverse: &[f32],
    columns: &[u16],
    values: &[f32],
    b: &mut Block,
    x: &mut Block,
) {
    if m == 0 {
        let rows = first..first + inverse.len();
        for ((x, b), inverse) in x[rows.clone()].iter_mut().zip(&b[rows]).zip(inverse) {
            *x = b * inverse;
        }
        return;
    }
    for (k, ((columns, values), inverse)) in by_row::<M>(m, columns, values).zip(inverse).enumerate() {
        let k = (first + k) & MASK;
        let x_k = b[k] * inverse;
        x[k] = x_k;
        for (&c, a) in columns.iter().zip(values) {
            b[usize::from(c) & MASK] -= a * x_k;
        }
    }
}

fn gather_later<const M: usize>(m: usize, columns: &[u16], values: &[f32], x: &Block, y: &mut [f32]) {
    if m == 0 {
        y.fill(0.0);
        return;
    }
    for ((columns, values), y) in by_row::<M>(m, columns, values).zip(y) {
        let mut sum = 0.0;
        for (&c, a) in columns.iter().zip(values) {
            sum -= a * x[usize::from(c) & MASK];
        }
        *y = sum;
    }
}

fn scatter<const M: usize>(
    m: usize,
    first: usize,
    columns: &[u16],
    values: &[f32],
    b: &mut Block,
    x: &Block,
) {
    if m == 0 {
        return;
    }
    for (k, (columns, values)) in by_row::<M>(m, columns, values).enumerate() {
        let x_k = x[(first + k) & MASK];
        for (&c, a) in columns.iter().zip(values) {
            b[usize::from(c) & MASK] -= a * x_k;
        }
    }
}

fn gather_solve<const M: usize>(
    m: usize,
    first: usize,
    inverse: &[f32],
    columns: &[u16],
    values: &[f32],
    b: &Block,
    x: &mut Block,
) {
    if m == 0 {
        let rows = first..first + inverse.len();
        for ((x, b), inverse) in x[rows.clone()].iter_mut().zip(&b[rows]).zip(inverse) {
            *x = b * inverse;
        }
        return;
    }
    for (k, ((columns, values), inverse)) in by_row::<M>(m, columns, values).zip(inverse).enumerate().rev() {
        let k = (first + k) & MASK;
        let mut sum = b[k];
        for (&c, a) in columns.iter().zip(values) {
            sum -= a * x[usize::from(c) & MASK];
        }
        x[k] = sum * inverse;
    }
}

fn add_fluxes<const M: usize>(
    m: usize,
    first: usize,
    columns: &[u16],
    values: &[f32],
    x: &Block,
    y: &mut Block,
) {
    if m == 0 {
        return;
    }
    for (k, (columns, values)) in by_row::<M>(m, columns, values).enumerate() {
        let k = (first + k) & MASK;
        let x_k = x[k];
        let mut sum = 0.0;
        for (&c, a) in columns.iter().zip(values) {
            let c = usize::from(c) & MASK;
            let flux = a * (x_k - x[c]);
            sum += flux;
            y[c] += flux;
        }
        y[k] -= sum;
    }
}
