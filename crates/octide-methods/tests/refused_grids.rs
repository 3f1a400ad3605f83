//! A grid that does not fit into memory is refused before any of its root cells is stored. This is a program of its
//! own because it measures the memory of the whole process.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "the lint lets tests unwrap, but not their helpers")]

use octide_core::DVec3;
use octide_core::geometry::{Motion, Shape};
use octide_core::scene::{Region, Release, Scene, SmokeSource};
use octide_methods::{ALL, start_within};

/// Returns the most memory that this process has used, in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches("kB").trim().parse::<u64>().unwrap() * 1024
}

#[test]
fn grids_that_do_not_fit_are_refused_before_they_are_stored() {
    // 16.8 million root cells, which take more than 500 MB.
    let mut water = Scene::empty("", DVec3::ONE, 256, 0);
    let ball = Shape::Sphere { center: DVec3::splat(0.5), radius: 0.1 };
    water.adaptivity.regions = vec![Region { shape: ball.clone(), at_most: 0.01, at_least: 0.0 }];
    let mut smoke = water.clone();
    water = water.with_liquid(ball.clone());
    smoke.smoke = vec![SmokeSource {
        shape: ball,
        density: 1.0,
        temperature: 0.0,
        velocity: None,
        motion: Motion::Still,
        when: Release::Puff(0.0),
    }];
    for method in ALL {
        let can = [(method.abilities.water, &water), (method.abilities.smoke, &smoke)];
        for (_, scene) in can.into_iter().filter(|(keys, _)| keys.is_some()) {
            let mut scene = scene.clone();
            scene.method = method.name().to_owned();
            let before = peak();
            let refused = start_within(&scene, 400_000_000).map(|_| ()).unwrap_err();
            assert!(refused.to_string().contains("256 × 256 × 256 finest cells"), "{refused}");
            assert!(peak() < before + 50_000_000, "{} took {} bytes", method.name(), peak() - before);
        }
    }
}
