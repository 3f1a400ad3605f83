//! Modified incomplete Cholesky with zero fill, MIC(0): `M = L D Lᵀ ≈ A`, where the unit lower triangular `L`
//! has the pattern of `A`.
//!
//! Eliminating row `k` changes `a_ij` by `−a_ki a_kj / d_k` for each pair of its later neighbors `i < j`. If
//! `(i, j)` is in the pattern, the change is made, whatever its sign; if it is not, `τ` times the change is
//! added to both diagonals `a_ii` and `a_jj`, so that `M` nearly keeps the row sums of `A` and acts correctly
//! on smooth errors. This is the general form: later neighbors may be neighbors of each other, and
//! off-diagonal entries may be positive. A pivot that falls below `σ` times its diagonal entry is replaced by
//! that entry, which bounds `M` from below even if `A` is singular.
//!
//! Rows are factored in blocks of consecutive rows; couplings between blocks are left out of `M`. Blocks
//! depend only on the number of rows, so setup and both triangular solves run in parallel and give bitwise
//! identical results on any number of threads. With rows in Morton order the blocks are compact.
//! [`Mic0Params::whole`] has one block of all rows: the textbook's factorization, with the fewest iterations,
//! on one thread.
//!
//! An application reads 6 bytes for each later neighbor, twice, and some 12 for each row: columns are stored
//! in 16 bits within the block, if it is short enough for that, and `L` in 32 bits. Rounding `L` only gives a
//! slightly different, equally good `M`.

use crate::csr::Csr;
use crate::error::SolveError;
use crate::operator::Preconditioner;
use crate::vector;
use rayon::prelude::*;

/// Maximum length of a block whose rows are stored in 16 bits.
const SHORT: usize = 1 << 16;

/// Parameters of the factorization.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mic0Params {
    /// Number of rows in a block, at least 1. Longer blocks save iterations; shorter ones keep more threads
    /// busy, and up to 65536 rows save memory. On 128³ Poisson to 1e-4, blocks of 4096, 16384, 32768 and
    /// 65536 rows took 83, 73, 67 and 64 iterations.
    pub block_rows: usize,
    /// `τ`: the fraction of the dropped fill that is added to the diagonal, from 0 (plain IC(0)) to 1.
    pub tau: f64,
    /// `σ`: pivots below this fraction of the diagonal entry are replaced by it; between 0 and 1.
    pub sigma: f64,
}

impl Default for Mic0Params {
    fn default() -> Self {
        Self { block_rows: 32768, tau: 0.97, sigma: 0.25 }
    }
}

impl Mic0Params {
    /// Returns parameters that put all rows in one block.
    pub fn whole() -> Self {
        Self { block_rows: usize::MAX, ..Self::default() }
    }
}

/// The incomplete factors of a matrix, block by block.
#[derive(Clone, Debug)]
pub struct Mic0 {
    n: usize,
    block_rows: usize,
    blocks: Blocks,
}

/// Blocks, with row indices of as many bits as they need.
#[derive(Clone, Debug)]
enum Blocks {
    Short(Vec<Block<u16>>),
    Long(Vec<Block<u32>>),
}

/// The index of a row within its block.
trait Row: Copy + Ord + Send + Sync {
    /// Converts an index that fits.
    fn new(i: usize) -> Self;
    fn index(self) -> usize;
}

impl Row for u16 {
    fn new(i: usize) -> Self {
        i as u16
    }

    #[inline]
    fn index(self) -> usize {
        usize::from(self)
    }
}

impl Row for u32 {
    fn new(i: usize) -> Self {
        i as u32
    }

    #[inline]
    fn index(self) -> usize {
        self as usize
    }
}

/// The factors of consecutive rows. Column `k` of `L` holds the entries by which row `k` affects later rows.
#[derive(Clone, Debug)]
struct Block<R> {
    /// Number of entries below the diagonal in each column of `L`.
    counts: Vec<R>,
    /// Their rows, counted from the block's first one.
    rows: Vec<R>,
    /// Their values.
    values: Vec<f32>,
    /// `1 / d`. In 64 bits: its range is that of the matrix, not that of ratios as in `L`.
    inverse_pivots: Vec<f64>,
}

impl Mic0 {
    /// Factors `a`, of which only the diagonal and the upper triangle are read.
    pub fn new(a: &Csr, params: &Mic0Params) -> Result<Self, SolveError> {
        let Mic0Params { block_rows, tau, sigma } = *params;
        if block_rows == 0 {
            return Err(SolveError::Parameter { name: "block_rows", value: block_rows as f64 });
        }
        if !(0.0..=1.0).contains(&tau) {
            return Err(SolveError::Parameter { name: "tau", value: tau });
        }
        if !(sigma > 0.0 && sigma < 1.0) {
            return Err(SolveError::Parameter { name: "sigma", value: sigma });
        }
        let n = a.n_rows();
        // As few blocks as the maximum length allows, all equally long: a short last one would be wasteful.
        let block_rows = n.div_ceil(n.div_ceil(block_rows).max(1)).max(1);
        let blocks = if block_rows <= SHORT {
            Blocks::Short(Block::all(a, block_rows, tau, sigma)?)
        } else {
            Blocks::Long(Block::all(a, block_rows, tau, sigma)?)
        };
        Ok(Self { n, block_rows, blocks })
    }
}

impl<R: Row> Block<R> {
    fn all(a: &Csr, block_rows: usize, tau: f64, sigma: f64) -> Result<Vec<Self>, SolveError> {
        let n = a.n_rows();
        let factor = |b: usize| {
            let first = b * block_rows;
            Self::factor(a, first, block_rows.min(n - first), tau, sigma)
        };
        let n_blocks = n.div_ceil(block_rows);
        let blocks: Vec<_> = if vector::is_parallel(n) {
            (0..n_blocks).into_par_iter().map(factor).collect()
        } else {
            (0..n_blocks).map(factor).collect()
        };
        // Not collected as a `Result` in parallel: which block's error that returns depends on the threads.
        blocks.into_iter().collect()
    }

    fn factor(a: &Csr, first: usize, len: usize, tau: f64, sigma: f64) -> Result<Self, SolveError> {
        let end = first + len;
        let mut diagonal = Vec::with_capacity(len);
        let mut offsets = Vec::with_capacity(len + 1);
        let (mut rows, mut upper) = (Vec::<R>::new(), Vec::<f64>::new());
        offsets.push(0);
        for k in first..end {
            let (columns, values) = a.row(k);
            let at = columns.partition_point(|&j| (j as usize) < k);
            let has_diagonal = columns.get(at).is_some_and(|&j| j as usize == k);
            let value = if has_diagonal { values[at] } else { 0.0 };
            if value <= 0.0 {
                return Err(SolveError::NonPositiveDiagonal { row: k, value });
            }
            diagonal.push(value);
            let later = at + usize::from(has_diagonal);
            for (&j, &value) in columns[later..].iter().zip(&values[later..]) {
                if j as usize >= end {
                    break;
                }
                rows.push(R::new(j as usize - first));
                upper.push(value);
            }
            offsets.push(rows.len());
        }

        let mut pivots = diagonal.clone();
        for k in 0..len {
            if pivots[k] < sigma * diagonal[k] {
                pivots[k] = diagonal[k];
            }
            let own = offsets[k]..offsets[k + 1];
            for s in own.clone() {
                let i = rows[s].index();
                let l_ik = upper[s] / pivots[k];
                pivots[i] -= l_ik * upper[s];
                let (mut t, t_end) = (offsets[i], offsets[i + 1]);
                for s_j in s + 1..own.end {
                    let change = l_ik * upper[s_j];
                    let j = rows[s_j];
                    while t < t_end && rows[t] < j {
                        t += 1;
                    }
                    if t < t_end && rows[t] == j {
                        upper[t] -= change;
                    } else {
                        pivots[i] -= tau * change;
                        pivots[j.index()] -= tau * change;
                    }
                }
            }
            // Row k is final now; only its quotients are needed from here on.
            for s in own {
                upper[s] /= pivots[k];
            }
        }

        let values: Vec<f32> = upper.iter().map(|&l| l as f32).collect();
        let inverse_pivots: Vec<f64> = pivots.iter().map(|d| 1.0 / d).collect();
        // Only overflow can give a bad factor: the pivots are at least σ times a positive number.
        if !(values.iter().all(|l| l.is_finite()) && inverse_pivots.iter().all(|d| d.is_finite() && *d > 0.0))
        {
            return Err(SolveError::NotFinite { what: "a factor of the preconditioner" });
        }
        let counts = offsets.windows(2).map(|o| R::new(o[1] - o[0])).collect();
        Ok(Self { counts, rows, values, inverse_pivots })
    }

    /// Solves `L D Lᵀ z = r`.
    fn solve(&self, r: &[f64], z: &mut [f64]) {
        z.copy_from_slice(r);
        let (mut rows, mut values) = (self.rows.as_slice(), self.values.as_slice());
        for (k, &count) in self.counts.iter().enumerate() {
            let z_k = z[k];
            let (own_rows, later_rows) = rows.split_at(count.index());
            let (own_values, later_values) = values.split_at(count.index());
            for (&i, &l) in own_rows.iter().zip(own_values) {
                z[i.index()] -= f64::from(l) * z_k;
            }
            (rows, values) = (later_rows, later_values);
        }
        let (mut rows, mut values) = (self.rows.as_slice(), self.values.as_slice());
        for (k, (&count, inverse_pivot)) in self.counts.iter().zip(&self.inverse_pivots).enumerate().rev() {
            let mut z_k = z[k] * inverse_pivot;
            let (earlier_rows, own_rows) = rows.split_at(rows.len() - count.index());
            let (earlier_values, own_values) = values.split_at(values.len() - count.index());
            // Farthest first: the nearest row was solved last, and only one subtraction should wait for it.
            for (&i, &l) in own_rows.iter().zip(own_values).rev() {
                z_k -= f64::from(l) * z[i.index()];
            }
            z[k] = z_k;
            (rows, values) = (earlier_rows, earlier_values);
        }
    }

    fn bytes(&self) -> usize {
        size_of_val(self.counts.as_slice())
            + size_of_val(self.rows.as_slice())
            + size_of_val(self.values.as_slice())
            + size_of_val(self.inverse_pivots.as_slice())
    }
}

impl Preconditioner for Mic0 {
    fn size(&self) -> usize {
        self.n
    }

    fn apply(&mut self, r: &[f64], z: &mut [f64]) {
        self.apply_dot(r, z);
    }

    fn bytes(&self) -> usize {
        match &self.blocks {
            Blocks::Short(blocks) => blocks.iter().map(Block::bytes).sum(),
            Blocks::Long(blocks) => blocks.iter().map(Block::bytes).sum(),
        }
    }

    fn apply_dot(&mut self, r: &[f64], z: &mut [f64]) -> f64 {
        match &self.blocks {
            Blocks::Short(blocks) => apply_dot(blocks, self.block_rows, r, z),
            Blocks::Long(blocks) => apply_dot(blocks, self.block_rows, r, z),
        }
    }
}

fn apply_dot<R: Row>(blocks: &[Block<R>], block_rows: usize, r: &[f64], z: &mut [f64]) -> f64 {
    let kernel = |((block, r), z): ((&Block<R>, &[f64]), &mut [f64])| {
        block.solve(r, z);
        vector::dot_chunk(r, z)
    };
    if vector::is_parallel(r.len()) {
        let z = z.par_chunks_mut(block_rows);
        vector::ordered_sum(blocks.par_iter().zip(r.par_chunks(block_rows)).zip(z).map(kernel))
    } else {
        blocks.iter().zip(r.chunks(block_rows)).zip(z.chunks_mut(block_rows)).map(kernel).sum()
    }
}

#[cfg(test)]
mod tests;
