//! Every mistake in a scene, with its complete message: `bad_scenes.txt` is meant to be read.
//!
//! A case is a title after `##`, the scene (lines that start with `--set` are overrides), a line `---`, and
//! the messages: the error, or the warnings of a scene that loads. With `OCTIDE_BLESS=1` the file is
//! regenerated from the loader's messages; review the difference before you keep it.

#![allow(clippy::unwrap_used, reason = "the lint lets tests unwrap, but not their helpers")]

use octide_io::is_unsafe_to_print;
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
    told_of("bad.toml", case, folder)
}

fn told_of(label: &str, case: &Case, folder: &Path) -> String {
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
    match load_str(&text, label, folder, &options) {
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

/// In every scene, foreign text is inserted at every quote, key and end of a line, one at a time.
#[test]
fn foreign_text_is_escaped_in_every_message() {
    const RAW: &str = "\x1b[31m\x07\u{9b}\u{202e}\u{2066}\u{200b}\u{feff}\x7f";
    const HIDDEN: &str = "\u{202e}\u{2066}\u{200b}\u{e0041}";
    const ESCAPED: &str = "\\u001b[31m\\u0007\\u009b\\u202e\\u200b\\n";
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let text = std::fs::read_to_string(folder.join("bad_scenes.txt")).unwrap();
    let mut n_escaped = 0;
    for mut case in cases(&text) {
        for i in 0..case.lines.len() {
            let line = case.lines[i].clone();
            let quotes = line.match_indices('"').map(|(at, _)| (at + 1, ESCAPED));
            let equals = line.find('=').map(|at| (at, RAW));
            let ends = [(0, RAW), (line.len(), RAW), (line.len(), HIDDEN)];
            for (at, inserted) in quotes.chain(equals).chain(ends) {
                case.lines[i] = format!("{}{inserted}{}", &line[..at], &line[at..]);
                let told = told_of(&format!("bad{RAW}.toml"), &case, &folder);
                let bad = told.chars().find(|&c| !"\n\t".contains(c) && is_unsafe_to_print(c));
                assert_eq!(bad, None, "{}: {told:?}", case.title);
                n_escaped += usize::from(told.contains("\\u{"));
            }
            case.lines[i] = line;
        }
    }
    assert!(n_escaped > 1000, "{n_escaped}");
}
