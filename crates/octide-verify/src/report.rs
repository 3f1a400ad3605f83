//! Pages of results, as texts to be written: HTML to look at, Markdown for the repository, JSON for
//! programs.
//!
//! A report is made from [`Record`]s alone, and the JSON file holds them completely. So a report can grow case
//! by case: [`records_of`] reads what an earlier report had, [`merge`] adds new results, and the pages are
//! written again. Pages need no network and no scripts. All text is escaped.

mod html;
mod json;
mod markdown;
#[cfg(test)]
mod tests;

pub use html::html;
pub use json::{files_of, records_of};
pub use markdown::markdown;

use crate::case::{Case, Quantity};
use crate::number;
use crate::record::Record;
use crate::verdict::{Finding, Status};

/// The file with the results for programs; it marks a folder as a report's.
pub const RESULTS: &str = "results.json";

/// A file of a report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// Its name, without folders.
    pub name: String,
    /// Its content.
    pub text: String,
}

/// Adds new records to earlier ones. A new record replaces the earlier one of the same case and method, except
/// that the result of a quick form never replaces that of a full form; such new records are returned.
pub fn merge(records: &mut Vec<Record>, new: Vec<Record>) -> Vec<Record> {
    let mut refused = Vec::new();
    for r in new {
        match records.iter_mut().find(|old| old.is_of_same_pair(&r)) {
            Some(old) if r.info.quick && !old.info.quick => refused.push(r),
            Some(old) => *old = r,
            None => records.push(r),
        }
    }
    refused
}

/// The records of a case.
struct Group<'a> {
    case: &'a Case,
    records: Vec<&'a Record>,
}

/// Returns the records of each case, methods side by side, in the order of `cases`. Records of other cases are
/// left out.
fn by_case<'a>(records: &'a [Record], cases: &[&'a Case]) -> Vec<Group<'a>> {
    let mut groups = Vec::new();
    for &case in cases {
        let methods = (case.methods)();
        let mut of: Vec<&Record> = records.iter().filter(|r| r.case == case.name).collect();
        of.sort_by_key(|r| methods.iter().position(|&m| m == r.method));
        if !of.is_empty() {
            groups.push(Group { case, records: of });
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
        q.source.clone().into_owned(),
    ]
}

/// The heads of the table of runs.
const RUN_HEADS: [&str; 8] = ["case", "method", "form", "verdicts", "CPU s", "wall s", "threads", "date"];

/// The cells of a record in the table of runs, without the case.
fn run_cells(r: &Record) -> [String; 7] {
    [
        r.method.clone(),
        if r.info.quick { "quick" } else { "full" }.to_owned(),
        summary(std::slice::from_ref(r)),
        format!("{:.1}", r.info.cpu_seconds),
        format!("{:.1}", r.info.wall_seconds),
        r.info.threads.to_string(),
        r.info.date.clone(),
    ]
}

/// Returns the total time of all records and the machines they ran on.
fn total_line(groups: &[Group]) -> String {
    let records = || groups.iter().flat_map(|g| &g.records);
    let (cpu, wall) =
        records().fold((0.0, 0.0), |s, r| (s.0 + r.info.cpu_seconds, s.1 + r.info.wall_seconds));
    let mut places: Vec<String> =
        records().map(|r| format!("octide {} · {}", r.info.version, r.info.machine)).collect();
    places.sort_unstable();
    places.dedup();
    format!("{} · {cpu:.1} s CPU, {wall:.1} s wall", places.join(" · "))
}

/// Returns a text such as `12 pass · 1 known to fail`.
pub fn summary(records: &[Record]) -> String {
    summary_of(&records.iter().collect::<Vec<_>>())
}

fn summary_of(records: &[&Record]) -> String {
    let count = |s: Status| records.iter().map(|r| r.count(s)).sum::<usize>();
    let parts: Vec<String> = Status::ALL
        .into_iter()
        .filter(|&s| count(s) > 0)
        .map(|s| format!("{} {}", count(s), s.text()))
        .collect();
    if parts.is_empty() { "nothing was run".to_owned() } else { parts.join(" · ") }
}

/// The command that runs a case again.
fn command(case: &Case, record: &Record) -> String {
    let form = if record.info.quick { "--quick " } else { "" };
    format!("octide verify {form}{}", case.name)
}
