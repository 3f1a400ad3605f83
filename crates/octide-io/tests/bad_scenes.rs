//! Every mistake in a scene, with its complete message: `bad_scenes.txt` is meant to be read.
//!
//! A case is a title after `##`, the scene (lines that start with `--set` are overrides), a line `---`, and
//! the messages: the error, or the warnings of a scene that loads. With `OCTIDE_BLESS=1` the file is
//! regenerated from the loader's messages; review the difference before you keep it.

#![allow(clippy::unwrap_used, reason = "the lint lets tests unwrap, but not their helpers")]

use octide_io::scene_file::{LoadOptions, load_str};
use std::fmt::Write as _;
use std::path::Path;

struct Case {
    title: String,
    lines: Vec<String>,
    expected: String,
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    for block in text.split("\n## ").skip(1) {
        let (title, rest) = block.split_once('\n').unwrap();
        let (scene, expected) = rest.split_once("---\n").unwrap_or((rest, ""));
        cases.push(Case {
            title: title.to_owned(),
            lines: scene.lines().map(str::to_owned).collect(),
            expected: expected.trim_end().to_owned(),
        });
    }
    cases
}

fn told(case: &Case, folder: &Path) -> String {
    let mut options = LoadOptions::new(octide_methods::ABILITIES);
    let mut text = String::new();
    for line in &case.lines {
        if let Some(set) = line.strip_prefix("--set ") {
            let (key, value) = set.split_once('=').unwrap();
            options.overrides.push((key.to_owned(), value.to_owned()));
        } else if line == "--sandbox" {
            options.sandbox = true;
        } else {
            writeln!(text, "{line}").unwrap();
        }
    }
    match load_str(&text, "bad.toml", folder, &options) {
        Err(error) => format!("error: {error}"),
        Ok(loaded) => {
            let warnings: Vec<String> = loaded.warnings.iter().map(|w| format!("warning: {w}")).collect();
            if warnings.is_empty() { "fine".to_owned() } else { warnings.join("\n") }
        }
    }
}

#[test]
fn messages_are_as_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let file = folder.join("bad_scenes.txt");
    let text = std::fs::read_to_string(&file).unwrap();
    let cases = cases(&text);
    // Paths in messages differ from machine to machine.
    let here = folder.canonicalize().unwrap().display().to_string();
    let plain = |told: String| told.replace(&here, "TESTS").replace(&folder.display().to_string(), "TESTS");
    if std::env::var_os("OCTIDE_BLESS").is_some() {
        let mut new = text.split("\n## ").next().unwrap().to_owned();
        for case in &cases {
            let told = plain(told(case, &folder));
            write!(new, "\n## {}\n{}\n---\n{told}\n", case.title, case.lines.join("\n")).unwrap();
        }
        std::fs::write(&file, new).unwrap();
        return;
    }
    let mut wrong = String::new();
    for case in &cases {
        let told = plain(told(case, &folder));
        if told != case.expected {
            write!(wrong, "\n## {}\nexpected:\n{}\ngot:\n{told}\n", case.title, case.expected).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(cases.len() >= 40, "{} cases", cases.len());
}
