//! Randomly damaged scenes cause an error or load; nothing panics, and every position in a message can be
//! shown.

use octide_io::scene_file::{LoadOptions, builtin, load_str};
use proptest::prelude::*;
use std::path::Path;

/// Pieces of text that have a meaning to the reader.
const PIECES: &[&str] = &[
    "[",
    "]",
    "{",
    "}",
    "=",
    ",",
    ".",
    "\"",
    "\n",
    "\r",
    "#",
    "nan",
    "-",
    "1e999",
    "0",
    "inf",
    "true",
    "ü",
    "\t",
    "\u{feff}",
    "[[liquid]]\n",
    "shape",
    "sphere",
    "motion.orbit = {}\n",
    "99999999999",
    "_",
    "'",
    "\0",
];

fn damaged() -> impl Strategy<Value = String> {
    let names = prop::sample::select(vec!["water-drop", "dam-break", "still-tank", "moving-cylinder"]);
    let edits =
        prop::collection::vec((any::<prop::sample::Index>(), 0..8usize, prop::sample::select(PIECES)), 1..6);
    (names, edits).prop_map(|(name, edits)| {
        let mut text: Vec<char> = builtin(name).unwrap_or_default().chars().collect();
        for (at, n_removed, piece) in edits {
            let at = at.index(text.len() + 1);
            let end = (at + n_removed).min(text.len());
            text.splice(at..end, piece.chars());
        }
        text.into_iter().collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damaged_scenes(text in damaged()) {
        match load_str(&text, "damaged.toml", Path::new("."), &LoadOptions::new(octide_methods::ABILITIES)) {
            Err(error) => prop_assert!(error.to_string().contains("damaged.toml:")),
            Ok(loaded) => prop_assert!(loaded.warnings.iter().all(|w| !w.to_string().is_empty())),
        }
    }

    #[test]
    fn damaged_overrides(key in "[a-z0-9.]{0,20}", value in "[ -~ü]{0,12}") {
        for start in ["", "liquid.0.", "time.", "camera."] {
            let overrides = vec![(format!("{start}{key}"), value.clone())];
            let options = LoadOptions { overrides, sandbox: true, ..LoadOptions::new(octide_methods::ABILITIES) };
            let text = builtin("water-drop").unwrap_or_default();
            if let Err(error) = load_str(text, "a.toml", Path::new("."), &options) {
                prop_assert!(error.to_string().contains("--set"), "{error}");
            }
        }
    }
}
