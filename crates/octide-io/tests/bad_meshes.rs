//! Every mistake in a mesh file, with its complete message: `bad_meshes.txt` is meant to be read.
//!
//! A case is a title after `##`, the mesh file's name, its lines, a line `---`, and the messages for a scene
//! that refers to the file: the error, or the warnings of a scene that loads, and whether the mesh can then
//! be used. Lines that begin with `%` represent bytes: `%text` (no end of line), `%zeros N`, `%u8`, `%u32`,
//! `%f32`, `%f64` and the same with `be` for big-endian. `%scene` is a line for the mesh's table in the
//! scene. With `OCTIDE_BLESS=1` the file is regenerated from the reader's messages; review the difference
//! before you keep it.

#![allow(clippy::unwrap_used, reason = "the lint lets tests unwrap, but not their helpers")]

use glam::DVec3;
use octide_io::scene_file::{LoadOptions, load_str};
use std::fmt::Write as _;
use std::path::Path;

const SCENE: &str = "octide = 1\nresolution = 64\ndomain.size = [1, 0.5, 1]\n[[liquid]]\n";

struct Case {
    title: String,
    name: String,
    lines: Vec<String>,
    expected: String,
}

fn cases(text: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    for block in text.split("\n## ").skip(1) {
        let (title, rest) = block.split_once('\n').unwrap();
        let (file, expected) = rest.split_once("---\n").unwrap_or((rest, ""));
        let mut lines = file.lines().map(str::to_owned);
        cases.push(Case {
            title: title.to_owned(),
            name: lines.next().unwrap(),
            lines: lines.collect(),
            expected: expected.trim_end().to_owned(),
        });
    }
    cases
}

/// Returns the bytes that a line represents.
fn bytes(line: &str) -> Vec<u8> {
    let Some((kind, values)) = line.strip_prefix('%').and_then(|rest| rest.split_once(' ')) else {
        return format!("{line}\n").into_bytes();
    };
    let order = |mut le: Vec<u8>| {
        if kind.ends_with("be") {
            le.reverse();
        }
        le
    };
    let words = values.split_whitespace();
    match kind.trim_end_matches("be") {
        "text" => values.as_bytes().to_vec(),
        "zeros" => vec![0; values.parse().unwrap()],
        "u8" => words.map(|w| w.parse::<u8>().unwrap()).collect(),
        "u32" => words.flat_map(|w| order(w.parse::<u32>().unwrap().to_le_bytes().to_vec())).collect(),
        "f32" => words.flat_map(|w| order(w.parse::<f32>().unwrap().to_le_bytes().to_vec())).collect(),
        "f64" => words.flat_map(|w| order(w.parse::<f64>().unwrap().to_le_bytes().to_vec())).collect(),
        other => panic!("{other} is no kind of bytes"),
    }
}

fn told(case: &Case, folder: &Path) -> String {
    let mut more = String::new();
    let mut file = Vec::new();
    for line in &case.lines {
        match line.strip_prefix("%scene ") {
            Some(part) => write!(more, ", {part}").unwrap(),
            None => file.extend(bytes(line)),
        }
    }
    std::fs::write(folder.join(&case.name), file).unwrap();
    let scene = format!("{SCENE}shape.mesh = {{ path = \"{}\"{more} }}\n", case.name);
    match load_str(&scene, "scene.toml", folder, &LoadOptions::new(octide_methods::ABILITIES)) {
        Err(error) => format!("error: {error}"),
        Ok(loaded) => {
            let mut told: Vec<String> = loaded.warnings.iter().map(|w| format!("warning: {w}")).collect();
            let inside = loaded.scene.liquids[0].shape.distance(DVec3::new(0.5, 0.2, 0.5));
            assert!(inside.is_finite(), "{}", case.title);
            told.push(format!(
                "it works: the middle is {} it",
                if inside < 0.0 { "inside" } else { "outside" }
            ));
            told.join("\n")
        }
    }
}

#[test]
fn messages_are_as_written() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad_meshes.txt");
    let text = std::fs::read_to_string(&file).unwrap();
    let cases = cases(&text);
    let folder = std::env::temp_dir().join(format!("octide-bad-meshes-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    // Paths in messages differ from machine to machine.
    let here = folder.canonicalize().unwrap().display().to_string();
    let plain = |told: String| told.replace(&here, "MESHES").replace(&folder.display().to_string(), "MESHES");
    let all_told: Vec<String> = cases.iter().map(|case| plain(told(case, &folder))).collect();
    std::fs::remove_dir_all(&folder).unwrap();
    if std::env::var_os("OCTIDE_BLESS").is_some() {
        let mut new = text.split("\n## ").next().unwrap().to_owned();
        for (case, told) in cases.iter().zip(&all_told) {
            let lines: String = case.lines.iter().map(|l| format!("{l}\n")).collect();
            write!(new, "\n## {}\n{}\n{lines}---\n{told}\n", case.title, case.name).unwrap();
        }
        std::fs::write(&file, new).unwrap();
        return;
    }
    let mut wrong = String::new();
    for (case, told) in cases.iter().zip(&all_told) {
        if *told != case.expected {
            write!(wrong, "\n## {}\nexpected:\n{}\ngot:\n{told}\n", case.title, case.expected).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(cases.len() >= 25, "{} cases", cases.len());
}
