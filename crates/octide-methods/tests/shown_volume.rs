//! The mesh of a frame shows the water: its volume, with that of the drops, is that of the liquid.
#![allow(clippy::unwrap_used)] // a test that fails may panic

use octide_core::DVec3;
use octide_core::geometry::Shape;
use octide_core::scene::{Inflow, Liquid, Scene, Solid};
use octide_methods::Simulation;

/// Largest difference of what is shown from the volume of the liquid.
const LIMIT: f64 = 0.01;

/// Frames of the scenes.
const FRAMES: u32 = 10;

fn upright(low: f64, high: f64, radius: f64) -> Shape {
    let at = |y: f64| DVec3::new(0.12, y, 0.12);
    Shape::Cylinder { from: at(low), to: at(high), radius }
}

/// A glass with thick walls, with a tap over it.
fn glass(method: &str) -> Scene {
    let mut scene = Scene::empty(method, DVec3::splat(0.24), 32, 3).with_frames(FRAMES, 30.0);
    let of = Box::new(upright(0.0, 0.16, 0.08));
    scene.solids.push(Solid::still(Shape::Difference { of, minus: vec![upright(0.03, 0.2, 0.055)] }));
    let shape = upright(0.03, 0.08, 0.055);
    scene.liquids.push(Liquid { shape, velocity: DVec3::ZERO, roughness: 0.0 });
    scene.inflows.push(Inflow::new(upright(0.21, 0.26, 0.016), DVec3::new(0.0, -1.0, 0.0)));
    scene
}

/// Water breaks in a box with thin walls.
fn thin_tank(method: &str) -> Scene {
    let mut scene = Scene::empty(method, DVec3::new(0.6, 0.4, 0.4), 42, 1).with_frames(FRAMES, 30.0);
    let solid = |low: [f64; 3], high: [f64; 3]| Shape::Box { min: low.into(), max: high.into() };
    scene.solids.push(Solid::still(Shape::Difference {
        of: Box::new(solid([0.1, 0.05, 0.1], [0.5, 0.28, 0.3])),
        minus: vec![solid([0.104, 0.054, 0.104], [0.496, 0.5, 0.296])],
    }));
    let shape = solid([0.104, 0.054, 0.104], [0.25, 0.22, 0.296]);
    scene.liquids.push(Liquid { shape, velocity: DVec3::ZERO, roughness: 0.0 });
    scene
}

/// Returns the largest difference of what frames show from the volume of the liquid.
fn worst(scene: &Scene) -> (f64, u32) {
    let mut simulation = Simulation::start(scene).unwrap();
    let mut worst = (0.0, 0);
    for k in 0..=FRAMES {
        simulation.advance_to_frame(k).unwrap();
        let frame = simulation.frame();
        assert!(frame.volume > 0.0 && frame.surface.mesh.is_closed_manifold());
        let shown = frame.surface.mesh.volume() - frame.in_walls + frame.particles.spray().1;
        let off = shown / frame.volume - 1.0;
        if off.abs() > f64::abs(worst.0) {
            worst = (off, k);
        }
    }
    worst
}

#[test]
fn water_in_a_glass_has_its_volume_in_every_frame() {
    for method in octide_methods::NAMES {
        let (off, frame) = worst(&glass(method));
        assert!(off.abs() <= LIMIT, "{method}: {:.2} % in frame {frame}", 100.0 * off);
    }
}

#[test]
fn water_in_thin_walls_has_its_volume_in_every_frame() {
    for method in octide_methods::NAMES {
        let (off, frame) = worst(&thin_tank(method));
        assert!(off.abs() <= LIMIT, "{method}: {:.2} % in frame {frame}", 100.0 * off);
    }
}
