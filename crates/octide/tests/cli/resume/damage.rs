//! Damaged checkpoints, and files that a resumed run does not find as they were written.

use super::{copy, with_scene};
use crate::Done;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// A change to a file's bytes.
type Damage = fn(&mut Vec<u8>);

#[test]
fn a_damaged_checkpoint_is_told_and_the_one_before_is_taken() {
    let dir = with_scene("damage");
    dir.run("whole", &["--frames", "9"]).expect(0);
    dir.run("base", &["--frames", "6", "--checkpoint-every", "1"]).expect(0);
    assert_eq!(dir.checkpoints("base").len(), 2);
    let damages: [(&str, Damage); 4] = [
        ("cut", |bytes| bytes.truncate(bytes.len() / 2)),
        ("empty", Vec::clear),
        ("flipped", |bytes| {
            let middle = bytes.len() / 2;
            bytes[middle] ^= 4;
        }),
        ("other", |bytes| bytes[0] = b'x'),
    ];
    for (out, damage) in damages {
        copy(&dir.path("base"), &dir.path(out));
        let newest = dir.checkpoints(out).pop().unwrap();
        let mut bytes = fs::read(dir.path(&newest)).unwrap();
        damage(&mut bytes);
        fs::write(dir.path(&newest), bytes).unwrap();
        let done = dir.run(out, &["--frames", "9", "--resume"]).expect(0);
        done.tells(&["warning: ", &newest, "trying the previous checkpoint", "resuming from"]);
        dir.assert_same("whole", out);
        assert!(!dir.checkpoints(out).contains(&newest) || dir.checkpoints(out).len() == 2);
    }

    // If no checkpoint can be read, nothing is changed.
    for file in dir.checkpoints("base") {
        fs::write(dir.path(&file), "octideCP").unwrap();
    }
    let before = dir.outputs("base");
    dir.run("base", &["--frames", "9", "--resume"])
        .expect(2)
        .tells(&["no checkpoint in base/checkpoints", "--overwrite"]);
    assert!(dir.outputs("base") == before);
}

/// A way to lose a file.
type Loss = fn(&Path);

fn cut(file: &Path) {
    let bytes = fs::read(file).unwrap();
    fs::write(file, &bytes[..bytes.len() - 30]).unwrap();
}

fn flip(file: &Path) {
    let mut bytes = fs::read(file).unwrap();
    let last = bytes.len() - 9;
    bytes[last] ^= 1;
    fs::write(file, bytes).unwrap();
}

fn remove(file: &Path) {
    fs::remove_file(file).unwrap();
}

const LOSSES: [(&str, Loss); 3] =
    [("missing", remove), ("bytes instead of", cut), ("changed since it was written", flip)];

/// With a checkpoint every two frames of six, frame 5 can be made again and frame 2 cannot.
#[test]
fn lost_files_are_made_again_from_the_previous_checkpoint_or_named() {
    let dir = with_scene("lost");
    dir.run("whole", &["--frames", "8"]).expect(0);
    dir.run("base", &["--frames", "6", "--checkpoint-every", "2"]).expect(0);
    let frames = ["surface/000K.ply", "cells/000K.ply", "particles/000K.ply", "volume/000K.vdb"];
    let (early, late) = (frames.map(|f| f.replace('K', "2")), frames.map(|f| f.replace('K', "5")));
    for (i, file) in late.iter().chain(["stats.jsonl", "probes.csv"].map(String::from).iter()).enumerate() {
        let (what, lose) = LOSSES[i % 3];
        // A file of lines that is missing has no beginning either.
        let lose = if i > 3 { cut } else { lose };
        let out = format!("late-{i}");
        copy(&dir.path("base"), &dir.path(&out));
        lose(&dir.path(&out).join(file));
        let done = dir.run(&out, &["--frames", "8", "--resume"]).expect(0);
        done.tells(&[
            file,
            if i > 3 { "bytes instead of" } else { what },
            "made again from the previous checkpoint",
        ]);
        dir.assert_same("whole", &out);
    }
    for (i, file) in early.iter().chain(["stats.jsonl", "probes.csv"].map(String::from).iter()).enumerate() {
        let (what, lose) = if i > 3 { LOSSES[0] } else { LOSSES[i % 3] };
        let out = format!("early-{i}");
        copy(&dir.path("base"), &dir.path(&out));
        lose(&dir.path(&out).join(file));
        let before = (dir.outputs(&out), dir.checkpoints(&out));
        let done = dir.run(&out, &["--frames", "8", "--resume"]).expect(2);
        done.tells(&["missing or damaged", file, what, "put them back", "--force", "--overwrite"]);
        assert!((dir.outputs(&out), dir.checkpoints(&out)) == before, "{file}");
        // The user may go on without them, and is asked only once.
        let more = ["--frames", "7", "--resume"];
        dir.run(&out, &[&more[..], &["--force"]].concat()).expect(0).tells(&[file, "continues without them"]);
        dir.run(&out, &["--frames", "8", "--resume"]).expect(0);
        let (whole, part) = (dir.outputs("whole"), dir.outputs(&out));
        let differ: Vec<&String> = whole.keys().filter(|f| part.get(*f) != whole.get(*f)).collect();
        assert!(differ == [file], "{file}: {differ:?}");
    }
}

/// A folder that was copied has other times; its content counts.
#[test]
fn a_copied_folder_is_resumed_and_a_damaged_picture_is_drawn_again() {
    let dir = with_scene("pictures");
    dir.run("whole", &["--frames", "5"]).expect(0);
    dir.run("a", &["--frames", "3"]).expect(0);
    copy(&dir.path("a"), &dir.path("b"));
    remove(&dir.path("b/preview/0000.png"));
    cut(&dir.path("b/preview/0001.png"));
    fs::write(dir.path("b/preview/0003.png"), "").unwrap();
    remove(&dir.path("b/preview.png"));
    let done = dir.run("b", &["--frames", "5", "--resume"]).expect(0);
    done.tells(&["drawing pictures of earlier frames again: 3"]);
    dir.assert_same("whole", "b");
}

#[test]
fn a_folder_that_is_removed_in_the_middle_ends_the_run_and_keeps_nothing() {
    let dir = with_scene("gone");
    let args = super::args("a", &["--frames", "5000"]);
    let child = dir.command(&args).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let start = Instant::now();
    while !dir.path("a/surface/0003.ply").exists() {
        assert!(start.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(3));
    }
    fs::rename(dir.path("a"), dir.path("elsewhere")).unwrap();
    let done = Done(child.wait_with_output().unwrap()).expect(5);
    let err = done.err();
    assert!(err.contains("error: ") && err.contains(" a"), "{err}");
    assert!(!err.contains("are in a") && !err.contains("the last checkpoint is"), "{err}");
}
