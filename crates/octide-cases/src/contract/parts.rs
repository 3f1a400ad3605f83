//! The parts of a case, each measured even if another one fails.

use octide_verify::{CaseError, Context, Measured, Table};

/// A part of a case.
pub type Part = fn(&Context, &mut Measured) -> Result<(), CaseError>;

/// Measures all parts. One that fails leaves its quantities without a number, which is a failure of theirs;
/// the reason is in a table.
pub fn measure(context: &Context, parts: &[(&str, Part)]) -> Result<Measured, CaseError> {
    let mut m = Measured::default();
    let mut failed = Vec::new();
    for (name, part) in parts {
        context.progress(name)?;
        match part(context, &mut m) {
            Ok(()) => {}
            Err(CaseError::Stopped) => return Err(CaseError::Stopped),
            Err(CaseError::Failed(why)) => failed.push(vec![(*name).to_owned(), why]),
        }
    }
    if !failed.is_empty() {
        let columns = ["part", "error"].map(str::to_owned).to_vec();
        m.tables.push(Table { title: "Parts that could not be measured".to_owned(), columns, rows: failed });
    }
    Ok(m)
}
