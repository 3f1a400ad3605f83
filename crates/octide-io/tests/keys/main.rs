//! The table of keys and the methods' lists of keys agree, and every key that a method lists has an effect.

#![allow(clippy::unwrap_used, reason = "the lint lets tests unwrap, but not their helpers")]

mod effect;
mod reference;
mod rows;

use octide_core::contract::{Abilities, KeysRead};
use octide_io::scene_file::{KeyInfo, Reader, keys};
use std::collections::BTreeSet;

/// Returns all lists of all methods, each with a name for messages.
fn lists() -> Vec<(String, KeysRead)> {
    let of = |m: &Abilities| {
        let named =
            |fluid: &str, keys: Option<KeysRead>| keys.map(|keys| (format!("{} ({fluid})", m.name), keys));
        [named("water", m.water), named("smoke", m.smoke)]
    };
    octide_methods::ABILITIES.iter().flat_map(of).flatten().collect()
}

/// Returns the contradictions between a table of keys and the lists of keys that methods read.
fn faults(keys: &[KeyInfo], lists: &[(String, KeysRead)]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut seen = BTreeSet::new();
    for key in keys.iter().filter(|key| !seen.insert(&key.path)) {
        faults.push(format!("{} is declared twice", key.path));
    }
    for (name, list) in lists {
        let mut seen = BTreeSet::new();
        for path in list.paths() {
            if !seen.insert(path) {
                faults.push(format!("{name} lists {path} twice"));
            }
            let Some(key) = keys.iter().find(|key| key.path == path) else {
                faults.push(format!("{name} lists {path}, which is not a key"));
                continue;
            };
            if key.reader == Reader::Octide {
                faults.push(format!("{name} lists {path}, which Octide itself reads"));
            }
            for word in list.supported_words(path).into_iter().flatten() {
                if !key.words.contains(&word) {
                    faults.push(format!("{name} lists {path} with the unknown word {word}"));
                }
            }
        }
    }
    for key in keys.iter().filter(|key| key.reader == Reader::Methods) {
        if !lists.iter().any(|(_, list)| list.contains(&key.path)) {
            faults.push(format!("nobody reads {}", key.path));
        }
        for word in &key.words {
            if !lists.iter().any(|(_, list)| list.supports(&key.path, word)) {
                faults.push(format!("no method supports {} = {word}", key.path));
            }
        }
    }
    faults
}

#[test]
fn every_key_has_a_reader_and_every_list_has_only_keys() {
    let faults = faults(&keys(), &lists());
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn notes_of_methods_are_about_keys_that_they_read() {
    for method in octide_methods::ABILITIES {
        for (path, note) in method.notes {
            let lists = [method.water, method.smoke];
            assert!(lists.into_iter().flatten().any(|list| list.contains(path)), "{}: {path}", method.name);
            assert!(!note.is_empty());
        }
    }
}

#[test]
fn a_list_that_is_wrong_is_noticed() {
    let good = lists();
    let with = |list: &'static [&'static str]| {
        let mut lists = good.clone();
        lists[0].1 = KeysRead(list);
        faults(&keys(), &lists)
    };
    let all = good[0].1.0;
    let changed = |extra: &'static str| -> &'static [&'static str] {
        all.iter().copied().chain([extra]).collect::<Vec<_>>().leak()
    };
    assert!(with(all).is_empty());
    assert!(with(changed("time.cfl"))[0].ends_with("lists time.cfl twice"));
    assert!(with(changed("time.clf"))[0].ends_with("lists time.clf, which is not a key"));
    assert!(with(changed("time.fps"))[0].ends_with("which Octide itself reads"));
    assert!(with(changed("smoke.puff=global"))[0].ends_with("unknown word global"));
    // No other method reads these.
    let without: Vec<&str> = all.iter().copied().filter(|key| *key != "adaptivity.decay").collect();
    assert_eq!(with(without.leak()), ["nobody reads adaptivity.decay"]);
    let regional = |key: &'static str| {
        if key == "numerics.volume_correction" { "numerics.volume_correction=off" } else { key }
    };
    let without: Vec<&str> = all.iter().copied().map(regional).collect();
    let missing = ["local", "regional"];
    let told = missing.map(|word| format!("no method supports numerics.volume_correction = {word}"));
    assert_eq!(with(without.leak()), told);
}
