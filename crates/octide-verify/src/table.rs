//! Tables of texts.

/// A table for a case's page.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// The heads of its columns.
    pub columns: Vec<String>,
    /// Its rows, as long as `columns`.
    pub rows: Vec<Vec<String>>,
}
