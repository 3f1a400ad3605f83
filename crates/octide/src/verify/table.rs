//! A case's results as a table for the terminal.

use octide_verify::{Case, Record, number};

/// Returns a heading and one line for each quantity.
pub fn table(record: &Record, case: &Case) -> String {
    let heads = ["quantity", "measured", "expected", "limit", "verdict"].map(str::to_owned);
    let mut rows = vec![heads];
    for f in &record.findings {
        let q = &f.quantity;
        let value = |x: Option<f64>| match x {
            None => "–".to_owned(),
            Some(x) => format!("{} {}", number::short(x), q.unit).trim_end().to_owned(),
        };
        rows.push([
            q.name.clone(),
            value(f.measured),
            value(q.expected),
            q.limit.text(),
            f.status.text().to_owned(),
        ]);
    }
    let width: [usize; 4] =
        std::array::from_fn(|c| rows.iter().map(|r| r[c].chars().count()).max().unwrap_or(0));
    let mut out = format!(
        "{} ({}): {} ({:.1} s CPU, {:.1} s wall)\n",
        record.case, record.method, case.title, record.info.cpu_seconds, record.info.wall_seconds
    );
    for (i, r) in rows.iter().enumerate() {
        let cells: String = (0..4).map(|c| format!("{:w$}  ", r[c], w = width[c])).collect();
        out.push_str(&format!("  {cells}{}\n", r[4]));
        // The first row is the heading.
        if let Some(f) = i.checked_sub(1).map(|i| &record.findings[i]).filter(|f| !f.note.is_empty()) {
            out.push_str(&format!("    {}\n", f.note));
        }
    }
    if let Some(error) = &record.error {
        out.push_str(&format!("  {error}\n"));
    }
    out
}
