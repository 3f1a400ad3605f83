//! All records as one JSON text, and back.

use super::{Group, RESULTS};
use crate::record::Record;
use serde_json::Value;

/// The mark by which the file is known.
const KIND: &str = "octide verify";

/// Returns the records and the names of the report's files.
pub(super) fn json(groups: &[Group], files: &[String]) -> String {
    let records = || groups.iter().flat_map(|g| &g.records);
    let lines: Vec<String> = records().map(|r| r.to_json_lines()).collect();
    let names: Vec<String> = files.iter().map(|f| format!("\n {}", Value::from(f.as_str()))).collect();
    format!(
        "{{\"kind\": {},\n\"broken\": {},\n\"files\": [{}\n],\n\"cases\": [\n{}\n]}}\n",
        Value::from(KIND),
        records().any(|r| r.is_broken()),
        names.join(","),
        lines.join(",\n")
    )
}

/// Reads the text of a report's results; `None` if it is not one.
fn parse(text: &str) -> Option<Value> {
    let v: Value = serde_json::from_str(text).ok()?;
    (v["kind"] == KIND).then_some(v)
}

/// Returns the files that a report's results name, but only names that a report can have; `None` if `text` is
/// not that of a report's results.
pub fn files_of(text: &str) -> Option<Vec<String>> {
    let v = parse(text)?;
    let is_ours = |name: &str| {
        let (stem, end) = name.rsplit_once('.')?;
        let plain = !stem.is_empty() && stem.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        (plain && (["html", "md", "svg"].contains(&end) || name == RESULTS)).then(|| name.to_owned())
    };
    Some(v["files"].as_array()?.iter().filter_map(|f| is_ours(f.as_str()?)).collect())
}

/// Returns the records of a report's results. Records that this version cannot read are left out.
pub fn records_of(text: &str) -> Vec<Record> {
    let v = parse(text);
    let cases = v.as_ref().and_then(|v| v["cases"].as_array());
    cases.into_iter().flatten().filter_map(Record::from_json).collect()
}
