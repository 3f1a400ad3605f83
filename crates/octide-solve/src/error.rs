//! Errors: parts that do not form a matrix, and solves that fail.

use thiserror::Error;

/// Why parts do not form a matrix.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum MatrixError {
    /// There are more entries or rows than 32-bit indices can address.
    #[error("the matrix is too large: {0} entries or rows")]
    TooLarge(usize),
    /// The number of offsets is not the number of rows + 1.
    #[error("{found} row offsets where {expected} are needed")]
    OffsetCount {
        /// Rows + 1.
        expected: usize,
        /// The number of offsets that were passed.
        found: usize,
    },
    /// Offsets must start at 0, never decrease, and end at the number of entries.
    #[error("the offsets of row {row} are out of order or out of range")]
    Offsets {
        /// The first row that is wrong.
        row: usize,
    },
    /// The numbers of columns and values differ.
    #[error("{columns} columns but {values} values")]
    EntryCount {
        /// The number of columns.
        columns: usize,
        /// The number of values.
        values: usize,
    },
    /// A column index is out of range.
    #[error("row {row} names column {column}, which does not exist")]
    Column {
        /// The first row that is wrong.
        row: usize,
        /// The column index.
        column: u32,
    },
    /// Columns must increase strictly within a row.
    #[error("the columns of row {row} do not increase")]
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
    /// The matrix is invalid.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
    /// The residual stayed above the tolerance. The solution vector holds the best iterate.
    #[error("not converged after {iterations} iterations: relative residual {residual:.3e}")]
    NotConverged {
        /// The number of iterations.
        iterations: usize,
        /// The true relative residual of the iterate in the solution vector.
        residual: f64,
        /// The recurrence's relative residual before the first and after each iteration, if requested.
        history: Vec<f64>,
    },
    /// A value became infinite or NaN.
    #[error("{what} is not finite")]
    NotFinite {
        /// The quantity.
        what: &'static str,
    },
    /// A diagonal entry is not positive, so the matrix is not positive definite.
    #[error("the diagonal of row {row} is {value:.3e}, not positive")]
    NonPositiveDiagonal {
        /// The first such row.
        row: usize,
        /// Its diagonal entry; 0 if it is missing.
        value: f64,
    },
    /// A preconditioner for symmetric matrices was given a matrix with an unsymmetric pattern. Not every such
    /// matrix is detected. Explicitly stored zeros count as entries.
    #[error(
        "the matrix is not symmetric: there are entries on one side of the diagonal only, such as in row {row}"
    )]
    NotSymmetric {
        /// A row where this was detected, possibly of a coarse level.
        row: usize,
    },
    /// There are more unknowns or entries than 32-bit indices can address.
    #[error("{what} is too large: {size} rows or entries")]
    TooLarge {
        /// The part of a hierarchy.
        what: &'static str,
        /// The number of its rows or entries.
        size: usize,
    },
    /// The size of a vector or preconditioner differs from that of the operator.
    #[error("{what} has size {found} where {expected} is needed")]
    WrongSize {
        /// What has the wrong size.
        what: &'static str,
        /// The operator's size.
        expected: usize,
        /// The size that was found.
        found: usize,
    },
    /// A parameter is out of range.
    #[error("{name} = {value} is out of range")]
    Parameter {
        /// The parameter.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// The recurrence would divide by an unusable product. In conjugate gradients, `p·Ap ≤ 0` or
    /// `r·M⁻¹r ≤ 0`: the operator or the preconditioner is not positive definite. In BiCGStab, a product that
    /// vanished, and did so again after each restart.
    #[error("breakdown after {iterations} iterations: {what} = {value:.3e}")]
    Breakdown {
        /// The number of iterations.
        iterations: usize,
        /// The product.
        what: &'static str,
        /// Its value.
        value: f64,
    },
}
