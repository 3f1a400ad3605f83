//! A piece of a level's matrix that fits the fastest caches, and a cycle's operations on it.
//!
//! A tile has up to [`TILE`] rows. Couplings within it are stored once, with the row that comes first, in 6
//! bytes: a column of 16 bits within the tile and a value of 32. Couplings that leave it are stored with each
//! row that has them. Rows are sorted by color; rows of one color are not coupled, so that none has to wait
//! for the previous one.
//!
//! With `A = L + D + Lᵀ + O`, where `O` leaves the tile, and `M = D + Λ + L` with `Λ = max(0, Σ|O| − D/2)`
//! over rows, one Gauss–Seidel sweep is `x += M⁻¹ (b − A x)`, and backward with `Mᵀ`. `Λ` compensates for
//! other tiles changing at the same time: `M + Mᵀ − A = D + 2Λ − O` is positive definite, because
//! `Σ|O| ≤ D + 2Λ` in each row, strictly where there is any `O`.

/// Maximum number of rows of a tile, to which vectors are padded: those of a sweep then stay in the L1 cache.
pub(super) const TILE: usize = 4096;

/// A tile's part of a vector.
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
    /// Couplings that leave the tile: rows within it, columns anywhere. They are one list, because most rows
    /// that have any have one or two, and an unpredictable end of a row's loop costs more than a coupling.
    pub outer_rows: Vec<u16>,
    pub outer_columns: Vec<u32>,
    pub outer_values: Vec<f32>,
    /// `Λ` of the rows where it is not zero.
    pub slack: Vec<(u16, f32)>,
    /// The index of each row within the tile before sorting.
    pub order: Vec<u16>,
    /// The coarse unknown of each row, counted from the tile's first; `n_parents` for rows without one.
    pub parents: Vec<u16>,
    /// The tile's coarse unknowns.
    pub first_parent: usize,
    pub n_parents: usize,
}

/// Consecutive rows with equally many couplings to later rows, so that loops over them are unrolled and no
/// branch is mispredicted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub n_rows: u16,
    pub n_couplings: u16,
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
            + size_of_val(&self.outer_rows[..])
            + size_of_val(&self.outer_columns[..])
            + size_of_val(&self.outer_values[..])
            + size_of_val(&self.slack[..])
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

    /// Returns the couplings that leave the tile.
    #[inline(always)]
    pub fn outer(&self) -> impl Iterator<Item = (usize, usize, f32)> {
        let rows = self.outer_rows.iter().map(|&row| usize::from(row) & MASK);
        let places = rows.zip(&self.outer_columns);
        places.zip(&self.outer_values).map(|((row, &column), &value)| (row, column as usize, value))
    }

    /// Computes `y −= O x`, and adds `Λ` times the tile's own `x`.
    pub fn subtract_outer(&self, x: &[f32], own: &Block, y: &mut Block) {
        for &(row, slack) in &self.slack {
            let row = usize::from(row) & MASK;
            y[row] += slack * own[row];
        }
        for (row, column, value) in self.outer() {
            y[row] -= value * x[column];
        }
    }

    /// Sums `residual` over the rows of each parent. Rows without a parent are added to an entry beyond the
    /// last; a tile with as many parents as it can have rows has no such rows.
    pub fn restrict(&self, residual: &Block, coarse: &mut [f32], sums: &mut Block) {
        sums[..self.n_parents].fill(0.0);
        for (&parent, r) in self.parents.iter().zip(residual) {
            sums[usize::from(parent) & MASK] += r;
        }
        coarse.copy_from_slice(&sums[..self.n_parents]);
    }

    /// Adds each parent's value to its rows.
    pub fn prolong(&self, coarse: &[f32], x: &mut [f32], values: &mut Block) {
        values[..self.n_parents].copy_from_slice(coarse);
        if let Some(none) = values.get_mut(self.n_parents) {
            *none = 0.0;
        }
        for (&parent, x) in self.parents.iter().zip(x) {
            *x += values[usize::from(parent) & MASK];
        }
    }
}
