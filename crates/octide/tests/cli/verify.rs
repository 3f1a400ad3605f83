//! Verification: lists, verdicts, exit codes, reports.

use crate::{Dir, Done};
use serde_json::Value;
use std::fs;

fn lines(done: &Done) -> Vec<Value> {
    done.out().lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

#[test]
fn cases_are_listed_with_methods_and_a_line_on_each() {
    let dir = Dir::new("verify-list");
    let list = dir.octide(&["verify"]).expect(0).out();
    for part in ["sphere-mesh", "poisson-t-junctions", "octree", "shared", "quick", "T-junctions"] {
        assert!(list.contains(part), "{part:?} is not in\n{list}");
    }
    assert!(!list.contains("faulty"));
    let octree = dir.octide(&["verify", "--method", "octree"]).expect(0).out();
    assert!(octree.contains("poisson-uniform") && !octree.contains("sphere-mesh"));
    let json = lines(&dir.octide(&["verify", "--json"]).expect(0));
    assert!(
        json.iter().any(|v| v["case"] == "redistancing" && v["quick"] == true && v["methods"][0] == "shared")
    );
    assert_eq!(dir.files(), [""; 0]);
}

#[test]
fn what_is_not_there_is_code_2_before_anything_runs() {
    let dir = Dir::new("verify-unknown");
    let done = dir.octide(&["verify", "sphere-mesh", "poison-uniform"]).expect(2).tells(&["poisson-uniform"]);
    assert!(done.out().is_empty() && !done.err().contains("faulty"), "{}", done.err());
    dir.octide(&["verify", "--all", "--method", "oktree"]).expect(2).tells(&["octree"]);
    dir.octide(&["verify", "sphere-mesh", "--method", "octree"]).expect(2).tells(&["shared"]);
    dir.octide(&["verify", "--report", "r"]).expect(2).tells(&["--all"]);
    dir.octide(&["verify", "sphere-mesh", "--all"]).expect(2);
    assert_eq!(dir.files(), [""; 0]);
    assert!(!dir.path("r").exists());
}

#[test]
fn quick_forms_hold_and_every_line_parses() {
    let dir = Dir::new("verify-quick");
    // The tests of octide-cases run all quick forms.
    let cases = ["sphere-mesh", "redistancing", "poisson-uniform", "poisson-free-surface"];
    let args = [&["verify", "--quick", "--json", "--report", "report"], &cases[..]].concat();
    let done = dir.octide(&args).expect(0);
    let v = lines(&done);
    for case in cases {
        assert!(v.iter().any(|l| l["case"] == case && l["status"] == "pass"), "{case}");
    }
    for l in &v {
        for key in [
            "case", "method", "quantity", "unit", "measured", "expected", "limit", "pass", "status", "source",
        ] {
            assert!(l.get(key).is_some(), "{key} in {l}");
        }
        assert!(l["measured"].is_number() || l["status"] == "not_available", "{l}");
    }
    assert!(done.err().contains("[1/") && !done.err().contains("error"), "{}", done.err());
    assert!(dir.files().contains(&"report/poisson-uniform.html".to_owned()));
    let results: Value =
        serde_json::from_str(&fs::read_to_string(dir.path("report/results.json")).unwrap()).unwrap();
    assert_eq!(results["broken"], false);
}

#[test]
fn the_same_numbers_come_from_any_number_of_threads() {
    let dir = Dir::new("verify-threads");
    let run = |n| {
        dir.octide(&["verify", "sphere-mesh", "redistancing", "--quick", "--json", "--threads", n])
            .expect(0)
            .out()
    };
    assert_eq!(run("1"), run("3"));
}

#[test]
fn broken_limits_errors_panics_and_alarms_are_code_1_and_the_others_still_run() {
    let dir = Dir::new("verify-broken");
    for (case, status) in [("broken", "fail"), ("panics", "fail"), ("errs", "fail"), ("alarms", "alarm")] {
        let name = format!("faulty-{case}");
        let done =
            dir.octide(&["verify", &name, "mesh-distance", "--quick", "--json"]).expect(1).tells(&[&name]);
        let v = lines(&done);
        assert_eq!(v[0]["status"], status);
        assert!(v.iter().any(|l| l["case"] == "mesh-distance" && l["status"] == "pass"));
    }
    let table = dir.octide(&["verify", "faulty-panics", "faulty-errs"]).expect(1);
    for part in ["panicked: out of luck", "out of order", "not measured", "2 FAIL"] {
        assert!(table.out().contains(part), "{part:?} is not in\n{}", table.out());
    }
    assert!(!table.err().contains("has a bug and must stop"));
}

#[test]
fn known_failures_and_missing_features_are_told_and_break_nothing() {
    let dir = Dir::new("verify-known");
    let out = dir.octide(&["verify", "faulty-known", "faulty-missing"]).expect(0).out();
    for part in [
        "known to fail\n    well known\n",
        "not available\n    surface tension\n",
        "1 known to fail · 1 not available",
    ] {
        assert!(out.contains(part), "{part:?} is not in\n{out}");
    }
}

#[test]
fn a_report_replaces_a_report_and_nothing_else() {
    let dir = Dir::new("verify-report");
    let report = |case: &str, to: &str, kind: &str| dir.octide(&["verify", case, kind, to]);
    report("faulty-known", "r", "--report").expect(0);
    assert_eq!(dir.files(), ["r/faulty-known.html", "r/index.html", "r/results.json"]);
    fs::write(dir.path("r/notes.txt"), "mine").unwrap();
    // The report is written even if a limit is violated: that is when it is needed.
    report("faulty-broken", "r", "--report").expect(1);
    assert_eq!(dir.files(), ["r/faulty-broken.html", "r/index.html", "r/notes.txt", "r/results.json"]);

    fs::create_dir(dir.path("other")).unwrap();
    fs::write(dir.path("other/index.html"), "mine").unwrap();
    let done = report("faulty-known", "other", "--report").expect(2).tells(&["results.json", "other"]);
    assert_eq!(done.out(), "");
    fs::write(dir.path("other/results.json"), "{}").unwrap();
    report("faulty-known", "other", "--report").expect(2);
    assert_eq!(fs::read_to_string(dir.path("other/index.html")).unwrap(), "mine");
    report("faulty-known", "r/notes.txt", "--report").expect(2).tells(&["file"]);

    report("faulty-known", "docs", "--docs").expect(0);
    assert!(dir.files().contains(&"docs/faulty-known.md".to_owned()));
}

#[test]
fn documentation_grows_case_by_case_and_only_what_is_missing_runs() {
    let dir = Dir::new("verify-docs");
    let run = |args: &[&str]| dir.octide(&[&["verify", "--docs", "d"], args].concat());
    run(&["faulty-known"]).expect(0);
    fs::write(dir.path("d/notes.txt"), "mine").unwrap();
    run(&["faulty-missing"]).expect(0);
    let all = ["d/README.md", "d/faulty-known.md", "d/faulty-missing.md", "d/notes.txt", "d/results.json"];
    assert_eq!(dir.files(), all);
    let index = fs::read_to_string(dir.path("d/README.md")).unwrap();
    assert!(index.contains("(faulty-known.md)") && index.contains("(faulty-missing.md)"), "{index}");
    assert!(index.contains("CPU s") && index.contains("| full |"), "{index}");

    let err = run(&["--missing", "faulty-known", "faulty-broken", "faulty-missing"]).expect(1).err();
    assert!(err.contains("[1/1] faulty-broken"), "{err}");
    let err = run(&["--missing", "faulty-known", "faulty-broken", "faulty-missing"]).expect(0).err();
    assert!(!err.contains("faulty"), "{err}");

    // A quick run does not overwrite the results of hours of full runs.
    let before = fs::read_to_string(dir.path("d/results.json")).unwrap();
    let err = run(&["--quick", "faulty-known"]).expect(0).err();
    assert!(err.contains("keeps its result of the full form"), "{err}");
    assert_eq!(fs::read_to_string(dir.path("d/results.json")).unwrap(), before);

    dir.octide(&["verify", "faulty-known", "--missing"]).expect(2).tells(&["--docs"]);
}

#[test]
fn kept_results_are_judged_by_the_limits_of_today() {
    let dir = Dir::new("verify-judge");
    let run = |args: &[&str]| dir.octide(&[&["verify", "--docs", "d"], args].concat());
    run(&["faulty-known"]).expect(0);
    // As if it had been measured before the failure was known.
    let path = dir.path("d/results.json");
    let now = fs::read_to_string(&path).unwrap();
    let before = now.replace("\"known_to_fail\"", "\"fail\"").replace("well known", "");
    assert_ne!(before, now);
    fs::write(&path, before).unwrap();
    let done = run(&["--judge"]).expect(0);
    assert!(done.out().contains("1 known to fail"), "{}", done.out());
    assert_eq!(fs::read_to_string(&path).unwrap(), now);
    run(&["--judge", "faulty-known"]).expect(2);
    dir.octide(&["verify", "--judge"]).expect(2).tells(&["--docs"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_code_5() {
    let dir = Dir::new("verify-disk");
    fs::create_dir(dir.path("r")).unwrap();
    // A page cannot be written: a folder has its name.
    fs::create_dir(dir.path("r/index.html")).unwrap();
    fs::write(dir.path("r/results.json"), r#"{"kind":"octide verify","files":[]}"#).unwrap();
    dir.octide(&["verify", "faulty-known", "--report", "r"]).expect(5).tells(&["index.html"]);
}
