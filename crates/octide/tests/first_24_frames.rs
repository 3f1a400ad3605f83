//! The built-in scenes water-drop and dam-break as the benchmark runs them, 24 frames at 120/s, checked for
//! volume, closed surfaces that enclose it, and detail that varies along the surface.
#![allow(clippy::unwrap_used)] // a test may fail loudly

use octide_core::contract::StepReport;
use octide_core::faces::figures::{COARSE_SURFACE_CELLS, CUT_T_FACES};
use octide_io::scene_file::{LoadOptions, load};
use octide_methods::step_towards;

struct Run {
    reports: Vec<StepReport>,
    /// The largest relative difference between the volume in the surface and the level set's.
    worst_surface: f64,
    all_closed: bool,
}

fn run(name: &str, correction: bool) -> Run {
    let set = |key: &str, value: &str| (key.to_string(), value.to_string());
    let overrides = vec![
        set("resolution", "128"),
        set("time.frames", "24"),
        set("time.fps", "120"),
        set("numerics.volume_correction", if correction { "global" } else { "off" }),
    ];
    let options = LoadOptions::new(octide_methods::ABILITIES).with_overrides(overrides);
    let scene = load(name, &options).unwrap().scene;
    let mut sim = octide_methods::start(&scene).unwrap();
    let mut out = Run { reports: Vec::new(), worst_surface: 0.0, all_closed: true };
    for frame in 1..=24 {
        let mut arrived = false;
        while !arrived {
            let step = step_towards(&mut *sim, f64::from(frame) / 120.0).unwrap();
            assert!(step.trouble.is_none(), "{:?}", step.trouble);
            arrived = step.arrived;
            out.reports.push(step.report);
        }
        let surface = sim.frame().surface.mesh;
        out.all_closed &= surface.topology().is_closed_manifold();
        let volume = out.reports.last().unwrap().volume;
        out.worst_surface = out.worst_surface.max((surface.volume() / volume - 1.0).abs());
    }
    out
}

fn worst_drift(reports: &[StepReport]) -> f64 {
    reports.iter().map(|r| r.volume_drift.abs()).fold(0.0, f64::max)
}

fn check(name: &str) -> Run {
    let with = run(name, true);
    let without = run(name, false);
    println!(
        "{name} 128: volume drift at most {:.3} % with correction, {:.3} % without; surface against level set {:.3} %",
        100.0 * worst_drift(&with.reports),
        100.0 * worst_drift(&without.reports),
        100.0 * with.worst_surface
    );
    assert!(worst_drift(&with.reports) < 0.01);
    assert!(with.all_closed && without.all_closed, "every surface is closed and manifold");
    assert!(with.worst_surface < 0.01, "{}", with.worst_surface);
    with
}

#[test]
fn water_drop_keeps_its_volume_and_is_coarse_where_it_is_calm() {
    let with = check("water-drop");
    let sum = |f: fn(&StepReport) -> usize| with.reports.iter().map(f).sum::<usize>();
    let coarse = sum(|r| r.count(&COARSE_SURFACE_CELLS)) as f64 / sum(|r| r.surface_cells) as f64;
    let cut = sum(|r| r.count(&CUT_T_FACES));
    println!("coarser than the finest: {:.1} % of the surface cells; T-junctions cut: {cut}", 100.0 * coarse);
    assert!(coarse >= 0.3, "{coarse}");
    assert!(cut > 0);
}

#[test]
fn dam_break_keeps_its_volume() {
    check("dam-break");
}
