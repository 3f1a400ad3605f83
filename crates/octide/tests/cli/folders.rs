//! The folder of a run: its content, and the files that are never overwritten.

use crate::Dir;
use std::fs;

const FILES: [&str; 14] = [
    "frames.csv",
    "octide.log",
    "particles/0000.ply",
    "particles/0001.ply",
    "particles/0002.ply",
    "preview.png",
    "preview/0000.png",
    "preview/0001.png",
    "preview/0002.png",
    "scene.toml",
    "stats.jsonl",
    "surface/0000.ply",
    "surface/0001.ply",
    "surface/0002.ply",
];

#[test]
fn a_run_leaves_the_files_that_are_promised_and_a_scene_that_runs_again() {
    let dir = Dir::new("files");
    let out = dir.small("a", &[]).expect(0).tells(&["frame 2/2"]).out();
    let expected: Vec<String> = FILES.iter().map(|f| format!("a/{f}")).collect();
    let (kept, files): (Vec<_>, Vec<_>) = dir.files().into_iter().partition(|f| f.contains("/checkpoints/"));
    assert_eq!(files, expected);
    assert_eq!(kept.len(), 1, "the state at the end: {kept:?}");
    assert!(out.contains("preview.png"), "{out}");
    let log = fs::read_to_string(dir.path("a/octide.log")).unwrap();
    assert!(log.starts_with("octide ") && log.contains("frame 2/2") && log.ends_with(&out), "{log}");

    dir.octide(&["run", "a/scene.toml", "--out", "b", "--quiet"]).expect(0);
    for file in ["scene.toml", "preview.png", "surface/0002.ply"] {
        let [a, b] = ["a", "b"].map(|d| fs::read(dir.path(&format!("{d}/{file}"))).unwrap());
        assert!(a == b, "{file}");
    }
}

#[test]
fn runs_without_a_folder_are_counted_and_quiet_ones_say_nothing() {
    let dir = Dir::new("count");
    for _ in 0..2 {
        let args = ["run", "still-tank", "--resolution", "32", "--frames", "0", "--no-pictures", "--quiet"];
        let done = dir.octide(&args).expect(0);
        assert_eq!((done.out(), done.err()), (String::new(), String::new()));
    }
    let surfaces: Vec<String> = dir.files().into_iter().filter(|f| f.contains("surface/")).collect();
    assert_eq!(surfaces, ["runs/still-tank-001/surface/0000.ply", "runs/still-tank-002/surface/0000.ply"]);
    assert!(!dir.files().iter().any(|f| f.ends_with(".png")));
}

#[test]
fn a_folder_that_is_there_is_refused_replaced_or_left_alone() {
    let dir = Dir::new("there");
    dir.small("a", &["--no-pictures"]).expect(0);
    fs::write(dir.path("a/notes.txt"), "mine").unwrap();
    let before = dir.files();
    dir.small("a", &[]).expect(2).tells(&["--resume", "--overwrite"]);
    assert_eq!(dir.files(), before);

    dir.small("a", &["--overwrite", "--no-pictures", "--frames", "1"]).expect(0);
    let stays = |f: &&String| !f.ends_with("/0002.ply") && !f.contains("/checkpoints/");
    let after = dir.files();
    assert!(
        after.iter().filter(|f| !f.contains("/checkpoints/")).eq(before.iter().filter(stays)),
        "{after:?}"
    );
    // The state of the replaced run is removed with it.
    assert_eq!(after.iter().filter(|f| f.contains("/checkpoints/")).count(), 1);
    assert_eq!(fs::read_to_string(dir.path("a/notes.txt")).unwrap(), "mine");

    fs::create_dir(dir.path("b")).unwrap();
    fs::write(dir.path("b/thesis.txt"), "mine").unwrap();
    dir.small("b", &["--overwrite"]).expect(2).tells(&["scene.toml"]);
    assert_eq!(fs::read_to_string(dir.path("b/thesis.txt")).unwrap(), "mine");

    dir.small("c", &["--resume", "--no-pictures"]).expect(0);
    assert!(dir.path("c/surface/0002.ply").is_file());
}

#[test]
fn a_folder_that_cannot_be_made_is_an_input_error() {
    let dir = Dir::new("unwritable");
    fs::write(dir.path("file"), "mine").unwrap();
    dir.small("file", &["--overwrite"]).expect(2).tells(&["file"]);
    dir.small("file/run", &[]).expect(2).tells(&["file"]);
    assert_eq!(dir.files(), ["file"]);
    assert_eq!(fs::read_to_string(dir.path("file")).unwrap(), "mine");
}
