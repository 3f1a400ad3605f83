//! A run of smoke: its files, messages and pictures without any liquid.

use crate::Dir;
use crate::probes::columns;
use std::fs;

const ROOM: &str = r#"
octide = 1
resolution = 16
domain = { size = [1, 1, 1], coarsest = 4, open = ["+y"] }
time = { frames = 2, fps = 20 }
output = { preview_size = [64, 36], cells = true }
[[smoke]]
shape.sphere = { center = [0.5, 0.3, 0.5], radius = 0.2 }
temperature = 50
[[solid]]
shape.sphere = { center = [0.5, 0.8, 0.5], radius = 0.1 }
temperature = 20
[[probe]]
name = "here"
point = [0.5, 0.3, 0.5]
[[probe]]
name = "all"
whole = true
"#;

#[test]
fn a_run_of_smoke_has_volumes_and_pictures_and_no_surfaces() {
    let dir = Dir::new("smoke");
    fs::write(dir.path("room.toml"), ROOM).unwrap();
    let out = dir.octide(&["run", "room.toml", "--out", "a"]).expect(0).err();
    assert!(out.contains("smoke 0.0") && !out.contains("volume +") && !out.contains("warning"), "{out}");
    let files = dir.files();
    for file in ["a/volume/0002.vdb", "a/preview/0002.png", "a/cells/0001.ply", "a/preview.png"] {
        assert!(files.iter().any(|f| f == file), "{file} of {files:?}");
    }
    assert!(!files.iter().any(|f| f.contains("surface")), "{files:?}");

    let stats = fs::read_to_string(dir.path("a/stats.jsonl")).unwrap();
    assert!(stats.lines().skip(1).all(|l| l.contains("\"smoke\":{\"amount\":0.0")), "{stats}");
    let probes = columns(&fs::read_to_string(dir.path("a/probes.csv")).unwrap());
    assert_eq!(probes["here.density"][0], Some(1.0));
    assert_eq!(probes["here.temperature_K"][0], Some(50.0));
    let rises = &probes["here.velocity_y_m_per_s"];
    assert!(rises.last().unwrap().unwrap() > 0.01, "{rises:?}");
    let amount = probes["all.smoke_m3"][0].unwrap();
    let ball = 4.0 / 3.0 * std::f64::consts::PI * 0.008;
    // Corners inside have the source's density, so that its boundary reaches half a cell further.
    assert!((1.0..1.8).contains(&(amount / ball)), "{amount} {ball}");

    // The written scene is read again, and pictures are made of the volumes.
    dir.octide(&["render", "a", "--out", "b"]).expect(0);
    let [during, after] = ["a", "b"].map(|d| fs::read(dir.path(&format!("{d}/preview/0002.png"))).unwrap());
    assert!(after.len() > during.len() / 2 && after != during);
    dir.octide(&["render", "a", "--view", "cells", "--out", "c"]).expect(0);
    dir.octide(&["render", "a", "--view", "water"]).expect(2).tells(&["the run simulates smoke"]);
    dir.octide(&["run", "a/scene.toml", "--out", "d", "--frames", "1", "--no-pictures"]).expect(0);
    let [first, again] = ["a", "d"].map(|d| fs::read(dir.path(&format!("{d}/volume/0001.vdb"))).unwrap());
    assert!(first == again);
}

#[test]
fn smoke_is_checked_and_refused_by_methods_of_water() {
    let dir = Dir::new("smoke-check");
    fs::write(dir.path("room.toml"), ROOM).unwrap();
    let out = dir.octide(&["check", "room.toml", "--no-pilot"]).expect(0).out();
    assert!(out.contains("smoke    0.0") && out.contains("density up to 1.000"), "{out}");
    assert!(!out.contains("liquid") && out.contains("no problems found"), "{out}");
    dir.octide(&["run", "room.toml", "--method", "octree"])
        .expect(2)
        .tells(&["the method `octree` does not simulate smoke", "nodal-octree"]);
    dir.octide(&["run", "room.toml", "--set", "numerics.transfer=flip"])
        .expect(2)
        .tells(&["the method `nodal-octree` does not read `numerics.transfer`"]);
}
