//! What can go wrong, as values: a matrix that is none, and a solve that has no answer.

use thiserror::Error;

/// Why parts do not make a matrix.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum MatrixError {
    /// More entries or rows than 32-bit indices can name.
    #[error("the matrix is too large: {0} entries or rows")]
    TooLarge(usize),
    /// There must be one offset more than rows.
    #[error("{found} row offsets where {expected} are needed")]
    OffsetCount {
        /// Rows + 1.
        expected: usize,
        /// The offsets given.
        found: usize,
    },
    /// Offsets start at 0, never fall, and end at the number of entries.
    #[error("the offsets of row {row} are out of order or out of range")]
    Offsets {
        /// The first row that is wrong.
        row: usize,
    },
    /// Columns and values come in pairs.
    #[error("{columns} columns but {values} values")]
    EntryCount {
        /// The columns given.
        columns: usize,
        /// The values given.
        values: usize,
    },
    /// A column that the matrix does not have.
    #[error("row {row} names column {column}, which does not exist")]
    Column {
        /// The first row that is wrong.
        row: usize,
        /// The column it names.
        column: u32,
    },
    /// Columns must rise strictly within a row.
    #[error("the columns of row {row} do not rise")]
    Unsorted {
        /// The first row that is wrong.
        row: usize,
    },
    /// A value that is infinite or not a number.
    #[error("row {row} has a value that is not finite")]
    NotFinite {
        /// The first row that is wrong.
        row: usize,
    },
}

/// Why a system was not solved.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SolveError {
    /// There is no matrix.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
    /// The residual stayed above the tolerance. The solution vector holds what was reached.
    #[error("not converged after {iterations} iterations: relative residual {residual:.3e}")]
    NotConverged {
        /// Iterations taken.
        iterations: usize,
        /// The true relative residual of what the solution vector holds.
        residual: f64,
        /// The recurrence's relative residual before the first and after each iteration, if asked for.
        history: Vec<f64>,
    },
    /// An infinity or something that is not a number turned up.
    #[error("{what} is not finite")]
    NotFinite {
        /// The quantity.
        what: &'static str,
    },
    /// The right-hand side is not zero, but so small that its square is.
    #[error("the right-hand side is too small to be measured: its squared norm is {squared_norm:.3e}")]
    TooSmall {
        /// What came out of the norm.
        squared_norm: f64,
    },
    /// A positive definite matrix has a positive diagonal.
    #[error("the diagonal of row {row} is {value:.3e}, not positive")]
    NonPositiveDiagonal {
        /// The first such row.
        row: usize,
        /// Its diagonal; 0 where the entry is missing.
        value: f64,
    },
    /// A preconditioner for symmetric matrices met one whose stored entries are not. Not every such matrix is
    /// noticed, and zeros that are stored on one side only are entries, too.
    #[error(
        "the matrix is not symmetric: there are entries on one side of the diagonal only, such as in row {row}"
    )]
    NotSymmetric {
        /// A row where this was seen; where a coarse level showed it, a row of that.
        row: usize,
    },
    /// More unknowns or entries than 32-bit indices can name.
    #[error("{what} is too large: {size} rows or entries")]
    TooLarge {
        /// The part of a hierarchy.
        what: &'static str,
        /// Its rows or entries.
        size: usize,
    },
    /// A vector or preconditioner that does not fit the operator.
    #[error("{what} has size {found} where {expected} is needed")]
    WrongSize {
        /// The misfit.
        what: &'static str,
        /// The operator's size.
        expected: usize,
        /// The size given.
        found: usize,
    },
    /// A parameter outside its range.
    #[error("{name} = {value} is out of range")]
    Parameter {
        /// The parameter.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// A product that the recurrence divides by is of no use. In conjugate gradients `p·Ap ≤ 0` or
    /// `r·M⁻¹r ≤ 0`: the operator or the preconditioner is not positive definite. In BiCGStab one that
    /// vanished, and did so again after each restart.
    #[error("breakdown after {iterations} iterations: {what} = {value:.3e}")]
    Breakdown {
        /// Iterations taken.
        iterations: usize,
        /// The product.
        what: &'static str,
        /// Its value.
        value: f64,
    },
}
