//! Measurements.

use crate::Dir;
use serde_json::Value;
use std::fs;

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

#[test]
fn systems_of_a_folder_are_told_and_exported() {
    let dir = Dir::new("systems");
    fs::create_dir(dir.path("in")).unwrap();
    // ( 2 −1 ) x = ( 1 )
    // (−1  2 )     ( 1 )
    let words = |integers: &[i64], numbers: &[f64]| -> Vec<u8> {
        let integers = integers.iter().map(|i| i.to_le_bytes());
        integers.chain(numbers.iter().map(|x| x.to_le_bytes())).flatten().collect()
    };
    let matrix = words(&[2, 0, 2, 4, 0, 1, 0, 1], &[2.0, -1.0, -1.0, 2.0]);
    fs::write(dir.path("in/two.A.bin"), &matrix).unwrap();
    fs::write(dir.path("in/two.b.bin"), words(&[2, 1], &[1.0, 1.0])).unwrap();
    let args = ["bench", "solver", "--systems", "in", "--export", "out", "--threads", "1", "--json"];
    let out = dir.octide(&args).expect(0).out();
    let lines: Vec<Value> = out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert!(lines[0]["triad_gb_per_second"].as_f64().unwrap() > 0.0);
    for (line, solver) in lines[1..].iter().zip(["multigrid-PCG", "MIC(0)-PCG"]) {
        assert_eq!(
            (&line["system"], &line["n"], &line["solver"]),
            (&"two".into(), &2.into(), &solver.into())
        );
        assert!(line["residual"].as_f64().unwrap() <= 1e-4 && line["setup_seconds"].as_f64().unwrap() >= 0.0);
    }
    assert_eq!(lines.len(), 3);
    assert_eq!(fs::read(dir.path("out/two.A.bin")).unwrap(), matrix);
    assert_eq!(dir.files(), ["in/two.A.bin", "in/two.b.bin", "out/two.A.bin", "out/two.b.bin"]);

    fs::write(dir.path("in/two.A.bin"), &matrix[..90]).unwrap();
    let done = dir.octide(&args).expect(2).tells(&["two.A.bin", "byte 90"]);
    assert_eq!(done.out().lines().count(), 1);

    // Only the named systems, and only with the requested solver.
    fs::write(dir.path("in/good.A.bin"), &matrix).unwrap();
    fs::write(dir.path("in/good.b.bin"), words(&[2, 1], &[1.0, 1.0])).unwrap();
    let named = ["bench", "solver", "good", "--systems", "in", "--solver", "mic0", "--json"];
    let out = dir.octide(&named).expect(0).out();
    assert!(out.lines().count() == 2 && out.contains("MIC(0)-PCG"), "{out}");
    dir.octide(&["bench", "solver", "god", "--systems", "in"]).expect(2).tells(&["'god'", "good, two"]);
}
