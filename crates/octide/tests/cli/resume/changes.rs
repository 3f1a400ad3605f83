//! Resuming with scenes that have changed.

use super::{copy, with_scene};
use std::fs;

#[test]
fn a_changed_scene_is_shown_and_needs_force() {
    let dir = with_scene("changes");
    dir.run("a", &["--frames", "4", "--checkpoint-every", "2"]).expect(0);
    let before = (dir.outputs("a"), dir.checkpoints("a"));
    let change =
        ["--resume", "--frames", "6", "--set", "physics.density=900", "--set", "liquid.1.velocity=[0,-1,0]"];
    let done = dir.run("a", &change).expect(2);
    done.tells(&[
        "error: the run in a has a different scene:",
        "  liquid.1.velocity: [0.5, -2.0, 0.3] → [0.0, -1.0, 0.0]\n",
        "  physics.density: 1000.0 → 900.0\n",
        "--force",
    ]);
    assert!((dir.outputs("a"), dir.checkpoints("a")) == before);

    // A frame that the old scene left behind is not part of the new run.
    fs::write(dir.path("a/surface/0009.ply"), "old").unwrap();
    let done = dir.run("a", &[&change[..], &["--force"]].concat()).expect(0);
    done.tells(&["warning: the scene has changed since", "physics.density: 1000.0 → 900.0", "resuming from"]);
    assert!(dir.path("a/surface/0006.ply").is_file() && !dir.path("a/surface/0009.ply").exists());
    assert!(fs::read_to_string(dir.path("a/scene.toml")).unwrap().contains("density = 900.0"));
    // From now on this is the scene.
    let more =
        ["--resume", "--frames", "7", "--set", "physics.density=900", "--set", "liquid.1.velocity=[0,-1,0]"];
    dir.run("a", &more).expect(0);
    dir.run("a", &["--resume", "--frames", "8"]).expect(2).tells(&["physics.density: 900.0 → 1000.0"]);

    // A change that does not fit the state cannot be forced.
    let finer = ["--resume", "--force", "--frames", "9", "--resolution", "32"];
    dir.run("a", &[&finer[..], &change[3..]].concat()).expect(2).tells(&["another domain or resolution"]);
    dir.run("a", &["--force"]).expect(2).tells(&["--resume"]);
}

#[test]
fn without_a_checkpoint_a_run_starts_anew_in_its_own_folder_only() {
    let dir = with_scene("no-checkpoint");
    dir.run("whole", &["--frames", "3"]).expect(0);
    dir.run("a", &["--frames", "2", "--checkpoint-every", "never"]).expect(0);
    dir.run("a", &["--frames", "3", "--resume"])
        .expect(0)
        .tells(&["no checkpoint found; starting a new run"]);
    dir.assert_same("whole", "a");

    dir.run("b", &["--frames", "2", "--checkpoint-every", "never"]).expect(0);
    let other = ["--resume", "--set", "time.fps=50", "--frames", "1"];
    dir.run("b", &other).expect(2).tells(&["time.fps: 40.0 → 50.0", "--force"]);
    dir.run("b", &[&other[..], &["--force"]].concat()).expect(0);
    assert!(!dir.path("b/surface/0002.ply").exists());
    // A scene that cannot be read may belong to someone else.
    fs::create_dir(dir.path("c")).unwrap();
    fs::write(dir.path("c/scene.toml"), "mine").unwrap();
    dir.run("c", &["--resume"]).expect(2).tells(&["cannot read c/scene.toml", "--force"]);
    assert_eq!(dir.files().iter().filter(|f| f.starts_with("c/")).count(), 1);
}

/// The frames that are there are numbered and timed by the old values.
#[test]
fn another_frame_rate_or_first_frame_is_refused_even_by_force() {
    let dir = with_scene("numbering");
    dir.run("a", &["--frames", "4", "--checkpoint-every", "2"]).expect(0);
    let before = (dir.outputs("a"), dir.checkpoints("a"));
    for change in ["time.fps=80", "time.fps=20", "output.first_frame=1", "output.first_frame=1001"] {
        for (frames, how) in [("9", "--force"), ("2", "--force"), ("9", "--resume")] {
            let mut args = vec!["--resume", "--frames", frames, "--set", change];
            if how == "--force" {
                args.push(how);
            }
            let done = dir.run("a", &args).expect(2);
            let key = format!("  {}: ", change.split_once('=').unwrap().0);
            done.tells(&["cannot continue with this change, not even by --force", &key, "--overwrite"]);
            assert!((dir.outputs("a"), dir.checkpoints("a")) == before, "{change} {frames} {how}");
        }
    }
    // Without a checkpoint nothing is continued, and nothing of the old numbering is left.
    fs::remove_dir_all(dir.path("a/checkpoints")).unwrap();
    let other = ["--frames", "2", "--set", "output.first_frame=1001", "--set", "time.fps=80"];
    dir.run("a", &[&other[..], &["--resume", "--force"]].concat()).expect(0);
    dir.run("b", &other).expect(0);
    dir.assert_same("b", "a");
}

#[test]
fn fewer_frames_leave_none_behind() {
    let dir = with_scene("fewer");
    for frames in ["4", "5", "6", "9"] {
        dir.run(frames, &["--frames", frames]).expect(0);
    }
    copy(&dir.path("4"), &dir.path("later"));
    dir.run("later", &["--resume", "--frames", "9"]).expect(0);
    // A run of 9 frames that was killed after its checkpoint at frame 4.
    let killed = |out: &str| {
        copy(&dir.path("later"), &dir.path(out));
        fs::remove_dir_all(dir.path(out).join("checkpoints")).unwrap();
        copy(&dir.path("4/checkpoints"), &dir.path(out).join("checkpoints"));
    };
    for (out, frames, same) in [("a", "6", "6"), ("b", "5", "5"), ("c", "3", "4"), ("d", "9", "9")] {
        killed(out);
        dir.run(out, &["--resume", "--frames", frames]).expect(0);
        dir.assert_same(same, out);
    }
    // Without a checkpoint, a new run would leave later frames behind.
    killed("e");
    fs::remove_dir_all(dir.path("e/checkpoints")).unwrap();
    let before = dir.outputs("e");
    dir.run("e", &["--resume", "--frames", "6"]).expect(2).tells(&["no checkpoint in e", "go up to 9"]);
    assert!(dir.outputs("e") == before);
    dir.run("e", &["--resume", "--frames", "9"]).expect(0);
    dir.assert_same("9", "e");
}

#[test]
fn outputs_that_are_switched_on_or_off_start_or_end_with_the_next_frame() {
    let dir = with_scene("outputs");
    dir.run("a", &["--frames", "4"]).expect(0);
    let table = fs::read_to_string(dir.path("a/probes.csv")).unwrap();
    let other = [
        "--resume",
        "--frames",
        "6",
        "--force",
        "--set",
        "output.cells=false",
        "--set",
        "output.preview_size=[48,32]",
        "--set",
        "probe=[]",
    ];
    dir.run("a", &other).expect(0).tells(&["drawing pictures of earlier frames again: 5"]);
    let last = |folder: &str| {
        (0..9).rfind(|k| {
            dir.path(&format!("a/{folder}/000{k}.{}", if folder == "preview" { "png" } else { "ply" }))
                .exists()
        })
    };
    assert_eq!((last("surface"), last("cells"), last("preview")), (Some(6), Some(4), Some(6)));
    assert_eq!(fs::read_to_string(dir.path("a/probes.csv")).unwrap(), table);
    // From now on this is the scene, and a resumed run needs no --force.
    dir.run("a", &[&other[..1], &["--frames", "7"], &other[4..]].concat()).expect(0);

    // A table of probes is not replaced by one of others.
    dir.run("b", &["--frames", "2"]).expect(0);
    let moved = ["--resume", "--frames", "3", "--force", "--set", "probe.0.gauge={ x = 0.5, z = 0.5 }"];
    let before = dir.outputs("b");
    dir.run("b", &moved).expect(2).tells(&["the probes have changed", "move that file away"]);
    assert!(dir.outputs("b") == before);
    fs::rename(dir.path("b/probes.csv"), dir.path("old.csv")).unwrap();
    dir.run("b", &moved).expect(0).tells(&["b/probes.csv: missing", "continues without them"]);
    assert!(fs::read_to_string(dir.path("b/probes.csv")).unwrap().contains("gauge at x = 0.5 m"));
}
