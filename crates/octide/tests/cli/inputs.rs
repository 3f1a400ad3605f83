//! Wrong input: reported with its position, exit code 2, and nothing is created.

use crate::Dir;
use std::fs;

const SCENE: &str = r#"octide = 1
resolution = 32

[domain]
size = [1.0, 0.5, 1.0]

[time]
frames = 1

[[liquid]]
shape.box = { min = [0, 0, 0], max = [1, 0.2, 1] }
"#;

/// Checks that the scene with one text replaced by another is refused, and that the message contains `tells`.
#[track_caller]
fn refused(name: &str, from: &str, to: &str, files: &[(&str, &[u8])], tells: &[&str]) {
    let dir = Dir::new(name);
    assert!(SCENE.contains(from));
    fs::write(dir.path("scene.toml"), SCENE.replace(from, to)).unwrap();
    for (file, bytes) in files {
        fs::write(dir.path(file), bytes).unwrap();
    }
    let before = dir.files();
    for command in
        [&["run", "scene.toml", "--out", "out"][..], &["run", "scene.toml"], &["check", "scene.toml"]]
    {
        dir.octide(command).expect(2).tells(&["error: "]).tells(tells);
    }
    assert_eq!(dir.files(), before);
    assert!(!dir.path("out").exists() && !dir.path("runs").exists());
}

const BOX: &str = "shape.box = { min = [0, 0, 0], max = [1, 0.2, 1] }";

#[test]
fn a_typo_is_told_with_line_and_column_and_the_nearest_key() {
    refused("typo", "frames = 1", "framse = 1", &[], &["scene.toml:8:1", "frames"]);
}

#[test]
fn a_negative_size_is_told_with_line_and_column() {
    refused("negative", "0.5, 1.0]", "-0.5, 1.0]", &[], &["scene.toml:5:14"]);
}

#[test]
fn a_text_that_is_not_toml_is_told_with_line_and_column() {
    refused("broken", "size = [1.0", "size = [[1.0", &[], &["scene.toml:"]);
}

#[test]
fn an_unknown_method_is_told_with_line_and_column() {
    refused("method", "resolution", "method = \"oktree\"\nresolution", &[], &["scene.toml:2:10", "octree"]);
    let dir = Dir::new("method-flag");
    dir.octide(&["run", "water-drop", "--method", "oktree"]).expect(2).tells(&["octree"]);
    assert_eq!(dir.files(), [""; 0]);
}

#[test]
fn a_newer_format_is_refused_by_its_number() {
    refused("format", "octide = 1", "octide = 2", &[], &["scene.toml:1:10", "format 2"]);
}

#[test]
fn a_mesh_that_is_not_there_is_told_with_line_and_column() {
    refused("no-mesh", BOX, "shape.mesh = { path = \"not.obj\" }", &[], &["scene.toml:11:", "not.obj"]);
}

#[test]
fn a_mesh_without_triangles_is_told_with_line_and_column() {
    let mesh = "shape.mesh = { path = \"empty.obj\" }";
    refused("empty-mesh", BOX, mesh, &[("empty.obj", b"# nothing\n")], &["scene.toml:11:", "empty.obj"]);
}

#[test]
fn a_mesh_with_numbers_that_are_none_is_told_with_line_and_column() {
    let mesh = "shape.mesh = { path = \"nan.obj\" }";
    let obj = b"v 0 0 0\nv nan 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
    refused("nan-mesh", BOX, mesh, &[("nan.obj", obj)], &["scene.toml:11:", "nan.obj"]);
}

#[test]
fn a_scene_that_is_not_there_is_told_with_the_nearest_name() {
    let dir = Dir::new("unknown");
    dir.octide(&["run", "water-dorp"]).expect(2).tells(&["water-drop"]);
    dir.octide(&["run", "not/there.toml"]).expect(2).tells(&["there.toml"]);
    dir.octide(&["run", "water-drop", "--set", "time.framse=3"]).expect(2).tells(&["--set", "`frames`"]);
    assert_eq!(dir.files(), [""; 0]);
}

#[test]
fn water_that_is_not_there_is_a_warning() {
    let dir = Dir::new("no-volume");
    let ball = "shape.sphere = { center = [0.5, 0.2, 0.5], radius = 0.05 }\n\n[[solid]]\n\
                shape.sphere = { center = [0.5, 0.2, 0.5], radius = 0.15 }";
    fs::write(dir.path("scene.toml"), SCENE.replace(BOX, ball)).unwrap();
    let told = dir.octide(&["check", "scene.toml"]).expect(0).out();
    assert!(
        told.contains("warning: the liquids add no volume") && !told.contains("no problems found"),
        "{told}"
    );
}
