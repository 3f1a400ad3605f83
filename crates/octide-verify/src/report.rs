//! Pages of a run's results, as texts to be written: HTML to look at, Markdown for the repository, JSON for
//! programs.
//!
//! Pages need no network and no scripts. All text is escaped.

mod html;
mod json;
mod markdown;
#[cfg(test)]
mod tests;

pub use html::html;
pub use json::{files_of, json};
pub use markdown::markdown;

use crate::case::Quantity;
use crate::number;
use crate::run::CaseResult;
use crate::verdict::{Finding, Status};

/// The file with the results for programs; it marks a folder as a report's.
pub const RESULTS: &str = "results.json";

/// What a run was.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RunInfo {
    /// Octide's version.
    pub version: String,
    /// Day and time at which it began.
    pub date: String,
    /// What it ran on.
    pub machine: String,
    /// Worker threads.
    pub threads: usize,
    /// Whether quick forms were run.
    pub quick: bool,
    /// How long all took.
    pub seconds: f64,
}

impl RunInfo {
    /// In one line; `seconds` are those of what the line is about.
    fn line(&self, seconds: f64) -> String {
        let form = if self.quick { "quick form" } else { "full form" };
        format!(
            "octide {} · {form} · {} · {} · {} threads · {seconds:.1} s",
            self.version, self.date, self.machine, self.threads
        )
    }
}

/// A file of a report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// Its name, without folders.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// A text for HTML and XML, inside and between tags.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            // XML knows no other control characters.
            c if c < ' ' && !matches!(c, '\t' | '\n' | '\r') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// The results of each case, methods side by side, in the order in which cases came.
fn by_case(results: &[CaseResult]) -> Vec<Vec<&CaseResult>> {
    let mut groups: Vec<Vec<&CaseResult>> = Vec::new();
    for r in results {
        match groups.iter_mut().find(|g| g[0].case.name == r.case.name) {
            Some(group) => group.push(r),
            None => groups.push(vec![r]),
        }
    }
    groups
}

fn with_unit(x: Option<f64>, quantity: &Quantity) -> String {
    match x {
        None => "–".to_owned(),
        Some(x) if quantity.unit.is_empty() => number::short(x),
        Some(x) => format!("{} {}", number::short(x), quantity.unit),
    }
}

/// Measured, expected, limit, verdict and source of a finding.
fn cells(f: &Finding) -> [String; 5] {
    let q = &f.quantity;
    let limit = if q.limit.text().is_empty() { "–".to_owned() } else { q.limit.text() };
    [
        with_unit(f.measured, q),
        with_unit(q.expected, q),
        limit,
        f.status.text().to_owned(),
        q.source.to_owned(),
    ]
}

const ALL: [Status; 6] =
    [Status::Pass, Status::Fail, Status::Alarm, Status::KnownToFail, Status::NotAvailable, Status::Reported];

/// `12 pass · 1 known to fail`.
pub fn summary(results: &[CaseResult]) -> String {
    let count = |s: Status| results.iter().map(|r| r.count(s)).sum::<usize>();
    let parts: Vec<String> =
        ALL.into_iter().filter(|&s| count(s) > 0).map(|s| format!("{} {}", count(s), s.text())).collect();
    if parts.is_empty() { "nothing was run".to_owned() } else { parts.join(" · ") }
}
