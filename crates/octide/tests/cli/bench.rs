//! Measurements.

use crate::Dir;
use serde_json::Value;

#[test]
fn a_case_is_one_object_with_figures_that_agree() {
    let dir = Dir::new("bench");
    let args = ["bench", "water-drop", "--resolution", "32", "--threads", "1", "--json"];
    let v: Value = serde_json::from_str(&dir.octide(&args).expect(0).out()).unwrap();
    let number = |key: &str| v[key].as_f64().unwrap();
    assert_eq!((&v["case"], &v["resolution"], &v["threads"]), (&"water-drop".into(), &32.into(), &1.into()));
    assert!(number("steps") >= 24.0);
    assert!(number("cells_max") >= number("cells") && number("cells") > number("liquid_cells"));
    let cost = number("cpu_seconds") * 1e6 / (number("cells") * number("steps"));
    assert!((cost - number("cpu_us_per_cell_step")).abs() < 1e-6 * cost, "{v}");
    let stages: f64 = v["stages"].as_object().unwrap().values().map(|s| s.as_f64().unwrap()).sum();
    assert!(stages > 0.0 && stages <= number("wall_seconds"), "{v}");
    assert!(number("volume_drift_max") >= number("volume_drift").abs());
    assert!(number("init_seconds") > 0.0);
    #[cfg(target_os = "linux")]
    assert!(number("peak_memory_bytes") > 1e6);
    assert_eq!(dir.files(), [""; 0]);
}

#[test]
fn an_unknown_case_is_told_before_anything_runs() {
    let dir = Dir::new("no-bench");
    let done = dir.octide(&["bench", "water-drop", "still"]).expect(2).tells(&["still-tank"]);
    assert_eq!(done.out(), "");
}
