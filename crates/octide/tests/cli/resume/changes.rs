//! Resuming with scenes that have changed.

use super::with_scene;
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

#[test]
fn a_frame_rate_whose_frames_have_passed_is_refused() {
    let dir = with_scene("frame-rate");
    dir.run("a", &["--frames", "4"]).expect(0);
    // Frame 5 would be at 5/80 s, and the checkpoint is at 4/40 s.
    let faster = ["--resume", "--force", "--frames", "9", "--set", "time.fps=80"];
    dir.run("a", &faster).expect(2).tells(&["cannot step back to 0.0625", "keep the frame rate"]);
}
