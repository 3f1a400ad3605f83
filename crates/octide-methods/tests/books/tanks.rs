//! Tanks that did not drain, or whose books were wrong.

use super::{Auditor, METHODS};
use octide_core::DVec3;
use octide_core::contract::{StepError, StepReport};
use octide_core::geometry::Shape;
use octide_core::scene::{Heading, Inflow, Liquid, OpenSides, Outflow, Scene, Span};
use octide_methods::{SimulationError, start, step_towards};

/// A cube of 1 m³ with water of this depth, in 16 finest cells along each axis.
fn tank(method: &str, depth: f64) -> Scene {
    let mut scene = Scene::empty(method, DVec3::ONE, 16, 1);
    scene.time.fps = 24.0;
    let shape = Shape::Box { min: DVec3::ZERO, max: DVec3::new(1.0, depth, 1.0) };
    scene.liquids = vec![Liquid { shape, velocity: DVec3::ZERO, roughness: 0.0 }];
    scene
}

fn open(names: &[&str]) -> OpenSides {
    let named: Vec<Heading> = Heading::ALL.into_iter().filter(|h| names.contains(&h.name())).collect();
    OpenSides::of(&named)
}

fn box_of(min: [f64; 3], max: [f64; 3]) -> Shape {
    Shape::Box { min: DVec3::from_array(min), max: DVec3::from_array(max) }
}

fn nozzle() -> Inflow {
    let shape = box_of([0.0, 0.375, 0.375], [0.125, 0.625, 0.625]);
    Inflow::new(shape, DVec3::X)
}

fn outflow(shape: Shape) -> Outflow {
    Outflow::new(shape)
}

/// Steps a scene to a time with its books checked. Returns the reports, the first of them at the start, and
/// why it ended early, if it did.
fn run(scene: &Scene, end: f64) -> (Vec<StepReport>, Option<SimulationError>) {
    let mut method = start(scene).unwrap();
    let mut reports = vec![method.report()];
    let mut auditor = Auditor::new(&reports[0], scene.domain.size.element_product());
    while method.time() < end - 1e-9 {
        match step_towards(method.as_mut(), end) {
            Ok(step) => {
                auditor.check(&step.report).unwrap();
                reports.push(step.report);
            }
            Err(e) => return (reports, Some(e)),
        }
    }
    (reports, None)
}

fn ran(scene: &Scene, end: f64) -> Vec<StepReport> {
    let (reports, error) = run(scene, end);
    assert!(error.is_none(), "{}: {}", scene.method, error.unwrap());
    reports
}

fn worst_drift(reports: &[StepReport]) -> f64 {
    reports.iter().map(|r| r.volume_drift.abs()).fold(0.0, f64::max)
}

/// What the start, what entered, what left and what remains.
fn summary(reports: &[StepReport]) -> [f64; 4] {
    let last = reports.last().unwrap();
    [reports[0].volume, last.volume_in, last.volume_out, last.volume]
}

#[test]
fn a_full_tank_drains_through_its_open_sides_like_one_with_air() {
    for method in METHODS {
        for sides in [&["+x"][..], &["-y"], &["-x", "+x", "-y", "+y", "-z", "+z"]] {
            let left = |depth: f64| {
                let mut scene = tank(method, depth);
                scene.open = open(sides);
                let reports = ran(&scene, 0.5);
                assert!(
                    worst_drift(&reports) < 0.07,
                    "{method} {sides:?} {depth}: {}",
                    worst_drift(&reports)
                );
                reports.last().unwrap().volume / reports[0].volume
            };
            let airy = left(0.9);
            for depth in [0.97, 1.0] {
                let full = left(depth);
                assert!(full < airy + 0.1, "{method} {sides:?} {depth}: {full} remain, with air {airy}");
            }
        }
    }
}

#[test]
fn a_full_tank_with_an_open_top_rests() {
    for method in METHODS {
        let mut scene = tank(method, 1.0);
        scene.open = open(&["+y"]);
        let reports = ran(&scene, 0.25);
        // The pressure is solved for up to a tolerance.
        assert!(summary(&reports)[2] < 1e-4, "{method}: {}", summary(&reports)[2]);
        assert!(reports.iter().all(|r| r.max_speed < 1e-2 && (r.volume - 1.0).abs() < 1e-3), "{method}");
    }
}

#[test]
fn a_closed_tank_stays_as_full_as_it_starts() {
    for method in METHODS {
        for depth in [0.97, 1.0] {
            let reports = ran(&tank(method, depth), 0.25);
            for r in &reports {
                assert!((r.volume - depth).abs() < 1e-6, "{method} {depth}: {}", r.volume);
            }
        }
    }
}

#[test]
fn an_outflow_smaller_than_a_coarse_cell_empties_a_full_tank() {
    for method in METHODS {
        for when in [Span::default(), Span { start: 0.1, end: f64::INFINITY }] {
            let mut scene = tank(method, 1.0);
            let shape = Shape::Sphere { center: DVec3::splat(0.5), radius: 0.08 };
            scene.outflows = vec![Outflow { when, ..Outflow::new(shape) }];
            let reports = ran(&scene, 0.6);
            let [start, _, out, volume] = summary(&reports);
            assert!(out > 0.03, "{method} {when:?}: {out} left");
            assert!((start - out - volume).abs() < 0.05, "{method} {when:?}: {start} {out} {volume}");
        }
    }
}

#[test]
fn a_full_closed_tank_refuses_an_inflow() {
    for method in METHODS {
        for depth in [0.97, 1.0] {
            let mut scene = tank(method, depth);
            scene.inflows = vec![nozzle()];
            let (reports, error) = run(&scene, 0.5);
            let error = error.unwrap();
            let is_full =
                matches!(&error, SimulationError::Impossible { source: StepError::Full { .. }, .. });
            assert!(is_full && error.to_string().contains("open a side"), "{method} {depth}: {error}");
            assert!(reports.last().unwrap().volume_in <= 1.0 - depth + 1e-9, "{method} {depth}");
        }
    }
}

#[test]
fn a_closed_tank_that_becomes_full_refuses_more() {
    for method in METHODS {
        let mut scene = tank(method, 0.9);
        scene.inflows = vec![Inflow { velocity: 2.0 * DVec3::X, ..nozzle() }];
        let (reports, error) = run(&scene, 2.0);
        assert!(matches!(error, Some(SimulationError::Impossible { .. })), "{method}: {error:?}");
        let [start, volume_in, _, volume] = summary(&reports);
        assert!(volume_in > 0.05 && volume_in <= 0.1 + 1e-9, "{method}: {volume_in}");
        assert!((start + volume_in - volume).abs() < 0.05, "{method}: {start} {volume_in} {volume}");
    }
}

#[test]
fn what_enters_a_full_tank_leaves_by_its_open_top() {
    for method in METHODS {
        let mut scene = tank(method, 1.0);
        scene.open = open(&["+y"]);
        scene.inflows = vec![nozzle()];
        let reports = ran(&scene, 0.5);
        let [start, volume_in, out, volume] = summary(&reports);
        assert!(volume_in > 0.02, "{method}: {volume_in}");
        assert!((start + volume_in - out - volume).abs() < 1e-3, "{method}: {volume_in} {out} {volume}");
    }
}

#[test]
fn an_outflow_on_the_floor_takes_no_more_than_was_there() {
    for method in METHODS {
        let mut scene = tank(method, 0.35);
        scene.outflows = vec![outflow(box_of([0.25, 0.0, 0.25], [0.75, 0.07, 0.75]))];
        let reports = ran(&scene, 2.0);
        let [start, _, out, volume] = summary(&reports);
        assert!(volume < 0.2 * start && out > 0.7 * start, "{method}: {out} of {start}, {volume} remain");
    }
}

/// Scene files with this are refused; a scene built in code keeps its books.
#[test]
fn where_an_inflow_and_an_outflow_overlap_there_is_only_the_outflow() {
    for method in METHODS {
        let mut scene = tank(method, 0.35);
        let shape = box_of([0.375; 3], [0.625; 3]);
        let velocity = DVec3::NEG_Y;
        scene.inflows = vec![Inflow::new(shape.clone(), velocity)];
        scene.outflows = vec![outflow(shape)];
        let reports = ran(&scene, 0.4);
        let [start, volume_in, out, volume] = summary(&reports);
        assert!(volume_in < 1e-4 && out < 1e-3, "{method}: {volume_in} {out}");
        assert!((volume - start).abs() < 0.01, "{method}: {start} {volume}");
    }
}

/// Tiny forces are solved for like others.
#[test]
fn gravity_and_tension_of_next_to_nothing_do_not_fail() {
    for method in METHODS {
        for size in [1e-300, 1e-320] {
            let mut scene = tank(method, 0.4);
            scene.physics.gravity = DVec3::new(0.0, -size, 0.0);
            ran(&scene, 0.1);
            scene.physics.gravity = DVec3::ZERO;
            scene.physics.surface_tension = size;
            let shape = Shape::Sphere { center: DVec3::splat(0.5), radius: 0.3 };
            scene.liquids = vec![Liquid { shape, velocity: DVec3::ZERO, roughness: 0.0 }];
            ran(&scene, 0.1);
        }
    }
}
