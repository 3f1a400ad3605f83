//! Ctrl-C.

use crate::Dir;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Also tests the run without a command: water-drop at 128, with an early first picture.
#[test]
fn an_interrupted_run_ends_with_130_and_keeps_what_it_has() {
    let dir = Dir::new("interrupt");
    let child = dir.command(&[]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    while !dir.path("runs/water-drop-001/preview/0000.png").exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "no picture");
        std::thread::sleep(Duration::from_millis(20));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let done = crate::Done(child.wait_with_output().unwrap()).expect(130);
    done.tells(&[
        "water-drop at resolution 128",
        "octide --help",
        "interrupted",
        "in runs/water-drop-001",
        "the last checkpoint is runs/water-drop-001/checkpoints/",
    ]);
    assert!(dir.path("runs/water-drop-001/preview.png").is_file());
    assert!(dir.path("runs/water-drop-001/surface/0000.ply").is_file());
}

/// A scene that is read from a pipe is not complete while the pipe is open.
#[cfg(unix)]
#[test]
fn ctrl_c_quits_at_once_while_a_run_is_being_prepared() {
    let dir = Dir::new("interrupt-early");
    assert!(Command::new("mkfifo").arg(dir.path("slow.toml")).status().unwrap().success());
    for args in [
        &["run", "slow.toml", "--out", "runs"][..],
        &["run", "slow.toml", "--out", "runs", "--progress", "json"],
        &["check", "slow.toml"],
    ] {
        let mut child = dir.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // This waits until the other side reads.
        let pipe = std::fs::OpenOptions::new().write(true).open(dir.path("slow.toml")).unwrap();
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        let start = Instant::now();
        while child.try_wait().unwrap().is_none() {
            assert!(start.elapsed() < Duration::from_secs(20), "{args:?} does not end");
            std::thread::sleep(Duration::from_millis(5));
        }
        drop(pipe);
        let done = crate::Done(child.wait_with_output().unwrap()).expect(130).tells(&["interrupted"]);
        let says_code = String::from_utf8_lossy(&done.0.stdout).contains("\"code\":130");
        assert_eq!(says_code, args.contains(&"json"));
    }
    assert!(!dir.path("runs").exists());
}

/// What takes long before the first frame is named.
#[cfg(unix)]
#[test]
fn a_stage_that_takes_over_two_seconds_is_named() {
    use std::io::{BufRead, BufReader};
    let dir = Dir::new("slow-stage");
    assert!(Command::new("mkfifo").arg(dir.path("slow.toml")).status().unwrap().success());
    let mut child =
        dir.command(&["check", "slow.toml"]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let pipe = std::fs::OpenOptions::new().write(true).open(dir.path("slow.toml")).unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    assert!(
        line.starts_with("reading the scene and its meshes, ") && line.ends_with(" s so far\n"),
        "{line}"
    );
    drop(pipe);
    // The scene is empty.
    assert_eq!(child.wait().unwrap().code(), Some(2));
}
