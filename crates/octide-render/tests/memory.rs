//! What drawing takes, measured on Linux in a process of its own. The command, whose allocator returns large
//! blocks at once, takes 120 bytes per triangle and 60 per drop (its `painter.rs`); with the allocator's
//! default settings, as here, it is up to twice as much. As meshes, drops would take 8000.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

use octide_core::DVec3;
use octide_core::contract::{Particles, Surface};
use octide_core::geometry::primitives::icosphere;
use octide_core::scene::Scene;
use octide_render::{WaterView, render_water};
use std::fs;

/// Bytes that the process holds now (`VmRSS:`) or held at most (`VmHWM:`).
fn status(key: &str) -> f64 {
    let text = fs::read_to_string("/proc/self/status").unwrap();
    let value = text.lines().find_map(|line| line.strip_prefix(key)).unwrap();
    1024.0 * value.trim().trim_end_matches("kB").trim().parse::<f64>().unwrap()
}

/// Returns the most that `work` holds in addition.
fn taken(work: impl FnOnce()) -> f64 {
    fs::write("/proc/self/clear_refs", "5").unwrap();
    let before = status("VmRSS:");
    work();
    status("VmHWM:") - before
}

/// One test, so that nothing else runs in the process.
#[test]
fn triangles_and_drops_take_what_is_forecast() {
    let scene = Scene::empty("octree", DVec3::ONE, 64, 3);
    let draw = |surface: &Surface, particles: Option<&Particles>| {
        render_water(&WaterView {
            surface,
            particles,
            solids: &[],
            domain: &scene.domain,
            camera: None,
            width: 16,
            height: 9,
            samples: 0,
        });
    };
    let mesh = icosphere(DVec3::splat(0.5), 0.3, 7);
    let n_triangles = mesh.triangles.len() as f64;
    let ball = Surface { mesh, ..Surface::default() };
    let nothing = Surface::default();
    // Threads and the maps of light on the floor.
    draw(&nothing, None);
    let base = taken(|| draw(&nothing, None));

    let per_triangle = (taken(|| draw(&ball, None)) - base) / n_triangles;
    assert!((60.0..250.0).contains(&per_triangle), "{per_triangle} bytes per triangle");
    drop(ball);

    let n = 400_000;
    let place = |i: usize| [0.618_034, 0.754_878, 0.569_840].map(|step: f32| (step * i as f32).fract());
    let spray = Particles {
        positions: (0..n).map(place).collect(),
        velocities: Vec::new(),
        radii: vec![0.001; n],
        kinds: vec![Particles::SPRAY; n],
        ids: Vec::new(),
    };
    let per_drop = (taken(|| draw(&nothing, Some(&spray))) - base) / n as f64;
    assert!((30.0..150.0).contains(&per_drop), "{per_drop} bytes per drop");
}
