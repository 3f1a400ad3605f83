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
