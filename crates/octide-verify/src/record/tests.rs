use super::*;
use crate::Measured;
use crate::case::Quantity;
use crate::limit::Limit;
use crate::plot::{Axis, Scale, Series};
use crate::verdict::judge;

fn record() -> Record {
    let mut m = Measured::default();
    for (name, x) in [("a", 1.0 / 3.0), ("b", 2.0), ("c", 2.0), ("e", f64::NAN), ("f", 1.0)] {
        m.set(name, x);
    }
    let q = |name: &str, limit| Quantity::new(name, "m/s").limit(limit, "A & B").expected(0.1);
    let declared = vec![
        q("a", Limit::AtMost(1.0)),
        q("b", Limit::Within(0.5, 1.0)).known_to_fail("why"),
        q("c", Limit::AtLeast(1.0)).known_to_fail("old"),
        q("d", Limit::RelativeError(0.1)).not_available("tension"),
        q("e", Limit::AtMost(1.0)),
        Quantity::new("f", ""),
    ];
    let axis = |scale| Axis { label: "x".into(), scale, ticks: vec![8.0] };
    let series = [Series::measured, Series::reference, Series::guide, Series::line]
        .map(|make| make("s", vec![[1.0, 0.5], [0.1 + 0.2, f64::NAN]]))
        .to_vec();
    Record {
        case: "x".into(),
        method: "m".into(),
        info: RunInfo { threads: 2, quick: true, cpu_seconds: 1.25, wall_seconds: 0.5, ..RunInfo::default() },
        findings: judge(declared, &Ok(m)),
        tables: vec![Table {
            title: "t".into(),
            columns: vec!["}".into()],
            rows: vec![vec!["\"1\"".into()]],
        }],
        plots: vec![Plot { title: "p".into(), x: axis(Scale::Log), y: axis(Scale::Linear), series }],
        error: Some("a } b".into()),
    }
}

#[test]
fn a_record_is_the_same_after_writing_and_reading() {
    let written = record().to_json_lines();
    let read = Record::from_json(&serde_json::from_str(&written).unwrap()).unwrap();
    assert_eq!(read.to_json_lines(), written);
    let statuses = |r: &Record| r.findings.iter().map(|f| f.status).collect::<Vec<_>>();
    assert_eq!(statuses(&read), statuses(&record()));
    assert_eq!(statuses(&read).len(), Status::ALL.len());
    assert_eq!((&read.info, &read.tables, &read.error), (&record().info, &record().tables, &record().error));
    assert_eq!(read.plots[0].series.len(), 4);
    assert_eq!(read.plots[0].x, record().plots[0].x);
}

#[test]
fn what_was_measured_is_judged_by_other_declarations() {
    let mut r = record();
    let before = r.findings[1].measured;
    let q = |name: &str, limit| Quantity::new(name, "m/s").limit(limit, "A & B");
    r.judge(vec![q("b", Limit::AtMost(3.0)), q("f", Limit::AtLeast(2.0)), q("g", Limit::AtMost(1.0))]);
    let of = |name: &str| r.findings.iter().find(|f| f.quantity.name == name).unwrap();
    assert_eq!((of("b").status, of("b").measured), (Status::Pass, before));
    assert_eq!((of("f").status, of("g").status), (Status::Fail, Status::Fail));
    // What is not declared any more is told.
    assert_eq!((of("a").status, of("a").note.as_str()), (Status::Fail, "measured but not declared"));
}

#[test]
fn what_is_not_a_record_is_none() {
    let good: serde_json::Value = serde_json::from_str(&record().to_json_lines()).unwrap();
    for key in ["case", "method", "quick", "cpu_seconds", "quantities", "tables", "plots", "version"] {
        let mut bad = good.clone();
        bad[key] = serde_json::json!({ "wrong": 1 });
        assert!(Record::from_json(&bad).is_none(), "{key}");
    }
}
