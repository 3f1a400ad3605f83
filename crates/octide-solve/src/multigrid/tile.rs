//! A piece of a level's matrix that fits the nearest caches, and what a cycle does with it.
//!
//! A tile has up to [`MAX_ROWS`] rows. Couplings within it are stored once, with the row that comes first, in 6
//! bytes: a column of 16 bits within the tile and a value of 32. Couplings that leave it are stored with each
//! row that has them. Rows are sorted by color, rows of one color are not coupled, so that none waits for the
//! one before.
//!
//! With `A = L + D + Lᵀ + O`, where `O` leaves the tile, and `M = D + Λ + L` with `Λ` the sums of `|O|` over
//! rows, one Gauss–Seidel sweep is `x += M⁻¹ (b − A x)`, and backwards with `Mᵀ`.

/// What a tile is padded to: the vectors of a sweep then stay in the first cache.
pub(super) const TILE: usize = 4096;

/// The most rows a tile may have. One place is left for the parent that is none.
pub(super) const MAX_ROWS: usize = TILE - 1;

/// A tile's share of a vector.
pub(super) type Block = [f32; TILE];

/// Masks a local index, which the compiler then knows to be in range.
pub(super) const MASK: usize = TILE - 1;

/// Rows of a matrix that are smoothed together.
#[derive(Clone, Debug, Default)]
pub(super) struct Tile {
    /// Consecutive rows with equally many couplings to later rows of the tile.
    pub runs: Vec<Run>,
    /// The rows and values of these couplings.
    pub columns: Vec<u16>,
    pub values: Vec<f32>,
    /// `1 / (D + Λ)`.
    pub inverse_diagonal: Vec<f32>,
    /// `Σ_j a_ij` of each row.
    pub excess: Vec<f32>,
    /// Rows with couplings that leave the tile, with `Λ`, and where the couplings of each end.
    pub outer: Vec<OuterRow>,
    pub outer_columns: Vec<u32>,
    pub outer_values: Vec<f32>,
    /// Which of the tile's rows each was before they were sorted.
    pub order: Vec<u16>,
    /// The coarse unknown each row belongs to, counted from the tile's first; `n_parents` without one.
    pub parents: Vec<u16>,
    /// The tile's coarse unknowns.
    pub first_parent: usize,
    pub n_parents: usize,
}

/// Consecutive rows with equally many couplings to later rows, so that loops over them are unrolled and no
/// branch is guessed wrong.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub n_rows: u16,
    pub n_couplings: u16,
}

/// A row with couplings that leave its tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct OuterRow {
    pub row: u16,
    /// Where its couplings end.
    pub end: u32,
    /// `Λ`: the sum of their magnitudes.
    pub slack: f32,
}

impl Tile {
    pub fn len(&self) -> usize {
        self.inverse_diagonal.len()
    }

    pub fn bytes(&self) -> usize {
        size_of_val(&self.runs[..])
            + size_of_val(&self.columns[..])
            + size_of_val(&self.values[..])
            + size_of_val(&self.inverse_diagonal[..])
            + size_of_val(&self.excess[..])
            + size_of_val(&self.outer[..])
            + size_of_val(&self.outer_columns[..])
            + size_of_val(&self.outer_values[..])
            + size_of_val(&self.order[..])
            + size_of_val(&self.parents[..])
    }

    /// Sorts `unsorted`.
    pub fn sort(&self, unsorted: &Block, sorted: &mut Block) {
        for (sorted, &place) in sorted.iter_mut().zip(&self.order) {
            *sorted = unsorted[usize::from(place) & MASK];
        }
    }

    /// Undoes [`Self::sort`].
    pub fn unsort<T: Copy>(&self, sorted: &[T], unsorted: &mut [T; TILE]) {
        for (sorted, &place) in sorted.iter().zip(&self.order) {
            unsorted[usize::from(place) & MASK] = *sorted;
        }
    }

    /// `y −= O x` plus `Λ` times the tile's own `x`.
    pub fn subtract_outer(&self, x: &[f32], first: usize, y: &mut [f32]) {
        let mut start = 0;
        for outer in &self.outer {
            let end = outer.end as usize;
            let row = usize::from(outer.row);
            let mut sum = outer.slack * x[first + row];
            for (&c, a) in self.outer_columns[start..end].iter().zip(&self.outer_values[start..end]) {
                sum -= a * x[c as usize];
            }
            y[row] += sum;
            start = end;
        }
    }

    /// Sums `residual` over the rows of each parent. Rows without one sum to a place beyond the last.
    pub fn restrict(&self, residual: &[f32], coarse: &mut [f32], sums: &mut Block) {
        sums[..=self.n_parents & MASK].fill(0.0);
        for (&parent, r) in self.parents.iter().zip(residual) {
            sums[usize::from(parent) & MASK] += r;
        }
        coarse.copy_from_slice(&sums[..self.n_parents]);
    }

    /// Adds each parent's value.
    pub fn prolong(&self, coarse: &[f32], x: &mut [f32], values: &mut Block) {
        values[..self.n_parents].copy_from_slice(coarse);
        values[self.n_parents & MASK] = 0.0;
        for (&parent, x) in self.parents.iter().zip(x) {
            *x += values[usize::from(parent) & MASK];
        }
    }
}
