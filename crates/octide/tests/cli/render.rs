//! Pictures of a run from its files.

use crate::Dir;
use std::fs;

#[test]
fn pictures_from_files_are_those_of_the_run() {
    let dir = Dir::new("render");
    dir.small("a", &["--set", "output.up=z", "--set", "output.cells=true"]).expect(0);
    dir.octide(&["render", "a", "--out", "b"]).expect(0);
    for file in ["preview/0000.png", "preview/0002.png", "preview.png"] {
        let [a, b] = ["a", "b"].map(|d| fs::read(dir.path(&format!("{d}/{file}"))).unwrap());
        assert!(a == b, "{file}");
    }

    dir.octide(&[
        "render", "a", "--out", "c", "--view", "cells", "--size", "80x40", "--frames", "1..1", "-q",
    ])
    .expect(0);
    let made: Vec<String> = dir.files().into_iter().filter(|f| f.starts_with("c/")).collect();
    assert_eq!(made, ["c/preview.png", "c/preview/0001.png"]);
    assert_eq!(size(&fs::read(dir.path("c/preview/0001.png")).unwrap()), [80, 40]);
}

#[test]
fn what_cannot_be_drawn_is_told() {
    let dir = Dir::new("undrawn");
    dir.small("a", &["--no-pictures"]).expect(0);
    let before = dir.files();
    dir.octide(&["render", "b"]).expect(2).tells(&["b is not the folder of a run"]);
    dir.octide(&["render", "a", "--view", "cells"]).expect(2).tells(&["output.cells=true"]);
    dir.octide(&["render", "a", "--frames", "7.."]).expect(2).tells(&["frames 0 to 2"]);
    dir.octide(&["render", "a", "--size", "2x2"]).expect(2).tells(&["pixels"]);
    dir.octide(&["render", "a", "--frames", "2..1"]).expect(2).tells(&["2 comes after 1"]);
    assert_eq!(dir.files(), before);
    fs::write(dir.path("a/surface/0001.ply"), "ply\n").unwrap();
    dir.octide(&["render", "a"]).expect(2).tells(&["0001.ply"]);
}

/// Returns width and height from a PNG's header.
fn size(png: &[u8]) -> [u32; 2] {
    [16, 20].map(|i| u32::from_be_bytes(png[i..i + 4].try_into().unwrap()))
}
