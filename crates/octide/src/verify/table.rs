//! A case's results for people.

use octide_verify::{CaseResult, number};

/// A heading and a line a quantity.
pub fn table(result: &CaseResult) -> String {
    let heads = ["quantity", "measured", "expected", "limit", "verdict"].map(str::to_owned);
    let mut rows = vec![heads];
    for f in &result.findings {
        let q = &f.quantity;
        let value = |x: Option<f64>| match x {
            None => "–".to_owned(),
            Some(x) => format!("{} {}", number::short(x), q.unit).trim_end().to_owned(),
        };
        let note = if f.note.is_empty() { String::new() } else { format!(": {}", f.note) };
        rows.push([
            q.name.clone(),
            value(f.measured),
            value(q.expected),
            q.limit.text(),
            format!("{}{note}", f.status.text()),
        ]);
    }
    let width: [usize; 4] =
        std::array::from_fn(|c| rows.iter().map(|r| r[c].chars().count()).max().unwrap_or(0));
    let mut out = format!("{}: {} ({:.1} s)\n", result.case.name, result.case.title, result.seconds);
    for r in &rows {
        let cells: String = (0..4).map(|c| format!("{:w$}  ", r[c], w = width[c])).collect();
        out.push_str(&format!("  {cells}{}\n", r[4]));
    }
    if let Some(error) = &result.error {
        out.push_str(&format!("  {error}\n"));
    }
    out
}
