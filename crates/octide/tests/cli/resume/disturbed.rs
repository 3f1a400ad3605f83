//! A property of every resumed run: whatever was lost, damaged or changed before, either it ends with code 0 and
//! the folder of an undisturbed run (or what docs/resume.md says about `--force`), or it ends with an error and a
//! message, and the folder is as it was. It never leaves a gap in silence.
//!
//! `OCTIDE_RESUME_CASES=5000` tries more cases than the tests do, from `OCTIDE_RESUME_SEED` on.

use super::copy;
use super::kills::hashed;
use crate::{Dir, Done};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Cases in the tests.
const CASES: u32 = 40;

/// Frames of the run that is disturbed, with a checkpoint every two.
const FRAMES: u32 = 6;

/// The last frame on disk of a run that was killed after its checkpoint at frame `FRAMES`.
const KILLED_AT: u32 = 8;

const WATER: &str = r#"octide = 1
name = "water"
resolution = 16
domain = { size = [1.0, 0.5, 1.0], coarsest = 2 }
time = { frames = 6, fps = 60 }
output = { preview_size = [16, 16], cells = true, volume = true, particles = true }
probe = [{ name = "all", whole = true }]
[[liquid]]
shape.box = { min = [0, 0, 0], max = [1, 0.12, 0.7] }
[[liquid]]
shape.sphere = { center = [0.4, 0.35, 0.4], radius = 0.12 }
velocity = [0.5, -2.0, 0.3]
"#;

const SMOKE: &str = r#"octide = 1
name = "smoke"
method = "nodal-octree"
resolution = 16
domain = { size = [0.5, 1.0, 0.5], coarsest = 2 }
time = { frames = 6, fps = 30 }
output = { preview_size = [16, 16], volume = true }
probe = [{ name = "all", whole = true }]
[[smoke]]
shape.sphere = { center = [0.25, 0.2, 0.25], radius = 0.12 }
density = 1.0
temperature = 300.0
"#;

/// A scene and the options that select its method.
const SCENES: [(&str, &[&str]); 3] = [
    ("water.toml", &["--method", "octree"]),
    ("water.toml", &["--method", "nodal-octree"]),
    ("smoke.toml", &[]),
];

/// Changes of a scene, as `--set` takes them. Each is refused without `--force`.
const CHANGES: [&str; 12] = [
    "time.fps=120",
    "time.fps=24",
    "output.first_frame=3",
    "output.volume=false",
    "output.preview=false",
    "output.preview_size=[20,16]",
    "output.up=\"z\"",
    "probe=[]",
    "probe.0.name=\"everything\"",
    "physics.density=900",
    "seed=7",
    "resolution=32",
];

/// A source of hashed numbers.
struct Dice {
    seed: u32,
    rolled: u32,
}

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.rolled += 1;
        (hashed(self.seed.wrapping_mul(0x9e37).wrapping_add(self.rolled)) * n as f64) as usize
    }

    fn is_one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// Runs to compare with, made when they are first needed.
struct Runs {
    dir: Dir,
}

impl Runs {
    fn new() -> Self {
        let dir = Dir::new("disturbed");
        fs::write(dir.path("water.toml"), WATER).unwrap();
        fs::write(dir.path("smoke.toml"), SMOKE).unwrap();
        Self { dir }
    }

    fn run(&self, scene: usize, out: &str, more: &[&str]) -> Done {
        let (file, method) = SCENES[scene];
        let args = ["run", file, "--out", out, "--threads", "1", "--checkpoint-every", "2"];
        self.dir.octide(&[&args, method, more].concat())
    }

    /// The folder of an undisturbed run of so many frames.
    fn whole(&self, scene: usize, frames: u32) -> String {
        let out = format!("whole-{scene}-{frames}");
        if !self.dir.path(&out).exists() {
            self.run(scene, &out, &["--frames", &frames.to_string()]).expect(0);
        }
        out
    }

    /// The folder of a run of `FRAMES` frames, or of one that was killed after it.
    fn disturbed(&self, scene: usize, was_killed: bool) {
        let _ = fs::remove_dir_all(self.dir.path("a"));
        let base = self.whole(scene, FRAMES);
        if was_killed {
            let later = format!("later-{scene}");
            if !self.dir.path(&later).exists() {
                copy(&self.dir.path(&base), &self.dir.path(&later));
                self.run(scene, &later, &["--resume", "--frames", &KILLED_AT.to_string()]).expect(0);
            }
            copy(&self.dir.path(&later), &self.dir.path("a"));
            fs::remove_dir_all(self.dir.path("a/checkpoints")).unwrap();
            copy(&self.dir.path(&base).join("checkpoints"), &self.dir.path("a/checkpoints"));
        } else {
            copy(&self.dir.path(&base), &self.dir.path("a"));
        }
    }

    /// Loses or damages something in the folder `a`; returns the files.
    fn disturb(&self, dice: &mut Dice) -> Vec<String> {
        let files: Vec<String> =
            self.dir.files().into_iter().filter(|f| f.starts_with("a/") && f != "a/octide.log").collect();
        let file = dice.pick(&files).clone();
        let path = self.dir.path(&file);
        let mut bytes = fs::read(&path).unwrap();
        match dice.below(6) {
            0 => {
                fs::remove_file(&path).unwrap();
                return vec![file];
            }
            1 if path.parent() != Some(&self.dir.path("a")) => {
                let folder = format!("{}/", file.rsplit_once('/').unwrap().0);
                fs::remove_dir_all(path.parent().unwrap()).unwrap();
                return files.into_iter().filter(|f| f.starts_with(&folder)).collect();
            }
            2 if !bytes.is_empty() => {
                let at = dice.below(bytes.len());
                bytes[at] ^= 1 << dice.below(8);
            }
            3 => bytes.extend_from_slice(b"more"),
            4 => bytes.clear(),
            _ => bytes.truncate(dice.below(bytes.len().max(1))),
        }
        fs::write(&path, bytes).unwrap();
        vec![file]
    }

    /// Everything in the folder `a` but the log.
    fn content(&self) -> BTreeMap<String, Vec<u8>> {
        let files = self.dir.files().into_iter().filter(|f| f.starts_with("a/") && f != "a/octide.log");
        files.map(|f| (f.clone(), fs::read(self.dir.path(&f)).unwrap())).collect()
    }
}

#[test]
fn a_disturbed_run_is_made_whole_or_refused() {
    let number = |name: &str| std::env::var(name).ok().and_then(|v| v.parse::<u32>().ok());
    let cases = number("OCTIDE_RESUME_CASES").unwrap_or(CASES);
    let first = number("OCTIDE_RESUME_SEED").unwrap_or(0);
    let runs = Runs::new();
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for seed in first..first + cases {
        *counts.entry(try_case(&runs, seed)).or_default() += 1;
    }
    println!("{cases} cases: {counts:?}");
    for outcome in ["whole", "refused", "continued"] {
        assert!(counts.get(outcome).is_some_and(|&n| n * 40 >= cases), "{outcome} is rare: {counts:?}");
    }
}

/// Disturbs a run, resumes it and checks the outcome, whose name is returned.
fn try_case(runs: &Runs, seed: u32) -> &'static str {
    let mut dice = Dice { seed, rolled: 0 };
    let scene = dice.below(SCENES.len());
    let was_killed = dice.is_one_in(3);
    runs.disturbed(scene, was_killed);
    let mut lost = BTreeSet::new();
    for _ in 0..dice.below(3) {
        lost.extend(runs.disturb(&mut dice));
    }
    let requested = 3 + dice.below(7) as u32;
    let frames = requested.to_string();
    let mut args = vec!["--resume", "--frames", &frames];
    let change = if dice.is_one_in(3) { Some(*dice.pick(&CHANGES)) } else { None };
    args.extend(change.iter().flat_map(|change| ["--set", change]));
    let force = dice.is_one_in(3);
    if force {
        args.push("--force");
    }
    let before = runs.content();
    let done = runs.run(scene, "a", &args);
    let (code, err) = (done.code(), done.err());
    let case =
        format!("seed {seed}: {:?} killed {was_killed}, lost {lost:?}, {args:?}\n{err}", SCENES[scene]);
    assert!(!err.contains("has a bug"), "{case}");
    if code != 0 {
        assert!(code == 2 && err.contains("error: "), "code {code}, {case}");
        assert!(runs.content() == before, "a refused run changed the folder: {case}");
        return "refused";
    }
    // Files that the run was told to continue without.
    let continues = err.contains("continues without them because of --force");
    let without = if continues { lost.clone() } else { BTreeSet::new() };
    if change.is_none() && without.is_empty() {
        // A run keeps frames that are more than requested.
        let last = requested.max(last_frame_of_stats(runs));
        let whole = runs.whole(scene, last);
        let (first, second) = (runs.dir.outputs(&whole), runs.dir.outputs("a"));
        let names = |o: &BTreeMap<String, Vec<u8>>| o.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(&first), names(&second), "{case}");
        assert!(last == requested || last == FRAMES || last == 4, "{last} frames: {case}");
        // Smoke is drawn again from its volume, which is rounded.
        let is_redrawn = SCENES[scene].0 == "smoke.toml" && lost.iter().any(|f| f.starts_with("a/preview/"));
        for (name, bytes) in &first {
            let is_rounded = is_redrawn && (name == "preview.png" || lost.contains(&format!("a/{name}")));
            let is_picture = second[name].starts_with(b"\x89PNG");
            assert!(*bytes == second[name] || (is_rounded && is_picture), "{name} differs: {case}");
        }
        return "whole";
    }
    assert!(force && err.contains("warning: "), "{case}");
    check_continued(runs, scene, requested, &without, &case);
    "continued"
}

/// Checks a run that continued with another scene or without some files: its frames have no gap but those, and
/// its steps go forward without one.
fn check_continued(runs: &Runs, scene: usize, requested: u32, without: &BTreeSet<String>, case: &str) {
    let folder = if SCENES[scene].0 == "smoke.toml" { "volume" } else { "surface" };
    let has_volumes = !case.contains("output.volume=false");
    let mut last = requested;
    if !without.contains("a/stats.jsonl") {
        let steps = steps(runs);
        last = last_frame_of_stats(runs);
        assert!(last >= requested, "{case}");
        for pair in steps.windows(2) {
            let number = |step: &Value, key: &str| step[key].as_f64().unwrap();
            let [was, is] = [&pair[0], &pair[1]];
            assert!(number(is, "dt") > 0.0 && number(is, "time") > number(was, "time"), "{case}");
            assert_eq!(number(is, "step"), number(was, "step") + 1.0, "{case}");
            let ahead = number(is, "frame") - number(was, "frame");
            assert!(ahead == 0.0 || ahead == 1.0, "{case}");
        }
    }
    for k in 0..=last {
        let extension = if folder == "volume" { "vdb" } else { "ply" };
        let file = format!("a/{folder}/{k:04}.{extension}");
        let is_there = runs.dir.path(&file).is_file() || without.contains(&file);
        assert!(is_there || (folder == "volume" && !has_volumes), "no {file}: {case}");
    }
    let beyond = format!("a/{folder}/{:04}.", last + 1);
    assert!(!runs.dir.files().iter().any(|f| f.starts_with(&beyond)), "{beyond} is there: {case}");
}

/// The lines of the statistics of the folder `a`, without the header.
fn steps(runs: &Runs) -> Vec<Value> {
    let text = fs::read_to_string(runs.dir.path("a/stats.jsonl")).unwrap();
    text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn last_frame_of_stats(runs: &Runs) -> u32 {
    steps(runs).last().map_or(0, |step| step["frame"].as_u64().unwrap() as u32)
}
