//! Defaults, overrides, shapes, and invalid files.

use crate::{POOL, folder, read, with};
use glam::DVec3;
use octide_core::geometry::Shape;
use octide_core::scene::{Adaptivity, Numerics, Output, Physics, Timing, Up, View, VolumeCorrection};
use octide_io::scene_file::{LoadOptions, SceneError, load, load_path, load_str};
use std::path::Path;

#[test]
fn what_is_left_out_gets_the_defaults() {
    let scene = read(POOL).scene;
    assert_eq!((scene.name.as_str(), scene.method.as_str(), scene.seed), ("pool", "octree", 1));
    assert_eq!((scene.domain.origin, scene.domain.resolution, scene.domain.levels), (DVec3::ZERO, 64, 2));
    assert_eq!(scene.physics, Physics::default());
    assert_eq!(scene.time, Timing::default());
    assert_eq!(format!("{:?}", scene.adaptivity), format!("{:?}", Adaptivity::default()));
    assert_eq!(scene.numerics, Numerics::default());
    assert_eq!(scene.output, Output::default());
    assert_eq!(scene.camera, None);
    assert_eq!(scene.liquids[0].velocity, DVec3::ZERO);
}

#[test]
fn names_come_from_files_and_become_folders() {
    let dir = folder("names");
    let path = dir.join("my pool (2).toml");
    std::fs::write(&path, POOL).unwrap();
    assert_eq!(
        load_path(&path, &LoadOptions::new(octide_methods::ABILITIES)).unwrap().scene.name,
        "my-pool--2-"
    );
}

#[test]
fn overrides_change_numbers_words_lists_and_items() {
    let scene = with(&[
        ("resolution", "128"),
        ("time.frames", "24"),
        ("numerics.volume_correction", "regional"),
        ("liquid.0.velocity", "[1, 2, 3]"),
        ("liquid.0.shape.box.max", "[1, 0.3, 1]"),
        ("output.view", "cells"),
        ("output.up", "\"z\""),
        ("name", "wild"),
        ("camera", "{ position = [1, 1, 1], target = [0, 0, 0] }"),
        ("time.frames", "25"),
    ]);
    assert_eq!((scene.domain.resolution, scene.time.frames, scene.name.as_str()), (128, 25, "wild"));
    assert_eq!(scene.numerics.volume_correction, VolumeCorrection::Regional);
    assert_eq!(scene.liquids[0].velocity, DVec3::new(1.0, 2.0, 3.0));
    let Shape::Box { max, .. } = scene.liquids[0].shape else { panic!("no box") };
    assert_eq!(max.y, 0.3);
    assert_eq!((scene.output.view, scene.output.up), (View::Cells, Up::Z));
    assert_eq!(scene.camera.unwrap().fov, 40.0);
}

#[test]
fn shapes_are_scaled_then_turned_then_moved() {
    let shape = |keys: &str| {
        let ball = "{ sphere = { center = [0.2, 0, 0], radius = 0.1 } }";
        let text = format!("shape.transform = {{ shape = {ball}{keys} }}");
        read(&POOL.replace("shape.box = { min = [0, 0, 0], max = [1, 0.2, 1] }", &text)).scene.liquids[0]
            .shape
            .clone()
    };
    let center_of = |shape: &Shape| shape.bounds().map(|(min, max)| (min + max) / 2.0).unwrap();
    let near = |shape: Shape, center: [f64; 3], radius: f64| {
        assert!(center_of(&shape).distance(center.into()) < 1e-12, "{shape:?}");
        assert!((shape.distance(center.into()) + radius).abs() < 1e-12, "{shape:?}");
    };
    near(shape(""), [0.2, 0.0, 0.0], 0.1);
    near(shape(", scale = 2"), [0.4, 0.0, 0.0], 0.2);
    near(shape(", rotate = { axis = [0, 0, 1], degrees = 90 }"), [0.0, 0.2, 0.0], 0.1);
    let all = ", translate = [0.5, 0, 0], rotate = { axis = [0, 0, 3], degrees = 90 }, scale = 2";
    near(shape(all), [0.5, 0.4, 0.0], 0.2);
}

#[test]
fn line_ends_of_windows_and_a_byte_order_mark_do_not_matter() {
    let text = format!("\u{feff}{}", POOL.replace('\n', "\r\n"));
    assert_eq!(format!("{:?}", read(&text).scene), format!("{:?}", read(POOL).scene));
    let bad = text.replace("0.5, 1]", "0.5, true]");
    let error = load_str(&bad, "bad.toml", Path::new("."), &LoadOptions::new(octide_methods::ABILITIES))
        .unwrap_err()
        .to_string();
    assert!(error.contains("bad.toml:3:24") && !error.contains('\r'), "{error}");
    let first =
        load_str("\u{feff}octide = 7\n", "b", Path::new("."), &LoadOptions::new(octide_methods::ABILITIES))
            .unwrap_err();
    assert!(
        first
            .to_string()
            .ends_with("b:1:10\n  |\n1 | octide = 7\n  |          ^\n  = use a newer version of Octide")
    );
}

#[test]
fn nesting_without_end_is_an_error_and_not_a_crash() {
    let deep = |open: &str, close: &str| {
        format!("octide = 1\nx = {}1{}\n", open.repeat(50_000), close.repeat(50_000))
    };
    let dotted = format!("octide = 1\n{}x = 1\n", "a.".repeat(50_000));
    for text in [deep("[", "]"), deep("{ a = ", "}"), dotted] {
        assert!(
            load_str(&text, "deep.toml", Path::new("."), &LoadOptions::new(octide_methods::ABILITIES))
                .is_err()
        );
    }
}

#[test]
fn files_that_cannot_be_read_are_told_apart() {
    let dir = folder("unreadable");
    let of = |name: &str| {
        load(&dir.join(name).display().to_string(), &LoadOptions::new(octide_methods::ABILITIES)).unwrap_err()
    };
    assert!(matches!(of("none.toml"), SceneError::Read { .. }));
    std::fs::write(dir.join("binary.toml"), b"octide = 1\n\xff\xfe").unwrap();
    assert!(matches!(of("binary.toml"), SceneError::NotText { at: 11, .. }));
    std::fs::File::create(dir.join("large.toml")).unwrap().set_len(20_000_000).unwrap();
    assert!(matches!(of("large.toml"), SceneError::TooLarge { .. }));
    // A device has no known length, and no end.
    if cfg!(target_os = "linux") {
        let endless =
            load_path(Path::new("/dev/zero"), &LoadOptions::new(octide_methods::ABILITIES)).unwrap_err();
        assert!(matches!(endless, SceneError::TooLarge { .. }), "{endless}");
    }
    let unknown = load("water-dorp", &LoadOptions::new(octide_methods::ABILITIES)).unwrap_err().to_string();
    assert!(unknown.contains("did you mean water-drop?") && unknown.contains("dam-break"), "{unknown}");
}
