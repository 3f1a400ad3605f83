//! Records as JSON, and back.
//!
//! Numbers are rounded so that reading and writing again changes no digit.

use super::{Record, RunInfo};
use crate::case::Quantity;
use crate::limit::{Expectation, Limit};
use crate::plot::{Axis, Look, Plot, Scale, Series};
use crate::table::Table;
use crate::verdict::{Finding, Status};
use serde_json::{Value, json};

/// Significant digits of measured values.
const VALUE_DIGITS: usize = 12;
/// Significant digits of plotted points.
const POINT_DIGITS: usize = 5;

impl Record {
    /// Returns the record as lines of JSON: an object with one line for each quantity, table and plot.
    pub fn to_json_lines(&self) -> String {
        let i = &self.info;
        let head = json!({
            "case": self.case,
            "method": self.method,
            "version": i.version,
            "date": i.date,
            "machine": i.machine,
            "threads": i.threads,
            "quick": i.quick,
            "cpu_seconds": rounded(i.cpu_seconds, POINT_DIGITS),
            "wall_seconds": rounded(i.wall_seconds, POINT_DIGITS),
            "error": self.error,
        });
        let quantities = self.findings.iter().map(|f| f.json(&self.case, &self.method));
        let tables =
            self.tables.iter().map(|t| json!({ "title": t.title, "columns": t.columns, "rows": t.rows }));
        // An object always ends with a brace.
        let head = head.to_string();
        format!(
            "{},\n \"quantities\": {},\n \"tables\": {},\n \"plots\": {}}}",
            head.trim_end_matches('}'),
            list(quantities),
            list(tables),
            list(self.plots.iter().map(plot))
        )
    }

    /// Reads a record; `None` if `value` is not one.
    pub fn from_json(value: &Value) -> Option<Self> {
        let info = RunInfo {
            version: text(&value["version"])?,
            date: text(&value["date"])?,
            machine: text(&value["machine"])?,
            threads: usize::try_from(value["threads"].as_u64()?).ok()?,
            quick: value["quick"].as_bool()?,
            cpu_seconds: value["cpu_seconds"].as_f64()?,
            wall_seconds: value["wall_seconds"].as_f64()?,
        };
        Some(Self {
            case: text(&value["case"])?,
            method: text(&value["method"])?,
            info,
            findings: all(&value["quantities"], finding_from)?,
            tables: all(&value["tables"], table_from)?,
            plots: all(&value["plots"], plot_from)?,
            error: value["error"].as_str().map(str::to_owned),
        })
    }
}

impl Finding {
    /// Returns the finding as an object for programs. `pass` says whether the limit holds; it is null where
    /// there is no limit.
    pub fn json(&self, case: &str, method: &str) -> Value {
        let q = &self.quantity;
        let pass = match self.status {
            Status::Reported => Value::Null,
            status => Value::Bool(matches!(status, Status::Pass | Status::Alarm)),
        };
        json!({
            "case": case,
            "method": method,
            "quantity": q.name,
            "unit": q.unit,
            "measured": self.measured.map(|x| rounded(x, VALUE_DIGITS)),
            "expected": q.expected.map(|x| rounded(x, VALUE_DIGITS)),
            "limit": q.limit.json(),
            "source": q.source,
            "pass": pass,
            "status": self.status.key(),
            "note": self.note,
        })
    }
}

fn rounded(x: f64, digits: usize) -> f64 {
    format!("{x:.*e}", digits - 1).parse().unwrap_or(x)
}

fn list(values: impl Iterator<Item = Value>) -> String {
    let lines: Vec<String> = values.map(|v| format!("\n  {v}")).collect();
    if lines.is_empty() { "[]".to_owned() } else { format!("[{}\n ]", lines.join(",")) }
}

fn plot(p: &Plot) -> Value {
    let axis = |a: &Axis| json!({ "label": a.label, "scale": scale_key(a.scale), "ticks": a.ticks });
    let series = |s: &Series| {
        let points: Vec<[f64; 2]> = s.points.iter().map(|p| p.map(|x| rounded(x, POINT_DIGITS))).collect();
        json!({ "name": s.name, "look": look_key(s.look), "points": points })
    };
    json!({
        "title": p.title,
        "x": axis(&p.x),
        "y": axis(&p.y),
        "series": p.series.iter().map(series).collect::<Vec<_>>(),
    })
}

fn scale_key(scale: Scale) -> &'static str {
    match scale {
        Scale::Linear => "linear",
        Scale::Log => "log",
    }
}

fn look_key(look: Look) -> &'static str {
    match look {
        Look::Measured => "measured",
        Look::Reference => "reference",
        Look::Guide => "guide",
        Look::Line => "line",
    }
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn all<T>(value: &Value, read: fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    value.as_array()?.iter().map(read).collect()
}

/// JSON has no number for what is not finite; it is written as null.
fn number(value: &Value) -> Option<f64> {
    if value.is_null() { Some(f64::NAN) } else { value.as_f64() }
}

fn finding_from(value: &Value) -> Option<Finding> {
    let status = value["status"].as_str()?;
    let note = text(&value["note"])?;
    let status = Status::ALL.into_iter().find(|s| s.key() == status)?;
    let expectation = match status {
        Status::KnownToFail | Status::Alarm => Expectation::KnownToFail(note.clone()),
        Status::NotAvailable => Expectation::NotAvailable(note.clone()),
        Status::Pass | Status::Reported | Status::Fail => Expectation::Holds,
    };
    let quantity = Quantity {
        name: text(&value["quantity"])?,
        unit: text(&value["unit"])?.into(),
        expected: value["expected"].as_f64(),
        limit: Limit::from_json(&value["limit"])?,
        source: text(&value["source"])?.into(),
        expectation,
    };
    Some(Finding { quantity, measured: value["measured"].as_f64(), status, note })
}

fn table_from(value: &Value) -> Option<Table> {
    let row = |v: &Value| all(v, text);
    Some(Table {
        title: text(&value["title"])?,
        columns: row(&value["columns"])?,
        rows: all(&value["rows"], row)?,
    })
}

fn plot_from(value: &Value) -> Option<Plot> {
    Some(Plot {
        title: text(&value["title"])?,
        x: axis_from(&value["x"])?,
        y: axis_from(&value["y"])?,
        series: all(&value["series"], series_from)?,
    })
}

fn axis_from(value: &Value) -> Option<Axis> {
    let key = value["scale"].as_str()?;
    Some(Axis {
        label: text(&value["label"])?,
        scale: [Scale::Linear, Scale::Log].into_iter().find(|&s| scale_key(s) == key)?,
        ticks: all(&value["ticks"], number)?,
    })
}

fn series_from(value: &Value) -> Option<Series> {
    let key = value["look"].as_str()?;
    let looks = [Look::Measured, Look::Reference, Look::Guide, Look::Line];
    let point = |v: &Value| Some([number(v.get(0)?)?, number(v.get(1)?)?]);
    Some(Series {
        name: text(&value["name"])?,
        look: looks.into_iter().find(|&l| look_key(l) == key)?,
        points: all(&value["points"], point)?,
    })
}
