//! Full disks.

use super::with_scene;
use crate::Done;
use std::fs;
use std::process::Command;

/// A limit on the size of files simulates a full disk: every user may set one.
#[test]
fn a_checkpoint_that_does_not_fit_is_code_5_and_the_run_goes_on_later() {
    let dir = with_scene("limit");
    // Water flows in, so states grow.
    let filling = [
        "--checkpoint-every",
        "3",
        "--set",
        "outflow=[]",
        "--set",
        "domain.open=[]",
        "--set",
        "output.volume=false",
    ];
    let size = |out: &str| fs::metadata(dir.path(dir.checkpoints(out).last().unwrap())).unwrap().len();
    dir.run("short", &[&filling[..], &["--frames", "3"]].concat()).expect(0);
    dir.run("whole", &filling).expect(0);
    let (first, last) = (size("short"), size("whole"));
    assert!(last > first + 8192, "{first} {last}");
    let blocks = ((first + last) / 2 / 512).to_string();

    let program = env!("CARGO_BIN_EXE_octide");
    let script = "trap '' XFSZ; ulimit -f \"$0\" && exec \"$@\"";
    let run = super::args("a", &filling);
    let mut command = Command::new("sh");
    command.current_dir(dir.path("")).args(["-c", script, &blocks, program]).args(run);
    let done = Done(command.output().unwrap()).expect(5);
    done.tells(&["error: cannot write a/checkpoints/", "are in a", "the last checkpoint is a/checkpoints/"]);
    let (whole, part) = (dir.outputs("whole"), dir.outputs("a"));
    let surfaces: Vec<&String> = part.keys().filter(|n| n.starts_with("surface/")).collect();
    assert!(surfaces.len() > 3 && surfaces.iter().all(|n| whole[*n] == part[*n]), "{surfaces:?}");
    assert!(!dir.files().iter().any(|f| f.ends_with(".part") || f.ends_with(".tmp")), "{:?}", dir.files());

    dir.run("a", &[&filling[..], &["--resume"]].concat()).expect(0);
    dir.assert_same("whole", "a");
}

/// A disk of a few megabytes, if the test may mount one.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_code_5_and_the_run_goes_on_when_there_is_room() {
    let dir = with_scene("full");
    dir.run("whole", &[]).expect(0);
    fs::create_dir(dir.path("disk")).unwrap();
    let script = r#"
        mount -t tmpfs -o size=32m none disk 2>/dev/null || exit 77
        "$0" run all.toml --out disk/a --frames 6 --checkpoint-every 2 -q || exit 1
        cat /dev/zero > disk/filler 2>/dev/null
        "$0" run all.toml --out disk/a --resume --checkpoint-every 2 -q 2> message
        echo $? > code
        cp -r disk/a full
        rm disk/filler
        "$0" run all.toml --out disk/a --resume -q || exit 2
        cp -r disk/a after
        mount -t tmpfs -o nr_inodes=1 none disk || exit 3
        "$0" run all.toml --out disk/b -q 2>> message
        echo $? >> code
    "#;
    let mut command = Command::new("unshare");
    command.current_dir(dir.path("")).args(["-rm", "sh", "-c", script, env!("CARGO_BIN_EXE_octide")]);
    let code = command.output().ok().and_then(|done| done.status.code());
    if !matches!(code, Some(0..=3)) {
        println!("skipped: no disk can be mounted here ({code:?})");
        return;
    }
    assert_eq!(code, Some(0));
    let message = fs::read_to_string(dir.path("message")).unwrap();
    // The same if there is not even space for a folder.
    assert_eq!(fs::read_to_string(dir.path("code")).unwrap(), "5\n5\n", "{message}");
    assert!(message.starts_with("error: cannot ") && message.contains("disk/a"), "{message}");
    let (whole, full) = (dir.outputs("whole"), dir.outputs("full"));
    for k in 0..=6 {
        let name = format!("surface/{k:04}.ply");
        assert!(whole[&name] == full[&name], "{name}");
    }
    dir.assert_same("whole", "after");
}
