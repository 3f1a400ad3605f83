//! Damaged checkpoints.

use super::{copy, with_scene};
use std::fs;

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

/// Lost lines do not end a run.
#[test]
fn statistics_that_are_cut_off_go_on_with_whole_lines() {
    let dir = with_scene("cut-stats");
    dir.run("a", &["--frames", "3"]).expect(0);
    let file = dir.path("a/stats.jsonl");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, &text[..text.len() - 30]).unwrap();
    dir.run("a", &["--frames", "4", "--resume"]).expect(0);
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.lines().all(|l| serde_json::from_str::<serde_json::Value>(l).is_ok()), "{text}");
}
