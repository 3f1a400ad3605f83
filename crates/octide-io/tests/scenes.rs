//! Scenes that are right: those that come with Octide, overrides, and scenes written as run.

#![allow(clippy::unwrap_used, reason = "the lint lets tests unwrap, but not their helpers")]

use glam::{DQuat, DVec3};
use octide_core::geometry::{Motion, Shape};
use octide_core::scene::{
    Adaptivity, Buoyancy, GradientDistance, HalfLife, Heading, Numerics, Output, Physics, PressureSolver,
    ProbeKind, Release, Scene, SmokeDetail, Span, Timing, Up, View, VolumeCorrection,
};
use octide_io::scene_file::{
    LoadOptions, Loaded, SceneError, builtin, builtins, load, load_path, load_str, to_toml,
};
use std::path::{Path, PathBuf};

const POOL: &str = "octide = 1\nresolution = 64\ndomain.size = [1, 0.5, 1]\n\
    [[liquid]]\nshape.box = { min = [0, 0, 0], max = [1, 0.2, 1] }\n";

fn read(text: &str) -> Loaded {
    load_str(text, "pool.toml", Path::new("."), &LoadOptions::default()).unwrap_or_else(|e| panic!("{e}"))
}

fn with(overrides: &[(&str, &str)]) -> Scene {
    let overrides = overrides.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let options = LoadOptions { overrides, ..LoadOptions::default() };
    load_str(POOL, "pool.toml", Path::new("."), &options).unwrap_or_else(|e| panic!("{e}")).scene
}

fn folder(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("octide-scenes-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

#[test]
fn builtin_scenes_load_without_a_warning_and_describe_themselves() {
    assert_eq!(builtins().len(), 11);
    for b in builtins() {
        let loaded = load(b.name, &LoadOptions::default()).unwrap_or_else(|e| panic!("{}: {e}", b.name));
        assert!(loaded.warnings.is_empty(), "{}: {:?}", b.name, loaded.warnings);
        let scene = &loaded.scene;
        assert_eq!((scene.name.as_str(), scene.description.as_str()), (b.name, b.description()));
        assert!(!b.description().is_empty() && scene.camera.is_some(), "{}", b.name);
        assert!(scene.time.frames >= 60 && scene.time.fps >= 30.0, "{}", b.name);
        assert_eq!(scene.time.cfl, if b.name == "ellipsoid" { 1.0 } else { 2.0 });
        let falls = DVec3::new(0.0, -9.8, 0.0);
        assert_eq!(scene.physics.gravity, if b.name == "merging" { DVec3::ZERO } else { falls });
        assert!(b.text.starts_with('#'), "{} explains itself first", b.name);
    }
    assert_eq!(builtin("nothing"), None);
}

/// The grids of Figs. 1, 14 and 15 of Ando & Batty 2020; y is up here.
#[test]
fn the_papers_scenes_have_the_papers_grids() {
    for (name, resolution, grid) in [
        ("moving-cylinder", 512, [512.0, 256.0, 512.0]),
        ("seaplane", 1024, [1024.0, 512.0, 1024.0]),
        ("waterfall", 640, [320.0, 160.0, 640.0]),
    ] {
        let overrides = vec![("resolution".to_owned(), resolution.to_string())];
        let scene = load(name, &LoadOptions { overrides, ..LoadOptions::default() }).unwrap().scene;
        let cells = scene.domain.size / scene.domain.size.max_element() * f64::from(resolution);
        assert!(cells.distance(DVec3::from(grid)) < 1e-9, "{name}: {cells}");
    }
}

#[test]
fn meshes_of_the_builtin_scene_lie_in_the_domain_and_apart() {
    let scene = load("mesh-in-mesh", &LoadOptions::default()).unwrap().scene;
    let (low, high) = scene.liquids[0].shape.bounds().unwrap();
    let (solid_low, solid_high) = scene.solids[0].shape.bounds().unwrap();
    for (low, high) in [(low, high), (solid_low, solid_high)] {
        assert!(low.cmpgt(DVec3::ZERO).all() && high.cmplt(scene.domain.size).all(), "{low} {high}");
    }
    let Shape::Transformed { shape, .. } = &scene.liquids[0].shape else { panic!("not placed") };
    let Shape::Mesh(lump) = &**shape else { panic!("no mesh") };
    let least = lump.sdf.mesh().positions.iter().map(|p| {
        let p = DVec3::from(p.map(f64::from)) * 0.11 + DVec3::new(0.5, 0.355, 0.5);
        scene.solids[0].shape.distance(p)
    });
    assert!(least.fold(f64::INFINITY, f64::min) > 0.02);
}

#[test]
fn the_cylinder_circles_the_middle_of_the_tank() {
    let scene = load("moving-cylinder", &LoadOptions::default()).unwrap().scene;
    let solid = &scene.solids[0];
    let start = DVec3::new(0.72, 0.26, 0.5);
    for (t, expected) in [(0.0, start), (0.8, DVec3::new(0.28, 0.26, 0.5)), (1.6, start)] {
        let at = solid.motion.pose(t).to_world(start);
        assert!(at.distance(expected) < 1e-12, "{t}: {at}");
    }
}

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
    assert_eq!(load_path(&path, &LoadOptions::default()).unwrap().scene.name, "my-pool--2-");
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

/// Every shape, every motion and no default.
const EVERYTHING: &str = r#"
octide = 1
name = "all"
description = "A \"line\" with\ttabs, ümlauts and a \\."
method = "octree"
resolution = 96
seed = 77
domain = { size = [3.0, 1.0, 2.0], origin = [-1, 0.1, 0.3], coarsest = 4, open = ["-z", "+x"] }
physics = { gravity = [0.1, -3.7, 0.2], density = 998.2 }
time = { frames = 7, fps = 23.976, cfl = 1.3 }
numerics = { free_surface = "second-order", tolerance = 1e-7, max_iterations = 33, volume_correction = "off", max_volume_drift = 0.01, advection = "maccormack", interpolation = "continuous" }
camera = { position = [1, 2, 3], target = [0.1, 0.2, 0.3], fov = 31.4 }
output = { up = "z", first_frame = 1001, preview = false, preview_size = [320, 200], view = "cells", cells = true, particles = false, volume = true }
[adaptivity]
curvature = 1.5
strain = 0.25
along_surface = false
strength = 0.4
dilation = 2
decay = 0.7
decay_time = 0.03
camera = true
[[adaptivity.region]]
shape.sphere = { center = [0.5, 0.3, 0.5], radius = 0.1 }
at_most = 0.125
at_least = 0.03125
[[adaptivity.region]]
shape.plane = { point = [0.0, 0.3, 0.5], normal = [0, 1, 0] }
at_least = 0.25
[[liquid]]
velocity = [0.1, 0.2, -0.3]
shape.union = [
    { box = { min = [0, 0, 0], max = [1, 0.2, 1] } },
    { rounded-box = { min = [0, 0, 0], max = [1, 0.7, 1], radius = 0.05 } },
    { sphere = { center = [0.5, 0.3, 0.5], radius = 0.1 } },
    { ellipsoid = { center = [0.5, 0.3, 0.5], radii = [0.1, 0.2, 0.3] } },
    { cylinder = { from = [0.5, 0.3, 0.5], to = [0.5, 0.6, 0.7], radius = 0.1 } },
    { capsule = { from = [0.5, 0.3, 0.5], to = [0.5, 0.6, 0.7], radius = 0.1 } },
    { torus = { center = [0.5, 0.3, 0.5], axis = [1, 2, 3], major = 0.2, minor = 0.1 } },
]
[[liquid]]
shape.intersection = [
    { plane = { point = [0, 0.3, 0], normal = [0.3, 1, 0.1] } },
    { difference = { of = { mesh = { builtin = "lump" } }, minus = [{ sphere = { center = [0, 0, 0], radius = 0.1 } }] } },
]
[[solid]]
shape.smooth-union = { radius = 0.07, shapes = [
    { sphere = { center = [0.5, 0.3, 0.5], radius = 0.1 } },
    { transform = { shape = { sphere = { center = [0, 0, 0], radius = 1 } }, scale = 0.3, rotate = { axis = [1, 1, 0], degrees = 33 }, translate = [0.7, 0.4, 0.6] } },
] }
motion.orbit = { center = [0.5, 0, 0.5], axis = [0, 2, 0.5], period = 1.7 }
[[solid]]
shape.sphere = { center = [0.5, 0.3, 0.5], radius = 0.1 }
motion.keyframes = [
    { time = 0.1 },
    { time = 0.7, position = [0.1, 0.2, 0.3], rotation = { axis = [1, 2, 3], degrees = 77 } },
]
[[solid]]
shape.mesh = { builtin = "bowl", scale = 0.2, translate = [0.5, 0.4, 0.5] }
motion.oscillation = { amplitude = [0.1, 0.02, 0], period = 0.9 }
[[solid]]
shape.sphere = { center = [0.5, 0.3, 0.5], radius = 0.1 }
motion = { keyframes = [{ time = 0, rotation = { axis = [0, 1, 0], degrees = 10 } }], pivot = [0, 0, 0] }
[[solid]]
shape.sphere = { center = [0.5, 0.3, 0.5], radius = 0.1 }
motion.orbit = { center = [0.5, 0, 0.5], axis = [0, 1, 0], period = 1.7, turning = true }
[[solid]]
shape.sphere = { center = [0.5, 0.3, 0.5], radius = 0.1 }
[[inflow]]
shape.sphere = { center = [0.5, 0.7, 0.5], radius = 0.1 }
velocity = [0.1, 0.2, 0.3]
[[inflow]]
shape.cylinder = { from = [-1, 0.7, 0.5], to = [-0.8, 0.7, 0.5], radius = 0.1 }
velocity = [0, 0, 0]
start = 0.05
end = 0.123
[[outflow]]
shape.box = { min = [1, 0.1, 1], max = [2, 0.2, 2] }
[[outflow]]
shape.box = { min = [1, 0.1, 1], max = [2, 0.2, 2] }
start = 0.1
end = 0.2
[[probe]]
name = "sensor-1"
point = [0.123456789, 0.3, 2.3]
[[probe]]
name = "wave"
gauge = { x = -1, z = 0.7 }
[[probe]]
name = "tip"
front = "-z"
[[probe]]
name = "all"
whole = true
"#;

#[test]
fn a_scene_written_as_run_is_the_same_scene() {
    let builtin_texts = builtins().iter().map(|b| b.text);
    for text in builtin_texts.chain([EVERYTHING, POOL]) {
        let scene = read(text).scene;
        let written = to_toml(&scene);
        let again = read(&written);
        assert!(again.warnings.is_empty(), "{:?}", again.warnings);
        assert_eq!(format!("{:?}", again.scene), format!("{scene:?}"), "{written}");
        assert_eq!(to_toml(&again.scene), written);
    }
}

#[test]
fn a_scene_written_as_run_leaves_nothing_to_defaults() {
    let text = to_toml(&read(EVERYTHING).scene);
    let known = [
        "octide",
        "name",
        "description",
        "method",
        "resolution",
        "seed",
        "size",
        "origin",
        "coarsest",
        "open",
        "start",
        "end",
        "gravity",
        "density",
        "frames",
        "fps",
        "cfl",
        "velocity",
        "point",
        "gauge",
        "front",
        "whole",
        "curvature",
        "strain",
        "along_surface",
        "strength",
        "dilation",
        "decay",
        "decay_time",
        "camera",
        "at_most",
        "at_least",
        "tolerance",
        "max_iterations",
        "volume_correction",
        "max_volume_drift",
        "position",
        "target",
        "fov",
        "up",
        "first_frame",
        "preview",
        "preview_size",
        "view",
        "cells",
        "particles",
        "volume",
    ];
    for key in known {
        assert!(text.lines().any(|l| l.starts_with(&format!("{key} = "))), "{key} is missing in {text}");
    }
}

#[test]
fn probes_are_where_the_scene_says() {
    let kinds = |text: &str| -> Vec<ProbeKind> { read(text).scene.probes.iter().map(|p| p.kind).collect() };
    let back = Heading { axis: 2, forward: false };
    let expected = [
        ProbeKind::Point(DVec3::new(0.123456789, 0.3, 2.3)),
        // On the floor of the domain.
        ProbeKind::Gauge(DVec3::new(-1.0, 0.1, 0.7)),
        ProbeKind::Front(back),
        ProbeKind::Whole,
    ];
    assert_eq!(kinds(EVERYTHING), expected);
    // Gravity along x: gauges stand on the side that it points to.
    let tilted = format!(
        "{POOL}[[probe]]\nname = \"a\"\ngauge = {{ y = 0.1, z = 0.2 }}\n[physics]\ngravity = [9.8, 1, 0]\n"
    );
    assert_eq!(kinds(&tilted), [ProbeKind::Gauge(DVec3::new(1.0, 0.1, 0.2))]);
}

#[test]
fn the_levels_survive_being_written() {
    for (resolution, coarsest) in [(64, 1), (64, 3), (96, 8), (128, 64), (128, 5), (512, 8), (2048, 1)] {
        let text = POOL.replace("resolution = 64", &format!("resolution = {resolution}")).replace(
            "domain.size = [1, 0.5, 1]",
            &format!("domain = {{ size = [1, 0.5, 1], coarsest = {coarsest} }}"),
        );
        let scene = read(&text).scene;
        assert_eq!(read(&to_toml(&scene)).scene.domain, scene.domain, "{resolution} {coarsest}");
    }
}

#[test]
fn motions_that_no_file_made_keep_their_poses_when_written() {
    let mut scene = read(EVERYTHING).scene;
    let orbit = Motion::Orbit { center: DVec3::ONE, axis: DVec3::Y, period: 2.0, turning: false };
    let nested = Motion::About {
        pivot: DVec3::X,
        motion: Box::new(Motion::About { pivot: DVec3::Z, motion: Box::new(orbit.clone()) }),
    };
    for motion in [orbit, nested] {
        scene.solids[0].motion = motion.clone();
        let again = read(&to_toml(&scene)).scene.solids[0].motion.clone();
        for t in [0.0, 0.3, 1.1] {
            let (a, b) = (motion.pose(t), again.pose(t));
            assert!(a.position.distance(b.position) < 1e-12 && a.rotation == b.rotation, "{motion:?} {t}");
        }
    }
}

#[test]
fn rotations_turn_as_the_right_hand_does() {
    let scene = read(EVERYTHING).scene;
    let Motion::About { motion, .. } = &scene.solids[1].motion else { panic!("no pivot") };
    let Motion::Keyframes(keys) = &**motion else { panic!("no keyframes") };
    let expected = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, 3.0).normalize(), 77f64.to_radians());
    assert!(keys[1].pose.rotation.angle_between(expected) < 1e-9);
    assert_eq!(keys[1].time, 0.7);
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
    let error = load_str(&bad, "bad.toml", Path::new("."), &LoadOptions::default()).unwrap_err().to_string();
    assert!(error.contains("bad.toml:3:24") && !error.contains('\r'), "{error}");
    let first = load_str("\u{feff}octide = 7\n", "b", Path::new("."), &LoadOptions::default()).unwrap_err();
    assert!(
        first
            .to_string()
            .ends_with("b:1:10\n  |\n1 | octide = 7\n  |          ^\n  = a newer octide can read it")
    );
}

#[test]
fn nesting_without_end_is_an_error_and_not_a_crash() {
    let deep = |open: &str, close: &str| {
        format!("octide = 1\nx = {}1{}\n", open.repeat(50_000), close.repeat(50_000))
    };
    let dotted = format!("octide = 1\n{}x = 1\n", "a.".repeat(50_000));
    for text in [deep("[", "]"), deep("{ a = ", "}"), dotted] {
        assert!(load_str(&text, "deep.toml", Path::new("."), &LoadOptions::default()).is_err());
    }
}

#[test]
fn files_that_cannot_be_read_are_told_apart() {
    let dir = folder("unreadable");
    let of = |name: &str| load(&dir.join(name).display().to_string(), &LoadOptions::default()).unwrap_err();
    assert!(matches!(of("none.toml"), SceneError::Read { .. }));
    std::fs::write(dir.join("binary.toml"), b"octide = 1\n\xff\xfe").unwrap();
    assert!(matches!(of("binary.toml"), SceneError::NotText { at: 11, .. }));
    std::fs::File::create(dir.join("large.toml")).unwrap().set_len(20_000_000).unwrap();
    assert!(matches!(of("large.toml"), SceneError::TooLarge { .. }));
    // A device has no length to be known by, and no end.
    if cfg!(target_os = "linux") {
        let endless = load_path(Path::new("/dev/zero"), &LoadOptions::default()).unwrap_err();
        assert!(matches!(endless, SceneError::TooLarge { .. }), "{endless}");
    }
    let unknown = load("water-dorp", &LoadOptions::default()).unwrap_err().to_string();
    assert!(unknown.contains("did you mean water-drop?") && unknown.contains("dam-break"), "{unknown}");
}

#[test]
fn examples_of_the_reference_load() {
    let page = include_str!("../../../docs/scene-file.md");
    let blocks: Vec<&str> =
        page.split("```toml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(blocks.len() >= 3);
    for block in &blocks {
        // Parts are put into a whole scene, those of smoke into one without water.
        let text = match *block {
            whole if whole.starts_with("octide") => whole.to_owned(),
            smoke if smoke.starts_with("[[smoke]]") => {
                format!("octide = 1\nresolution = 128\ndomain.size = [1, 1, 1]\n{smoke}")
            }
            part => format!("{}{part}", blocks[0]),
        };
        assert!(read(&text).warnings.is_empty(), "{text}");
    }
}

/// Every key that smoke has.
const SMOKE: &str = r#"
octide = 1
resolution = 64
domain = { size = [1, 1, 1], open = ["+y", "-x"] }
physics = { gravity = [0, -1.6, 0], buoyancy = { weight = 0.25 }, confinement = 0.3, half_life = { temperature = 1.5 } }
numerics = { gradient_distance = "small", pressure_solver = "iccg" }
[[smoke]]
shape.sphere = { center = [0.5, 0.2, 0.5], radius = 0.1 }
density = 0.75
temperature = 50
velocity = [0, 1, 0]
start = 0.5
end = 2
[[smoke]]
shape.box = { min = [0.2, 0.2, 0.2], max = [0.3, 0.3, 0.3] }
start = 0.25
puff = true
[[solid]]
shape.sphere = { center = [0.5, 0.7, 0.5], radius = 0.1 }
temperature = -20
[[probe]]
name = "here"
point = [0.5, 0.5, 0.5]
[adaptivity.smoke]
vorticity = 0
density = [0, 0]
"#;

#[test]
fn smoke_is_read_with_defaults_of_its_own_and_written_back() {
    let scene = read(SMOKE).scene;
    assert_eq!((scene.method.as_str(), scene.is_smoke()), ("nodal-octree", true));
    let [source, puff] = scene.smoke.as_slice() else { panic!("{:?}", scene.smoke) };
    assert_eq!((source.density, source.temperature, source.velocity), (0.75, 50.0, Some(DVec3::Y)));
    assert_eq!(source.when, Release::During(Span { start: 0.5, end: 2.0 }));
    assert_eq!(
        (puff.density, puff.temperature, puff.velocity, puff.when),
        (1.0, 0.0, None, Release::Puff(0.25))
    );
    let physics = &scene.physics;
    assert_eq!(physics.buoyancy, Buoyancy { weight: 0.25, ..Buoyancy::under(physics.gravity) });
    assert_eq!((physics.density, physics.confinement), (Physics::AIR, 0.3));
    assert_eq!(physics.half_life, HalfLife { temperature: 1.5, ..HalfLife::default() });
    assert_eq!(scene.solids[0].temperature, -20.0);
    let detail = SmokeDetail { vorticity: 0.0, density: [0.0; 2], ..SmokeDetail::default() };
    assert_eq!(scene.adaptivity.smoke, detail);
    assert_eq!(scene.numerics.gradient_distance, GradientDistance::Small);
    assert_eq!(scene.numerics.pressure_solver, PressureSolver::Iccg);
    // Without a surface the volume is what there is to write.
    assert_eq!((scene.output.view, scene.output.volume), (View::Smoke, true));
    let text = to_toml(&scene);
    let again = read(&text);
    assert!(again.warnings.is_empty());
    assert_eq!((to_toml(&again.scene), format!("{:?}", again.scene)), (text, format!("{scene:?}")));
}

#[test]
fn smoke_past_a_sphere_reaches_1024_cells_along_each_side() {
    for resolution in ["32", "128", "512", "1024"] {
        let overrides = vec![("resolution".to_owned(), resolution.to_owned())];
        let options = LoadOptions { overrides, ..LoadOptions::default() };
        let loaded = load("smoke-sphere", &options).unwrap();
        assert!(loaded.warnings.is_empty(), "{:?}", loaded.warnings);
        let domain = &loaded.scene.domain;
        assert_eq!(domain.resolution >> domain.levels, 4);
        assert_eq!((domain.size, loaded.scene.is_smoke()), (DVec3::ONE, true));
    }
}
