//! Links in the folder of a run: nothing outside of it is written, truncated or removed.

use crate::Dir;
use std::fs;
use std::os::unix::fs::symlink;

const PRECIOUS: &str = "precious\n";

/// The files that a run writes into its folder itself.
const FILES: [&str; 6] =
    ["stats.jsonl", "frames.csv", "probes.csv", "octide.log", "preview.png", "scene.toml"];

/// The folders in it.
const FOLDERS: [&str; 6] = ["surface", "cells", "particles", "volume", "preview", "checkpoints"];

/// A run with all kinds of files, in as many frames as `more` says.
const ALL_FILES: [&str; 10] = [
    "--set",
    "output.cells=true",
    "--set",
    "output.volume=true",
    "--set",
    "probe=[{ name = \"all\", whole = true }]",
    "--set",
    "output.preview_size=[16,16]",
    "--checkpoint-every",
    "1",
];

fn with_all_files(more: &[&'static str]) -> Vec<&'static str> {
    ALL_FILES.into_iter().chain(more.iter().copied()).collect()
}

/// A folder with files that links lead to.
fn with_victims(name: &str) -> Dir {
    let dir = Dir::new(name);
    fs::create_dir(dir.path("elsewhere")).unwrap();
    for file in FILES.iter().chain(&["0000.ply", "0000.png", "0000.vdb", "00000001.octide", "a", "b", "c"]) {
        fs::write(dir.path("elsewhere").join(file), PRECIOUS).unwrap();
    }
    dir
}

#[track_caller]
fn assert_unharmed(dir: &Dir) {
    for file in fs::read_dir(dir.path("elsewhere")).unwrap() {
        let path = file.unwrap().path();
        assert_eq!(fs::read_to_string(&path).unwrap(), PRECIOUS, "{path:?}");
    }
    assert_eq!(fs::read_dir(dir.path("elsewhere")).unwrap().count(), FILES.len() + 7);
}

#[test]
fn links_with_the_names_of_temporary_files_are_not_followed() {
    let dir = with_victims("links-temporary");
    fs::create_dir_all(dir.path("a")).unwrap();
    // The names of earlier versions, which were known in advance.
    symlink("../elsewhere/a", dir.path("a/.octide-probe.part")).unwrap();
    symlink("../elsewhere/b", dir.path("a/.scene.toml.part")).unwrap();
    dir.small("a", &with_all_files(&["--frames", "0"])).expect(0);
    assert_unharmed(&dir);
    assert!(!dir.files().iter().any(|f| f.ends_with(".part")), "{:?}", dir.files());
}

#[test]
fn linked_files_are_replaced_by_a_new_run_and_not_continued_by_a_resumed_one() {
    for soft in [true, false] {
        let dir = with_victims(if soft { "links-soft" } else { "links-hard" });
        let link = |file: &str| {
            let (target, path) = (dir.path("elsewhere").join(file), dir.path("a").join(file));
            let _ = fs::remove_file(&path);
            if soft { symlink(target, path).unwrap() } else { fs::hard_link(target, path).unwrap() }
        };
        dir.small("a", &with_all_files(&["--frames", "1"])).expect(0);
        FILES.iter().for_each(|file| link(file));
        dir.small("a", &with_all_files(&["--frames", "1", "--overwrite"])).expect(0);
        assert_unharmed(&dir);
        for file in FILES {
            assert!(fs::read(dir.path("a").join(file)).unwrap() != PRECIOUS.as_bytes(), "{file}");
        }
        for file in ["stats.jsonl", "frames.csv", "probes.csv", "octide.log"] {
            let path = dir.path("a").join(file);
            let whole = fs::read(&path).unwrap();
            link(file);
            let done = dir.small("a", &with_all_files(&["--frames", "2", "--resume"]));
            if soft {
                done.expect(2).tells(&[&format!("a/{file} is a link")]);
            }
            assert_unharmed(&dir);
            let _ = fs::remove_file(&path);
            fs::write(&path, whole).unwrap();
        }
        // Pictures and scenes are written anew.
        ["preview.png", "preview/0001.png"].iter().for_each(|file| {
            let path = dir.path("a").join(file);
            fs::remove_file(&path).unwrap();
            symlink(dir.path("elsewhere/c"), path).unwrap();
        });
        dir.octide(&["render", "a", "--quiet"]).expect(0);
        assert_unharmed(&dir);
    }
}

#[test]
fn linked_folders_are_refused_and_nothing_is_removed_through_them() {
    let dir = with_victims("links-folders");
    dir.small("a", &with_all_files(&["--frames", "1"])).expect(0);
    for folder in FOLDERS {
        let (path, kept) = (dir.path("a").join(folder), dir.path("kept"));
        if path.exists() {
            fs::rename(&path, &kept).unwrap();
        }
        symlink("../elsewhere", &path).unwrap();
        let before = dir.files();
        for how in ["--overwrite", "--resume"] {
            let done = dir.small("a", &with_all_files(&["--frames", "2", how]));
            done.expect(2).tells(&[&format!("a/{folder} is a link"), "--out"]);
        }
        if folder == "preview" {
            dir.octide(&["render", "a"]).expect(2).tells(&["a/preview", "link"]);
        }
        assert_eq!(dir.files(), before);
        assert_unharmed(&dir);
        fs::remove_file(&path).unwrap();
        if kept.exists() {
            fs::rename(&kept, &path).unwrap();
        }
    }
    dir.small("a", &with_all_files(&["--frames", "2", "--resume"])).expect(0);
}

#[test]
fn the_folder_that_the_user_names_may_be_a_link() {
    let dir = Dir::new("links-out");
    fs::create_dir(dir.path("disk")).unwrap();
    symlink("disk", dir.path("out")).unwrap();
    let small = ["--frames", "1", "--no-pictures"];
    dir.small("out", &small).expect(0);
    dir.small("out/", &[&small[..], &["--overwrite"]].concat()).expect(0);
    dir.small("out", &["--frames", "2", "--no-pictures", "--resume"]).expect(0);
    assert!(dir.path("disk/surface/0002.ply").is_file());
    dir.octide(&["render", "out", "--size", "16x16", "--quiet"]).expect(0);
    assert!(dir.path("disk/preview.png").is_file());
}
