//! The command as users see it: arguments in, exit codes, messages and files out.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

mod bench;
mod failures;
mod folders;
#[cfg(unix)]
mod foreign;
mod frames;
mod help;
mod inputs;
#[cfg(unix)]
mod interrupt;
#[cfg(unix)]
mod links;
mod memory;
mod probes;
mod render;
#[cfg(unix)]
mod resume;
mod smoke;
mod threads;
mod tools;
mod verify;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A new, empty folder that is removed at the end.
struct Dir(PathBuf);

impl Dir {
    fn new(name: &str) -> Self {
        let dir = std::env::temp_dir().join(format!("octide-cli-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).unwrap();
        Self(dir)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Returns all files below, by their relative path, in order.
    fn files(&self) -> Vec<String> {
        let mut all = Vec::new();
        collect(&self.0, &self.0, &mut all);
        all.sort();
        all
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_octide"));
        command.current_dir(&self.0).args(args);
        command
    }

    /// Runs octide in this folder.
    fn octide(&self, args: &[&str]) -> Done {
        Done(self.command(args).output().unwrap())
    }

    /// Runs a small water-drop into `out`, with more arguments.
    fn small(&self, out: &str, more: &[&str]) -> Done {
        let mut args = vec!["run", "water-drop", "--resolution", "32", "--out", out];
        args.extend(["--set", "time.frames=2", "--set", "output.preview_size=[64,36]"]);
        args.extend(more);
        self.octide(&args)
    }
}

impl Drop for Dir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn collect(root: &Path, dir: &Path, all: &mut Vec<String>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, all);
        } else {
            all.push(path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/"));
        }
    }
}

/// The output of octide.
struct Done(Output);

impl Done {
    fn code(&self) -> i32 {
        self.0.status.code().unwrap()
    }

    fn out(&self) -> String {
        String::from_utf8(self.0.stdout.clone()).unwrap()
    }

    fn err(&self) -> String {
        String::from_utf8(self.0.stderr.clone()).unwrap()
    }

    #[track_caller]
    fn expect(self, code: i32) -> Self {
        assert_eq!(self.code(), code, "{}{}", self.out(), self.err());
        self
    }

    /// Checks that standard error contains all of these.
    #[track_caller]
    fn tells(self, parts: &[&str]) -> Self {
        let err = self.err();
        for part in parts {
            assert!(err.contains(part), "{part:?} is not in\n{err}");
        }
        self
    }
}
