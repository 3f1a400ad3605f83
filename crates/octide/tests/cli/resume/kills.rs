//! Runs that are killed or interrupted.

use super::{args, with_scene};
use crate::{Dir, Done};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Number of times that a run is killed.
const KILLS: u32 = 22;

/// The run has more frames than it reaches between all kills.
const MANY: [&str; 4] = ["--frames", "72", "--set", "time.fps=120"];

/// Returns a pseudorandom number from 0 to 1 for `i`.
pub fn hashed(i: u32) -> f64 {
    let mut x = u64::from(i).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x0c71_de00;
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

fn spawn(dir: &Dir, args: &[&str]) -> Child {
    dir.command(args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Returns the seconds that a command takes.
fn timed(dir: &Dir, out: &str, more: &[&str]) -> f64 {
    let start = Instant::now();
    dir.run(out, more).expect(0);
    start.elapsed().as_secs_f64()
}

/// Delays are reproducible; how far the run has come by then depends on the machine, and does not matter. If
/// the machine becomes so much faster that the run finishes early, that run must be complete, and counting
/// starts again with a new one.
#[test]
fn a_run_that_is_killed_again_and_again_leaves_the_same_bytes() {
    let dir = with_scene("kills");
    let whole = timed(&dir, "whole", &MANY);
    let start = timed(&dir, "start", &["--frames", "1", "--set", "time.fps=120"]);
    let a_frame = (whole - start) / 71.0;
    let (mut kills, mut resumed, mut finished) = (0, 0, 0);
    while kills < KILLS {
        assert!(finished < 5, "the run cannot be killed {KILLS} times before its end");
        let threads = (1 + kills % 3).to_string();
        let every = if kills % 2 == 0 { "1" } else { "0s" };
        let more = [&["--resume", "--threads", &threads, "--checkpoint-every", every], &MANY[..]].concat();
        resumed += u32::from(!dir.checkpoints("parts").is_empty());
        let mut child = spawn(&dir, &args("parts", &more));
        // At a time between the launch and some frames after the first.
        std::thread::sleep(Duration::from_secs_f64((start + 4.0 * a_frame) * hashed(kills)));
        kills += 1;
        if child.try_wait().unwrap().is_none() {
            child.kill().unwrap();
            child.wait().unwrap();
        } else {
            Done(child.wait_with_output().unwrap()).expect(0);
            dir.assert_same("whole", "parts");
            std::fs::remove_dir_all(dir.path("parts")).unwrap();
            finished += 1;
            (kills, resumed) = (0, 0);
        }
    }
    println!(
        "killed {kills} times in a row, {resumed} of them after a checkpoint; {finished} runs ended before"
    );
    dir.run("parts", &[&["--resume"], &MANY[..]].concat()).expect(0);
    dir.assert_same("whole", "parts");
    assert!(resumed > 3, "{resumed}");
}

#[test]
fn a_run_that_is_asked_to_end_keeps_its_state() {
    let dir = with_scene("term");
    dir.run("whole", &[]).expect(0);
    for (i, signal) in ["-TERM", "-INT", "-TERM"].into_iter().enumerate() {
        let child = spawn(&dir, &args("parts", &["--resume"]));
        let frame = dir.path(&format!("parts/surface/{:04}.ply", 3 + 5 * i));
        let start = Instant::now();
        while !frame.exists() {
            assert!(start.elapsed() < Duration::from_secs(60), "no {}", frame.display());
            std::thread::sleep(Duration::from_millis(3));
        }
        Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        let done = Done(child.wait_with_output().unwrap()).expect(130);
        done.tells(&["interrupted", "the last checkpoint is parts/checkpoints/"]);
        assert!(!dir.checkpoints("parts").is_empty() && dir.checkpoints("parts").len() <= 2);
    }
    dir.run("parts", &["--resume"]).expect(0);
    dir.assert_same("whole", "parts");
}

#[test]
fn two_runs_do_not_share_a_folder() {
    let dir = with_scene("shared");
    let mut child = spawn(&dir, &args("parts", &["--frames", "2000"]));
    let start = Instant::now();
    while !dir.path("parts/surface/0001.ply").exists() {
        assert!(start.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(3));
    }
    for how in ["--resume", "--overwrite"] {
        dir.run("parts", &[how]).expect(2).tells(&["another octide is running in parts"]);
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(dir.path("parts/surface/0001.ply").exists());
}
