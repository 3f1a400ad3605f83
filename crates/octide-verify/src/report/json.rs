//! All results as one JSON text.

use super::{RESULTS, RunInfo};
use crate::plot::Plot;
use crate::run::CaseResult;
use serde_json::{Value, json};

/// The mark by which the file is known.
const KIND: &str = "octide verify";

/// The results, and the names of the report's files.
pub fn json(results: &[CaseResult], info: &RunInfo, files: &[String]) -> String {
    let cases: Vec<Value> = results
        .iter()
        .map(|r| {
            let lines: Vec<Value> = r.findings.iter().map(|f| f.json(r.case.name, &r.method)).collect();
            let tables: Vec<Value> = r
                .measured
                .tables
                .iter()
                .map(|t| json!({ "title": t.title, "columns": t.columns, "rows": t.rows }))
                .collect();
            json!({
                "case": r.case.name,
                "method": r.method,
                "title": r.case.title,
                "seconds": r.seconds,
                "error": r.error,
                "quantities": lines,
                "tables": tables,
                "plots": r.measured.plots.iter().map(plot).collect::<Vec<_>>(),
            })
        })
        .collect();
    let all = json!({
        "kind": KIND,
        "version": info.version,
        "date": info.date,
        "machine": info.machine,
        "threads": info.threads,
        "quick": info.quick,
        "seconds": info.seconds,
        "broken": results.iter().any(CaseResult::is_broken),
        "files": files,
        "cases": cases,
    });
    format!("{all:#}\n")
}

fn plot(p: &Plot) -> Value {
    let series: Vec<Value> = p.series.iter().map(|s| json!({ "name": s.name, "points": s.points })).collect();
    json!({ "title": p.title, "x": p.x.label, "y": p.y.label, "series": series })
}

/// The files that a report's results name, those alone that a report can have; none where the text is not
/// one.
pub fn files_of(text: &str) -> Option<Vec<String>> {
    let v: Value = serde_json::from_str(text).ok()?;
    if v["kind"] != KIND {
        return None;
    }
    let is_ours = |name: &str| {
        let (stem, end) = name.rsplit_once('.')?;
        let plain = !stem.is_empty() && stem.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        (plain && (["html", "md", "svg"].contains(&end) || name == RESULTS)).then(|| name.to_owned())
    };
    Some(v["files"].as_array()?.iter().filter_map(|f| is_ours(f.as_str()?)).collect())
}
