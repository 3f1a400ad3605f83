//! Results are identical to the last byte on any number of threads.

use crate::Dir;
use serde_json::Value;
use std::fs;

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let dir = Dir::new("threads");
    let runs = ["1", "2", "3", "7"].map(|n| {
        let all = ["--set", "output.cells=true", "--set", "output.volume=true"];
        let more = [&["--threads", n, "--set", "time.fps=20"][..], &all].concat();
        dir.small(n, &more).expect(0);
        let stats = steps(&fs::read_to_string(dir.path(&format!("{n}/stats.jsonl"))).unwrap());
        let log = fs::read_to_string(dir.path(&format!("{n}/octide.log"))).unwrap();
        assert!(log.lines().next().unwrap().ends_with(&format!(" {n} threads")), "{log}");
        let mut files: Vec<(String, Vec<u8>)> = Vec::new();
        for file in dir.files() {
            let name = file.strip_prefix(&format!("{n}/"));
            let differs =
                |n: &str| ["stats.jsonl", "octide.log"].contains(&n) || n.starts_with("checkpoints/");
            if let Some(name) = name.filter(|n| !differs(n)) {
                files.push((name.to_owned(), fs::read(dir.path(&file)).unwrap()));
            }
        }
        (files, stats)
    });
    assert_eq!(runs[0].0.len(), 5 * 3 + 3);
    for run in &runs[1..] {
        for (a, b) in runs[0].0.iter().zip(&run.0) {
            assert!(a == b, "{} differs", a.0);
        }
        assert_eq!(runs[0].1, run.1);
    }
}

#[test]
fn meshes_are_read_by_as_many_threads_as_asked_for() {
    let dir = Dir::new("threads-meshes");
    let few = ["--threads", "1", "--frames", "0", "--resolution", "32", "--no-pictures", "--out", "run"];
    dir.octide(&[&["run", "mesh-in-mesh"][..], &few].concat()).expect(0);
    dir.octide(&["check", "mesh-in-mesh", "--resolution", "32", "--threads", "1"]).expect(0);
    dir.octide(&["render", "run", "--size", "64x36", "--threads", "1"]).expect(0);
}

/// Returns the steps without the times that they took.
pub fn steps(stats: &str) -> Vec<Value> {
    let line = |line: &str| {
        let mut value: Value = serde_json::from_str(line).unwrap();
        let object = value.as_object_mut().unwrap();
        object.remove("seconds");
        object.remove("memory_bytes");
        value
    };
    stats.lines().map(line).collect()
}
