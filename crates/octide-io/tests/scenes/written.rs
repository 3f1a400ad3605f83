//! Scenes written with all defaults filled in: every shape, every motion, no default.

use crate::{POOL, read};
use glam::{DQuat, DVec3};
use octide_core::geometry::Motion;
use octide_core::scene::{Heading, ProbeKind};
use octide_io::scene_file::{builtins, to_toml};

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
[[inflow]]
shape.sphere = { center = [-0.5, 0.7, 0.5], radius = 0.1 }
flow = 0.0123
direction = [0.1, -2, 0.3]
motion.oscillation = { amplitude = [0.1, 0, 0], period = 0.9 }
[[inflow]]
shape.sphere = { center = [-0.5, 0.7, 1.5], radius = 0.1 }
flow = 0.01
[[outflow]]
shape.box = { min = [1, 0.1, 1], max = [2, 0.2, 2] }
[[outflow]]
shape.box = { min = [1, 0.1, 1], max = [2, 0.2, 2] }
motion.orbit = { center = [1.5, 0, 1.5], axis = [0, 1, 0], period = 1.7 }
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
        let first = read(text);
        let (scene, n_warnings) = (first.scene, first.warnings.len());
        let written = to_toml(&scene);
        let again = read(&written);
        assert_eq!(again.warnings.len(), n_warnings, "{:?}", again.warnings);
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
        "flow",
        "direction",
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
    // Gravity along x: gauges are on the side that it points to.
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
