//! Help and the built-in scenes.

use crate::Dir;

#[test]
fn help_names_every_command_and_nothing_that_is_not_there() {
    let dir = Dir::new("help");
    let help = dir.octide(&["--help"]).expect(0).out();
    for command in ["run", "scenes", "check", "render", "verify", "bench", "Exit codes"] {
        assert!(help.contains(command), "{command}");
    }
    assert!(!help.lines().any(|line| line.trim_start().starts_with("compare")), "{help}");
    for command in ["run", "scenes", "check", "render", "verify", "bench"] {
        assert!(dir.octide(&[command, "--help"]).expect(0).out().contains("Usage"));
    }
    assert!(dir.octide(&["--version"]).expect(0).out().starts_with("octide "));
    assert_eq!(dir.files(), [""; 0]);
}

#[test]
fn wrong_usage_is_code_2() {
    let dir = Dir::new("usage");
    dir.octide(&["swim"]).expect(2);
    dir.octide(&["run"]).expect(2);
    dir.octide(&["run", "water-drop", "--threads", "0"]).expect(2);
    dir.octide(&["run", "water-drop", "--set", "frames"]).expect(2).tells(&["KEY=VALUE"]);
    dir.octide(&["run", "water-drop", "--resume"]).expect(2).tells(&["--out"]);
    assert_eq!(dir.files(), [""; 0]);
}

#[test]
fn scenes_are_listed_and_shown_and_can_be_run_from_what_is_shown() {
    let dir = Dir::new("scenes");
    let list = dir.octide(&["scenes"]).expect(0).out();
    assert!(list.contains("water-drop  ") && list.contains("A drop falls"), "{list}");
    let text = dir.octide(&["scenes", "--show", "dam-break"]).expect(0).out();
    std::fs::write(dir.path("my.toml"), text).unwrap();
    let checked = dir.octide(&["check", "my.toml", "--resolution", "32"]).expect(0).out();
    for part in ["32 × 16 × 32 finest cells", "60 frames at 60/s", "memory", "no problems found"] {
        assert!(checked.contains(part), "{part:?} is not in\n{checked}");
    }
    dir.octide(&["scenes", "--show", "dam"]).expect(2).tells(&["dam-break"]);
    assert_eq!(dir.files(), ["my.toml"]);
}
