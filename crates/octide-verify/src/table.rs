//! Tables of text.

/// A table for a case's page.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Table {
    /// The heading above the table.
    pub title: String,
    /// The column headings.
    pub columns: Vec<String>,
    /// The rows, each as long as `columns`.
    pub rows: Vec<Vec<String>>,
}
