//! Interfaces for other programs: progress as JSON, completions, the manual, the schema.

use crate::Dir;
use serde_json::Value;

fn events(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
}

#[test]
fn progress_for_programs_is_one_object_a_line() {
    let dir = Dir::new("json");
    let done = dir.small("a", &["--progress", "json", "--no-pictures"]).expect(0);
    let events = events(&done.out());
    let kinds: Vec<&str> = events.iter().map(|e| e["event"].as_str().unwrap()).collect();
    assert_eq!((kinds[0], kinds[kinds.len() - 1]), ("begin", "end"), "{kinds:?}");
    assert_eq!(events[0]["total"], 2);
    assert_eq!(events[0]["scene"], "water-drop");
    let frames: Vec<&Value> = events.iter().filter(|e| e["event"] == "frame").collect();
    assert_eq!(frames.len(), 3);
    for (k, frame) in frames.iter().enumerate() {
        assert_eq!((&frame["frame"], &frame["total"]), (&k.into(), &2.into()));
        assert!((frame["time"].as_f64().unwrap() - k as f64 / 60.0).abs() < 1e-12);
        assert!(frame["cells"].as_u64().unwrap() > 100 && frame["seconds"].as_f64().unwrap() > 0.0);
    }
    assert!(
        frames[0]["eta"].is_null() && frames[1]["eta"].as_f64().unwrap() > 0.0 && frames[2]["eta"] == 0.0
    );
    let steps: Vec<u64> =
        events.iter().filter(|e| e["event"] == "step").map(|e| e["step"].as_u64().unwrap()).collect();
    assert!(!steps.is_empty() && steps.iter().copied().eq(1..=steps.len() as u64));
    let end = &events[events.len() - 1];
    assert_eq!((&end["code"], end["steps"].as_u64()), (&0.into(), Some(steps.len() as u64)));
    assert_eq!(done.err(), "");
}

#[test]
fn errors_for_programs_have_the_exit_code() {
    let dir = Dir::new("json-errors");
    let last = |more: &[&str], code: u8| {
        let done =
            dir.small("a", &[&["--progress", "json", "--overwrite"], more].concat()).expect(i32::from(code));
        let last = events(&done.out()).pop().unwrap();
        assert_eq!((&last["event"], &last["code"]), (&"error".into(), &code.into()));
        assert!(done.err().contains(last["message"].as_str().unwrap()));
        last["message"].as_str().unwrap().to_owned()
    };
    assert!(last(&["--set", "time.fps=nan"], 2).contains("`fps` must be"));
    assert!(last(&["--set", "numerics.max_volume_drift=1e-12"], 3).contains("simulation failed"));
    assert!(last(&["--max-memory", "1M"], 4).contains("does not fit"));
}

#[test]
fn verbose_tells_of_steps_and_quiet_of_nothing() {
    let dir = Dir::new("verbose");
    let done = dir.small("a", &["--no-pictures", "--verbose"]).expect(0);
    let line = done.err().lines().find(|l| l.starts_with("step 1 to frame 1")).map(str::to_owned).unwrap();
    assert!(line.contains("iterations") && line.contains("cells"), "{line}");
    assert!(std::fs::read_to_string(dir.path("a/octide.log")).unwrap().contains(&line));
    let done = dir.small("b", &["--no-pictures", "--quiet"]).expect(0);
    assert_eq!((done.out(), done.err()), (String::new(), String::new()));
    dir.small("c", &["--quiet", "--verbose"]).expect(2);
}

#[test]
fn shells_readers_and_editors_are_served() {
    let dir = Dir::new("tools");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = dir.octide(&["completions", shell]).expect(0).out();
        assert!(text.contains("octide") && text.contains("max-memory"), "{shell}");
    }
    dir.octide(&["completions", "dos"]).expect(2).tells(&["fish"]);
    let man = dir.octide(&["man"]).expect(0).out();
    assert!(man.contains(".TH") && man.contains("max\\-memory") && man.contains("Exit codes"), "{man}");
    let schema: Value = serde_json::from_str(&dir.octide(&["schema"]).expect(0).out()).unwrap();
    assert_eq!(schema["properties"]["time"]["properties"]["fps"]["type"], "number");
    assert_eq!(dir.files(), [""; 0]);
}
