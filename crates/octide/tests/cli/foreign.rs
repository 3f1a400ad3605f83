//! Foreign text in every message: whatever a scene, a file name or an argument contains, no character that a
//! terminal obeys or does not show is printed.

use crate::Dir;
use octide_io::is_unsafe_to_print;
use serde_json::Value;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};

/// A title for the window, colors, a cleared screen, reversed and hidden text, and a forged line.
const HOSTILE: &str = "\x1b]0;X\x07\x1b[31m\u{9b}2J\u{202e}\u{2066}\u{200b}\u{2028}\u{feff}\u{e0041}\x7f\r\nerror: forged\u{85}";

/// The same for a string of TOML.
fn escaped() -> String {
    HOSTILE.chars().map(|c| format!("\\U{:08x}", u32::from(c))).collect()
}

const SCENE: &str = "octide = 1\nresolution = 32\ndomain.size = [1, 0.5, 1]\ntime.frames = 0\noutput.preview = false\n\
    [[liquid]]\nshape.box = { min = [0, 0, 0], max = [1, 0.2, 1] }\n";

#[track_caller]
fn assert_clean(what: &str, bytes: &[u8]) {
    let text = std::str::from_utf8(bytes).unwrap_or_else(|e| panic!("{what}: {e}: {bytes:?}"));
    let bad: Vec<char> = text.chars().filter(|&c| !"\n\t".contains(c) && is_unsafe_to_print(c)).collect();
    assert!(bad.is_empty(), "{what}: {bad:?} in {text:?}");
    assert!(!text.lines().any(|line| line.starts_with("error: forged")), "{what}: {text}");
}

/// Runs octide without a terminal and on one; returns what it printed without one.
#[track_caller]
fn run(dir: &Dir, args: &[&OsStr]) -> (i32, String) {
    let command = || {
        let mut command = dir.command(&[]);
        command.args(args);
        command
    };
    let done = command().output().unwrap();
    assert_clean(&format!("{args:?}"), &[&done.stdout[..], &done.stderr].concat());
    let shown = on_a_terminal(command());
    for part in [
        "\x1b]0;",
        "\x07",
        "\x1b[31m\u{9b}",
        "\u{9b}",
        "\u{202e}",
        "\u{2066}",
        "\u{200b}",
        "\u{2028}",
        "\u{feff}",
        "\x7f",
        "\u{85}",
    ] {
        assert!(!shown.contains(part), "{args:?}: {part:?} in {shown:?}");
    }
    let said = [done.stdout, done.stderr].concat();
    (done.status.code().unwrap(), String::from_utf8(said).unwrap())
}

/// Runs a command whose standard streams are a terminal, and returns what that received.
fn on_a_terminal(mut command: Command) -> String {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let terminal = || {
        let path = OsStr::from_bytes(name.to_bytes());
        Stdio::from(File::options().read(true).write(true).open(path).unwrap())
    };
    let mut child = command.stdin(Stdio::null()).stdout(terminal()).stderr(terminal()).spawn().unwrap();
    drop(command);
    let mut received = Vec::new();
    // Reading ends with an error when the last process has closed the terminal.
    let _ = File::from(master).read_to_end(&mut received);
    child.wait().unwrap();
    String::from_utf8(received).unwrap()
}

/// All options with a value, by command, from the help.
fn options(dir: &Dir) -> Vec<(Vec<String>, String)> {
    let mut all = Vec::new();
    let commands: &[&[&str]] = &[
        &["run"],
        &["scenes"],
        &["check"],
        &["render"],
        &["verify"],
        &["bench"],
        &["bench", "solver"],
        &["bench", "memory"],
        &["completions"],
    ];
    for command in commands {
        let help = dir.octide(&[command, &["--help"][..]].concat()).expect(0).out();
        for line in help.lines().filter(|l| l.contains(" <") && l.contains("--")) {
            let name = line.split("--").nth(1).unwrap().split_whitespace().next().unwrap();
            all.push((command.iter().map(|c| (*c).to_owned()).collect(), format!("--{name}")));
        }
    }
    assert!(all.len() > 30, "{all:?}");
    all
}

#[test]
fn wrong_arguments_are_shown_escaped() {
    let dir = Dir::new("foreign-arguments");
    let missing = format!("missing/{HOSTILE}.toml");
    let mut seen = 0;
    for (command, option) in options(&dir) {
        // As the value, as a name that clap does not know, and besides a wrong scene.
        let [flag, joined] = [format!("{option}{HOSTILE}"), format!("{option}={HOSTILE}")];
        for more in [&[option.as_str(), HOSTILE][..], &[&flag], &[&joined, "--no-such-option"]] {
            let mut args: Vec<&OsStr> = command.iter().map(OsStr::new).collect();
            args.push(OsStr::new(&missing));
            args.extend(more.iter().map(OsStr::new));
            let (code, said) = run(&dir, &args);
            assert_eq!(code, 2, "{args:?}: {said}");
            seen += usize::from(said.contains("\\u{1b}]0;X\\u{7}"));
        }
    }
    assert!(seen > 60, "{seen}");
    let bytes = OsStr::from_bytes(b"\xff\x1b[31m.toml");
    for args in [
        &[HOSTILE][..],
        &["help", HOSTILE],
        &["scenes", "--show", HOSTILE],
        &["verify", HOSTILE],
        &["bench", HOSTILE],
        &["bench", "solver", HOSTILE],
        &["run", HOSTILE],
    ] {
        let args: Vec<&OsStr> = args.iter().map(OsStr::new).collect();
        assert_eq!(run(&dir, &args).0, 2, "{args:?}");
    }
    for command in ["run", "check", "render", "verify"] {
        assert_eq!(run(&dir, &[OsStr::new(command), bytes]).0, 2);
    }
    let (_, said) = run(&dir, &[OsStr::new("render"), bytes]);
    assert!(said.contains("\\xff\\u{1b}[31m.toml"), "{said}");
    let set = format!("time.{HOSTILE}=3");
    for set in [
        &set,
        HOSTILE,
        &format!("name={HOSTILE}"),
        &format!("name=\"{}\"", escaped()),
        &format!("method=\"{}\"", escaped()),
    ] {
        let args = ["run", "water-drop", "--set", set].map(OsStr::new);
        assert_eq!(run(&dir, &args).0, 2, "{set:?}");
    }
    assert_eq!(dir.files(), [""; 0]);
}

#[test]
fn the_name_of_the_program_is_shown_escaped() {
    let dir = Dir::new("foreign-program");
    let program = dir.path(&format!("octide{HOSTILE}"));
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_octide"), &program).unwrap();
    let done = Command::new(&program).arg("--help").output().unwrap();
    assert_clean("help", &done.stdout);
    assert!(String::from_utf8(done.stdout).unwrap().contains("\\u{1b}]0;X"));
}

#[test]
fn scenes_and_meshes_are_shown_escaped() {
    let dir = Dir::new("foreign-scenes");
    let hostile = escaped();
    let scene = format!("s{HOSTILE}.toml");
    let mesh = format!("m{HOSTILE}.obj");
    fs::write(dir.path(&mesh), "v 0 0 0\n").unwrap();
    let wrong = |line: String| SCENE.replace("resolution = 32", &line);
    let box_ = "shape.box = { min = [0, 0, 0], max = [1, 0.2, 1] }";
    let cases = [
        wrong(format!("resolution = 32 # {HOSTILE}")),
        wrong(format!("resolution = \"{hostile}\"")),
        wrong(format!("resolution = 32\n\"{hostile}\" = 1")),
        wrong(format!("resolution = 32\nmethod = \"{hostile}\"")),
        wrong(format!("resolution = 32\nname = \"{hostile}\"")),
        wrong(format!("resolution = 32\nnumerics.particles = \"{hostile}\"")),
        wrong("resolution = -1 # \u{202e}\u{2066}\u{200b}".to_owned()),
        SCENE.replace(box_, &format!("shape.mesh = {{ path = \"{hostile}.obj\" }}")),
        SCENE.replace(box_, &format!("shape.mesh = {{ path = \"m{hostile}.obj\" }}")),
        SCENE.replace(box_, &format!("shape.mesh = {{ builtin = \"{hostile}\" }}")),
        SCENE.replace(box_, &format!("shape.\"{hostile}\" = 1")),
        format!("{SCENE}[[probe]]\nname = \"{hostile}\"\nwhole = true\n"),
        HOSTILE.to_owned(),
    ];
    for text in cases {
        fs::write(dir.path(&scene), &text).unwrap();
        for command in ["run", "check"] {
            let (code, said) = run(&dir, &[command, &scene].map(OsStr::new));
            assert_eq!(code, 2, "{text:?}: {said}");
            assert!(said.contains("s\\u{1b}]0;X"), "{said}");
        }
    }
    // A good one, with a description.
    fs::write(dir.path(&scene), format!("description = \"{hostile}\"\n{SCENE}")).unwrap();
    let (code, said) = run(&dir, &["check", &scene, "--no-pilot"].map(OsStr::new));
    assert!(code == 0 && said.contains("\\u{1b}]0;X"), "{said}");
}

#[test]
fn folders_are_shown_escaped_and_json_has_their_true_names() {
    let dir = Dir::new("foreign-folders");
    fs::write(dir.path("a.toml"), format!("description = \"{}\"\n{SCENE}", escaped())).unwrap();
    let out = format!("o{HOSTILE}");
    let args = |more: &[&'static str]| -> Vec<String> {
        let args = ["run", "a.toml", "--out", &out].map(str::to_owned);
        args.into_iter().chain(more.iter().map(|m| (*m).to_owned())).collect()
    };
    let go = |more: &[&'static str]| run(&dir, &args(more).iter().map(OsStr::new).collect::<Vec<_>>());
    let (code, said) = go(&["--overwrite"]);
    assert!(code == 0 && said.contains("written to o\\u{1b}]0;X"), "{said}");
    for (more, expected) in [
        (&["--resume", "--frames", "1", "-v"][..], 0),
        (&[], 2),
        (&["--resume", "--set", "time.fps=7"], 2),
        (&["--overwrite", "--max-memory", "1M"], 4),
        (&["--overwrite", "--frames", "1"], 0),
    ] {
        assert_eq!(go(more).0, expected, "{more:?}");
    }
    assert_clean("octide.log", &fs::read(dir.path(&format!("{out}/octide.log"))).unwrap());
    let done = dir.command(&[]).args(args(&["--resume", "--progress", "json"])).output().unwrap();
    assert_clean("json", &done.stdout);
    let first: Value = serde_json::from_slice(done.stdout.split(|b| *b == b'\n').next().unwrap()).unwrap();
    assert_eq!(first["out"], out.as_str());
    // A checkpoint of a version with a hostile name, or with damage, is a file name and a reason.
    let kept = dir.path(&format!("{out}/checkpoints"));
    for file in fs::read_dir(&kept).unwrap() {
        fs::write(file.unwrap().path(), HOSTILE).unwrap();
    }
    assert_eq!(go(&["--resume", "--frames", "2"]).0, 2);
    for what in ["render", "verify"] {
        let more: &[&str] =
            if what == "render" { &[&out, "--size", "16x16"] } else { &["--quick", "--docs", &out] };
        let (code, said) = run(&dir, &[&[what], more].concat().iter().map(OsStr::new).collect::<Vec<_>>());
        assert_eq!(code, if what == "render" { 0 } else { 2 }, "{said}");
        assert!(said.contains("o\\u{1b}]0;X"), "{said}");
    }
    // Systems with hostile names.
    fs::write(dir.path(&format!("{out}/{HOSTILE}.A.bin")), "short").unwrap();
    assert_eq!(run(&dir, &["bench", "solver", "--systems", &out].map(OsStr::new)).0, 2);
    assert_eq!(run(&dir, &["bench", "solver", "nothing", "--systems", &out].map(OsStr::new)).0, 2);
}
