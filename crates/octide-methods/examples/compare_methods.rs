//! A column of water collapses against a post, simulated by every method. Prints volume, energy and what a
//! probe measures over time, and writes a picture of the last frame of each method.
//!
//!     cargo run --release -p octide-methods --example compare_methods

use octide_core::DVec3;
use octide_core::geometry::{Pose, Shape};
use octide_core::probes;
use octide_core::scene::{ProbeKind, Scene};
use octide_methods::{NAMES, Simulation};
use octide_render::{SolidDetail, WaterView, render_water, solid_mesh};
use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    for method in NAMES {
        let post = Shape::Cylinder {
            from: DVec3::new(1.25, -0.1, 0.25),
            to: DVec3::new(1.25, 0.6, 0.25),
            radius: 0.08,
        };
        let scene = Scene::empty(method, DVec3::new(2.0, 1.0, 0.5), 64, 3)
            .with_frames(15, 30.0)
            .with_liquid(Shape::Box { min: DVec3::ZERO, max: DVec3::new(0.5, 0.7, 0.5) })
            .with_solid(post.clone())
            .with_probe("height", ProbeKind::Gauge(DVec3::new(1.0, 0.0, 0.25)));

        println!("\n{method}\n  time s   cells   volume m³   energy J   height at x = 1 m");
        let mut simulation = Simulation::start(&scene)?;
        while simulation.frame_number() < scene.time.frames {
            simulation.advance_to_frame(simulation.frame_number() + 3)?;
            let totals = simulation.totals();
            let height = probes::read(&scene, simulation.method())[0].unwrap_or(f64::NAN);
            println!(
                "{:8.3} {:7} {:11.5} {:10.2} {:10.3}",
                simulation.time(),
                simulation.report().cells,
                totals.volume,
                totals.kinetic_energy + totals.potential_energy,
                height
            );
        }

        let frame = simulation.frame();
        let picture = PathBuf::from(format!("compare_methods-{method}.png"));
        render_water(&WaterView {
            surface: &frame.surface,
            particles: Some(&frame.particles),
            solids: &[(&solid_mesh(&post, &scene.domain, SolidDetail::FULL), Pose::IDENTITY)],
            domain: &scene.domain,
            camera: None,
            width: 480,
            height: 270,
            samples: 4,
        })
        .write(&picture)?;
        println!("{}", picture.display());
    }
    Ok(())
}
